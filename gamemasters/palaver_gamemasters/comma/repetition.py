"""Repetition loops by rule: the same mistake in a state that was seen before (COMMA, section 5.2)."""

from collections.abc import Iterable

from .state import Deed

__all__ = ["repetitions"]


def repetitions(deeds: Iterable[Deed]) -> int:
    """Count the mistakes that had been made before, in an equal state of the puzzle."""
    made = [(deed.before, deed.action) for deed in deeds if deed.mistake]
    return len(made) - len(set(made))
