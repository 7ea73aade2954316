"""Models of providers, through their official SDKs: a table of who is where, and one module for each wire format."""

from .table import PROVIDERS, Provider, open_model, resolve

__all__ = ["PROVIDERS", "Provider", "open_model", "resolve"]
