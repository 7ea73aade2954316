"""Shortest solutions: how many moves a position is away from the goal, and which moves lead there.

Ordinary boards are solved by :mod:`.plain`, in a fraction of a millisecond. Where that has gone through some thousand
states, :mod:`.wide` begins anew, in numpy and with a better bound. Both are optimal.
"""

from palaver_protocols.errors import InstanceError

from ..board import Board, Position
from . import homeward, plain, wide
from .herds import fits
from .puzzle import Found, Puzzle, Unfinished
from .solvable import check_solvable

__all__ = ["Distances"]

PLAIN = 8_000
"""States stored by the plain search before the other takes over: about as much time as that takes to get ready."""
PLAIN_ALONE = 250_000
"""The same where a state is too wide for the other search: up to 300 MB on the largest boards."""


class Distances:
    """How far positions of a board are from its goal. What was found out for one position serves the next."""

    def __init__(self, board: Board) -> None:
        self._puzzle = Puzzle.of(board)
        self._known = {self._puzzle.solved: 0}
        self._ways: dict[int, tuple[int, ...]] = {}
        self._tired = False  # a search of seconds was in vain: no second one, for an episode has many such positions

    def of(self, position: Position) -> int:
        """Return the moves of a shortest solution.

        Raises:
            InstanceError: the goal cannot be reached, or it would take too much memory to find out how. After that,
                only easy positions of the board are worked out.
        """
        state = self._puzzle.state(position)
        if state not in self._known:
            if len(self._known) == 1:
                self._way(state)  # as quick, and will be asked for
            else:
                self._explore(state)
        return self._known[state]

    def path(self, position: Position) -> tuple[Position, ...]:
        """Return a shortest solution: all positions from this one to the goal.

        Of several it is always the same, whatever was asked before.

        Raises:
            InstanceError: as above.
        """
        return tuple(self._puzzle.position(state) for state in self._way(self._puzzle.state(position)))

    def _way(self, start: int) -> tuple[int, ...]:
        if start not in self._ways:
            found = self._found(start, {self._puzzle.solved: 0}, None)
            if found is None:
                raise self._unsolvable()
            self._learn(found)
            self._ways[start] = found.states
        return self._ways[start]

    def _unsolvable(self) -> InstanceError:
        return InstanceError(
            f"{self._name} cannot be solved from this position", mend="exchange the goals of two geoms"
        )

    @property
    def _name(self) -> str:
        return f"the {self._puzzle.size}x{self._puzzle.size} board with {len(self._puzzle.goal)} geoms"

    def _explore(self, state: int) -> None:
        """Find a distance with the help of those that are known: one move changes it by one, more or less."""
        near = [self._known[each] for each in self._puzzle.neighbours(state) if each in self._known]
        below = min(near) + 1 if near else None
        if below is None or max(self._puzzle.manhattan(state), max(near) - 1) < below:
            found = self._found(state, self._known, below)
            if found is not None:
                self._learn(found)
                return
        if below is None:
            raise self._unsolvable()
        self._known[state] = below

    def _learn(self, found: Found) -> None:
        for moves, state in enumerate(found.states):
            self._known[state] = found.distance - moves

    def _found(self, state: int, known: dict[int, int], below: int | None) -> Found | None:
        check_solvable(self._puzzle, state)
        try:
            return self._search(state, known, below)
        except Unfinished as unfinished:
            self._tired = True
            raise InstanceError(
                f"{self._name} is too hard: {unfinished.stored:,} states do not suffice to find a shortest solution",
                mend="fewer geoms, a smaller board, or goals nearer to the starts",
            ) from None

    def _search(self, state: int, known: dict[int, int], below: int | None) -> Found | None:
        wider = fits(self._puzzle)
        try:
            if not wider and (straight := homeward.walk(self._puzzle, state)):
                return straight
            stored = PLAIN if wider or self._tired else PLAIN_ALONE
            return plain.search(self._puzzle, state, known, below=below, stored=stored)
        except Unfinished:
            if self._tired or not wider:
                raise
            return wide.search(self._puzzle, state, known, below=below)
