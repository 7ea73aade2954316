"""A bug in a game, in one line: which game, what it raised, and where. The whole traceback goes into the log."""

import traceback
from pathlib import Path

__all__ = ["bug_in_words"]

HERE = Path(__file__).parent
"""Where the engine lives: what plays games, and is none. A game that comes along has a folder of its own below."""


def bug_in_words(game: str, variant: str, error: Exception) -> str:
    """Say that a game has raised what nobody raises on purpose.

    Returns:
        One line. It ends with the file and the line where it was raised, unless the engine itself has raised it.
    """
    said = f"the game {game} ({variant}) raised {type(error).__name__}"
    if why := " ".join(str(error).split()):
        said = f"{said}: {why}"
    place = _place(error)
    return f"{said} (at {place})" if place else said


def _place(error: Exception) -> str:
    """Name the last frame outside the engine; relative to the working folder, where it is below it."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.parent != HERE:
            shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
            return f"{shown}:{frame.lineno}"
    return ""
