"""How long all answers of a run can be together, where ``max_tokens`` bounds each; what scripts say bounds nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from palaver_agents.names import parse_agent
from palaver_agents.providers.endpoint import ModelFacts
from palaver_gamemasters.rollout import Plan
from palaver_protocols.messages import Usage
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import team_of

__all__ = ["NOTHING_WRITTEN", "Longest", "longest_answers"]


@dataclass(frozen=True, slots=True)
class Longest:
    """What the answers of models come to at most, thoughts included: tokens, and US dollars for writing them.

    None where nothing is known that bounds them. They can be added up. Tries again are not counted.
    """

    tokens: int | None = 0
    usd: float | None = 0.0

    def __add__(self, other: "Longest") -> "Longest":
        """Add the answers of two runs up; where one has no bound, both have none."""
        tokens = None if self.tokens is None or other.tokens is None else self.tokens + other.tokens
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Longest(tokens, usd)


NOTHING_WRITTEN = Longest()


def longest_answers(config: RunConfig, planned: Plan, calls: int, known: Mapping[str, ModelFacts]) -> Longest:
    """Bound the answers of a run.

    What members of a team and whoever leaves a seat say is no answer of the game, and ``max_tokens`` does not bound it.

    Args:
        config: the run, with its ``max_tokens``.
        planned: the run worked out.
        calls: the most calls of models that it takes.
        known: what is known of each agent. Where several models share the calls, all of them may be the dearest's.
    """
    if not calls:
        return NOTHING_WRITTEN
    models = [facts for name, facts in known.items() if parse_agent(name).kind == "model"]
    fillers = [filler for opening in planned.openings[:1] for seat in opening.seats.values() for filler in seat]
    bound = config.sampling.max_tokens
    unbounded = config.handoff == "summary" or any(team_of(filler.agent) for filler in fillers)
    if bound is None or unbounded or any("max_tokens" in facts.refuses for facts in models):
        return Longest(None, None)
    tokens = calls * bound
    prices = [facts.price for facts in models if facts.price is not None]
    usd = max((price.of(Usage(output_tokens=tokens)) for price in prices), default=0.0)
    return Longest(tokens, usd if len(prices) == len(models) else None)
