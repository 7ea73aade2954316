"""A conversation as a judge is shown it, read back out of the prompt."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palaver_protocols.errors import UsageError

from ..puzzle import AnyPuzzle
from ..puzzles import load_puzzle
from ..state import MISTAKE, orders
from ..talk import Line
from ..tasks import valid_actions
from .asking import FACTS, INDENT, TURN

__all__ = ["Case", "Turn", "read_case"]

LABEL = re.compile(r"(Puzzle|Right|Solver|Expert(?: \d+)?|Environment): ?(.*)")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the puzzle as text when the solver spoke, and what was said, the solver first."""

    scene: str
    lines: tuple[Line, ...]

    @property
    def said(self) -> str:
        """What the solver said."""
        return self.lines[0].text

    @property
    def feedback(self) -> tuple[str, ...]:
        """What the environment said, a line for each action that was performed."""
        return tuple(
            each for line in self.lines if line.speaker == "environment" for each in line.text.splitlines() if each
        )

    @property
    def mistaken(self) -> bool:
        """Whether an action of this turn was a mistake."""
        return MISTAKE in self.feedback

    def performed(self, actions: tuple[str, ...]) -> tuple[str, ...]:
        """Return the actions that were performed."""
        return orders(self.said, actions)[: len(self.feedback)]


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation. ``repeated`` counts the mistakes that had been made before, in the same state."""

    puzzle: AnyPuzzle
    task: str
    manual: str
    experts: int
    solved: bool
    repeated: int
    turns: tuple[Turn, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The valid actions."""
        return valid_actions(self.task)

    def before(self, turn: int) -> tuple[Line, ...]:
        """Return what was said before a turn."""
        return tuple(line for each in self.turns[:turn] for line in each.lines)


def read_case(prompt: str) -> Case:
    """Read a prompt of :func:`~.asking.grading_view`.

    Raises:
        UsageError: it is none.
    """
    head, mark, rest = prompt.rpartition("\n<dialogue>\n")
    facts = {name: _fact(head, text) for name, text in FACTS.items()}
    if not mark or None in facts.values():
        raise UsageError(
            "the task shows no conversation to judge", mend="this script judges COMMA's conversations only"
        )
    _, _, told = head.partition("\n<solver>\n")
    task, _, held = told.partition("\n</solver>\n")
    manual = held.partition("\n<manual>\n")[2].rpartition("\n</manual>\n")[0]
    return Case(
        load_puzzle(facts["puzzle"] or ""),
        task,
        manual,
        _number(facts["experts"]),
        facts["solved"] == "yes",
        _number(facts["repeated"]),
        tuple(_turns(rest.rpartition("\n</dialogue>")[0])),
    )


def _fact(head: str, text: str) -> str | None:
    found = re.search(rf"^{re.escape(text.format(''))}(.*)$", head, re.MULTILINE)
    return found[1] if found else None


def _number(said: str | None) -> int:
    found = re.match(r"\d+", said or "")
    return int(found[0]) if found else 0


def _turns(dialogue: str) -> Iterator[Turn]:
    scene, lines = "", list[Line]()
    for label, text in _blocks(dialogue):
        if label == "Puzzle":
            if lines:
                yield Turn(scene, tuple(lines))
            scene, lines = text, []
        elif label != "Right":
            lines.append(Line(label.split(maxsplit=1)[0].lower(), text))
    if lines:
        yield Turn(scene, tuple(lines))


def _blocks(dialogue: str) -> Iterator[tuple[str, str]]:
    """Yield labels and texts; what is indented belongs to the label above it."""
    label, text = "", list[str]()
    for line in dialogue.split("\n"):
        if line.startswith(INDENT) and label:
            text.append(line.removeprefix(INDENT))
            continue
        if label:
            yield label, "\n".join(text)
        found = None if line.startswith(TURN) else LABEL.fullmatch(line)
        label, text = (found[1], [found[2]]) if found else ("", [])
    if label:
        yield label, "\n".join(text)
