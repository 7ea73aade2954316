"""The rules of the who puzzle: which button to read for each display, and a list of words for each label."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from palaver_gamemasters.comma.manual import Entry, Manual
from palaver_gamemasters.comma.puzzles.corners import button_action
from palaver_gamemasters.comma.speech import straight

__all__ = ["ACTIONS", "NO_TEXT", "POSITIONS", "WORD", "WhoRules", "button_to_press", "read", "reads"]

POSITIONS = ("top left", "top right", "middle left", "middle right", "bottom left", "bottom right")
"""The places of the buttons, row by row."""
ACTIONS = tuple(map(button_action, POSITIONS))
NO_TEXT = "(No Text)"
"""What an empty display is said to show (COMMA, appendix A)."""
WORD = r"[A-Z0-9](?:[A-Z0-9 '?!.-]{0,10}[A-Z0-9?!.])?"
"""What a display or a label may say: it has to fit in."""

RULE = re.compile(r'"(?P<word>[^"]+)"\s*:\s*(?P<rest>.+)')


@dataclass(frozen=True)
class WhoRules:
    """The button to read by display, an index of :data:`POSITIONS`; the words to look for by label."""

    positions: Mapping[str, int]
    words: Mapping[str, tuple[str, ...]]

    @cached_property
    def families(self) -> tuple[tuple[str, ...], ...]:
        """The labels that have the same words, in the manual's order: a module's six are of one family."""
        return tuple(dict.fromkeys(tuple(sorted(words)) for words in self.words.values()))


def button_to_press(rules: WhoRules, display: str, labels: Sequence[str]) -> int:
    """Return the one right button, an index of :data:`POSITIONS`.

    Raises:
        KeyError: step 1 has no such display, or step 2 no such label.
    """
    wanted = rules.words[labels[rules.positions[display]]]
    return labels.index(next(word for word in wanted if word in labels))


def read(manual: Manual) -> WhoRules:
    """Read both steps.

    Raises:
        InstanceError: a step is missing, a position is none of the six, a list is not complete.
    """
    positions: dict[str, int] = {}
    for word, rest, line in _rules(manual, "Step 1", '"YES": Middle Left'):
        place = " ".join(rest.lower().rstrip(".").replace("-", " ").split())
        positions[word] = POSITIONS.index(manual.one_of(POSITIONS, "position", place, line))
    words: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    for word, rest, line in _rules(manual, "Step 2", '"READY": YES, OKAY, READY'):
        words[word] = tuple(reads(each.strip().strip('"')) for each in rest.split(","))
        lines[word] = line
    for label, listed in words.items():
        _check(manual, words, label, listed, lines[label])
    return WhoRules(positions, words)


def reads(text: str) -> str:
    """Return a word as it stands on the module: straight apostrophes, single spaces."""
    return " ".join(straight(text).split())


def _rules(manual: Manual, title: str, example: str) -> list[tuple[str, str, int]]:
    section = manual.section(title)
    found: dict[str, tuple[str, str, int]] = {}
    for item in section.items:
        word, rest = _rule(manual, item, example)
        if word != NO_TEXT:
            _spelled(manual, word, item.line)
        if word in found:
            raise manual.error(f'"{word}" has a rule in line {found[word][2]} already', item.line)
        found[word] = (word, rest, item.line)
    if not found:
        raise manual.error(f"section {section.title!r} has no rules, such as '- {example}'", section.line)
    return list(found.values())


def _rule(manual: Manual, item: Entry, example: str) -> tuple[str, str]:
    rule = manual.rule(Entry(item.line, straight(item.text)), RULE, example)
    return reads(rule["word"]), rule["rest"].strip()


def _spelled(manual: Manual, word: str, line: int) -> None:
    if not re.fullmatch(WORD, word):
        raise manual.error(f"{word!r} is no word: capitals, digits and ' ? ! . - only, 12 at most", line)


def _check(
    manual: Manual, words: Mapping[str, tuple[str, ...]], label: str, listed: tuple[str, ...], line: int
) -> None:
    """See to it that whichever labels of a family are on the buttons, step 2 names one of them."""
    for word in listed:
        _spelled(manual, word, line)
        if listed.count(word) > 1:
            raise manual.error(f'the list of "{label}" names {word} twice', line)
        if word not in words:
            raise manual.error(f'the list of "{label}" names {word}, which has no list of its own', line)
    for word in listed:
        if missing := next((other for other in words[word] if other not in listed), None):
            raise manual.error(f'the list of "{label}" is not complete: it names {word}, but not {missing}', line)
    if label not in listed:
        raise manual.error(f'the list of "{label}" does not name {label} itself', line)
    if len(listed) < len(POSITIONS):
        raise manual.error(f'the list of "{label}" is too short: six buttons need six words', line)
