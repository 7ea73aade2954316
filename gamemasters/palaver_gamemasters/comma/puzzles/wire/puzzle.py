"""The wire puzzle (COMMA, appendix A): cut the one right wire of three to six."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import numbered
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .manual import COLOURS, COUNTS, WireRules, wire_to_cut
from .picture import draw
from .scene import WireScene, read, write
from .talk import WireTalk

__all__ = ["WirePuzzle", "WireSetup", "WireState"]

WireColour = Literal["red", "blue", "yellow", "white", "black", "green"]
PREFIX = "cut_wire_"
LETTERS = "ABCDEFGHJKLMNPRSTUVWXZ"


class WireSetup(Frozen):
    """Wires from top to bottom, and the serial number."""

    wires: Annotated[tuple[WireColour, ...], Field(min_length=3, max_length=6)]
    serial: Annotated[str, Field(pattern=r"^[A-Z0-9]{2,8}[0-9]$")]


@dataclass(frozen=True, slots=True)
class WireState:
    """Wires as they are. ``right`` is the one to cut; ``cut`` are those that were."""

    wires: tuple[str, ...]
    serial: str
    right: int
    cut: frozenset[int] = frozenset()


class WirePuzzle(Puzzle[WireSetup, WireState, WireScene, WireRules]):
    """Only the right wire is to be cut; a wrong cut is a mistake."""

    name = "wire"
    title = "Wire"
    skills = ("multimodal grounding",)
    setup_type = WireSetup
    manual = Path(__file__).with_name("manual.md")
    talk = WireTalk()

    def read_manual(self, manual: Manual) -> WireRules:
        """Read the rules for each number of wires."""
        return manuals.read(manual)

    def generate(self, rules: WireRules, dice: Dice, images: Path | None) -> WireSetup:
        """Draw a number of wires, their colours and the serial number, each as likely as the others (ours)."""
        wires = tuple(dice.pick(COLOURS) for _ in range(dice.pick(COUNTS)))
        serial = "".join(dice.pick(LETTERS) for _ in range(3)) + "".join(str(dice.below(10)) for _ in range(3))
        return WireSetup.model_validate({"wires": wires, "serial": serial})

    def start(self, setup: WireSetup, rules: WireRules) -> WireState:
        """Find the wire to cut."""
        return WireState(setup.wires, setup.serial, wire_to_cut(rules, setup.wires, setup.serial))

    def actions(self, state: WireState) -> tuple[str, ...]:
        """One for each wire."""
        return tuple(f"{PREFIX}{number + 1}" for number in range(len(state.wires)))

    def act(self, state: WireState, action: str) -> Step[WireState]:
        """Cut a wire: any but the right one is a mistake, a wire that is cut already too."""
        wire = int(action.removeprefix(PREFIX)) - 1
        return Step(replace(state, cut=state.cut | {wire}), mistake=wire != state.right)

    def solved(self, state: WireState) -> bool:
        """Whether the right wire is cut."""
        return state.right in state.cut

    def progress(self, state: WireState) -> float:
        """There is but one step."""
        return float(self.solved(state))

    def scene(self, state: WireState) -> WireScene:
        """Show the wires, those that were cut as such."""
        return WireScene(state.serial, state.wires, state.cut)

    def write(self, scene: WireScene) -> str:
        """List the wires."""
        return write(scene)

    def read(self, text: str) -> WireScene:
        """Read the list."""
        return read(text)

    def draw(self, scene: WireScene) -> Pillow.Image:
        """Draw the module."""
        return draw(scene)

    def moves(self, actions: tuple[str, ...], scene: WireScene) -> tuple[Move, ...]:
        """One for each wire, from the top."""
        labels = (
            f"Cut wire {number + 1} ({wire}{', cut' * (number in scene.cut)})"
            for number, wire in enumerate(scene.wires)
        )
        return numbered(actions, labels, "Wires, from the top")

    def answer(self, state: WireState) -> str:
        """Name the wire."""
        return f"The right wire is wire {state.right + 1} ({PREFIX}{state.right + 1})."
