"""Buttons for a person at the solver's seat: what an action is called, and the keys that stand for it.

No button is a whole answer. A message may hold several actions, and words besides; and a mistake is one of three, so
that nothing is done before the person has seen what it is about to send.
"""

from collections.abc import Iterable

from palaver_gamemasters.showing import Move

__all__ = ["DOWNWARD", "LEFTWARD", "RIGHTWARD", "UPWARD", "named", "numbered"]

UPWARD, DOWNWARD = ("ArrowUp", "w"), ("ArrowDown", "s")
LEFTWARD, RIGHTWARD = ("ArrowLeft", "a"), ("ArrowRight", "d")
"""Keys that stand for a direction."""


def named(actions: Iterable[str]) -> tuple[Move, ...]:
    """Return a button for each action, called as the action is, in plain letters."""
    return tuple(Move(action, action.replace("_", " ").strip().capitalize() or action) for action in actions)


def numbered(actions: Iterable[str], labels: Iterable[str], group: str, first: int = 1) -> tuple[Move, ...]:
    """Return a button for each action; its key is its number, as long as that is one digit.

    Args:
        actions: what is said, in the order of the buttons.
        labels: what stands on the buttons.
        group: what stands above them.
        first: the number of the first one.
    """
    pairs = enumerate(zip(actions, labels, strict=True), first)
    return tuple(Move(action, label, group, (str(number),) if number <= 9 else ()) for number, (action, label) in pairs)
