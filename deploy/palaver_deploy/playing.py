"""Playing a run in this process, watched, from its folder to its results."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from signal import Signals

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_observability.folder import RunFolder
from palaver_protocols.events import Hook

from .exits import after_signal, complain
from .results import print_outcome
from .session import play
from .stopping import run_until_stopped
from .watching import Watch, watching

__all__ = ["play_and_print", "play_watched"]


def play_and_print(
    game: AnyGame,
    folder: RunFolder,
    planned: Plan,
    *,
    environ: Mapping[str, str],
    watch: Watch,
    metrics: Sequence[Hook],
    cache: bool,
    as_json: bool,
) -> int:
    """Play what a run owes and print what came of it; return the exit code."""
    if stopped := play_watched(game, folder, planned, environ=environ, watch=watch, metrics=metrics, cache=cache):
        again = f"palaver resume {shlex.quote(str(folder.path))}"
        return complain(f"stopped; nothing that was answered is lost. Go on with: {again}", after_signal(stopped))
    return print_outcome(folder, sys.stdout, as_json=as_json)


def play_watched(
    game: AnyGame,
    folder: RunFolder,
    planned: Plan,
    *,
    environ: Mapping[str, str],
    watch: Watch,
    metrics: Sequence[Hook],
    cache: bool,
) -> Signals | None:
    """Play what a run owes and show how it goes; return the signal that stopped it, if one did."""

    async def session() -> None:
        async with folder:
            done = folder.reconcile()
            with watching(folder, len(planned.openings), watch) as hooks:
                await play(game, folder, planned, done=done, hooks=[*metrics, *hooks], environ=environ, cache=cache)

    return run_until_stopped(session())
