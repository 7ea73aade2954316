"""An eleventh puzzle for COMMA in about a hundred lines: a safe with a lamp and a dial; its manual is ``safe.md``.

``palaver run comma --set puzzle=examples.safe:PUZZLE --agents …`` plays it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step
from palaver_gamemasters.comma.talk import Heard, Sight, Talk
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas, Point
from palaver_protocols.content import Frozen

LAMPS = {"red": "#d8342c", "yellow": "#f0c419", "green": "#2fa04a", "blue": "#2f6fe0"}
TEXT = re.compile(rf"Lamp: ({'|'.join(LAMPS)})\nDial: (\d)\nDoor: (open|shut)")


class SafeSetup(Frozen):
    """An initialisation: the lamp's colour, and where the dial points."""

    lamp: Literal["red", "yellow", "green", "blue"]
    dial: Annotated[int, Field(ge=0, le=9)]


@dataclass(frozen=True, slots=True)
class Face:
    """What the solver sees."""

    lamp: str
    dial: int
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Safe:
    """The state: what there is to be seen, and the number that opens the door."""

    face: Face
    number: int


class SafeTalk(Talk[Face, Mapping[str, int]]):
    """The scripted players: the solver tells the colour, the expert the number."""

    def describe(self, sight: Sight[Face]) -> str:
        return f"The lamp is {sight.scene.lamp}, and the dial points to {sight.scene.dial}. What opens the door?"

    def obey(self, sight: Sight[Face]) -> Sequence[str]:
        if found := re.search(r"dial to (?:number )?(\d)", sight.advice, re.IGNORECASE):
            turns = (int(found[1]) - sight.scene.dial) % 10
            return [*(["turn_right"] * turns if turns <= 5 else ["turn_left"] * (10 - turns)), "open_door"]
        return []

    def advise(self, rules: Mapping[str, int], heard: Heard) -> str:
        if found := re.search("|".join(LAMPS), heard.latest.lower()):
            return f"Turn the dial to {rules[found[0]]}, then open the door."
        return "Which colour is the lamp? For example: 'The lamp is red.'"


class SafePuzzle(Puzzle[SafeSetup, Safe, Face, Mapping[str, int]]):
    """Opening the door at another number is a mistake."""

    name = "safe"
    title = "Safe"
    skills = ("multimodal grounding",)
    setup_type = SafeSetup
    manual = Path(__file__).with_name("safe.md")
    talk = SafeTalk()

    def read_manual(self, manual: Manual) -> Mapping[str, int]:
        table = manual.section("Numbers").table
        numbers: dict[str, int] = {}
        for line, cells in table.rows:
            if len(cells) != 2 or cells[0] not in LAMPS or not re.fullmatch(r"[0-9]", cells[1]):
                raise manual.error(f"a row has a lamp ({', '.join(LAMPS)}) and a number from 0 to 9", line)
            numbers[cells[0]] = int(cells[1])
        if missing := [lamp for lamp in LAMPS if lamp not in numbers]:
            raise manual.error(f"there is no number for the {missing[0]} lamp", manual.section("Numbers").line)
        return numbers

    def generate(self, rules: Mapping[str, int], dice: Dice, images: Path | None) -> SafeSetup:
        return SafeSetup.model_validate({"lamp": dice.pick(tuple(LAMPS)), "dial": dice.below(10)})

    def start(self, setup: SafeSetup, rules: Mapping[str, int]) -> Safe:
        return Safe(Face(setup.lamp, setup.dial), rules[setup.lamp])

    def actions(self, state: Safe) -> tuple[str, ...]:
        return ("turn_left", "turn_right", "open_door")

    def act(self, state: Safe, action: str) -> Step[Safe]:
        face = state.face
        if action == "open_door":
            right = face.dial == state.number
            return Step(replace(state, face=replace(face, is_open=right)), mistake=not right)
        turned = (face.dial + (1 if action == "turn_right" else -1)) % 10
        return Step(replace(state, face=replace(face, dial=turned)))

    def solved(self, state: Safe) -> bool:
        return state.face.is_open

    def progress(self, state: Safe) -> float:
        return float(state.face.is_open)

    def scene(self, state: Safe) -> Face:
        return state.face

    def write(self, scene: Face) -> str:
        return f"Lamp: {scene.lamp}\nDial: {scene.dial}\nDoor: {'open' if scene.is_open else 'shut'}"

    def read(self, text: str) -> Face:
        if not (found := TEXT.fullmatch(text)):
            raise ValueError("this text shows no safe")
        return Face(found[1], int(found[2]), found[3] == "open")

    def draw(self, scene: Face) -> Pillow.Image:
        canvas = Canvas(background="#dfe3e8")
        canvas.box((80, 60, 688, 708), "#59636f" if not scene.is_open else "#20262d", radius=40, shadow=True)
        canvas.text((384, 656), "OPEN" if scene.is_open else "SHUT", 40, "#ffffff", bold=True)
        canvas.ball((384, 140), 44, LAMPS[scene.lamp])
        canvas.circle((384, 404), 196, "#f2efe6", outline="#2b3138", width=8)
        for number in range(10):
            canvas.text(on_dial(number, 158), str(number), 40, "#2b3138", bold=True)
        canvas.line([(384, 404), on_dial(scene.dial, 122)], "#c22f2f", 12)
        canvas.circle((384, 404), 26, "#2b3138")
        return canvas.flat()

    def briefing(self, state: Safe) -> str:
        return "turn_left and turn_right turn the dial by one number: turn_right from 3 to 4, and from 9 to 0."

    def answer(self, state: Safe) -> str:
        return f"The dial has to point to {state.number} when the door is opened."


def on_dial(number: int, radius: float) -> Point:
    """Return where a number is: 0 at the top, and on with the clock."""
    return 384 + radius * sin(number * pi / 5), 404 - radius * cos(number * pi / 5)


PUZZLE = SafePuzzle()
