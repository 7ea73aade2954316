"""Which of all that is true to say: the incremental algorithm of Dale and Reiter (1995) for referring expressions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Statement", "chosen"]


class Statement(NamedTuple):
    """Something that holds of the target, in words, and the distractors (by number) of which it does not hold."""

    text: str
    rules_out: frozenset[int]


def chosen(statements: Iterable[Statement], distractors: int) -> Sequence[str]:
    """Choose what to say, in order of preference: one statement if one does, else as many as it takes.

    Args:
        statements: true ones, the most natural first.
        distractors: how many there are.

    Returns:
        The texts of statements that rule all distractors out together, or as many as can be; none if none can be.
    """
    left = frozenset(range(distractors))
    offered = [each for each in statements if each.rules_out]
    alone = next((each for each in offered if left <= each.rules_out), None)
    if alone is not None:
        return [alone.text]
    said: list[str] = []
    for statement in offered:
        if left & statement.rules_out:
            said.append(statement.text)
            left -= statement.rules_out
    return said
