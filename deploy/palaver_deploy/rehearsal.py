"""Rehearsals: episodes that are played without a bus, by the game's own scripts in the place of every model.

What is asked on the way is written as a provider would be sent it, and measured by rules of thumb. Models talk more or
less than a script does; so all of this says how much, and not what exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression
from time import perf_counter
from typing import NamedTuple

from palaver_agents.names import parse_agent
from palaver_agents.providers.endpoint import Price
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_protocols.content import Part, Text
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, TurnReply, TurnRequest, Usage
from palaver_protocols.quirks import Quirks
from palaver_protocols.roles import chat_of
from palaver_protocols.seating import leaves

__all__ = ["CHARACTERS_A_TOKEN", "Cast", "Load", "Rehearsal", "rehearse"]

CHARACTERS_A_TOKEN = 4
"""The usual rule of thumb for English."""
TOKENS_A_MESSAGE = 3
"""What a chat format adds to every message."""
PIXELS_A_TOKEN = 750
"""Anthropic's rule of thumb for pictures; other providers count in tiles, and come to much the same."""
LARGEST_PICTURE = 1600
"""Tokens. Larger pictures are scaled down before they are counted."""

STAND_INS = ("scripted", "random")
"""Who speaks in the place of a model: the first of these that the game has and that knows what to say."""
MOST_CALLS = 1000
"""In one episode."""


@dataclass(frozen=True, slots=True)
class Load:
    """How much one agent is asked, and says; estimates, and so no whole numbers."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0

    def __add__(self, other: "Load") -> "Load":
        """Add two loads up."""
        return Load(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def __mul__(self, times: float) -> "Load":
        """Multiply a load."""
        return Load(self.calls * times, self.input_tokens * times, self.output_tokens * times)


class Cast:
    """Who speaks: scripts for themselves, and the game's own in the place of everybody else.

    Args:
        game: the rules.
        prices: what the agents cost, where it is known.

    Attributes:
        heard: the scripts that have spoken, in order of appearance.
    """

    def __init__(self, game: AnyGame, prices: Mapping[str, Price | None]) -> None:
        self._players = game.players()
        self._prices = prices
        self.heard: dict[str, None] = {}

    def answer(self, request: TurnRequest, tokens_read: float) -> TurnReply:
        """Answer a question, with what a model would have used: relays may wait for so many tokens or dollars.

        Raises:
            PalaverError: no script knows what to say.
        """
        text = self._say(request)
        usage = Usage(input_tokens=round(tokens_read), output_tokens=round(len(text) / CHARACTERS_A_TOKEN))
        price = self._prices.get(request.agent)
        return TurnReply(
            key=request.key,
            run_id=request.run_id,
            episode_id=request.episode_id,
            turn=request.turn,
            seat=request.seat,
            agent=request.agent,
            parts=(Text(text=text),),
            usage=usage,
            cost_usd=price.of(usage) if price else None,
        )

    def _say(self, request: TurnRequest) -> str:
        """Let the first script speak that knows what to say.

        Raises:
            PalaverError: no script knows what to say.
        """
        name = parse_agent(request.agent)
        problem = PalaverError(f"{request.game} has no script that could stand in for {request.agent}")
        for player in (name.model,) if name.kind == "script" else STAND_INS:
            if player in self._players:
                try:
                    text = self._players[player](request)
                except PalaverError as error:
                    problem = error
                else:
                    self.heard[player] = None
                    return text
        raise problem


class _Call(NamedTuple):
    """One question and its answer: ``voice`` spoke behind ``seat``, which ``filler`` filled then.

    ``farewell``: it was the summary of an agent that left, which is asked for once.
    """

    turn: int
    seat: str
    filler: str
    voice: str
    agent: str
    load: Load
    farewell: bool


@dataclass(frozen=True, slots=True)
class _Line:
    """What a voice is asked in a turn of its seat: a straight line through what it was asked before."""

    agent: str
    rate: float
    turn: float
    input_tokens: float
    growth: float
    output_tokens: float

    def at(self, turn: int) -> Load:
        grown = max(0.0, self.input_tokens + self.growth * (turn - self.turn))
        return Load(1.0, grown, self.output_tokens) * self.rate


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """An episode that was played, perhaps not to its end. Made by :func:`rehearse`.

    ``characters`` are the lengths of what was said, ``seats`` those that spoke, turn by turn, and ``filled`` who filled
    each seat at the end.
    """

    opening: EpisodeStarted
    turn_limit: int
    calls: Sequence[_Call]
    characters: Sequence[int]
    seats: Sequence[str]
    filled: Mapping[str, str]
    is_over: bool

    def load_of(self, agent: str, frozen: int, *, extrapolated: bool = False) -> Load:
        """Add up what an agent was asked after the frozen turns, or would be in the turns that were not played."""
        calls = self._rest() if extrapolated else ((call.turn, call.agent, call.load) for call in self.calls)
        return sum((load for turn, name, load in calls if name == agent and turn >= frozen), Load())

    def _rest(self) -> Iterator[tuple[int, str, Load]]:
        """Go on to the turn limit: seats take turns as before, and views grow as before."""
        if not self.seats:
            return
        lines = self._lines()
        for turn in range(len(self.seats), self.turn_limit):
            seat = self.seats[turn % len(self.seats)]
            filler = self._filler(seat, turn)
            known = filler if filler in lines[seat] else next(reversed(lines[seat]))
            for line in lines[seat][known]:
                yield turn, line.agent if known == filler else next(leaves(filler)), line.at(turn)

    def _filler(self, seat: str, turn: int) -> str:
        """Return who fills a seat in a turn that was not played; rules that look at the play are not foreseen."""
        due = [
            filler.agent for filler in self.opening.seats[seat] if len(self.seats) <= (filler.from_turn or 0) <= turn
        ]
        return due[-1] if due else self.filled[seat]

    def _lines(self) -> dict[str, dict[str, list[_Line]]]:
        """Lay a line through the calls of every voice, by seat and by who filled it."""
        said = sum(call.load.output_tokens for call in self.calls) / len(self.seats)
        groups: dict[tuple[str, str, str, str], list[_Call]] = {}
        turns: dict[tuple[str, str], set[int]] = {}
        for call in self.calls:
            if call.farewell:
                continue
            groups.setdefault((call.seat, call.filler, call.voice, call.agent), []).append(call)
            turns.setdefault((call.seat, call.filler), set()).add(call.turn)
        lines: dict[str, dict[str, list[_Line]]] = {}
        for (seat, filler, _, agent), calls in groups.items():
            asked = [call.load.input_tokens for call in calls]
            at = [float(call.turn) for call in calls]
            # A voice that was asked in one turn only: what is said in a turn is added to every view.
            growth = linear_regression(at, asked).slope if len(set(at)) > 1 else said
            line = _Line(
                agent,
                len(calls) / len(turns[seat, filler]),
                fmean(at),
                fmean(asked),
                max(0.0, growth),
                fmean(call.load.output_tokens for call in calls),
            )
            lines.setdefault(seat, {}).setdefault(filler, []).append(line)
        return lines


def rehearse(
    game: AnyGame,
    opening: EpisodeStarted,
    cast: Cast,
    turn_limit: int,
    deadline: float,
    *,
    log: Sequence[LogEntry] = (),
) -> Rehearsal:
    """Play an episode until it is over, or the time is, but for one turn at least.

    Args:
        game: the rules.
        opening: what is played.
        cast: who speaks.
        turn_limit: the largest number of turns that it can take.
        deadline: when to stop, as :func:`time.perf_counter` tells the time.
        log: what was said already, where the episode goes on.

    Raises:
        PalaverError: no script knows what to say, or the episode cannot be played as it is set up.
    """
    episode = Episode.from_log(game, log) if log else Episode(game, opening)
    calls: list[_Call] = []
    characters: list[int] = []
    seats: list[str] = []
    while episode.outcome is None and not (seats and (len(calls) >= MOST_CALLS or perf_counter() > deadline)):
        request = next(episode.requests(timeout_s=1.0))
        filled = episode.filled
        read = _tokens_read(request)
        reply = cast.answer(request, read)
        load = Load(1.0, read, len(reply.text) / CHARACTERS_A_TOKEN)
        step = episode.step(request, reply, opening.at)
        seat = step.seat if isinstance(step, Aside) else request.seat
        farewell = request.role == "leaver"
        calls.append(_Call(request.turn, seat, filled[seat], request.seat, request.agent, load, farewell))
        characters.append(len(reply.text))
        episode.take(step)
        if not isinstance(step, Aside):
            seats.append(seat)
    return Rehearsal(opening, turn_limit, calls, characters, seats, episode.filled, episode.outcome is not None)


def _tokens_read(request: TurnRequest) -> float:
    """Measure a question as chat interfaces are asked it."""
    messages = chat_of(request, Quirks())
    parts = sum(_tokens_of(part) for message in messages for part in message.parts)
    return TOKENS_A_MESSAGE * len(messages) + parts


def _tokens_of(part: Part) -> float:
    if isinstance(part, Text):
        return len(part.text) / CHARACTERS_A_TOKEN
    return float(min(LARGEST_PICTURE, -(-part.width * part.height // PIXELS_A_TOKEN)))
