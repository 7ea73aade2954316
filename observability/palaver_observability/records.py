"""From the log of an episode to its line in ``episodes.jsonl``. Pure functions."""

import math
from collections.abc import Iterable, Sequence

from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import (
    OWED,
    EpisodeEnded,
    EpisodeStarted,
    LogEntry,
    SeatFiller,
    TurnReply,
    TurnTaken,
    Usage,
)
from palaver_protocols.runs import EpisodeRecord

__all__ = ["ended_for_good", "line_of", "record_of"]


def ended_for_good(entries: Sequence[LogEntry]) -> bool:
    """Whether a log is complete: its last entry ends the episode with an outcome that is not :data:`OWED`."""
    return bool(entries) and isinstance(entries[-1], EpisodeEnded) and entries[-1].outcome not in OWED


def record_of(entries: Sequence[LogEntry]) -> EpisodeRecord:
    """Fold the log of an episode that has ended into one record.

    An episode that was taken up again after an error has several ends; the last entry counts. Costs are summed over the
    turns that report one, None if none does. ``turns`` counts replies, whichever process received them.

    Raises:
        ProtocolError: the log does not begin with the episode's start, or does not end with its end.
    """
    if not entries or not isinstance(entries[0], EpisodeStarted):
        raise ProtocolError("the log of an episode must begin with episode.started")
    started, ended = entries[0], entries[-1]
    if not isinstance(ended, EpisodeEnded):
        raise ProtocolError(f"episode {started.episode_id} has not ended", mend="take the run up with palaver resume")
    replies = [entry.reply for entry in entries if isinstance(entry, TurnTaken)]
    costs = [reply.cost_usd for reply in replies if reply.cost_usd is not None]
    return EpisodeRecord(
        run_id=started.run_id,
        episode_id=started.episode_id,
        game=started.game,
        variant=started.variant,
        instance_id=started.instance_id,
        seed=started.seed,
        seats=_seats(started, replies),
        protocol=started.protocol,
        outcome=ended.outcome,
        scores=ended.scores,
        turns=len(replies),
        usage=_usage(started.seats, replies),
        latency_s=math.fsum(reply.latency_s for reply in replies),
        cost_usd=math.fsum(costs) if costs else None,
        started=started.at,
        ended=ended.at,
        error=ended.error,
    )


def line_of(record: EpisodeRecord) -> bytes:
    """Write a record as compact UTF-8 JSON, with its newline."""
    return record.model_dump_json(by_alias=True).encode() + b"\n"


def _seats(started: EpisodeStarted, replies: Iterable[TurnReply]) -> dict[str, tuple[SeatFiller, ...]]:
    """Return who filled each seat, with the model that each agent last reported there."""
    models = {(reply.seat, reply.agent): reply.model for reply in replies if reply.model}
    return {
        seat: tuple(
            filler.model_copy(update={"model": models.get((seat, filler.agent), filler.model)}) for filler in fillers
        )
        for seat, fillers in started.seats.items()
    }


def _usage(seats: Iterable[str], replies: Iterable[TurnReply]) -> dict[str, Usage]:
    """Return the tokens of each seat, zero for one that never spoke."""
    usage = {seat: Usage() for seat in seats}
    for reply in replies:
        usage[reply.seat] = usage.get(reply.seat, Usage()) + reply.usage
    return usage
