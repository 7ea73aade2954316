"""How the memory puzzle is talked about.

A stage would take two turns: tell what there is, press. The expert saves one by giving the rules of the next stage for
all four displays, with what was pressed earlier put in; the solver presses at once, and reports position and label.
Both repeat what was pressed so far, for whoever takes over or remembers no more than the last message.
"""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .account import account, repeated
from .manual import STAGES, MemoryRules, Press, Rule
from .orders import button_ordered
from .scene import MemoryScene

__all__ = ["ASK", "MemoryTalk"]

ASK = (
    "Please tell me the stage, the number on the display, and the labels from left to right: "
    "for example 'stage 1, the display shows 3, the labels are 2, 4, 1, 3'."
)


class MemoryTalk(Talk[MemoryScene, MemoryRules]):
    """The solver tells what it sees and reports what it presses; the expert keeps an account of it."""

    def solve(self, sight: Sight[MemoryScene]) -> str:
        """Press the button that the expert has named, and report it; else describe."""
        scene = sight.scene
        position = _wanted(sight)
        if position is None:
            return self.describe(sight)
        said = _reports("I pressed", _presses(sight))
        said += _reports("I press", {scene.stage: Press(position, scene.labels[position - 1])})
        if scene.stage < STAGES:
            said.append(f"What are the rules for stage {scene.stage + 1}?")
        return f"press_{position}\n{' '.join(said)}"

    def describe(self, sight: Sight[MemoryScene]) -> str:
        """Tell stage, display and labels, and what was pressed in earlier stages."""
        scene = sight.scene
        said = [f"That was a mistake, and I am back at stage {scene.stage}."] if sight.mistaken else []
        said += _reports("I pressed", _presses(sight))
        said.append(
            f"I am at stage {scene.stage}. The display shows {scene.display}. "
            f"The labels of the buttons from left to right are {', '.join(map(str, scene.labels))}. "
            "Which button should I press?"
        )
        return " ".join(said)

    def obey(self, sight: Sight[MemoryScene]) -> Sequence[str]:
        """Press the button that was asked for."""
        position = _wanted(sight)
        return () if position is None else (f"press_{position}",)

    def advise(self, rules: MemoryRules, heard: Heard) -> str:
        """Give the rule for the stage and the display told; where no display was told, those for all four."""
        now = account(heard.of("solver"))
        if now.stage is None or now.stage > STAGES:
            return ASK
        displays = range(1, 5) if now.display is None else (now.display,)
        stage = rules[now.stage - 1]
        said = [f"If the display is {each}, press {_button(stage[each - 1], now.presses)}." for each in displays]
        so_far = " ".join(_reports("you pressed", now.presses))
        return "\n".join([*([so_far] if so_far else []), f"Stage {now.stage}:", *said])


def _wanted(sight: Sight[MemoryScene]) -> int | None:
    """Return the position that was asked for; after a mistake, what was asked for is out of date."""
    scene = sight.scene
    rule = None if sight.mistaken else button_ordered(sight.advice, scene.stage, scene.display, _presses(sight))
    return None if rule is None else rule.position(scene.labels)


def _presses(sight: Sight[MemoryScene]) -> dict[int, Press]:
    """Return what the solver has pressed in earlier stages: as it said itself, else as the expert repeats it."""
    known = {**repeated(sight.heard.of("expert")), **account(sight.heard.of("solver")).presses}
    return {stage: press for stage, press in known.items() if stage < sight.scene.stage}


def _reports(who: str, presses: Mapping[int, Press]) -> list[str]:
    return [
        f"In stage {stage} {who} position {press.position}, labeled {press.label}."
        for stage, press in sorted(presses.items())
    ]


def _button(rule: Rule, presses: Mapping[int, Press]) -> str:
    """Name a button by what is known; else by what the solver may remember."""
    known = rule.known(presses)
    if known is None:
        return f"the button with the same {rule.by} as you pressed in stage {rule.as_in}"
    return f"the button in position {known.value}" if known.by == "position" else f"the button labeled {known.value}"
