"""A model at its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from palaver_protocols.quirks import Quirks

__all__ = ["Endpoint"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at its place: all that is needed to call it. ``key`` is None where there is none; it is never printed."""

    provider: str
    model: str
    base_url: str
    key: str | None = field(repr=False)
    key_variable: str
    quirks: Quirks
    max_tokens: str
    cost_in_usd: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
