"""Which boards can be solved at all."""

from palaver_protocols.errors import InstanceError

from .puzzle import Puzzle

__all__ = ["check_solvable"]


def check_solvable(puzzle: Puzzle, state: int) -> None:
    """Refuse what no sequence of moves solves.

    With two free cells every order of the geoms can be reached (on a 2x2 board two geoms have but one order). With
    one, half of the orders can: each move exchanges a geom with the free cell, and that one's colour on a chess
    board changes with every move (Johnson and Story, 1879). (Boards without a free cell are no boards.)

    Raises:
        InstanceError: the goal cannot be reached.
    """
    size, geoms = puzzle.size, len(puzzle.goal)
    free = size**2 - geoms
    if free == 1 and _odd(size, puzzle.cells(state)) != _odd(size, puzzle.goal):
        raise InstanceError(
            f"the {size}x{size} board with {geoms} geoms cannot be solved: with one free cell, only half of all goals "
            "can be reached from a start, and this one cannot",
            mend="exchange the goals of two geoms, or take a geom away",
        )


def _odd(size: int, cells: tuple[int, ...]) -> bool:
    """Return the parity of a position with one free cell: of the order of all, and of the free cell's place."""
    (free,) = set(range(size**2)) - set(cells)
    order = [*cells, free]
    swaps = sum(order[j] > order[i] for i in range(len(order)) for j in range(i))
    return (swaps + free % size + free // size) % 2 == 1
