"""Replays: recorded replies played through a game, without agents and without a bus.

It is how published transcripts are re-scored, and how every game is pinned by tests.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, SerializerFunctionWrapHandler, ValidationError, model_serializer

from palaver_protocols.content import Frozen
from palaver_protocols.errors import PalaverError, UsageError, first_problem

from .game import AnyGame, Reply, Scores
from .registry import load_game

__all__ = ["RecordedReply", "Replay", "ReplayOutcome", "ReplayResult", "play_replay", "read_replay", "replay_line"]

ReplayOutcome = Literal["solved", "failed", "aborted", "crashed", "incomplete"]
"""``incomplete``: the replies ran out before the game was over; the scores are those of the game as it stands."""


class RecordedReply(Frozen):
    """What one seat said."""

    seat: str
    text: str


class Replay(Frozen):
    """A replay file: an instance, and either ``replies`` by seat or ``texts`` in the order in which the game asks."""

    game: str
    variant: str | None = None
    instance: JsonValue
    options: dict[str, JsonValue] = {}
    replies: tuple[RecordedReply, ...] | None = None
    texts: tuple[str, ...] | None = None


class ReplayResult(Frozen):
    """What a replay came to; one line of output. ``outcome`` is None where it could not be played: see ``error``.

    ``unused`` counts the replies that nobody asked for: those after the end. It is left out where there are none.
    """

    file: str
    outcome: ReplayOutcome | None
    scores: Mapping[str, float | None] = {}
    turns: Annotated[int, Field(ge=0)] = 0
    error: str | None = None
    unused: Annotated[int, Field(ge=0)] = 0

    @model_serializer(mode="wrap")
    def _without_nothing(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        plain: dict[str, Any] = written(self)
        if not self.unused:
            del plain["unused"]
        return plain

    @classmethod
    def bad(cls, file: str, error: str) -> Self:
        """Say in one line why there is no result."""
        return cls(file=file, outcome=None, error=" ".join(error.split()))


def read_replay(text: str | bytes) -> Replay:
    """Read one replay from JSON.

    Raises:
        UsageError: it is no JSON, or a field is missing or wrong; names it.
    """
    try:
        replay = Replay.model_validate_json(text)
    except ValidationError as error:
        raise UsageError(f"this is no replay: {first_problem(error)}") from error
    if (replay.replies is None) == (replay.texts is None):
        raise UsageError("a replay has either 'replies' or 'texts'", mend="give one of the two")
    return replay


class _Tape:
    """The recorded replies, handed out as the game asks."""

    def __init__(self, replay: Replay) -> None:
        self._texts = list(replay.texts or ())
        self._by_seat: dict[str, list[str]] = {}
        for reply in replay.replies or ():
            self._by_seat.setdefault(reply.seat, []).append(reply.text)

    def seats(self) -> Iterator[str]:
        return iter(self._by_seat)

    @property
    def left(self) -> int:
        """How many replies have not been handed out."""
        return len(self._texts) + sum(map(len, self._by_seat.values()))

    def next(self, seats: Sequence[str]) -> dict[str, Reply] | None:
        """Return one reply for each of the seats, or None if any of them has said nothing more."""
        if self._by_seat:
            if not all(self._by_seat.get(seat) for seat in seats):
                return None
            return {seat: Reply.of(self._by_seat[seat].pop(0)) for seat in seats}
        if len(self._texts) < len(seats):
            return None
        return {seat: Reply.of(self._texts.pop(0)) for seat in seats}


def play_replay(game: AnyGame, replay: Replay, file: str) -> ReplayResult:
    """Play a replay to its end; replies that come after the game is over are not used.

    Raises:
        UsageError: variant, instance, options or seats make no game.
    """
    _check_variant(game, replay)
    options = game.configure(replay.options, replay.variant)
    tape = _Tape(replay)
    if strange := sorted(set(tape.seats()) - set(game.seats(options))):
        raise UsageError(f"{game.name} has no seat {strange[0]!r}", mend=f"it has: {', '.join(game.seats(options))}")
    state = game.start(replay.instance, options)
    turns = 0
    while (outcome := game.outcome(state)) is None:
        replies = tape.next(game.pending(state))
        if not replies:
            break
        state = game.apply(state, replies)
        turns += len(replies)
    scores = _defined(game.score(state))
    return ReplayResult(file=file, outcome=outcome or "incomplete", scores=scores, turns=turns, unused=tape.left)


def _check_variant(game: AnyGame, replay: Replay) -> None:
    """Make sure that a game has the variant that a replay names. Where it cannot tell, its options do.

    Raises:
        UsageError: it has not; names those that it has.
    """
    known = game.variants(replay.instance)
    if replay.variant is not None and known and replay.variant not in known:
        raise UsageError(f"{game.name} has no variant {replay.variant!r}", mend=f"it has: {', '.join(known)}")


def _defined(scores: Scores) -> Scores:
    """Return scores with None for what is no number, as JSON has no word for it."""
    return {name: value if value is not None and math.isfinite(value) else None for name, value in scores.items()}


def replay_line(text: str | bytes, file: str) -> ReplayResult:
    """Play a replay as it was written down: whatever the text holds, there is a result."""
    try:
        replay = read_replay(text)
        return play_replay(load_game(replay.game), replay, file)
    except PalaverError as error:
        return ReplayResult.bad(file, str(error))
    except Exception as error:  # a bug that one replay brings out must not hide the results of the others
        return ReplayResult.bad(file, f"this replay breaks the game: {type(error).__name__}: {error}")
