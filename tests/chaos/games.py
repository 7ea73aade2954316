"""The game of the chaos tests, announced as an installed package would announce it."""

from pathlib import Path

from examples.count_up import GAME

__all__ = ["GAME", "ROOT", "announce"]

ROOT = Path(__file__).parents[2]


def announce(folder: Path) -> str:
    """Make a folder that looks like an installed package with the game; return the PYTHONPATH that finds it."""
    package = folder / "chaosgames-1.dist-info"
    package.mkdir(parents=True, exist_ok=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: chaosgames\nVersion: 1\n")
    (package / "entry_points.txt").write_text(f"[palaver.games]\n{GAME.name} = examples.count_up:GAME\n")
    return f"{folder}:{ROOT}"
