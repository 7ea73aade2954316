"""The card of an episode as it stands, and what the cards of a run come to. Values; :mod:`.index` folds them."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from palaver_protocols.errors import PalaverError
from palaver_protocols.seating import leaves, read_seat

__all__ = ["ERRORS", "Card", "Key", "Primary", "Rates", "RunTally", "leaves_of", "one_agent", "seat_now"]

ERRORS = 20
"""Errors of a run that are remembered, the latest."""
MINUTE = 60

Primary = Callable[[str], str | None]
"""The score with which a game's results lead, as far as it is known now."""


class Key(NamedTuple):
    """Which episode."""

    run: str
    episode: str

    def __str__(self) -> str:
        """Write it as logs are named: ``RUN/EPISODE``."""
        return f"{self.run}/{self.episode}"

    @classmethod
    def of_log(cls, log: str) -> "Key":
        """Read the name of a log, ``log:RUN/EPISODE``."""
        run, _, episode = log.removeprefix("log:").partition("/")
        return cls(run, episode)


@dataclass(slots=True)
class Card:
    """One episode as it stands. ``length`` counts the entries of its log that are folded; times are epoch seconds.

    ``waiting`` is whom the episode waits for: agents by seat; None where nobody has told yet (a log says nothing of
    questions that are out).
    """

    key: Key
    game: str = ""
    variant: str = ""
    instance: str = ""
    relays: dict[str, str] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    length: int = 0
    turns: int = 0
    asides: int = 0
    handoffs: int = 0
    waiting: dict[str, str] | None = None
    asked_at: float | None = None
    started: float = 0.0
    ended: float | None = None
    tokens: int = 0
    usd: float | None = None
    is_priced: bool = True
    latency: float | None = None
    outcome: str | None = None
    scores: dict[str, float | None] = field(default_factory=dict)
    error: str | None = None
    last: tuple[str, str] | None = None

    @property
    def cost(self) -> float | None:
        """What its turns have cost (US dollars); None where nobody tells, or one that took tokens does not."""
        return self.usd if self.is_priced else None

    def as_dict(self, primary: Primary) -> dict[str, Any]:
        """Return it as the pages want it."""
        name = primary(self.game) if self.outcome is not None else None
        return {
            "key": str(self.key),
            "run": self.key.run,
            "episode": self.key.episode,
            "game": self.game,
            "variant": self.variant,
            "seats": self.seats,
            "turn": self.turns,
            "waiting": list(self.waiting or ()),
            "asked_at": self.asked_at if self.waiting else None,
            "started": self.started,
            "ended": self.ended,
            "tokens": self.tokens,
            "cost": self.cost,
            "latency": self.latency,
            "outcome": self.outcome,
            "score": None if name is None else self.scores.get(name),
            "last": None if self.last is None else {"seat": self.last[0], "agent": self.last[1]},
            "asides": self.asides,
            "handoffs": self.handoffs,
            "human": [seat for seat, agent in self.seats.items() if agent == "human"],
        }


@dataclass(slots=True)
class RunTally:
    """What is known of a run's episodes from their commits. ``ends`` are the times of the latest ends."""

    playing: set[str] = field(default_factory=set)
    outcomes: Counter[str] = field(default_factory=Counter)
    errors: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=ERRORS))
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=1000))

    def per_minute(self, now: float) -> float | None:
        """Return how many episodes end a minute, of the last five minutes; None where none did."""
        recent = [at for at in self.ends if now - at <= 5 * MINUTE]
        if not recent:
            return None
        return len(recent) / max(now - min(recent), 10.0) * MINUTE


class Rates:
    """Turns and tokens of the last minute, a slot a second."""

    def __init__(self) -> None:
        self._slots: deque[tuple[int, int, int]] = deque()

    def add(self, at: float, tokens: int) -> None:
        """Count a turn."""
        second = int(at)
        if self._slots and self._slots[-1][0] >= second:
            last, turns, before = self._slots[-1]
            self._slots[-1] = (last, turns + 1, before + tokens)
        else:
            self._slots.append((second, 1, tokens))

    def of_last_minute(self, now: float) -> tuple[int, int]:
        """Return turns and tokens of the last minute."""
        while self._slots and self._slots[0][0] <= now - MINUTE:
            self._slots.popleft()
        return sum(slot[1] for slot in self._slots), sum(slot[2] for slot in self._slots)


def seat_now(relay: str, agent: str) -> str:
    """Return who of a relay it is that an agent speaks for: itself, or the team that it belongs to."""
    if not relay:
        return agent
    try:
        return next((filler.agent for filler in read_seat(relay) if agent in leaves(filler.agent)), agent)
    except PalaverError:
        return agent


def one_agent(relay: str) -> str:
    """Return who of a relay comes first; a text that makes none is taken as it is."""
    try:
        return read_seat(relay)[0].agent
    except PalaverError:
        return relay


def leaves_of(agent: str) -> tuple[str, ...]:
    """Return the agents that are asked where one fills a seat; a text that makes no team is one of its own."""
    try:
        return tuple(leaves(agent))
    except PalaverError:
        return (agent,)
