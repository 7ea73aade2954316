"""Who came to what in games that tell what was played from how well: episodes by agents and game. Pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from palaver_protocols.messages import OWED
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from .statistics.clemscore import ClemScore, Episode, GameScore, clemscore, episodes_of, game_score
from .stats import NOT_COUNTED

__all__ = ["Standing", "crashes", "one_name", "standings"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What some agents came to: the scored episodes of each game that they have played; ``name`` says who they are.

    ``crashed`` counts the episodes of each game that crash the study's own programs, and are in no measure.
    """

    name: str
    games: Mapping[str, tuple[Episode, ...]]
    crashed: Mapping[str, int] = field(default_factory=dict)

    def of(self, game: str) -> GameScore:
        """Return what one game came to."""
        return game_score(self.games.get(game, ()))

    def over(self, games: Iterable[str]) -> ClemScore:
        """Return what several games came to together; those that were not played are left out."""
        return clemscore(self.of(game) for game in games)

    def samples(self, games: Iterable[str]) -> list[tuple[Episode, ...]]:
        """Return the episodes of several games, a tuple a game; none of games that were not played."""
        return [self.games[game] for game in games if self.games.get(game)]


def standings(records: Iterable[EpisodeRecord]) -> list[Standing]:
    """Group episodes by agents, in the order in which these come; only games that say what was aborted are counted."""
    groups: dict[str, dict[str, list[EpisodeRecord]]] = {}
    for record in records:
        if record.outcome not in OWED:
            agents = one_name(tuple(relay_of(fillers) for fillers in record.seats.values()))
            groups.setdefault(", ".join(agents), {}).setdefault(record.game, []).append(record)
    found = []
    for name, by_game in groups.items():
        games = {
            game: tuple(episodes_of(record.scores for record in played if record.outcome not in NOT_COUNTED))
            for game, played in by_game.items()
        }
        crashed = {game: crashes(played) for game, played in by_game.items() if crashes(played)}
        if any(games.values()) or crashed:
            found.append(Standing(name, {game: episodes for game, episodes in games.items() if episodes}, crashed))
    return found


def crashes(records: Iterable[EpisodeRecord]) -> int:
    """Count the episodes that crash the study's own programs."""
    return sum(record.outcome == "crashed" for record in records)


def one_name(agents: tuple[str, ...]) -> tuple[str, ...]:
    """Return agents in seat order, or one for all seats: a model plays games of one seat and of two."""
    return agents[:1] if len(set(agents)) == 1 else agents
