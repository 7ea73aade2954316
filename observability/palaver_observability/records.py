"""From the log of an episode to its line in ``episodes.jsonl``. Pure functions."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence

from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import (
    OWED,
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    FinishReason,
    LogEntry,
    SeatChanged,
    SeatFiller,
    Segment,
    TurnReply,
    TurnTaken,
    Usage,
)
from palaver_protocols.runs import EpisodeRecord

__all__ = ["digest_of", "ended_for_good", "line_of", "place_of", "record_of"]


def place_of(episode_id: str) -> tuple[int, str]:
    """Order episodes as they were planned: by the number that ends their ids, 0 where there is none."""
    last = episode_id.rpartition("-")[2]
    return (int(last) if last.isdecimal() else 0, episode_id)


def ended_for_good(entries: Sequence[LogEntry]) -> bool:
    """Whether a log is complete: its last entry ends the episode with an outcome that is not :data:`OWED`."""
    return bool(entries) and isinstance(entries[-1], EpisodeEnded) and entries[-1].outcome not in OWED


def record_of(entries: Sequence[LogEntry]) -> EpisodeRecord:
    """Fold the log of an episode that has ended into one record.

    An episode that was taken up again after an error has several ends; the last entry counts. ``turns`` counts replies,
    whichever process received them. What a frozen turn took was paid for elsewhere, and is left out. The cost is None
    where an answer that took tokens does not tell what it cost: a part of a bill is none.

    Raises:
        ProtocolError: the log does not begin with the episode's start, or does not end with its end.
    """
    if not entries or not isinstance(entries[0], EpisodeStarted):
        raise ProtocolError("the log of an episode must begin with episode.started")
    started, ended = entries[0], entries[-1]
    if not isinstance(ended, EpisodeEnded):
        raise ProtocolError(f"episode {started.episode_id} has not ended", mend="take the run up with palaver resume")
    turns = [entry for entry in entries if isinstance(entry, TurnTaken)]
    asides = [entry for entry in entries if isinstance(entry, Aside)]
    frozen = [turn for turn in turns if turn.copied_from is not None]
    paid = [entry for entry in entries if isinstance(entry, TurnTaken | Aside) and entry.copied_from is None]
    return EpisodeRecord(
        run_id=started.run_id,
        episode_id=started.episode_id,
        game=started.game,
        variant=started.variant,
        instance_id=started.instance_id,
        labels=started.labels,
        seed=started.seed,
        seats=_seats(started, ended, [turn.reply for turn in turns], entries),
        protocol=started.protocol,
        outcome=ended.outcome,
        scores=ended.scores,
        turns=len(turns),
        asides=len(asides),
        frozen=len(frozen),
        prefix_sha256=digest_of(frozen) if frozen else None,
        segments=ended.segments,
        message_tokens=_message_tokens(started.seats, turns),
        finish_reasons=_unusual_ends(entry.reply for entry in entries if isinstance(entry, TurnTaken | Aside)),
        usage=_usage(started.seats, paid),
        latency_s=math.fsum(entry.reply.latency_s for entry in paid),
        cost_usd=_cost([entry.reply for entry in paid], nothing_to_pay=bool(turns) and not paid),
        started=started.at,
        ended=ended.at,
        error=ended.error,
    )


def line_of(record: EpisodeRecord) -> bytes:
    """Write a record as compact UTF-8 JSON, with its newline."""
    return record.model_dump_json(by_alias=True).encode() + b"\n"


def digest_of(turns: Iterable[TurnTaken]) -> str:
    """Return the SHA-256 of who said what in some turns: the same words in the same order have the same one."""
    said = [(turn.reply.seat, [part.model_dump(mode="json") for part in turn.reply.parts]) for turn in turns]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _seats(
    started: EpisodeStarted, ended: EpisodeEnded, replies: Iterable[TurnReply], entries: Iterable[LogEntry]
) -> dict[str, tuple[SeatFiller, ...]]:
    """Return who filled each seat and was to fill it, with the model it reported, and the turn at which it came.

    Of who comes at a fixed turn, that turn, though the seat may speak next a turn later: a relay has one name in all
    episodes, those that ended before it included.
    """
    models = {(reply.seat, reply.agent): reply.model for reply in replies if reply.model}
    by_hand = [entry for entry in entries if isinstance(entry, SeatChanged)]
    seats = {}
    for seat, planned in started.seats.items():
        changes = [
            SeatFiller(agent=entry.agent, from_turn=None, when="hand") for entry in by_hand if entry.seat == seat
        ]
        came = _arrivals(seat, ended.segments)
        seats[seat] = tuple(
            filler.model_copy(
                update={
                    "model": models.get((seat, filler.agent), filler.model),
                    "from_turn": came.get(filler.agent, filler.from_turn) if filler.when else filler.from_turn,
                }
            )
            for filler in [*planned, *changes]
        )
    return seats


def _arrivals(seat: str, segments: Sequence[Segment]) -> dict[str, int]:
    """Return the turn at which each agent came in behind a seat; of one that came twice, the last."""
    came: dict[str, int] = {}
    present = None
    for segment in segments:
        if segment.agents[seat] != present:
            present = segment.agents[seat]
            came[present] = segment.from_turn
    return came


def _usage(seats: Iterable[str], entries: Iterable[TurnTaken | Aside]) -> dict[str, Usage]:
    """Return the tokens of each seat, what was said behind it included; zero for one that never spoke."""
    usage = {seat: Usage() for seat in seats}
    for entry in entries:
        seat = entry.seat if isinstance(entry, Aside) else entry.reply.seat
        usage[seat] = usage.get(seat, Usage()) + entry.reply.usage
    return usage


def _message_tokens(seats: Iterable[str], turns: Iterable[TurnTaken]) -> dict[str, tuple[int, ...]]:
    """Return the tokens of each message of each seat, frozen ones included, thinking left out."""
    tokens: dict[str, list[int]] = {seat: [] for seat in seats}
    for turn in turns:
        usage = turn.reply.usage
        tokens.setdefault(turn.reply.seat, []).append(max(0, usage.output_tokens - usage.reasoning_tokens))
    return {seat: tuple(counts) for seat, counts in tokens.items()}


def _unusual_ends(replies: Iterable[TurnReply]) -> dict[FinishReason, int]:
    """Count the answers that were cut off, refused or filtered, frozen ones included: they are part of the story."""
    return dict(Counter(reply.finish_reason for reply in replies if reply.finish_reason != "stop"))


def _cost(replies: Sequence[TurnReply], *, nothing_to_pay: bool) -> float | None:
    """Add up what answers cost; None where nothing is known, or where one of them keeps its price to itself."""
    if any(reply.cost_usd is None and (reply.usage.input_tokens or reply.usage.output_tokens) for reply in replies):
        return None
    costs = [reply.cost_usd for reply in replies if reply.cost_usd is not None]
    return math.fsum(costs) if costs or nothing_to_pay else None
