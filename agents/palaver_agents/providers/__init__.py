"""Models of providers, through their official SDKs: a table of who is where, and one module for each wire format."""

from .endpoint import ModelFacts
from .table import PROVIDERS, Provider, facts, is_blind, is_priced, open_model, provider_names, resolve

__all__ = [
    "PROVIDERS",
    "ModelFacts",
    "Provider",
    "facts",
    "is_blind",
    "is_priced",
    "open_model",
    "provider_names",
    "resolve",
]
