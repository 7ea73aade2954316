"""Shortest solutions: how many moves a position is away from the goal, and which moves lead there."""

from heapq import heappop, heappush

from ..board import Board, Position

__all__ = ["Distances"]


class Distances:
    """How far positions of a board are from its goal."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[Position, int] = {board.goal: 0}

    def of(self, position: Position) -> int:
        """Return the moves of a shortest solution."""
        if position not in self._known:
            path = self.path(position)
            for left, each in enumerate(reversed(path)):
                self._known[each] = left
        return self._known[position]

    def path(self, position: Position) -> tuple[Position, ...]:
        """Return a shortest solution: all positions from this one to the goal."""
        board = self._board
        heap = [(board.manhattan(position), position)]
        came: dict[Position, Position | None] = {position: None}
        cost = {position: 0}
        while heap:
            _, now = heappop(heap)
            if now == board.goal:
                path = [now]
                while (before := came[path[-1]]) is not None:
                    path.append(before)
                return tuple(reversed(path))
            for _, _, after in board.moves(now):
                moves = cost[now] + 1
                if moves < cost.get(after, 10**9):
                    cost[after], came[after] = moves, now
                    heappush(heap, (moves + board.manhattan(after), after))
        raise ValueError
