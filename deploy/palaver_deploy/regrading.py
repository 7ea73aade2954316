"""What stayed ungraded, asked anew: a grading whose votes ran out goes on where they did; what was answered stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.grading import GradingState
from palaver_gamemasters.rollout import Plan
from palaver_observability.folder import RunFolder
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import OWED, EpisodeEnded, EpisodeStarted, LogEntry

from .grading import GradingRun

__all__ = ["Owed", "check_begun", "owed_of", "reopen"]


@dataclass(frozen=True, slots=True)
class Owed:
    """What is still to be asked: the plan of it, and the logs of the gradings that go on where they ran out."""

    plan: Plan
    logs: Mapping[str, Sequence[LogEntry]] = field(default_factory=dict)


def check_begun(planned: GradingRun) -> None:
    """Make sure that there is a grading of which something can be asked anew.

    Raises:
        UsageError: there is none by this grader with these options; all of it would be asked.
    """
    if not planned.begun:
        raise UsageError(
            f"{planned.grader} has not graded {planned.path.parent.parent} with these options: nothing stayed ungraded",
            mend="give the options of the grading, or leave out --again",
        )


def owed_of(planned: GradingRun, *, again: bool) -> Owed | None:
    """Return what a grading would ask: what it has not asked, and, ``again``, what stayed ungraded. None: nothing.

    Raises:
        UsageError: a grading that is there cannot be read.
    """
    left = planned.still_to_ask()
    logs = _reopened(planned, RunFolder.open(planned.path)) if again else {}
    if not logs:
        return None if left is None else Owed(left)
    openings = {opening.episode_id: opening for opening in planned.plan.openings}
    limits = dict(left.turn_limits) if left is not None else {}
    for episode_id, entries in logs.items():
        state: GradingState = Episode.from_log(planned.game, entries).state
        limits[episode_id] = state.most_answers
    plan = replace(planned.plan, openings=tuple(openings[name] for name in limits), turn_limits=limits)
    return Owed(plan, logs)


async def reopen(planned: GradingRun, folder: RunFolder) -> int:
    """Have the votes of a grading that ran out go on when it is played; return in how many episodes.

    Whoever is killed in the midst of it loses nothing: a log that is not reopened yet has its end still.

    Raises:
        UsageError: a grading that is there cannot be read, or the folder cannot be written.
    """
    logs = _reopened(planned, folder)
    if logs:
        folder.rewrite([record for record in folder.records() if record.episode_id not in logs])
    for episode_id, entries in logs.items():
        await folder.write_log(episode_id, entries)
    return len(logs)


def _reopened(planned: GradingRun, folder: RunFolder) -> dict[str, list[LogEntry]]:
    """Return the logs of the gradings with a vote that ran out, as they go on: without their end."""
    known = {opening.episode_id for opening in planned.plan.openings}
    logs: dict[str, list[LogEntry]] = {}
    for record in folder.records():
        if record.episode_id not in known or record.outcome in OWED:
            continue
        entries = folder.read_log(record.episode_id)
        try:
            state: GradingState = Episode.from_log(planned.game, entries).state
        except (ProtocolError, UsageError) as error:
            raise UsageError(
                f"the grading of {record.episode_id} cannot be read: {error.message}",
                mend=f"delete {folder.path} to have it graded anew",
            ) from error
        if state.ungraded:
            logs[record.episode_id] = _going_on(entries)
    return logs


def _going_on(entries: Sequence[LogEntry]) -> list[LogEntry]:
    first, *others = entries
    assert isinstance(first, EpisodeStarted)  # or there would be no state
    again = first.options.get("again", 0)
    assert isinstance(again, int)
    begun = first.model_copy(update={"options": {**first.options, "again": again + 1}})
    return [begun, *(others[:-1] if isinstance(others[-1], EpisodeEnded) else others)]
