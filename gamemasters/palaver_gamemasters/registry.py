"""Which games there are: those that an installed package announces under the entry point ``palaver.games``."""

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points

from palaver_protocols.errors import UsageError

from .game import AnyGame, Game

__all__ = ["game_names", "load_game"]


def _announced() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="palaver.games")}


def game_names() -> list[str]:
    """Name the games that are installed, sorted."""
    return sorted(_announced())


def load_game(name: str) -> AnyGame:
    """Return a game by its name.

    Raises:
        UsageError: there is none of this name, or it cannot be loaded.
    """
    announced = _announced()
    if name not in announced:
        close = get_close_matches(name, announced, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(announced))}"
        raise UsageError(f"there is no game {name!r}", mend=hint)
    try:
        game = announced[name].load()
    except Exception as error:
        raise UsageError(f"the game {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise UsageError(f"{announced[name].value} is no palaver game", mend="announce an instance of a Game subclass")
    return game
