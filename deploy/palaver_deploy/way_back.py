"""How a bus is named to people and in files: without its password."""

import shlex
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

__all__ = ["broker_words", "place"]


def place(url: str) -> str:
    """Return a bus's URL with ``PASSWORD`` where its password is, fit for a file and for the screen."""
    split = urlsplit(url)
    login, at, host = split.netloc.rpartition("@")
    user, colon, _ = login.partition(":")
    query = f"?{split.query}" if split.query else ""
    return f"{split.scheme}://{user}{colon and ':PASSWORD'}{at}{host}{split.path}{query}"


def broker_words(url: str) -> str:
    """Return how the present command's bus is named on another command line: `` --broker URL``.

    Nothing where it was found in the environment, which the other command sees as well.
    """
    source = click.get_current_context().get_parameter_source
    if ParameterSource.ENVIRONMENT in (source("broker"), source("url")):
        return ""
    return f" --broker {shlex.quote(place(url))}"
