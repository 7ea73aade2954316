"""How a script speaks of a picture whose words it knows: it tells a few features, asks for others, and compares."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from palaver_gamemasters.clembench.features import Features

from .agreement import agreed, is_polar, sentence, yes_or_no
from .dialogue import Heard
from .lines import NUMBERS
from .style import Style

__all__ = ["PictureSight", "stems"]

NOTHING = "nothing"
FEATURE = re.compile(r"(?P<name>[^\W\d_][\w -]{0,30}?)\s*:\s*(?P<value>[^;\n]*?)\s*(?=[;\n]|[.!?](?:\s|$)|$)")
HOW_MANY = re.compile(r"\bhow many\s+(?P<what>[^?.,]*)|\bnumber of\s+(?P<that>[^?.,]*)", re.IGNORECASE)
OPEN = re.compile(r"\b(?:what|which|where|who|describe|colou?r|tell)\b", re.IGNORECASE)
ANYTHING = re.compile(r"\b(?:anything|something)\b", re.IGNORECASE)
ALSO = re.compile(r"\b(?:same|also|too|identical|likewise|as well)\b", re.IGNORECASE)
SMALL_WORDS = """
a an and any anything are as at be can color colour contain could describe did do does else for from has have how i if
image in is it its looks like many me mine my notable number of on one or other particular picture please say see seen
show shown some special such tell that the their them there these they thing this those to unusual visible was were what
where which who with you your
"""
STOP = frozenset(SMALL_WORDS.split())
ARTICLES = frozenset(("a", "an", "the"))
THINGS = frozenset(["object", "piece", "thing", "item", "shape", "figure"])


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings."""
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(_stem(word) for word in words) - STOP


def _stem(word: str) -> str:
    word = {"color": "colour", "gray": "grey"}.get(word, word)
    for ending, instead in (("ies", "y"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("sses", "ss")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


@dataclass(frozen=True)
class PictureSight:
    """A picture, as a player sees it who knows its words. ``features`` begin with the kind of picture."""

    features: Features
    style: Style

    def describe(self) -> str:
        """Tell what kind of picture it is, and what is most particular about it."""
        names = list(self.features)
        return f"{self._all([*names[:2], *self._ranked(names[2:])[: self.style.features]])}."

    def ask(self, heard: Sequence[Heard], own: Sequence[str]) -> str:
        """Ask for the features that tell most, of those that were not told or asked for yet."""
        if len(own) >= self.style.questions:
            return "Is there anything special about your image?"
        known = self._claims(heard)
        asked = {name for question in own for name in self._named_in(question)}
        unknown = [name for name in self.features if name not in known]
        names = self._ranked([name for name in unknown if name not in asked] or unknown)[: self.style.at_once]
        if not names:
            return "What else is there in your image?"
        if self.style.tells:
            return f"In my image, {self._all(names)}. What about yours?"
        return f"What can you say of the {' and the '.join(names)}?"

    def answer(self, question: str) -> str:
        """Answer a question about the picture, truly, as far as it is understood."""
        said = next((said for said in self._answers(self._in_own_words(question)) if said), "")
        return sentence(said) or f"I can only say this: {self._all(self._ranked(list(self.features))[:2])}."

    def differs(self, heard: Sequence[Heard]) -> bool:
        """Whether anything that the other said does not hold of this picture."""
        claims = self._claims(heard)
        if any(_gist(value) != _gist(self.features[name]) for name, value in claims.items()):
            return True
        return any(self._denied(each) for each in heard if each.question is not None)

    def _denied(self, heard: Heard) -> bool:
        """Whether an answer denies what was asked for: by a plain no, or by other words than would fit."""
        question = heard.question or ""
        theirs, mine = agreed(heard.text), agreed(self.answer(question))
        if theirs is not None and mine is not None:
            return theirs != mine
        said = stems(heard.text)
        if theirs is not None or ALSO.search(heard.text) or not said or FEATURE.search(heard.text):
            return False
        told = {name: stems(self.features[name]) for name in self._claimed(question)}
        met = [len(value & said) / len(value) for value in told.values() if value]
        # an answer that has none of the words speaks of something else, and denies nothing
        return any(met) and min(met) <= 0.5

    def _claims(self, heard: Sequence[Heard]) -> Mapping[str, str]:
        """Return the features that the other has told, by name: the latest of each; a contradiction stays one."""
        found: dict[str, str] = {}
        for name, value in (claim for each in heard for claim in self._claimed(each.told).items()):
            mine = _gist(self.features[name])
            if _gist(found.get(name, value)) == mine or name not in found:
                found[name] = value
        return found

    def _claimed(self, text: str) -> Mapping[str, str]:
        """Read features of a text: those that this picture has, too."""
        found = {}
        for each in FEATURE.finditer(text):
            name = each["name"].strip().lower()
            words = name.split()
            # "in my image, left: a boat" and "on the front left: a boat" name a feature at their end
            fitting = (" ".join(words[at:]) for at in range(len(words)))
            known = next((name for name in fitting if name in self.features), None)
            if known is not None and each["value"]:
                found[known] = each["value"]
        return found

    def _named_in(self, text: str) -> list[str]:
        """Return the features that a text names, the longest names first: "front left" is not "left"."""
        found = []
        left = text.lower()
        for name in sorted(self.features, key=len, reverse=True):
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            if re.search(pattern, left):
                found.append(name)
                left = re.sub(pattern, " ", left)
        named = [name for name in self.features if name in found]
        # "what is on the left of the room?" is about what is on the left
        return [name for name in named if name not in list(self.features)[:2]] or named

    def _answers(self, question: str) -> Iterator[str]:
        claimed = self._claimed(question)
        if claimed:
            same = all(_gist(value) == _gist(self.features[name]) for name, value in claimed.items())
            yield f"{'Yes, the same' if same else 'No'}. {self._all(list(claimed))}."
        if FEATURE.search(question) and not self._named_in(question):
            yield f"No, there is no such thing. {self._all(list(self.features)[:2])}."
        yield self._how_many(question)
        words = stems(question)
        named = self._named_in(question)
        if named:
            yield f"{yes_or_no(self._holds(question, named) if is_polar(question) else None)}{self._all(named)}."
        fitting = [name for name, value in self.features.items() if words and words <= stems(f"{name} {value}")]
        if fitting:
            yield f"{yes_or_no(True if is_polar(question) else None)}{self._all(fitting)}."
        near = sorted(self.features, key=lambda name: -len(words & stems(f"{name} {self.features[name]}")))
        near = [name for name in near if words & stems(f"{name} {self.features[name]}")][:2]
        if words and is_polar(question) and not (OPEN.search(question) and near):
            yield f"No, I do not see that. {self._all(near)}." if near else "No, I do not see that."
        if near:
            yield f"{self._all(near)}."

    def _holds(self, question: str, names: Sequence[str]) -> bool | None:
        """Return whether what a question asks of features is so; None if it asks nothing of them but what they are."""
        rest = stems(question) - stems(" ".join(names))
        if rest:
            return all(rest <= stems(self.features[name]) for name in names)
        return any(self.features[name] != NOTHING for name in names) if ANYTHING.search(question) else None

    def _in_own_words(self, question: str) -> str:
        """Put the names of features for other words that people have for them."""
        if "centre" in self.features and not any("middle" in name for name in self.features):
            question = re.sub(r"\bmiddle\b", "centre", question, flags=re.IGNORECASE)
        return re.sub(r"\bcenter\b", "centre", question, flags=re.IGNORECASE)

    def _how_many(self, question: str) -> str:
        asked = HOW_MANY.search(question)
        if asked is None:
            return ""
        words = stems(asked["what"] or asked["that"] or "")
        counted = next(
            (name for name, value in self.features.items() if value.isdecimal() and _counts(name, words)), ""
        )
        if counted:
            return f"{self.features[counted]}. {self._all([counted])}."
        if not words - THINGS:
            return ""
        fitting = [name for name, value in self.features.items() if words - THINGS <= stems(value)]
        count = sum(_number_in(self.features[name]) for name in fitting)
        return f"{count}. {self._all(fitting)}." if fitting else "None that I see."

    def _ranked(self, names: Sequence[str]) -> list[str]:
        """Rank features: the most particular values first, empty places last."""
        return sorted(names, key=lambda name: (self.features[name] == NOTHING, -len(self.features[name].split())))

    def _all(self, names: Sequence[str]) -> str:
        return "; ".join(f"{name}: {self.features[name]}" for name in names)


def _gist(value: str) -> tuple[str, ...]:
    """Return the words of a value that say something, in order."""
    return tuple(word for each in re.findall(r"[^\W_]+", value.lower()) if (word := _stem(each)) not in ARTICLES)


def _counts(name: str, words: frozenset[str]) -> bool:
    return bool(words) and (words <= stems(name) or words <= THINGS)


def _number_in(value: str) -> int:
    """Return how many things a value names: "two sheep" are two, "a red boat" is one."""
    words = value.lower().split()
    return next((NUMBERS.get(word, 0) or int(word) for word in words if word in NUMBERS or word.isdecimal()), 1)
