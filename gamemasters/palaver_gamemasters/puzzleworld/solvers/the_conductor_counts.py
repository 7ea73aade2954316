"""The Conductor Counts: keeps of all orders of passengers and instruments the one that agrees with all remarks."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations

from .solved import NUMBERS, Solved, UnsolvedError, listed

__all__ = ["solve"]

Seats = Mapping[str, int]
Remark = tuple[frozenset[str], Callable[[Seats], bool]]
"""Whom or what it is about, and whether it holds."""
LIST = re.compile(r"^(?P<what>on board|in the rack): (?P<names>.+)$", re.MULTILINE)
REMARK = re.compile(r"^remark: (?P<text>.+)\.$", re.MULTILINE)
THE = r"(?:the )?"
PLAYS = re.compile(r"(\w+) plays the (\w+)")
NEXT = re.compile(rf"{THE}(\w+) (?:sits|is) next to {THE}(\w+)")
LEFT = re.compile(rf"{THE}(\w+) (?:sits|is) somewhere to the left of {THE}(\w+)")
BETWEEN = re.compile(rf"there are exactly ({'|'.join(NUMBERS)}) seats between {THE}(\w+) and {THE}(\w+)")


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    lists = {each["what"]: each["names"].lower().split(", ") for each in LIST.finditer(words)}
    people, things = lists.get("on board", []), lists.get("in the rack", [])
    texts = REMARK.findall(words)
    if not people or len(people) != len(things):
        raise UnsolvedError("nobody has said who and what is in the carriage")
    remarks = [_read(text.lower()) for text in texts]
    among = list(_orders(people, remarks, {}))
    seatings = [
        (order, rack)
        for order in among
        for rack in _orders(things, remarks, {name: at for at, name in enumerate(order, 1)})
    ]
    if len(seatings) != 1:
        raise UnsolvedError(f"{len(seatings)} seatings agree with these remarks")
    ((order, rack),) = seatings
    answer = "".join(name[at] for at, name in enumerate(rack)).upper()
    plays = [
        f"{found[1].upper()} plays the {found[2].upper()}" for found in map(PLAYS.match, map(str.lower, texts)) if found
    ]
    return Solved(
        steps=(
            (
                f"{listed(plays)}. By what is said of the passengers alone {listed(_block(among)).upper()} always sit "
                "side by side, in this order."
            ),
            f"With what is said of the instruments only one order remains: {listed(order).upper()}.",
            f"So the instruments are, from seat 1 to seat {len(rack)}: {listed(rack).upper()}.",
            (
                "The conductor counts along the seats. I take the 1st letter of the 1st instrument, the 2nd of the 2nd "
                f"and so on: {listed(answer)}."
            ),
            f"From the first seat to the last they spell {answer}.",
        ),
        answer=answer,
        guess="".join(name[0] for name in rack).upper(),
    )


def _read(text: str) -> Remark:
    """Make sense of a remark.

    Raises:
        UnsolvedError: it says what no remark of this puzzle says.
    """
    if found := BETWEEN.fullmatch(text):
        apart, one, other = NUMBERS.index(found[1]) + 1, found[2], found[3]
        return frozenset((one, other)), lambda seats: abs(seats[one] - seats[other]) == apart
    for pattern, holds in ((PLAYS, _same), (NEXT, _neighbours), (LEFT, _left)):
        if found := pattern.fullmatch(text):
            pair = found[1], found[2]
            return frozenset(pair), lambda seats, holds=holds, pair=pair: holds(*(seats[name] for name in pair))
    raise UnsolvedError(f"the remark {text!r} makes no sense")


def _same(one: int, other: int) -> bool:
    return one == other


def _neighbours(one: int, other: int) -> bool:
    return abs(one - other) == 1


def _left(one: int, other: int) -> bool:
    return one < other


def _orders(names: Sequence[str], remarks: Sequence[Remark], known: Seats) -> Iterator[tuple[str, ...]]:
    """Yield the orders that agree with all remarks that are about these names and known ones alone."""
    about = frozenset(names) | known.keys()
    rules = [holds for whom, holds in remarks if whom <= about and not whom <= known.keys()]
    for order in permutations(names):
        seats = {**known, **{name: at for at, name in enumerate(order, 1)}}
        if all(holds(seats) for holds in rules):
            yield order


def _block(orders: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the longest run of names that all orders have."""
    first = orders[0]
    runs = (first[start:end] for start in range(len(first)) for end in range(len(first), start, -1))
    common = (run for run in runs if all(" ".join(run) in " ".join(order) for order in orders))
    return max(common, key=len)
