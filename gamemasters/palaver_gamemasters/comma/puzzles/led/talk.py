"""How LEDs are talked about: the solver describes a stage; the expert names the button, and tells the rule as well.

Whoever knows the rule needs no more help. So five stages take six turns rather than ten.
"""

from collections.abc import Collection, Sequence

from palaver_gamemasters.comma.puzzles.corners import ACTIONS, PLACES, PRESSED
from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .hearing import Told, told
from .manual import COLOURS, LedRules
from .orders import named_button, rule_told
from .scene import LedScene

__all__ = ["LedTalk"]

LETTERS = "the four letters by their places"
LED = "the colour of the LED of the current stage"
EXAMPLE = "for example 'stage 1, red LED; top left K, top right Q, bottom left B, bottom right Z'"
GO_ON = "If that was right, go on with the next stage by the same rule, or tell me its LED and its four letters."
NONE = "No button is right with {letters} under a {colour} LED, so something is wrong."


class LedTalk(Talk[LedScene, LedRules]):
    """The solver tells LEDs and letters; the expert calculates for it, and says how it is done."""

    def describe(self, sight: Sight[LedScene]) -> str:
        """Tell the LEDs, the stage and the letters."""
        scene = sight.scene
        if scene.stage >= len(scene.leds):
            return "All stages are passed."
        letters = ", ".join(f"{place} {letter}" for place, letter in zip(PLACES, scene.letters, strict=True))
        return sight.admitting(
            f"I see {len(scene.leds)} LEDs, from left to right {', '.join(scene.leds)}. I am at stage "
            f"{scene.stage + 1}: the lit LED is {scene.leds[scene.stage]}. The letters are {letters}. "
            "Which button should I press?"
        )

    def obey(self, sight: Sight[LedScene]) -> Sequence[str]:
        """Press the button that was named, or else the one that is right by the rule as far as it was told."""
        scene, wrong = sight.scene, _wrong(sight.heard)
        if scene.stage >= len(scene.leds):
            return []
        button = named_button(sight.advice, scene.letters, wrong)
        if button is None and not sight.mistaken:
            button = _by_rule(sight, wrong)
        return [] if button is None else [ACTIONS[button]]

    def advise(self, rules: LedRules, heard: Heard) -> str:
        """Name the button, once LED and letters have been told; else ask."""
        known = told(heard.of("solver"))
        lesson = _lesson(rules, heard, known)
        colour = known.colour
        if colour is not None and colour not in rules.multipliers:
            return f"My manual knows no {colour} LED, only {', '.join(rules.multipliers)}. {_ask([LED])}"
        if colour is None or known.letters is None:
            if not lesson and PRESSED.search(heard.latest):
                return GO_ON
            missing = [what for what, value in ((LED, colour), (LETTERS, known.letters)) if value is None]
            return f"{_ask(missing)} {lesson}".strip()
        right = rules.right(known.letters, colour)
        if not right:
            return f"{NONE.format(letters=', '.join(known.letters), colour=colour)} {_ask([LED, LETTERS])}"
        advice = f"Press the {PLACES[right[0]]} button (letter {known.letters[right[0]]})."
        return f"{advice} {lesson}" if lesson and not known.last else advice


def _ask(missing: Sequence[str]) -> str:
    return f"Please tell me {' and '.join(missing)}: {EXAMPLE}."


def _lesson(rules: LedRules, heard: Heard, known: Told) -> str:
    """Say how to find a button without help; nothing if all of that has been said."""
    colours = [each for each in COLOURS if each in rules.multipliers and (not known.leds or each in known.leds)]
    numbers = [f"{colour} {rules.multipliers[colour]}" for colour in colours]
    before = "\n".join(heard.of("expert"))
    if "diagonally" in before and all(number in before for number in numbers):
        return ""
    return (
        f"The rule, so that you can do the next stages yourself: with A = {rules.first}, B = {rules.first + 1} and so "
        f"on, a letter's value times its LED's multiplier, modulo {rules.modulus}, must be the value of the letter "
        f"diagonally opposite. Multipliers: {', '.join(numbers)}."
    )


def _by_rule(sight: Sight[LedScene], wrong: Collection[int]) -> int | None:
    scene = sight.scene
    colour = scene.leds[scene.stage]
    rules = rule_told(sight.heard.of("expert"), sight.advice, colour)
    if rules is None:
        return None
    return next((button for button in rules.right(scene.letters, colour) if button not in wrong), None)


def _wrong(heard: Heard) -> set[int]:
    """Return the buttons that were mistakes at this stage."""
    wrong: set[int] = set()
    for action, mistake in heard.tried(ACTIONS):
        wrong = wrong | {ACTIONS.index(action)} if mistake else set()
    return wrong
