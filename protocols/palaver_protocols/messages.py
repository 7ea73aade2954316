"""The typed messages of the bus and of the episode log: pydantic models, JSON on the wire.

Two kinds travel between services: a :class:`TurnRequest` to an agent's inbox, and a :class:`TurnReply` or
:class:`TurnFailure` from its outbox. Three make up the log of an episode, which is the only truth about it:
:class:`EpisodeStarted`, :class:`TurnTaken` and :class:`EpisodeEnded`. The state of a game is a fold over that log.

Every message names its version, ``MAJOR.MINOR``. Unknown fields are tolerated (a newer minor version may add some), an
unknown major version is refused. :func:`decode` is the one door through which bytes become messages.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AwareDatetime,
    Field,
    FiniteFloat,
    JsonValue,
    NonNegativeFloat,
    NonNegativeInt,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import from_json, to_json

from .content import Frozen, Part, text_of
from .errors import ProtocolError, VersionError
from .transcript import Message

__all__ = [
    "OWED",
    "VERSION",
    "BusMessage",
    "EpisodeEnded",
    "EpisodeStarted",
    "FinishReason",
    "Hash",
    "LogEntry",
    "Outcome",
    "Player",
    "RoleProtocol",
    "Sampling",
    "SeatFiller",
    "TurnFailure",
    "TurnReply",
    "TurnRequest",
    "TurnTaken",
    "Usage",
    "Wire",
    "decode",
    "encode",
    "hash_view",
    "key_prefix",
    "make_reply",
    "make_request",
    "request_key",
]

VERSION = "1.0"
MAJOR = VERSION.partition(".")[0]

RoleProtocol = Literal["prefixes", "user", "transcript"]
"""How a dialogue becomes a provider's messages (The Collaboration Gap, appendix A.2)."""

FinishReason = Literal["stop", "length", "refusal", "content_filter", "other"]

Outcome = Literal["solved", "failed", "aborted", "crashed", "error", "budget"]
"""How an episode ended.

``failed`` was played and not solved; ``aborted`` broke the format rules of a game that has some; ``crashed`` is what a
published study calls an answer that its own game master could not survive; ``error`` (infrastructure) and ``budget``
say nothing about the models and are run again.
"""

OWED: frozenset[Outcome] = frozenset({"error", "budget"})
"""Outcomes that say nothing about the models: such an episode is taken up again, and counts in no score."""


class Sampling(Frozen):
    """How a model is asked to sample. None leaves a setting to the provider's default."""

    temperature: NonNegativeFloat | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    reasoning_effort: str | None = None


class Usage(Frozen):
    """Tokens of one turn or of many. ``output_tokens`` includes ``reasoning_tokens``, as providers bill them."""

    input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt = 0
    reasoning_tokens: NonNegativeInt = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Add two counts field by field."""
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


class SeatFiller(Frozen):
    """An agent behind a seat, from a turn of the episode on (a relay has several)."""

    agent: str
    model: str | None = None
    from_turn: NonNegativeInt = 0


class Wire(Frozen):
    """What every message carries."""

    version: Annotated[str, Field(pattern=rf"^{MAJOR}\.\d+$")] = VERSION
    key: str
    """Names the thing said, by content: the same question has the same key, whoever asks it and however often."""


class TurnRequest(Wire):
    """One question to one seat, with all that the seat may see.

    ``partners`` are the other seats that it talks with (none: it talks with the game alone). ``seed`` is for agents
    that roll dice. ``timeout_s`` (seconds) and ``attempt`` (from 1) say how it is asked, and are no part of the key.
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
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    seed: NonNegativeInt = 0
    view: tuple[Message, ...]
    timeout_s: FiniteFloat = 600.0
    attempt: Annotated[int, Field(ge=1)] = 1


class TurnReply(Wire):
    """An agent's answer. ``key``, ``run_id``, ``episode_id``, ``turn`` and ``seat`` are those of the request.

    ``latency_s`` is the time the model took, in seconds; ``model`` is the name that the provider itself reports.
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


class EpisodeStarted(Wire):
    """The first entry of an episode's log: everything needed to play it."""

    type: Literal["episode.started"] = "episode.started"
    run_id: str
    episode_id: str
    game: str
    variant: str
    instance_id: str
    instance: JsonValue
    options: dict[str, JsonValue] = {}
    seed: NonNegativeInt = 0
    seats: dict[str, tuple[SeatFiller, ...]]
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    at: AwareDatetime


class TurnTaken(Wire):
    """A reply, made durable before it is used.

    ``prompts`` are the game's own messages (task, rules, feedback) that this turn was the first to show to the seat, so
    that a log reads as a dialogue; replaying the log gives them again.
    """

    type: Literal["turn.taken"] = "turn.taken"
    prompts: tuple[Message, ...] = ()
    reply: TurnReply
    at: AwareDatetime


class EpisodeEnded(Wire):
    """How the episode ended. Not final where the outcome is ``error`` or ``budget``: it may be taken up again."""

    type: Literal["episode.ended"] = "episode.ended"
    outcome: Outcome
    scores: dict[str, float | None] = {}
    error: str | None = None
    at: AwareDatetime


LogEntry = Annotated[EpisodeStarted | TurnTaken | EpisodeEnded, Field(discriminator="type")]
BusMessage = Annotated[
    TurnRequest | TurnReply | TurnFailure | EpisodeStarted | TurnTaken | EpisodeEnded, Field(discriminator="type")
]

Player = Callable[[TurnRequest], str]
"""A script that fills a seat: it knows what the request shows, and nothing else."""

Hash: TypeAlias = hashlib.blake2b

make_request: Callable[[dict[str, Any]], TurnRequest] = TurnRequest.__pydantic_validator__.validate_python
"""Make a request of its fields, validated as ever. Calling the class instead copies so many arguments three times."""
make_reply: Callable[[dict[str, Any]], TurnReply] = TurnReply.__pydantic_validator__.validate_python
"""Make a reply of its fields, likewise."""

_adapter: TypeAdapter[Any] = TypeAdapter(BusMessage)


def encode(message: Wire) -> bytes:
    """Write a message as UTF-8 JSON, on one line."""
    return message.model_dump_json().encode()


def decode(raw: bytes | str) -> Any:
    """Read one message (any of :data:`BusMessage`).

    Raises:
        VersionError: it speaks another major version.
        ProtocolError: it is no JSON, of an unknown type, or a field is missing or wrong.
    """
    try:
        return _adapter.validate_json(raw)
    except ValidationError as error:
        raise _explain(raw, error) from error


def _explain(raw: bytes | str, error: ValidationError) -> ProtocolError:
    """Say in one line what is wrong with a message that did not validate."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return ProtocolError(f"this message is no JSON: {first['msg']}")
    said = from_json(raw)
    version = said.get("version") if isinstance(said, dict) else None
    if isinstance(version, str) and version.partition(".")[0] != MAJOR:
        return VersionError(
            f"this message speaks version {_line(version)} of the protocol, this palaver speaks {VERSION}",
            mend="run the same major version on both ends",
        )
    where = ".".join(str(step) for step in first["loc"]) or "message"
    more = error.error_count() - 1
    return ProtocolError(_line(f"{where}: {first['msg']}") + (f" (and {more} more)" if more else ""))


def _line(text: str, limit: int = 300) -> str:
    """Make a stranger's words fit for one line of a log."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[: limit + 1])
    return line if len(line) <= limit else line[:limit] + "..."


def key_prefix(fixed: Mapping[str, Any]) -> Hash:
    """Hash what all requests to one seat share, so that :func:`request_key` need not hash it again each turn.

    The order in which the parameters are given makes no difference.
    """
    return hashlib.blake2b(to_json({name: fixed[name] for name in sorted(fixed)}), digest_size=16)


def hash_view(prefix: Hash, view: Sequence[Message]) -> None:
    """Hash the first messages of a view once for all requests that show them."""
    prefix.update(b"".join([message.digest for message in view]))


def request_key(prefix: Hash, turn: int, view: Sequence[Message] = ()) -> str:
    """Name a request by its content: who asks what of whom, with which parameters, at which turn (32 hex digits).

    Args:
        prefix: what is the same for every request to the seat, and the part of the view that is hashed already.
        turn: the number of the turn.
        view: the rest of the view.
    """
    digest = prefix.copy()
    if view:
        hash_view(digest, view)
    digest.update(b"|%d" % turn)
    return digest.hexdigest()
