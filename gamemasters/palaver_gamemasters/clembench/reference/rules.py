"""What an answer must look like in the reference game: by the patterns that its instances bring along.

The patterns are matched at the start of an answer, and ignore case. In the published ones ``content`` is what counts,
``remainder`` what should not be there. Newer checkouts write other patterns with the same groups, where ``response`` is
the answer within ``content``, and say by a mode of ``liberal`` that a remainder is let pass.
"""

import re
from functools import cached_property
from typing import NamedTuple

from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError

__all__ = ["ANSWER", "EXPRESSION", "Answer", "Setup", "read_answer", "read_expression"]

EXPRESSION = "^expression:\\s(?P<content>.+)\n*(?P<remainder>.*)"
"""The published pattern of player 1: exactly one white space after the tag, then one line."""
ANSWER = "^answer:\\s(?P<content>first|second|third|1|2|3|1st|2nd|3rd)\n*(?P<remainder>.*)"
"""The published pattern of player 2. ``1`` is tried before ``1st``, so that ``1st`` has a remainder."""

CLEAN = {
    EXPRESSION: re.compile(r"^expression:\s*(?P<content>.+)\n*(?P<remainder>.*)", re.IGNORECASE),
    ANSWER: re.compile(r"^answer:\s*(?P<content>first|second|third|1st|2nd|3rd|[123])\b(?P<remainder>)", re.IGNORECASE),
}
"""What the clean profile matches instead: any white space after the tag, whole words, and whatever follows."""

LIBERAL = "liberal"


class Setup(Frozen):
    """An instance: what each player is told, what it must answer, and where player 2 sees the target.

    ``target`` are the names of that place; ``None`` among the pictures where they are not given.
    """

    player_1_prompt_header: str
    player_2_prompt_header: str
    player_1_response_pattern: str = EXPRESSION
    player_2_response_pattern: str = ANSWER
    p1_mode: str | None = None
    p2_mode: str | None = None
    player_1_first_image: str | None = None
    player_1_second_image: str | None = None
    player_1_third_image: str | None = None
    player_2_first_image: str | None = None
    player_2_second_image: str | None = None
    player_2_third_image: str | None = None
    target_image_name: tuple[str, ...] | None = None
    target_grid_name: tuple[str, ...] | None = None

    @property
    def target(self) -> tuple[str, ...]:
        """The answers that are right."""
        return self.target_image_name or self.target_grid_name or ()

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """The patterns of both players, ready to be matched.

        Raises:
            InstanceError: one is no regular expression, or lacks a group; names it.
        """
        return _compiled(self, "player_1_response_pattern"), _compiled(self, "player_2_response_pattern")


class Answer(NamedTuple):
    """A choice, and whether the game master takes it: the published scorer also takes some that it refuses."""

    content: str
    valid: bool


def read_expression(setup: Setup, text: str, *, clean: bool) -> str | None:
    """Return what player 1 has said after the tag, or None if it kept not to the format."""
    pattern = _pattern(setup, 0, clean)
    found = pattern.match(text.strip() if clean else text)
    if found is None or (found["remainder"] and setup.p1_mode != LIBERAL):
        return None
    return found["content"]


def read_answer(setup: Setup, text: str, *, clean: bool) -> Answer | None:
    """Return player 2's choice as it is written, or None if there is none."""
    pattern = _pattern(setup, 1, clean)
    found = pattern.match(text.strip() if clean else text)
    if found is None:
        return None
    valid = not found["remainder"] or setup.p2_mode == LIBERAL
    if not valid and setup.p2_mode is not None:
        return None  # in newer checkouts the scorer keeps to the game master's word
    return Answer(found["response" if "response" in pattern.groupindex else "content"], valid)


def _pattern(setup: Setup, player: int, clean: bool) -> re.Pattern[str]:
    pattern = setup.patterns[player]
    return CLEAN.get(pattern.pattern, pattern) if clean else pattern


def _compiled(setup: Setup, name: str) -> re.Pattern[str]:
    written: str = getattr(setup, name)
    try:
        pattern = re.compile(written, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise InstanceError(f"{name} is no regular expression: {error}") from error
    missing = [group for group in ("content", "remainder") if group not in pattern.groupindex]
    if missing:
        raise InstanceError(f"{name} has no group {missing[0]!r}", mend=f"write (?P<{missing[0]}>...) into it")
    return pattern
