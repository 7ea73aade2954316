"""The typed messages of the bus and of the episode log: pydantic models, JSON on the wire.

Two kinds travel between services: a :class:`TurnRequest` to an agent's inbox, and a :class:`TurnReply` or
:class:`TurnFailure` from its outbox. Five make up the log of an episode, which is the only truth about it:
:class:`EpisodeStarted`, :class:`TurnTaken` and :class:`EpisodeEnded`. The state of a game is a fold over that log.

Every message names its version, ``MAJOR.MINOR``. Unknown fields are tolerated (a newer minor version may add some), an
unknown major version is refused (:mod:`palaver_protocols.codec`).
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    Field,
    FiniteFloat,
    JsonValue,
    NonNegativeFloat,
    NonNegativeInt,
)

from .content import Frozen, Part, text_of
from .transcript import Message

__all__ = [
    "ECHOED",
    "OWED",
    "VERSION",
    "Aside",
    "BusMessage",
    "EpisodeEnded",
    "EpisodeStarted",
    "FinishReason",
    "Labels",
    "LogEntry",
    "Outcome",
    "Player",
    "Role",
    "RoleProtocol",
    "Sampling",
    "Schema",
    "SeatChanged",
    "SeatFiller",
    "Segment",
    "TurnFailure",
    "TurnReply",
    "TurnRequest",
    "TurnTaken",
    "Usage",
    "Wire",
    "make_reply",
    "make_request",
]

VERSION = "1.0"
MAJOR = VERSION.partition(".")[0]

RoleProtocol = Literal["prefixes", "user", "transcript"]
"""How a dialogue becomes a provider's messages (The Collaboration Gap, appendix A.2)."""

FinishReason = Literal["stop", "length", "refusal", "content_filter", "other"]

Schema = dict[str, JsonValue]
"""A JSON Schema, as plain JSON."""

Role = Literal["player", "lead", "member", "leaver"]
"""What a request wants of an agent: to speak for a seat, alone or as the lead of a team; to answer its lead; or, as it
leaves a seat, to sum up for who comes next."""

Outcome = Literal["solved", "failed", "aborted", "crashed", "error", "budget"]
"""How an episode ended.

``failed`` was played and not solved; ``aborted`` broke the format rules of a game that has some; ``crashed`` is what a
published study calls an answer that its own game master could not survive; ``error`` (infrastructure) and ``budget``
say nothing about the models and are run again.
"""

OWED: frozenset[Outcome] = frozenset({"error", "budget"})
"""Outcomes that say nothing about the models: such an episode is taken up again, and counts in no score."""


def _is_nothing(value: object) -> bool:
    """Leave out of files what is hardly ever there: readers of older ones know no such field."""
    return not value


class Sampling(Frozen):
    """How a model is asked to sample. None leaves a setting to the provider's default."""

    temperature: NonNegativeFloat | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    reasoning_effort: str | None = None


class Usage(Frozen):
    """Tokens of one turn or of many.

    ``output_tokens`` includes ``reasoning_tokens``, and ``input_tokens`` includes ``cached_tokens`` (those that the
    provider had seen before and bills at a lower price), as providers bill them.
    """

    input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt = 0
    reasoning_tokens: NonNegativeInt = 0
    cached_tokens: Annotated[NonNegativeInt, Field(exclude_if=_is_nothing)] = 0

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Add two counts field by field."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )


class SeatFiller(Frozen):
    """An agent behind a seat, from a turn of the episode on (a relay has several).

    ``when`` is the rule by which it comes in, where that is no fixed turn (``stall:3``, ``tokens:5000``, ``usd:0.5``,
    ``hand``); ``from_turn`` is None until it has come in. ``model`` is what its provider calls the model.
    """

    agent: str
    model: str | None = None
    from_turn: NonNegativeInt | None = 0
    when: Annotated[str | None, Field(exclude_if=_is_nothing)] = None


class Wire(Frozen):
    """What every message carries."""

    version: Annotated[str, Field(pattern=rf"^{MAJOR}\.\d+$")] = VERSION
    key: str
    """Names the thing said, by content: the same question has the same key, whoever asks it and however often."""


class TurnRequest(Wire):
    """One question to one seat, with all that the seat may see.

    ``partners`` are the others that it talks with, seats and, in a team, the lead or the members (none: it talks with
    the game alone). ``role`` is what is wanted of it, ``members`` whom a lead may consult before it speaks for its
    seat. ``answer_schema`` is the JSON Schema of the answer, where the game wants it so and an agent can be held to it.
    ``seed`` is for agents that roll dice. ``timeout_s`` (seconds) and ``attempt`` (from 1) say how it is asked, and
    ``traceparent`` (W3C Trace Context) of which trace it is a part, where there is one; they are no part of the key.
    """

    type: Literal["turn.request"] = "turn.request"
    run_id: str
    episode_id: str
    game: str
    variant: str
    turn: NonNegativeInt
    seat: str
    agent: str
    partners: tuple[str, ...] = ()
    role: Role = "player"
    members: tuple[str, ...] = ()
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    seed: NonNegativeInt = 0
    view: tuple[Message, ...]
    answer_schema: Annotated[Schema | None, Field(exclude_if=_is_nothing)] = None
    timeout_s: FiniteFloat = 600.0
    attempt: Annotated[int, Field(ge=1)] = 1
    traceparent: Annotated[str | None, Field(exclude_if=_is_nothing)] = None


ECHOED = ("key", "run_id", "episode_id", "turn", "seat", "agent")
"""What an answer repeats of its request, so that it cannot be taken for another's."""


class TurnReply(Wire):
    """An agent's answer. ``key``, ``run_id``, ``episode_id``, ``turn`` and ``seat`` are those of the request.

    ``latency_s`` is the time the model took, in seconds; ``model`` is the name that the provider itself reports.
    ``sent`` is the SHA-256 of the bytes that the provider was sent, ``cached`` whether its answer came from a cache.
    ``unverified`` marks what a stranger says of itself: its tokens and dollars are its own, and count in no budget.
    """

    type: Literal["turn.reply"] = "turn.reply"
    run_id: str
    episode_id: str
    turn: NonNegativeInt
    seat: str
    agent: str
    parts: tuple[Part, ...]
    provider: str = ""
    model: str = ""
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    latency_s: Annotated[NonNegativeFloat, Field(allow_inf_nan=False)] = 0.0
    cost_usd: NonNegativeFloat | None = None
    sent: str | None = None
    cached: bool = False
    unverified: Annotated[bool, Field(exclude_if=_is_nothing)] = False

    @property
    def text(self) -> str:
        """The text parts, joined by newlines."""
        return text_of(self.parts)


class TurnFailure(Wire):
    """An agent's word that it could not answer, and whether asking again may help."""

    type: Literal["turn.failure"] = "turn.failure"
    run_id: str
    episode_id: str
    turn: NonNegativeInt
    seat: str
    agent: str
    code: str
    message: str
    retryable: bool
    retry_after_s: NonNegativeFloat | None = None

    @classmethod
    def of(
        cls, request: TurnRequest, code: str, message: str, *, retryable: bool, retry_after_s: float | None = None
    ) -> "TurnFailure":
        """Make the failure of a request."""
        said = {"code": code, "message": message, "retryable": retryable, "retry_after_s": retry_after_s}
        return cls.model_validate({**said, **{name: getattr(request, name) for name in ECHOED}})


Labels = Annotated[dict[str, tuple[str, ...]], Field(exclude_if=lambda labels: not labels)]
"""What something is grouped by: each label may have several values; left out where there are none."""


class EpisodeStarted(Wire):
    """The first entry of an episode's log: everything needed to play it.

    ``labels`` are what the instance is grouped by (``{"difficulty": ["easy"], "skills": ["logic", "spatial"]}``).
    ``handoff`` says what an agent that takes over a seat is shown of what was said before: ``all``, ``last:M``,
    ``summary`` or ``nothing``.
    """

    type: Literal["episode.started"] = "episode.started"
    run_id: str
    episode_id: str
    game: str
    variant: str
    instance_id: str
    instance: JsonValue
    labels: Labels = {}
    options: dict[str, JsonValue] = {}
    seed: NonNegativeInt = 0
    seats: dict[str, tuple[SeatFiller, ...]]
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    handoff: str = "all"
    at: AwareDatetime


class TurnTaken(Wire):
    """A reply, made durable before it is used.

    ``prompts`` are the game's own messages (task, rules, feedback) that this turn was the first to show to the seat, so
    that a log reads as a dialogue; replaying the log gives them again. ``copied_from`` names the episode
    (``RUN/EPISODE``) that a frozen turn was taken from, to the letter; it was paid for there.
    """

    type: Literal["turn.taken"] = "turn.taken"
    prompts: tuple[Message, ...] = ()
    reply: TurnReply
    copied_from: str | None = None
    at: AwareDatetime


class Aside(Wire):
    """What was said behind a seat, durable like a turn: no other seat and no game ever hears of it.

    ``seat`` is the seat behind which it was said; ``reply.seat`` is who said it (the seat itself for its lead,
    ``member_1`` for a member); ``audience`` is who heard it, ``kind`` what it was: a lead's question to members, a
    member's answer, or what a leaving agent left to its successor. ``prompts`` are as in a :class:`TurnTaken`.
    """

    type: Literal["aside"] = "aside"
    seat: str
    kind: Literal["question", "answer", "summary"]
    audience: tuple[str, ...] = ()
    prompts: tuple[Message, ...] = ()
    reply: TurnReply
    copied_from: str | None = None
    at: AwareDatetime


class SeatChanged(Wire):
    """Somebody has put another agent behind a seat, by hand, from the next turn of the seat on."""

    type: Literal["seat.changed"] = "seat.changed"
    seat: str
    agent: str
    at: AwareDatetime


class Segment(Frozen):
    """A stretch of an episode between two handoffs.

    ``agents`` is who filled each seat, ``from_turn`` and ``until_turn`` (exclusive) are turns of the episode,
    ``scores`` are the game's measures as they stood when it ended.
    """

    agents: dict[str, str]
    from_turn: NonNegativeInt
    until_turn: NonNegativeInt
    scores: dict[str, float | None] = {}


class EpisodeEnded(Wire):
    """How the episode ended. Not final where the outcome is ``error`` or ``budget``: it may be taken up again.

    ``segments`` tells what was reached by whom, where agents changed on the way; else it is empty.
    """

    type: Literal["episode.ended"] = "episode.ended"
    outcome: Outcome
    scores: dict[str, float | None] = {}
    segments: tuple[Segment, ...] = ()
    error: str | None = None
    at: AwareDatetime


LogEntry = Annotated[EpisodeStarted | TurnTaken | Aside | SeatChanged | EpisodeEnded, Field(discriminator="type")]
BusMessage = Annotated[
    TurnRequest | TurnReply | TurnFailure | EpisodeStarted | TurnTaken | Aside | SeatChanged | EpisodeEnded,
    Field(discriminator="type"),
]

Player = Callable[[TurnRequest], str]
"""A script that fills a seat: it knows what the request shows, and nothing else."""

make_request: Callable[[dict[str, Any]], TurnRequest] = TurnRequest.__pydantic_validator__.validate_python
"""Make a request of its fields, validated as ever. Calling the class instead copies so many arguments three times."""
make_reply: Callable[[dict[str, Any]], TurnReply] = TurnReply.__pydantic_validator__.validate_python
"""Make a reply of its fields, likewise."""
