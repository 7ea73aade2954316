"""Dice that fall the same way on every machine and under every Python.

Of :class:`random.Random`, only ``random()`` promises the same sequence for the same seed for ever; how ``shuffle`` and
``sample`` use it does not. So everything here is made from ``random()`` alone.
"""

import random
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

__all__ = ["Dice"]

T = TypeVar("T")


class Dice:
    """Reproducible choices from a seed: any number of labels, such as ``Dice("maze", 6, 0.3, 17)``."""

    def __init__(self, *labels: object) -> None:
        self._random = random.Random("/".join(str(label) for label in labels)).random

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, ``limit``."""
        return int(self._random() * limit)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Bring the items into a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` different items in random order."""
        pool = list(items)
        self.shuffle(pool)
        return pool[:count]
