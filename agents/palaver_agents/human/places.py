"""What is known of the places that people can take: episodes, seats, claims, and questions with their time.

Pure: whoever calls says what time it is (seconds since 1970).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.gist import Gist
from palaver_protocols.messages import TurnRequest
from palaver_protocols.seating import leaves, read_seat, team_of

__all__ = ["HUMAN", "Asked", "Chair", "Claim", "Place", "Scene", "SeatingError", "is_for_people"]

HUMAN = "human"
"""The agent that people are."""


class SeatingError(PalaverError):
    """Somebody may not do this here: the seat is another's, or the question is no longer asked.

    ``code`` is ``unknown``, ``taken``, ``stranger`` (who has not claimed the seat), ``stale`` or ``over``.
    """

    def __init__(self, message: str, code: str, *, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.code = code


class Place(NamedTuple):
    """A seat of an episode; behind a team, the voice that is asked."""

    run_id: str
    episode_id: str
    seat: str

    @property
    def episode(self) -> tuple[str, str]:
        """The episode: run id, episode id."""
        return self.run_id, self.episode_id

    def __str__(self) -> str:
        """Name it in one word."""
        return "/".join(self)


class Claim(NamedTuple):
    """Who has a place. ``badge`` is the digest of the person's cookie, ``at`` since when."""

    who: str
    badge: str
    at: float


@dataclass(slots=True)
class Asked:
    """A question that is open, and its time: it runs while it has been seen and the person is there."""

    request: TurnRequest
    since: float
    shown: float | None = None
    """When it was seen first."""
    spent_s: float = 0.0
    running: float | None = None
    """Since when its time runs; None while it stands."""
    earlier: float | None = None
    """When it was seen first, if its time was over once and it is asked again."""

    def show(self, now: float) -> None:
        """Take note that it is seen."""
        if self.shown is None:
            self.shown = now

    def run(self, now: float) -> None:
        """Let its time run, if it has been seen."""
        if self.running is None and self.shown is not None:
            self.running = now

    def stand(self, now: float) -> None:
        """Let its time stand: nobody is there."""
        if self.running is not None:
            self.spent_s += max(0.0, now - self.running)
            self.running = None

    def begin_again(self) -> None:
        """Let its time begin anew: somebody else has the place."""
        self.shown, self.spent_s, self.running, self.earlier = None, 0.0, None, None

    def left_s(self, now: float) -> float:
        """Return how much time is left."""
        running = 0.0 if self.running is None else max(0.0, now - self.running)
        return self.request.timeout_s - self.spent_s - running

    def took_s(self, now: float) -> float:
        """Return how long it took from when it was seen, in an earlier try if there was one."""
        seen = self.first_seen
        return 0.0 if seen is None else max(0.0, now - seen)

    @property
    def first_seen(self) -> float | None:
        """When it was seen first."""
        return self.shown if self.earlier is None else self.earlier


@dataclass(slots=True, eq=False)
class Chair:
    """One place, and who has it."""

    place: Place
    token: str
    game: str = ""
    variant: str = ""
    claim: Claim | None = None
    questions: dict[str, Asked] = field(default_factory=dict)
    """What is asked here, by key, the oldest first: more than one only where two voices of teams share a name."""
    last: TurnRequest | None = None
    """What was asked last: what was seen stays in sight while others think."""
    said: dict[str, str] = field(default_factory=dict)
    """What has been answered, by key, so that what is sent twice is heard once."""
    seats: tuple[str, ...] = ()
    """The seats of its episode, in the game's order."""
    agent: str = HUMAN
    """Who has the seat now: ``human``, or whom it was given to."""
    outcome: str | None = None
    scores: dict[str, float] = field(default_factory=dict)
    presences: int = 0
    """How many of the person's pages are open."""
    is_restored: bool = False
    """Whether the claim is of an earlier process of ours."""
    late: bool = False
    """Whether the time of the latest question was over before it was answered."""
    overdue: tuple[str, str, float] | None = None
    """The key of that question, whom it was put to (a badge), and when it was seen first."""

    @property
    def asked(self) -> Asked | None:
        """The question that is shown."""
        return next(iter(self.questions.values()), None)

    @property
    def is_over(self) -> bool:
        """Whether nobody will be asked here any more."""
        return self.outcome is not None or not is_for_people(self.agent)


@dataclass(slots=True)
class Scene:
    """An episode in which people have seats, as far as its log has been heard."""

    run_id: str
    episode_id: str
    game: str = ""
    variant: str = ""
    seats: dict[str, str] = field(default_factory=dict)
    """Who fills each seat, as the command line writes it."""
    began: float = 0.0
    length: int = 0
    """How many entries of its log are known."""
    asked: set[str] = field(default_factory=set)
    """Whose turn it is, where the log tells."""
    turns: int = 0
    outcome: str | None = None
    scores: dict[str, Any] = field(default_factory=dict)

    def hear(self, gist: Gist) -> None:
        """Go on by one entry of the log."""
        self.length += 1
        said: dict[str, Any] = dict(gist)
        match said["type"]:
            case "episode.started":
                self.game, self.variant, self.began = said["game"], said["variant"], said["at"]
                self.seats = dict(said["seats"])
            case "turn.taken":
                self.turns += 1
                self.asked.discard(said["seat"])
                self.outcome = None
            case "seat.changed":
                self.seats[said["seat"]] = said["agent"]
                self.asked.discard(said["seat"])
                self.outcome = None
            case "episode.ended":
                self.asked.clear()
                self.outcome, self.scores = said["outcome"], dict(said["scores"])
        self.asked.update(seat for seat, _ in said["asked"])

    @property
    def seats_of_people(self) -> tuple[str, ...]:
        """The seats for which people speak, now or later in a relay; a member of a team is asked by another name."""
        return tuple(seat for seat, filler in self.seats.items() if _speaks(filler))


def _speaks(filler: str) -> bool:
    """Whether a person speaks for a seat: alone, or as the lead of a team."""
    if not is_for_people(filler):
        return False
    return any((team.lead if (team := team_of(each.agent)) else each.agent) == HUMAN for each in read_seat(filler))


def is_for_people(filler: str) -> bool:
    """Whether a person comes in somewhere: alone, in a relay, or in a team."""
    try:
        return HUMAN in filler and any(leaf == HUMAN for each in read_seat(filler) for leaf in leaves(each.agent))
    except UsageError:
        return False
