"""Pictures composed of pieces at places: what rooms and scenes have in common.

A theme (a kitchen, a beach) says for every place which pieces may be there. A template such as ``a {colour} sofa``
stands for a piece in each of its colours: its values are ``a red sofa``, ``a yellow sofa`` and so on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas
from palaver_protocols.errors import InstanceError

__all__ = ["Composition", "Draw", "Theme", "Value", "expanded"]

Draw = Callable[[Canvas, float, float, str], None]
"""Draws a piece: the middle of its foot (x, y) and the word that fills its template's gap, mostly a colour."""

Theme = Mapping[str, Sequence[str]]
"""Templates by the place where they may be."""


@dataclass(frozen=True, slots=True)
class Value:
    """What may be at a place: its words, the template that they come from and the word that fills the gap."""

    text: str
    template: str
    word: str = ""


def expanded(template: str, words: Mapping[str, Sequence[str]]) -> Iterator[Value]:
    """Yield the values of a template: one for every word that may fill its gap."""
    before, gap, end = template.partition("{")
    if not gap:
        yield Value(template, template)
        return
    name, _, after = end.partition("}")
    for word in words[name]:
        article = "an " if before == "a " and word[0] in "aeiou" else before
        rest = after.removesuffix("s") if word == "one" else after
        yield Value(f"{article}{word}{rest}", template, word)


@dataclass(frozen=True)
class Composition:
    """A kind of composed pictures.

    Args:
        kind: its name in recipes.
        key: the recipe's field that names the theme.
        label: what the words of a picture call that field.
        themes: by name.
        words: what may fill the gaps of templates, by the gap's name.
    """

    kind: str
    key: str
    label: str
    themes: Mapping[str, Theme]
    words: Mapping[str, Sequence[str]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The themes' names."""
        return tuple(self.themes)

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, Mapping[str, Value]]]:
        """What may be at each place of each theme, by its text."""
        return {
            name: {
                place: {value.text: value for template in templates for value in expanded(template, self.words)}
                for place, templates in theme.items()
            }
            for name, theme in self.themes.items()
        }

    def make(self, dice: Dice, theme: str | None = None) -> Recipe:
        """Draw a recipe at random.

        Raises:
            InstanceError: there is no such theme.
        """
        name = dice.pick(self.names) if theme is None else theme
        self._known(name)
        places = self.themes[name]
        drawn = {place: self._drawn(dice, templates).text for place, templates in places.items()}
        return {"kind": self.kind, self.key: name, **drawn}

    def altered(self, recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
        """Return the recipe with so many places changed.

        Raises:
            InstanceError: the recipe is none of this kind, or has not so many places.
        """
        name, values = self.read(recipe)
        if not 0 <= changes <= len(values):
            raise InstanceError(f"{self.kind} {name}: cannot change {changes} features, there are {len(values)}")
        others = {}
        for place in dice.sample(list(values), changes):
            choices = [each for each in self.values[name][place].values() if each != values[place]]
            templates = sorted({each.template for each in choices})
            template = dice.pick(templates)
            others[place] = dice.pick([each.text for each in choices if each.template == template])
        return {**recipe, **others}

    def describe(self, recipe: Recipe) -> str:
        """Say what the picture shows: one line ``name: value`` a feature.

        Raises:
            InstanceError: the recipe is none of this kind.
        """
        name, values = self.read(recipe)
        lines = {"kind": self.kind, self.label: name.replace("_", " ")}
        lines |= {place: value.text for place, value in values.items()}
        return "\n".join(f"{key}: {value}" for key, value in lines.items())

    def read(self, recipe: Recipe) -> tuple[str, Mapping[str, Value]]:
        """Return the theme's name, and what is at each of its places.

        Raises:
            InstanceError: there is no such theme, or a place holds nothing that may be there.
        """
        name = recipe.get(self.key)
        self._known(name)
        theme = self.values[str(name)]
        extra = sorted(set(recipe) - set(theme) - {"kind", self.key})
        if extra:
            raise InstanceError(f"{self.kind} {name}: unknown feature {extra[0]!r}", mend=_offer(theme))
        return str(name), {place: self._value(str(name), place, recipe.get(place)) for place in theme}

    def _value(self, name: str, place: str, text: object) -> Value:
        values = self.values[name][place]
        if text is None:
            raise InstanceError(f"{self.kind} {name}: feature {place!r} is missing", mend=_offer(values))
        if not isinstance(text, str) or text not in values:
            raise InstanceError(f"{self.kind} {name}: {place} cannot be {text!r}", mend=_offer(values))
        return values[text]

    def _known(self, name: object) -> None:
        if not isinstance(name, str) or name not in self.themes:
            raise InstanceError(f"there is no {self.kind} of {self.key} {name!r}", mend=_offer(self.themes))

    def _drawn(self, dice: Dice, templates: Sequence[str]) -> Value:
        return dice.pick(list(expanded(dice.pick(templates), self.words)))


def _offer(names: Mapping[str, object]) -> str:
    return f"there are: {', '.join(names)}"
