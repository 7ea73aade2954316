"""Who said what: messages told apart by the agents that spoke, where a record allows it. Pure functions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of, team_of

__all__ = ["Message", "messages_of"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of an episode: who said it, with how many tokens (thinking left out).

    ``frozen`` messages were said, and paid for, in another run. Of agents that report no tokens they are 0.
    """

    seat: str
    agent: str
    tokens: int
    frozen: bool


def messages_of(record: EpisodeRecord) -> Iterator[Message]:
    """Yield the messages of an episode, seat by seat.

    A record keeps the messages of each seat in order, and from which turn on each agent filled it. The turn of a
    message follows where there is one seat or where seats spoke in turn, as their counts must then bear out. Where it
    does not follow, the messages of a relay stay under the name of the relay. A team's messages are its lead's.
    """
    turns = _turns(record)
    for seat, tokens in record.message_tokens.items():
        places = turns.get(seat)
        for at, size in enumerate(tokens):
            turn = None if places is None else places[at]
            yield Message(seat, _speaker(record, seat, turn), size, turn is not None and turn < record.frozen)


def _turns(record: EpisodeRecord) -> dict[str, Sequence[int]]:
    """Return the turns at which each seat spoke; nothing where they cannot be told."""
    seats, spoken = list(record.seats), record.message_tokens
    total = sum(map(len, spoken.values()))
    turns: dict[str, Sequence[int]] = {seat: range(at, total, len(seats)) for at, seat in enumerate(seats)}
    return turns if all(len(turns[seat]) == len(spoken.get(seat, ())) for seat in seats) else {}


def _speaker(record: EpisodeRecord, seat: str, turn: int | None) -> str:
    fillers = [filler for filler in record.seats.get(seat, ()) if filler.from_turn is not None]
    if len(fillers) == 1:
        return _lead(fillers[0].agent)
    if turn is None or not fillers:
        return relay_of(record.seats[seat]) if record.seats.get(seat) else seat
    for segment in record.segments:
        if segment.from_turn <= turn < segment.until_turn and seat in segment.agents:
            return _lead(segment.agents[seat])
    return _lead([filler for filler in fillers if (filler.from_turn or 0) <= turn][-1].agent)


def _lead(agent: str) -> str:
    """Return who speaks for a seat: of a team its lead."""
    try:
        team = team_of(agent)
    except UsageError:  # another program's record; its name stands for itself
        return agent
    return agent if team is None else team.lead
