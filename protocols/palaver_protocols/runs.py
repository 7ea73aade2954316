"""What a run is asked to do, and what is written down of each of its episodes."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, NonNegativeFloat, NonNegativeInt, PositiveInt

from .content import Frozen
from .messages import FinishReason, Labels, Outcome, RoleProtocol, Sampling, SeatFiller, Segment, Usage

__all__ = ["HOW", "INSTANCES", "RECORD_SCHEMA", "EpisodeRecord", "Grading", "Prefix", "RunConfig"]

HOW = ("concurrency", "timeout_s", "tries", "priority", "budget_tokens", "budget_usd", "cache")
"""What of a configuration says how a run is played, and nothing of what is played: it may change on the way."""

INSTANCES = ("instances_sha256", "instances_revision")
"""What of a configuration is known when the run is planned, and is nobody's to say."""

RECORD_SCHEMA = "palaver.episode/1.0"


class Prefix(Frozen):
    """What is frozen at the beginning of every episode: its first ``turns`` turns, as they were said in another run."""

    folder: str
    run_id: str
    turns: PositiveInt


class RunConfig(Frozen):
    """A run: many episodes of one configuration. Together with the code it determines every instance and request key.

    ``agents`` holds one name for every seat, or one for all of them (self-play). ``options`` are the game's own
    (``--set``). ``handoff`` says what an agent that takes over a seat is shown of what was said before: ``all``,
    ``last:M`` messages, ``summary`` (written by the agent that leaves) or ``nothing``. ``prefix`` names the run whose
    first turns every episode begins with. ``timeout_s`` (seconds) bounds one try at one turn, ``tries`` the number of
    tries.

    Where runs share a bus, those of a higher ``priority`` go first. ``budget_tokens`` (input and output, all seats) and
    ``budget_usd`` (US dollars) bound what the whole run may spend; None sets no bound. With ``cache``, providers are
    not asked again what they have answered before.

    ``instances_sha256`` is the digest of what was planned to be played, and ``instances_revision`` the revision that
    all of it comes from, where it says so; None in runs that do not know. They tell whether a run that is taken up
    again still is the one that was planned, though its files may have changed.
    """

    run_id: Annotated[str, Field(min_length=1)]
    game: str
    agents: Annotated[tuple[str, ...], Field(min_length=1)]
    episodes: PositiveInt = 1
    seed: NonNegativeInt = 0
    options: dict[str, JsonValue] = {}
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    handoff: Annotated[str, Field(pattern=r"^(all|nothing|summary|last:[1-9]\d*)$")] = "all"
    prefix: Prefix | None = None
    concurrency: PositiveInt = 64
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 600.0
    tries: PositiveInt = 5
    priority: int = 0
    budget_tokens: PositiveInt | None = None
    budget_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    cache: bool = False
    instances_sha256: str | None = None
    instances_revision: str | None = None

    def is_same_run(self, other: "RunConfig") -> bool:
        """Whether two configurations give the same episodes: they may differ in how they are played."""
        return not self.differences(other)

    def differences(self, other: "RunConfig") -> tuple[str, ...]:
        """Name what makes another run of another configuration; what one of them does not know is no difference."""
        ours, theirs = (config.model_dump(mode="json", exclude=set(HOW)) for config in (self, other))
        unknown = {name for name in INSTANCES if None in (ours[name], theirs[name])}
        return tuple(name for name, value in ours.items() if value != theirs[name] and name not in unknown)


class Grading(Frozen):
    """What a grader made of an episode.

    ``grader`` is ``rules`` for the game's own reading, else an agent's name. ``votes`` are the scores of each vote
    that could be used, ``ungraded`` counts the votes that could not, ``scores`` is the majority: empty where no vote
    could be used. ``detail`` is what the grader read, in the game's own terms.
    """

    grader: str
    scores: dict[str, float | None] = {}
    votes: tuple[dict[str, float | None], ...] = ()
    ungraded: NonNegativeInt = 0
    reason: str | None = None
    detail: JsonValue = None
    usage: Usage = Usage()
    cost_usd: NonNegativeFloat | None = None


class EpisodeRecord(Frozen):
    """One line of ``episodes.jsonl``: what an episode came to. ``latency_s`` sums the time that models took.

    ``usage`` of a seat includes what was said behind it (teams, summaries); frozen turns, which were paid for in
    another run, are left out of usage, cost and latency. ``asides`` counts what was said behind seats, ``frozen`` the
    frozen turns, of which ``prefix_sha256`` is the digest. ``message_tokens`` are the tokens of each
    message of a seat, thinking left out. ``finish_reasons`` counts the answers that ended otherwise than by themselves:
    cut off, refused, filtered. ``gradings`` holds what each grader made of the episode;
    where models were asked, ``scores`` are those of the last one that graded every episode of the run.
    """

    # the field is `schema` in the file, a name that pydantic keeps for itself
    model_config = ConfigDict(serialize_by_alias=True)

    schema_: Literal["palaver.episode/1.0"] = Field(default="palaver.episode/1.0", alias="schema")
    run_id: str
    episode_id: str
    game: str
    variant: str
    instance_id: str
    labels: Labels = {}
    seed: NonNegativeInt
    seats: dict[str, tuple[SeatFiller, ...]]
    protocol: RoleProtocol
    outcome: Outcome
    scores: dict[str, float | None]
    turns: NonNegativeInt
    asides: NonNegativeInt = 0
    frozen: NonNegativeInt = 0
    prefix_sha256: str | None = None
    segments: tuple[Segment, ...] = ()
    message_tokens: dict[str, tuple[NonNegativeInt, ...]] = {}
    finish_reasons: dict[FinishReason, NonNegativeInt] = {}
    gradings: tuple[Grading, ...] = ()
    usage: dict[str, Usage]
    latency_s: NonNegativeFloat
    cost_usd: NonNegativeFloat | None
    started: AwareDatetime
    ended: AwareDatetime
    error: str | None

    @property
    def tokens(self) -> int:
        """Tokens read and written, all seats together."""
        return sum(usage.tokens for usage in self.usage.values())
