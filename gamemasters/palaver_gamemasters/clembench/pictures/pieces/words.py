"""The words that fill the gaps of templates: values of one gap differ plainly from each other."""

from collections.abc import Mapping, Sequence

__all__ = ["WORDS"]

WORDS: Mapping[str, Sequence[str]] = {
    # Colours, each list as far as its things can be told apart on their grounds.
    "colour": ("red", "yellow", "green", "blue", "purple", "white"),
    "bright": ("red", "yellow", "green", "blue", "purple"),
    "petals": ("red", "yellow", "blue", "purple", "white"),
    "wood": ("pine", "walnut", "white"),
    "metal": ("brass", "silver", "black"),
    "piano": ("black", "white", "walnut"),
    "bust": ("white", "bronze", "black"),
    "car": ("red", "yellow", "green", "blue", "white", "black"),
    "sail": ("red", "yellow", "blue"),
    "barn": ("red", "blue", "white"),
    "post": ("black", "green", "red"),
    "ladder": ("yellow", "red", "silver"),
    "cone": ("orange", "blue", "red"),
    "crab": ("red", "purple"),
    "fish": ("orange", "yellow", "red"),
    "wine": ("red", "green", "yellow"),
    "fruits": ("red", "yellow"),
    "apples": ("red", "yellow"),
    "fur": ("black", "ginger", "white"),
    "coat": ("brown", "black", "white"),
    "fountain": ("white", "grey", "sandstone"),
    # Numbers.
    "few": ("one", "two", "three"),
    "count": ("two", "three", "four"),
    "towers": ("two", "three", "four"),
    "machines": ("two", "three"),
    "birds": ("three", "five"),
    "number": ("7", "12", "305"),
    # What is seen or shown.
    "view": ("the sea", "mountains", "a city", "a forest", "stars"),
    "subject": ("a sailing boat", "a tulip", "a fish", "the sun"),
    "sum": ("sums", "letters", "a house", "a star"),
    "shown": ("a rocket", "a heart", "a football match"),
    "poster": ("a rocket", "a heart", "a bear"),
    "mobile": ("stars", "hearts", "fish"),
    "fruit": ("apples", "oranges", "lemons"),
    "season": ("green", "golden", "bare"),
    "fir": ("green", "snowy", "decorated"),
    # Walls and floors.
    "paint": ("pale yellow", "pale green", "pale blue", "pale pink", "white", "terracotta"),
    "tiles": ("white", "blue", "green", "pink"),
    "stripes": ("blue", "green", "pink"),
    "stone": ("grey", "yellow", "red"),
    "planks": ("brown", "white", "green"),
    "frames": ("white", "green", "black"),
    "boards": ("oak", "dark brown", "grey"),
    "carpet": ("red", "blue", "green", "beige"),
    # Skies.
    "clear": ("blue", "pink evening", "starry night"),
    "weather": ("grey rainy", "white snowy"),
}
