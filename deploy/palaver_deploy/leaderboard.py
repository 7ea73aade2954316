"""clembench's leaderboard in the terminal: who came to what over the games that are averaged together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from palaver_observability.standings import Standing, standings
from palaver_observability.statistics.clemscore import clemscore_ci
from palaver_observability.writing import NONE
from palaver_protocols.runs import EpisodeRecord

__all__ = ["OnBoard", "board_table", "boards"]


@dataclass(frozen=True, slots=True)
class OnBoard:
    """What some agents came to on a board: the games of it that they have played."""

    board: str
    standing: Standing
    games: tuple[str, ...]
    of: int
    crashed: int = 0
    """Episodes of any game of the board that crash the study's own programs, and are in no measure."""

    @property
    def plain(self) -> dict[str, Any]:
        """The measures by clembench's names, of each game and of all."""
        together = clemscore_ci(self.standing.samples(self.games))
        return {
            "agents": self.standing.name,
            "board": self.board,
            **self.standing.over(self.games).named,
            "ci": [together.ci_low, together.ci_high],
            "crashed": self.crashed,
            "games": {game: self.standing.of(game).named for game in self.games},
        }


def boards(records: Iterable[EpisodeRecord], published: Mapping[str, Any]) -> list[OnBoard]:
    """Sum episodes up by agents, on each board; who has played most games comes first, then the best.

    Games that have no such measures are left out.

    Args:
        records: of several games.
        published: what one of these games publishes; ``clemscore.boards`` are the games that are averaged together.
    """
    found = standings(records)
    played = list(dict.fromkeys(game for standing in found for game in (*standing.games, *standing.crashed)))
    given: Mapping[str, Sequence[str]] = published.get("clemscore", {}).get("boards", {"all": played})
    on = []
    for board, games in given.items():
        each = [_on(board, standing, games) for standing in found]
        shown = [one for one in each if one.games or one.crashed]
        on += sorted(shown, key=lambda one: (-len(one.games), -(one.standing.over(one.games).clemscore or 0.0)))
    return on


def _on(board: str, standing: Standing, games: Sequence[str]) -> OnBoard:
    played = tuple(game for game in games if game in standing.games)
    return OnBoard(board, standing, played, len(games), sum(standing.crashed.get(game, 0) for game in games))


def board_table(found: Sequence[OnBoard]) -> Table:
    """Lay the leaderboard out: averages over games, whose number tells who has not played all, and what has crashed."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("board", no_wrap=True)
    table.add_column("agents", no_wrap=True)
    told = any(one.crashed for one in found)
    for name in ("games", *(["crashed"] if told else []), "% played", "quality", "clemscore", "95 % CI"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        score, together = one.standing.over(one.games), clemscore_ci(one.standing.samples(one.games))
        low, high = together.ci_low, together.ci_high
        table.add_row(
            one.board,
            Text(one.standing.name),
            f"{len(one.games)} of {one.of}",
            *([f"{one.crashed:,}"] if told else []),
            _number(score.average_played),
            _number(score.average_quality),
            _number(score.clemscore),
            NONE if low is None or high is None else f"[{low:.1f}, {high:.1f}]",
        )
    return table


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"
