"""What games bring along beside their code: prompts, whose marks are filled in, and the figures that studies print."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

__all__ = ["figures_of", "filled", "prompt_of"]

MARK = re.compile(r"<<(\w+)>>")


@cache
def prompt_of(package: str, name: str) -> str:
    """Return a prompt of a package as it stands in its folder: ``prompts/NAME.txt``."""
    return (files(package) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


def filled(text: str, told: Mapping[str, str]) -> str:
    """Replace the marks of a prompt (``<<name>>``); what is put in their place is not looked at again."""
    return MARK.sub(lambda mark: told[mark[1]], text)


@cache
def figures_of(package: str) -> Mapping[str, Any]:
    """Return the figures of a study: ``published.yaml`` of its package, which says how they are laid out."""
    read: Mapping[str, Any] = yaml.safe_load((files(package) / "published.yaml").read_text(encoding="utf-8"))
    return read
