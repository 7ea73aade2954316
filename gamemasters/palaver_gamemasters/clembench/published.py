"""The figures that the study prints (Hakimov et al., tables), for reports to set beside ours."""

from collections.abc import Mapping
from typing import Any

from palaver_gamemasters.texts import figures_of

__all__ = ["published"]

SHARED = ("models", "variant", "usual", "instances", "boards", "twins", "leaderboard")
OF_A_GAME = ("turn_limit", "experiments", "tables", "whole")


def published(game: str) -> Mapping[str, Any]:
    """Return what the study prints of a game: ``study``, ``source``, ``clemscore``, and tables to be read as they are.

    ``clemscore`` holds what all games share, ``models`` (other names of the paper's), ``variant`` and ``usual``
    (options), ``instances`` (what there is to say of ours beside theirs), ``boards`` (games that are averaged
    together), ``twins`` (a game with pictures and in text, and how v1.6.5 scores the two differently) and the
    ``leaderboard``, and of this game its ``turn_limit``, ``experiments``, ``tables`` by experiment and figures of the
    ``whole`` game.
    The file says how they are laid out, and where the paper does not add up.
    """
    read = _read()
    own = read["games"].get(game, {})
    shared = {name: read[name] for name in SHARED}
    about = {name: own[name] for name in OF_A_GAME if name in own}
    plain = {name: table for name, table in own.items() if name not in OF_A_GAME}
    return {"study": read["study"], "source": read["source"], "clemscore": {**shared, **about}, **plain}


def _read() -> Mapping[str, Any]:
    return figures_of(__package__)
