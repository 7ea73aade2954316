"""What an audit says: what each layer has looked at, and what it has found. Plain values, fit for JSON."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from palaver_protocols.errors import one_line

__all__ = ["LAYERS", "Checked", "Finding", "Layer", "RunAudit", "Unread", "hint_at"]

Layer = Literal["addressing", "content", "secrets", "record"]
LAYERS: tuple[Layer, ...] = get_args(Layer)

SHOWN = 12
"""Characters of a secret that a finding shows at most; and never more than a quarter of it."""

Checked = dict[Layer, Counter[str]]
"""By layer: how many of what were looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that should not be: in which episode, at which turn, whom it was sent to, and what, in one line."""

    layer: Layer
    episode: str
    turn: int
    seat: str
    what: str

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "layer": self.layer,
            "episode": self.episode,
            "turn": self.turn,
            "seat": self.seat,
            "what": self.what,
        }


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that does not show what was sent, or not to its end, and why."""

    episode: str
    why: str


@dataclass(slots=True)
class RunAudit:
    """What there is to say about a run."""

    run: str
    game: str
    episodes: int = 0
    checked: Checked = field(default_factory=lambda: {layer: Counter[str]() for layer in LAYERS})
    findings: list[Finding] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def count(self, layer: Layer) -> int:
        """Count what a layer has found."""
        return sum(finding.layer == layer for finding in self.findings)

    def add(self, checked: Mapping[Layer, Mapping[str, int]]) -> None:
        """Count what was looked at."""
        for layer, counts in checked.items():
            self.checked[layer].update(counts)

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "run": self.run,
            "game": self.game,
            "episodes": self.episodes,
            "layers": {layer: {"checked": dict(self.checked[layer]), "leaks": self.count(layer)} for layer in LAYERS},
            "findings": [finding.plain for finding in self.findings],
            "unread": [{"episode": each.episode, "why": each.why} for each in self.unread],
        }


def hint_at(text: str) -> str:
    """Name a secret without telling it: how it begins, and how long it is."""
    short = " ".join(text.split())
    shown = short[: min(SHOWN, len(short) // 4)]
    return one_line(f"'{shown}...' ({len(short)} characters)")
