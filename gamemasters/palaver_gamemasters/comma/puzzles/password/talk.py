"""How the password puzzle is talked about: letters, then other letters, until only one word is left."""

import re
from collections.abc import Iterable, Sequence

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .hearing import possible, seen
from .manual import LENGTH, PasswordRules, fitting
from .orders import actions_ordered
from .scene import PasswordScene

__all__ = ["PasswordTalk"]

WRONG = re.compile(r"([A-Za-z]{5})\"? (?:is not|isn't) the password", re.IGNORECASE)
EXAMPLE = "for example: 'The letters are C, A, T, C, H'"
ASK = f"Which letters do the five slots show, from left to right? Please say it like this, {EXAMPLE}."
NOW = f"Which letters do you see now, from left to right? Please name all five, {EXAMPLE}."
SOME = "Please tell me the current letter of {slots} too, for example: '{example} shows C'."
NONE = f"No word of my list goes with these letters. Please tell me again what the slots show, {EXAMPLE}."
TURN = "Please press down once in every slot, then tell me the letters that you see."
WORD = 'The password is "{word}". Please set it and submit it.'


class PasswordTalk(Talk[PasswordScene, PasswordRules]):
    """The solver names letters and turns the slots; the expert looks for the word that goes with all of them."""

    def describe(self, sight: Sight[PasswordScene]) -> str:
        """Name the letters that are shown."""
        letters = sight.scene.letters
        said = f"The five slots show {', '.join(letters)}, from left to right. What should I do?"
        if sight.mistaken:
            return f'That was a mistake: "{letters}" is not the password. {said}'
        return said

    def obey(self, sight: Sight[PasswordScene]) -> Sequence[str]:
        """Set the word that the expert names and submit it, or turn the slots that it names."""
        refused = _refused(sight.heard.of("solver")) | ({sight.scene.letters} if sight.mistaken else set())
        return actions_ordered(sight.last_advice, sight.scene.letters, refused)

    def advise(self, rules: PasswordRules, heard: Heard) -> str:
        """Name the word if only one is left; else have the slots turned, and ask for the letters."""
        messages = heard.of("solver")
        letters, words = _left(rules, messages)
        missing = [slot for slot in range(LENGTH) if not letters[slot]]
        if len(missing) == LENGTH:
            return NONE if any(seen(messages)) else ASK
        if len(words) == 1:
            return WORD.format(word=words[0])
        if missing:
            slots = [f"slot {slot + 1}" for slot in missing]
            return SOME.format(slots=" and ".join(slots), example=slots[0])
        return TURN if any(seen(messages[-1:])) else NOW


def _left(rules: PasswordRules, messages: Sequence[str]) -> tuple[tuple[frozenset[str], ...], tuple[str, ...]]:
    """Return the letters that were told, and the words that go with them.

    Where none does, something was not told right: what was told first is left out.
    """
    refused = _refused(messages)
    words: tuple[str, ...] = ()
    letters = seen(messages)
    for first in range(len(messages) + 1):
        letters = seen(messages[first:])
        words = tuple(word for word in fitting(rules, [*map(possible, letters)]) if word not in refused)
        if words:
            break
    return letters, words


def _refused(messages: Iterable[str]) -> set[str]:
    """Return the words that the solver has called wrong."""
    return {word.upper() for message in messages for word in WRONG.findall(message)}
