"""What a solver has told: where it is, what it sees, what it pressed. The expert follows it, and so does the solver.

The solver has no other memory than what it said itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from .hearing import display_in, labels_in, press_in
from .manual import Press
from .words import STAGE, numbered, sentences

__all__ = ["Account", "account", "repeated"]


@dataclass(slots=True)
class Account:
    """The stage that is on (from 1), its display and labels, and what was pressed by stage: as far as it was told."""

    stage: int | None = None
    display: int | None = None
    labels: tuple[int, ...] | None = None
    presses: dict[int, Press] = field(default_factory=dict)

    def arrive(self, stage: int) -> None:
        """Note the stage that is on. Presses of later stages were undone by a mistake."""
        if stage != self.stage:
            self.stage, self.display, self.labels = stage, None, None
        self.presses = {earlier: press for earlier, press in self.presses.items() if earlier < stage}

    def press(self, stage: int | None, position: int | None, label: int | None) -> None:
        """Note a press; where the labels are known, position or label is enough."""
        stage = self.stage if stage is None else stage
        if stage is None:
            return
        if stage == self.stage and self.labels:
            if position is None and label is not None:
                position = self.labels.index(label) + 1
            label = self.labels[position - 1] if position is not None else None
        if position is not None and label is not None:
            self.presses[stage] = Press(position, label)
        if self.stage is None or stage >= self.stage:
            self.stage, self.display, self.labels = stage + 1, None, None

    def look(self, text: str) -> None:
        """Note what a text without reports tells of the module."""
        stage, display, labels = numbered(STAGE, text), display_in(text), labels_in(text)
        if stage is not None:
            self.arrive(stage)
        elif "mistake" in text or "reset" in text or "start over" in text:
            self.arrive(1)
        self.display = self.display if display is None else display
        self.labels = self.labels if labels is None else labels


def account(messages: Iterable[str]) -> Account:
    """Follow what a solver said, oldest first."""
    heard = Account()
    for message in messages:
        for reports, said in groupby(sentences(message), lambda each: press_in(each) is not None):
            if reports:
                for sentence in said:
                    heard.press(*(press_in(sentence) or (None, None, None)))
            else:
                heard.look(" ".join(each for each in said if _tells(each)))
    return heard


def repeated(messages: Iterable[str]) -> dict[int, Press]:
    """Return what an expert says that the solver has pressed, by stage."""
    reports = [press_in(said) for message in messages for said in sentences(message) if "you pressed" in said]
    return {
        stage: Press(position, label)
        for stage, position, label in filter(None, reports)
        if stage is not None and position is not None and label is not None
    }


def _tells(sentence: str) -> bool:
    """Whether a sentence is no mere question, such as what the rules of a stage are."""
    return not sentence.endswith("?") or display_in(sentence) is not None or labels_in(sentence) is not None
