"""Scoring a run again: by the rules of today, or by a model that reads its episodes; what came of it, in words."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_observability.folder import RunFolder
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.events import Hook
from palaver_protocols.messages import OWED
from palaver_protocols.runs import EpisodeRecord, Grading

from .bills import overspent
from .exits import FAILED, after_signal, complain
from .grading import GradingRun, kept_beside, regraded, rules_first
from .regrading import reopen
from .session import play
from .stopping import run_until_stopped
from .tracing import traces
from .watching import Watch, watching

__all__ = ["Finish", "Told", "by_model", "by_rules"]

Finish = Callable[[RunFolder], int]
"""Sums a run up, and returns its exit code."""

AGAIN = "The same command asks for what is owed; nothing that was answered is lost."
RAISE = "raise it and give the same command again: it asks for what is owed only"


def by_rules(game: AnyGame, opened: RunFolder, finish: Finish) -> int:
    """Score by the rules alone."""

    async def rescore() -> None:
        async with opened:
            opened.lock()
            opened.rewrite([rules_first(_scored(game, opened, record)) for record in opened.records()])

    asyncio.run(rescore())
    return finish(opened)


class Told(NamedTuple):
    """Who is told what, and how what comes of it is shown."""

    environ: Mapping[str, str]
    watch: Watch
    metrics: list[Hook]
    finish: Finish


def by_model(
    game: AnyGame,
    opened: RunFolder,
    planned: GradingRun,
    paid: list[EpisodeRecord],
    told: Told,
    *,
    again: bool,
    cache: bool,
) -> int:
    """Have a model grade what is owed, put what it says in front if that is all, print what came of it.

    What the grading has come to so far is added to ``paid``. ``again`` has it ask anew what stayed ungraded.
    """
    gradings: dict[str, Grading] = {}
    owed: list[EpisodeRecord] = []
    bill: list[EpisodeRecord] = []

    async def session() -> None:
        async with opened:
            opened.lock()
            scored = [_scored(game, opened, record) for record in opened.records()]
            async with RunFolder.create(planned.path, planned.config) as folder:
                done = folder.reconcile()
                if again and await reopen(planned, folder):
                    done = folder.reconcile()
                environ = told.environ
                with (
                    watching(folder, len(planned.plan.openings), told.watch) as shown,
                    traces("palaver-score", told.watch.otlp, environ, on_trouble=_warn) as tracing,
                ):
                    hooks = [*told.metrics, *shown]
                    await play(
                        planned.game,
                        folder,
                        planned.plan,
                        done=done,
                        hooks=hooks,
                        environ=environ,
                        cache=cache,
                        tracing=tracing,
                    )
                gradings.update(planned.read(folder))
                owed.extend(planned.owed(folder))
                bill.extend(folder.records())
            if len(gradings) == len(planned.plan.openings):
                opened.rewrite(regraded(scored, gradings, game.graded_scores()))
            elif gradings:
                opened.rewrite(kept_beside(scored, gradings))

    if stopped := run_until_stopped(session()):
        return complain(f"stopped; the run is scored as before. {AGAIN}", after_signal(stopped))
    paid.extend(bill)
    code = told.finish(opened) if gradings else 0
    _tell_ungraded(planned, [*gradings.values()])
    if said := overspent(planned.config, bill):
        complain(said, 0)
    return _tell_owed(planned, owed) or code


def _warn(said: str) -> None:
    complain(said, 0)


def _tell_ungraded(planned: GradingRun, gradings: Sequence[Grading]) -> None:
    """Say how many votes cannot be used, and why the first one cannot."""
    lost = [grading for grading in gradings if grading.ungraded]
    if lost:
        votes = sum(grading.ungraded for grading in lost)
        asked = votes + sum(len(grading.votes) for grading in gradings)
        none = sum(not grading.votes for grading in lost)
        complain(
            f"ungraded: {votes} of {asked} votes of {planned.grader}, {none} of {len(gradings)} episodes "
            f"(these count in none of its scores; add --again to ask anew); the first: {lost[0].reason}",
            0,
        )


def _tell_owed(planned: GradingRun, owed: Sequence[EpisodeRecord]) -> int:
    """Say what the grader could not be asked about; return the exit code: 1 if it has failed."""
    if not owed:
        return 0
    total = len(planned.plan.openings)
    some = f"has graded {total - len(owed)} of {total} episodes, so the scores are those of the rules"
    extent = some if len(owed) < total else "has graded no episode, all is as it was"
    if errors := [record for record in owed if record.outcome == "error"]:
        return complain(f"{planned.grader} {extent}: {errors[0].error} ({AGAIN})", FAILED)
    return complain(f"the budget is spent: {planned.grader} {extent} ({RAISE})", 0)


def _scored(game: AnyGame, folder: RunFolder, record: EpisodeRecord) -> EpisodeRecord:
    """Return a record with the outcome and the scores that its transcript has by the rules of today."""
    if record.outcome in OWED:
        return record
    entries = folder.read_log(record.episode_id)
    if not entries:
        raise UsageError(f"{record.episode_id} cannot be scored: it has no transcript")
    try:
        episode = Episode.from_log(game, entries)
    except (ProtocolError, UsageError) as error:
        raise UsageError(f"{record.episode_id} cannot be scored: {error.message}", mend=error.mend) from error
    if episode.outcome is None:
        raise UsageError(
            f"{record.episode_id} is not over by the rules of today",
            mend="score it with the version of palaver that config.yaml names",
        )
    scored = {"outcome": episode.outcome, "scores": dict(episode.scores), "segments": episode.segments}
    return record.model_copy(update=scored)
