"""What a run is asked to do, and what is written down of each of its episodes."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, NonNegativeFloat, NonNegativeInt, PositiveInt

from .content import Frozen
from .messages import Outcome, RoleProtocol, Sampling, SeatFiller, Usage

__all__ = ["HOW", "RECORD_SCHEMA", "EpisodeRecord", "RunConfig"]

HOW = ("concurrency", "timeout_s", "tries", "priority", "budget_tokens", "budget_usd")
"""What of a configuration says how a run is played, and nothing of what is played: it may change on the way."""

RECORD_SCHEMA = "palaver.episode/1.0"


class RunConfig(Frozen):
    """A run: many episodes of one configuration. Together with the code it determines every instance and request key.

    ``agents`` holds one name for every seat, or one for all of them (self-play). ``options`` are the game's own
    (``--set``). ``timeout_s`` (seconds) bounds one try at one turn, ``tries`` the number of tries.

    Where runs share a bus, those of a higher ``priority`` go first. ``budget_tokens`` (input and output, all seats) and
    ``budget_usd`` (US dollars) bound what the whole run may spend; None sets no bound.
    """

    run_id: Annotated[str, Field(min_length=1)]
    game: str
    agents: Annotated[tuple[str, ...], Field(min_length=1)]
    episodes: PositiveInt = 1
    seed: NonNegativeInt = 0
    options: dict[str, JsonValue] = {}
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = Sampling()
    concurrency: PositiveInt = 64
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 600.0
    tries: PositiveInt = 5
    priority: int = 0
    budget_tokens: PositiveInt | None = None
    budget_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    def is_same_run(self, other: "RunConfig") -> bool:
        """Whether two configurations give the same episodes: they may differ in how they are played."""
        how = set(HOW)
        return self.model_dump(exclude=how) == other.model_dump(exclude=how)


class EpisodeRecord(Frozen):
    """One line of ``episodes.jsonl``: what an episode came to. ``latency_s`` sums the time that models took."""

    # the field is `schema` in the file, a name that pydantic keeps for itself
    model_config = ConfigDict(serialize_by_alias=True)

    schema_: Literal["palaver.episode/1.0"] = Field(default="palaver.episode/1.0", alias="schema")
    run_id: str
    episode_id: str
    game: str
    variant: str
    instance_id: str
    seed: NonNegativeInt
    seats: dict[str, tuple[SeatFiller, ...]]
    protocol: RoleProtocol
    outcome: Outcome
    scores: dict[str, float | None]
    turns: NonNegativeInt
    usage: dict[str, Usage]
    latency_s: NonNegativeFloat
    cost_usd: NonNegativeFloat | None
    started: AwareDatetime
    ended: AwareDatetime
    error: str | None
