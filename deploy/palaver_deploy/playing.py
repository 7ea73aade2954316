"""Playing a run in this process, watched, from its folder to its results."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from signal import Signals
from typing import TYPE_CHECKING

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_observability.folder import RunFolder
from palaver_protocols.events import Hook

from .exits import after_signal, complain
from .results import print_outcome
from .session import play
from .stopping import run_until_stopped
from .tracing import traces
from .watching import Watch, watching

if TYPE_CHECKING:
    from .run_pages import RunPages

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
    codes: list[int] = []
    stopped = play_watched(
        game,
        folder,
        planned,
        environ=environ,
        watch=watch,
        metrics=metrics,
        cache=cache,
        at_end=lambda: codes.append(print_outcome(folder, sys.stdout, as_json=as_json)),
    )
    if stopped:
        again = f"palaver resume {shlex.quote(str(folder.path))}{watch.again}"
        return complain(f"stopped; nothing that was answered is lost. Go on with: {again}", after_signal(stopped))
    return codes[0]


def play_watched(
    game: AnyGame,
    folder: RunFolder,
    planned: Plan,
    *,
    environ: Mapping[str, str],
    watch: Watch,
    metrics: Sequence[Hook],
    cache: bool,
    at_end: Callable[[], None] | None = None,
) -> Signals | None:
    """Play what a run owes and show how it goes; return the signal that stopped it, if one did.

    Args:
        game: the rules.
        folder: the run's folder.
        planned: the run worked out.
        environ: the environment.
        watch: how it is watched.
        metrics: hooks that count.
        cache: whether providers are asked nothing that they have answered already.
        at_end: called when all is played and on disk; then the pages stay, if somebody wants them to.
    """
    pages = _pages(folder, planned, environ, watch)
    is_over = False

    async def session() -> None:
        async with nullcontext() if pages is None else pages:
            await play_all()
            nonlocal is_over
            is_over = True
            if at_end is not None:
                at_end()
                if pages is not None:
                    await pages.stay()

    async def play_all() -> None:
        async with folder:
            done = folder.reconcile()
            with (
                watching(folder, len(planned.openings), watch) as shown,
                traces("palaver-run", watch.otlp, environ, on_trouble=lambda said: complain(said, 0)) as tracing,
            ):
                hooks = [*metrics, *shown]
                await play(
                    game,
                    folder,
                    planned,
                    done=done,
                    hooks=hooks,
                    environ=environ,
                    cache=cache,
                    tracing=tracing,
                    pages=pages,
                )

    stopped = run_until_stopped(session())
    return None if is_over else stopped


def _pages(folder: RunFolder, planned: Plan, environ: Mapping[str, str], watch: Watch) -> "RunPages | None":
    """Make the pages of a run, where somebody wants them."""
    if watch.pages is None:
        return None
    from .run_pages import pages_of

    return pages_of(watch.pages, folder.config.run_id, folder.path, environ, planned.agents)
