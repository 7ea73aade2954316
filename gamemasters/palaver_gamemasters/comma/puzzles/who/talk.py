"""How the who puzzle is talked about: the display, the label that is asked for, the list of words to look for."""

import re
from collections.abc import Sequence

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .hearing import told
from .manual import ACTIONS, NO_TEXT, POSITIONS, WhoRules, button_to_press
from .orders import asked_places, button_ordered
from .scene import WhoScene

__all__ = ["WhoTalk"]

ALL = re.compile(r"\b(?:all|every|each|six|labels|buttons)\b", re.IGNORECASE)
ASK = "What does the display show? Please quote it: for example 'The display shows \"YES\"', or 'The display is empty'."
UNCLEAR = "Does the display show the word \"{word}\", or no text at all? Please say 'the word \"{word}\"' or 'no text'."
STRANGE = (
    'I do not find "{word}". What exactly does the display show? '
    "Please quote it, for example: 'The display shows \"YES\"'."
)
LABEL = "Please read me the label of the {place} button."
SPELL = (
    'I do not find "{word}". What exactly is the label of the {place} button? '
    "Please quote it, for example: 'The label is \"READY\"'."
)
LIST = "Press the button whose label comes first in this list: {words}."


class WhoTalk(Talk[WhoScene, WhoRules]):
    """The solver reads out; the expert asks for a label, then reads the label's list."""

    def describe(self, sight: Sight[WhoScene]) -> str:
        """Read out the display and the labels that were asked for; all of them if it is not clear which."""
        scene, advice = sight.scene, sight.last_advice
        said = [_display(scene)]
        asked = asked_places(advice)
        if advice and (not asked or sight.mistaken or ALL.search(advice)):
            asked = tuple(range(len(POSITIONS)))
        if not asked and not sight.mistaken:
            return f"{said[0]} Below it are six buttons with a label each. Which label should I read to you?"
        if len(asked) == 1:
            said.append(f'The {POSITIONS[asked[0]]} button is labelled "{scene.labels[asked[0]]}".')
        else:
            said.append(
                "The labels are: " + "; ".join(f'{POSITIONS[each]} "{scene.labels[each]}"' for each in asked) + "."
            )
        return sight.admitting(" ".join([*said, "Which button should I press?"]))

    def obey(self, sight: Sight[WhoScene]) -> Sequence[str]:
        """Press the button that the expert named last, unless that was a mistake before."""
        place = button_ordered(sight.last_advice, sight.scene.labels)
        if place is None or (ACTIONS[place], True) in sight.heard.tried(ACTIONS):
            return []
        return [ACTIONS[place]]

    def advise(self, rules: WhoRules, heard: Heard) -> str:
        """Name the button if all labels are known; read out a list if one is; else ask for what is missing."""
        known = told(rules, heard.of("solver"))
        if known.display is None:
            if known.unclear:
                return UNCLEAR.format(word=known.unclear)
            return STRANGE.format(word=known.strange) if known.strange else ASK
        place = rules.positions[known.display]
        label = known.labels.get(place)
        if label is None:
            return LABEL.format(place=POSITIONS[place])
        if label not in rules.words:
            return SPELL.format(word=label, place=POSITIONS[place])
        labels = [known.labels.get(each, "") for each in range(len(POSITIONS))]
        if all(labels):
            right = button_to_press(rules, known.display, labels)
            return f'Press the {POSITIONS[right]} button, "{labels[right]}".'
        return LIST.format(words=", ".join(f'"{word}"' for word in rules.words[label]))


def _display(scene: WhoScene) -> str:
    if scene.display == NO_TEXT:
        return "The display is empty: it shows no text."
    return f'The display shows "{scene.display}".'
