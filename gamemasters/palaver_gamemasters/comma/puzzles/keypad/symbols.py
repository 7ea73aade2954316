"""What the keypad's symbols are called: a name each, and what else people say."""

import re
from collections.abc import Mapping
from functools import cache

__all__ = ["CALLED", "SYMBOLS", "named", "symbol_of"]

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "anchor": ("ship's anchor",),
    "arrow pointing up": ("up arrow", "upward arrow", "upwards arrow", "arrow pointing upwards", "arrow up", "arrow"),
    "bell": (),
    "checkerboard": (
        "chequerboard",
        "chessboard",
        "chess board",
        "checker board",
        "checkered board",
        "chequered board",
        "checkered square",
        "checkered pattern",
        "checkered flag",
        "chess pattern",
        "checkers",
    ),
    "circle with a dot in the middle": (
        "circle with a dot in the center",
        "circle with a dot in the centre",
        "circle with a dot inside",
        "circle with a dot in it",
        "circle with a dot",
        "circle with dot",
        "circle with a point",
        "ring with a dot in the middle",
        "ring with a dot",
        "dot in a circle",
        "dot inside a circle",
        "dotted circle",
        "bullseye",
        "bull's eye",
        "target",
    ),
    "crescent moon": ("crescent", "half moon", "moon"),
    "crown": ("king's crown",),
    "envelope": ("mail", "closed envelope"),
    "eye": ("eyeball",),
    "fir tree": ("pine tree", "christmas tree", "evergreen", "fir", "pine", "tree"),
    "fish": (),
    "five-pointed star": ("5-pointed star", "pointed star", "star"),
    "flower": ("daisy", "blossom"),
    "heart": ("love heart",),
    "hourglass": ("hour glass", "sand glass", "sandglass", "sand timer", "sand clock", "egg timer"),
    "house": ("home", "hut", "cottage"),
    "key": ("door key",),
    "ladder": (),
    "lightning bolt": (
        "bolt of lightning",
        "lightning flash",
        "lightning",
        "lightening",
        "thunderbolt",
        "flash",
        "bolt",
    ),
    "mug": ("coffee mug", "coffee cup", "tea cup", "teacup", "cup of coffee", "cup of tea", "cup", "coffee"),
    "mushroom": ("toadstool",),
    "plus sign": ("plus", "cross"),
    "sailing boat": ("sailboat", "sail boat", "sailing ship", "boat", "ship", "yacht"),
    "snowflake": ("snow flake", "snow", "snow crystal", "ice crystal"),
    "spiral": ("swirl", "swirly line", "whirl", "vortex", "coil", "snail shell"),
    "square inside a square": (
        "square within a square",
        "square in a square",
        "square inside another square",
        "square within another square",
        "square inside a bigger square",
        "square inside a larger square",
        "square with a smaller square inside",
        "square with a square inside",
        "small square inside a big square",
        "small square in a big square",
        "smaller square inside a larger square",
        "two nested squares",
        "nested squares",
        "two squares",
        "double square",
        "concentric squares",
    ),
    "sun": ("sun with rays", "sunshine"),
    "three waves": (
        "three wavy lines",
        "3 wavy lines",
        "3 waves",
        "wavy line",
        "squiggly line",
        "squiggle",
        "wave",
        "water",
    ),
    "umbrella": ("parasol",),
}
"""All symbols there are, each with what else it is called."""

CALLED: Mapping[str, str] = {
    **{called: symbol for symbol, others in SYMBOLS.items() for called in others},
    **{symbol: symbol for symbol in SYMBOLS},
}
"""The symbol by whatever it is called."""


@cache
def called_pattern() -> re.Pattern[str]:
    """Return the pattern of whatever a symbol is called; what it finds is for :func:`symbol_of`."""
    longest_first = sorted(CALLED, key=len, reverse=True)
    either = "|".join(_pattern(called) for called in longest_first)
    return re.compile(rf"(?<![a-z])(?:{either})(?:e?s)?(?![a-z])")


def _pattern(called: str) -> str:
    """Let hyphens stand for spaces and the other way round, and let apostrophes be missing."""
    return "".join(
        {" ": r"[\s-]+", "-": r"[\s-]+", "'": "['\N{RIGHT SINGLE QUOTATION MARK}]?"}.get(each, each) for each in called
    )


def symbol_of(called: str) -> str | None:
    """Return the symbol that is called so, be there an article, a plural or capitals; None if there is none."""
    found = called_pattern().fullmatch(re.sub(r"^(?:an?|the)\s+", "", called.strip().lower()))
    return None if found is None else _key(found[0])


def named(text: str) -> list[tuple[int, str]]:
    """Return the symbols that a text names, and where."""
    return [(found.start(), _key(found[0])) for found in called_pattern().finditer(text.lower())]


@cache
def _by_letters() -> Mapping[str, str]:
    return {_letters(called): symbol for called, symbol in CALLED.items()}


def _key(found: str) -> str:
    """Return the symbol of something that the pattern has found."""
    known = _by_letters()
    letters = _letters(found)
    return next(known[each] for each in (letters, letters[:-1], letters[:-2]) if each in known)


def _letters(called: str) -> str:
    return re.sub(r"[^a-z0-9]", "", called)
