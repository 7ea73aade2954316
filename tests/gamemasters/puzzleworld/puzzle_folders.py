"""Small datasets in the published layout, made where a test wants them; and episodes of their puzzles."""

import json
from pathlib import Path
from typing import Any

from PIL import Image as Pillow

from palaver_gamemasters.game import Instance, Reply
from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.state import PuzzleState

STEPS: list[dict[str, Any]] = [
    {"explanation": "Discover that the rolls are bread: BREAD.", "figure": None},
    {"explanation": "Sketch the path: it goes WITH it.", "figure": "figure.png"},
    {"explanation": "Extract the answer ROLL WITH IT.", "figure": None},
]
METADATA: dict[str, Any] = {
    "title": "Going Round",
    "flavor_text": "The baker never stops.",
    "difficulty": "easy",
    "solution": "ROLL WITH IT",
    "reasoning": STEPS,
    "modality": ["text", "visual"],
    "skills": ["wordplay"],
    "source": "https://example.org/rolls",
}


def paint(file: Path, size: tuple[int, int] = (40, 60), mode: str = "RGB", colour: Any = "#335577") -> Path:
    """Paint a picture in one colour."""
    file.parent.mkdir(parents=True, exist_ok=True)
    Pillow.new(mode, size, colour).save(file)
    return file


def write_metadata(folder: Path, without: tuple[str, ...] = (), **fields: Any) -> None:
    """Write ``metadata.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in {**METADATA, **fields}.items() if name not in without}
    (folder / "metadata.json").write_text(json.dumps(kept), encoding="utf-8")


def make_puzzle(folder: Path, pages: tuple[str, ...] = ("content.png",), **fields: Any) -> Path:
    """Make a puzzle: its metadata, its pages, each of another colour, and the figure of its second step."""
    write_metadata(folder, **fields)
    for number, page in enumerate(pages):
        paint(folder / page, colour=(number * 40, 90, 120))
    paint(folder / "figure.png", (30, 30))
    return folder


def instances(place: Path, **options: Any) -> list[Instance]:
    """Read a dataset."""
    return list(GAME.instances(GAME.configure({"dataset": str(place), **options}), 0))


def episode(place: Path, **options: Any) -> PuzzleState:
    """Begin the only puzzle of a dataset."""
    (instance,) = instances(place, **options)
    return GAME.start(instance.data, GAME.configure({"dataset": str(place), **options}))


def after(state: PuzzleState, *messages: str) -> PuzzleState:
    """Let whoever's turn it is say a message after the other."""
    for message in messages:
        (seat,) = GAME.pending(state)
        state = GAME.apply(state, {seat: Reply.of(message)})
    return state
