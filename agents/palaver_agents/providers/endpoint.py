"""A model at its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from palaver_protocols.messages import Usage
from palaver_protocols.quirks import Quirks

__all__ = ["Endpoint", "ModelFacts", "Price"]


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars for a million tokens. Reasoning is billed as output."""

    input: float
    output: float
    cached: float | None = None
    """For input that the provider has seen before; None where that costs what other input costs."""

    def of(self, usage: Usage) -> float:
        """Return what some tokens cost (US dollars)."""
        seen = usage.cached_tokens
        cached = self.input if self.cached is None else self.cached
        return ((usage.input_tokens - seen) * self.input + seen * cached + usage.output_tokens * self.output) / 1e6


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model; None, or nothing, where it is not.

    ``context`` and ``longest`` are the most tokens that it reads, and that it writes; ``refuses`` names the sampling
    settings that it does not take; ``schemas`` is False where its answers cannot be held to a JSON Schema; ``thinks``
    says that it thinks before it answers though nobody asks it to; ``dated`` is the version that its name stands for;
    ``as_of`` says when and where the price was read.
    """

    context: int | None = None
    longest: int | None = None
    price: Price | None = None
    refuses: frozenset[str] = frozenset()
    schemas: bool = True
    thinks: bool = False
    dated: str | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at its place: all that is needed to call it.

    ``key`` is None where there is none; it is never printed. ``refuses`` names the sampling settings that the model
    does not take (``temperature``, ``top_p``, ``reasoning_effort``): they are left out of the call. ``context`` and
    ``longest`` are the most tokens that the model reads and that it writes; ``price`` is None where nobody told.
    ``max_tokens`` and ``effort`` are what the provider calls the limit on an answer's length and the effort to reason,
    a dot leading inwards; ``think_tags`` says that thoughts may stand before an answer, in ``<think>`` tags;
    ``schemas`` is False where it is known that answers cannot be held to a JSON Schema.
    """

    provider: str
    model: str
    base_url: str
    key: str | None = field(repr=False)
    key_variable: str
    quirks: Quirks
    max_tokens: str = "max_tokens"
    cost_in_usd: bool = False
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    refuses: frozenset[str] = frozenset()
    price: Price | None = None
    context: int | None = None
    longest: int | None = None
    effort: str = "reasoning_effort"
    think_tags: bool = False
    schemas: bool = True
