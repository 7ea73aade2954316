"""The pages' colours: what is written can be read, on light and on dark, and the two ways to dark are the same."""

import re

import pytest

from palaver_observability.dashboard.files import STATIC

BASE = (STATIC / "css/base.css").read_text("utf-8")
LIGHT, DARK, SYSTEM = (
    dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block)) for block in re.findall(r":root[^{]*\{([^}]*)\}", BASE)
)
THEMES = {"light": LIGHT, "dark": DARK}
GROUNDS = ("--paper", "--ground", "--raised")
READ = 4.5
"""The contrast that text needs (WCAG 2, AA)."""
SEATS = [f"--seat-{at}" for at in range(8)]


def rgb(colour: str) -> tuple[float, float, float]:
    digits = colour.removeprefix("#")
    digits = "".join(each * 2 for each in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def mixed(colour: str, share: float, ground: str) -> tuple[float, float, float]:
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(rgb(colour), rgb(ground), strict=True))
    return red, green, blue


def light(colour: tuple[float, float, float]) -> float:
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    low, high = sorted((light(a), light(b)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_counted_as_the_standard_does() -> None:
    assert contrast(rgb("#000"), rgb("#fff")) == pytest.approx(21)
    assert contrast(rgb("#777"), rgb("#ffffff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ink", ["--ink", "--soft", "--accent", "--good", "--warn", "--bad", *SEATS])
def test_text_can_be_read(theme: str, ink: str) -> None:
    colours = THEMES[theme]
    assert min(contrast(rgb(colours[ink]), rgb(colours[ground])) for ground in GROUNDS) >= READ


@pytest.mark.parametrize("theme", THEMES)
def test_badges_can_be_read(theme: str) -> None:
    colours = THEMES[theme]
    for kind in ("good", "grey", "warn", "bad", "accent"):
        assert contrast(rgb(colours[f"--{kind}"]), rgb(colours[f"--{kind}-soft"])) >= READ, kind


@pytest.mark.parametrize("theme", THEMES)
def test_names_can_be_read_on_the_bubbles_of_their_seats(theme: str) -> None:
    colours = THEMES[theme]
    for seat in SEATS:
        bubble = mixed(colours[seat], float(colours["--tint"].removesuffix("%")) / 100, colours["--raised"])
        assert contrast(rgb(colours[seat]), bubble) >= READ, seat
        assert contrast(rgb(colours["--soft"]), bubble) >= READ, seat


@pytest.mark.parametrize("theme", THEMES)
def test_no_two_seats_have_the_same_colour(theme: str) -> None:
    assert len({THEMES[theme][seat] for seat in SEATS}) == len(SEATS)


def test_dark_by_wish_and_dark_by_the_system_are_the_same() -> None:
    assert DARK == SYSTEM
