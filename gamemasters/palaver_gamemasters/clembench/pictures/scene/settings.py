"""What may be in a scene of each setting, place by place: templates of pieces, and the words that fill their gaps."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.pictures.composed import Theme

__all__ = ["SETTINGS", "WORDS"]

WORDS: Mapping[str, Sequence[str]] = {
    "colour": ("red", "yellow", "green", "blue", "purple", "white"),
    "bright": ("red", "yellow", "blue", "purple"),
    "coat": ("brown", "black", "white"),
    "count": ("one", "two", "three"),
    "sky": ("blue", "sunset", "grey", "night", "rainy", "rainbow"),
}

SKY = ("{sky} sky",)
ABOVE = ("a {bright} kite", "a {bright} balloon", "a {bright} plane", "a flock of birds")

SETTINGS: Mapping[str, Theme] = {
    "beach": {
        "sky": SKY,
        "above": ABOVE,
        "background": ("a lighthouse", "a {bright} sailing boat", "an island"),
        "left": ("a {bright} parasol", "a palm tree", "a {bright} surfboard"),
        "centre": ("a sandcastle with a {bright} flag", "a {bright} beach hut"),
        "right": ("a {bright} deckchair", "a rowing boat"),
        "front": ("a {bright} ball", "a {bright} towel", "a crab"),
    },
    "farm": {
        "sky": SKY,
        "above": ABOVE,
        "background": ("a {bright} barn", "a windmill", "a row of poplars"),
        "left": ("an apple tree", "a haystack", "a {bright} tractor"),
        "centre": ("a {coat} cow", "{count} sheep", "a {coat} horse"),
        "right": ("a scarecrow with a {bright} coat", "a stone well"),
        "front": ("a pumpkin", "a {coat} hen", "a {coat} dog"),
    },
}
