"""Who came to what in games that tell what was played from how well: episodes by agents and game. Pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from .statistics.clemscore import ClemScore, Episode, GameScore, clemscore, episodes_of, game_score
from .stats import NOT_COUNTED

__all__ = ["Standing", "one_name", "standings"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What some agents came to: the scored episodes of each game that they have played; ``name`` says who they are."""

    name: str
    games: Mapping[str, tuple[Episode, ...]]

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
    groups: dict[str, dict[str, list[Mapping[str, float | None]]]] = {}
    for record in records:
        if record.outcome not in NOT_COUNTED:
            agents = one_name(tuple(relay_of(fillers) for fillers in record.seats.values()))
            groups.setdefault(", ".join(agents), {}).setdefault(record.game, []).append(record.scores)
    found = []
    for name, by_game in groups.items():
        games = {game: tuple(episodes_of(scores)) for game, scores in by_game.items()}
        if any(games.values()):
            found.append(Standing(name, {game: episodes for game, episodes in games.items() if episodes}))
    return found


def one_name(agents: tuple[str, ...]) -> tuple[str, ...]:
    """Return agents in seat order, or one for all seats: a model plays games of one seat and of two."""
    return agents[:1] if len(set(agents)) == 1 else agents
