"""What the dashboard knows of games: their rules, loaded off the event loop, when somebody wants to see one."""

import asyncio
from collections.abc import Iterable, Mapping

import structlog

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.report.study import Facts
from palaver_protocols.errors import UsageError

__all__ = ["Games"]


class Games:
    """The games that are installed here, by name. For one event loop; games may be used in threads.

    Args:
        known: games that are at hand already.
    """

    def __init__(self, known: Mapping[str, AnyGame] | None = None) -> None:
        self._known: dict[str, AnyGame | None] = dict(known or {})
        self._loading: dict[str, asyncio.Task[AnyGame | None]] = {}

    def primary(self, name: str) -> str | None:
        """Return the score with which a game's results lead; None where it is not known, or not yet."""
        game = self._known.get(name)
        return None if game is None else game.primary_score

    def learn(self, names: Iterable[str]) -> None:
        """Load games in the background that are not known yet."""
        for name in names:
            if name and name not in self._known and name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name), name=f"loading {name}")

    async def get(self, name: str) -> AnyGame | None:
        """Return a game; None where it is not installed here."""
        if name not in self._known:
            self.learn([name])
            await asyncio.shield(self._loading[name])
        return self._known[name]

    async def facts(self, names: Iterable[str]) -> dict[str, Facts]:
        """Return what reports show of games besides their records; those that are not installed are left out."""
        found = {name: await self.get(name) for name in dict.fromkeys(names)}
        return {
            name: Facts(game.primary_score, game.published(), game.pools_episodes)
            for name, game in found.items()
            if game is not None
        }

    async def aclose(self) -> None:
        """Wait for what is being loaded."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)

    async def _load(self, name: str) -> AnyGame | None:
        try:
            game: AnyGame | None = await asyncio.to_thread(load_game, name)
        except UsageError as error:
            structlog.get_logger().warning("a game is not known here", game=name, reason=str(error))
            game = None
        finally:
            del self._loading[name]
        self._known[name] = game
        return game
