"""The telehealth puzzle's picture: what it shows can be read off its pixels."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from palaver_gamemasters.comma.puzzles.telehealth.lesion import CENTRE, HEIGHT, SKIN, WIDTH, pixels_per_mm
from palaver_gamemasters.comma.puzzles.telehealth.picture import BAR, PHOTO
from palaver_gamemasters.drawing import png
from tests.gamemasters.comma.telehealth_cases import CALM, LOOKS, PUZZLE, drawn, played, setup, started

X, Y = PHOTO[0] + CENTRE[0], PHOTO[1] + CENTRE[1]
PHOTO_BOX = (*PHOTO, PHOTO[0] + WIDTH, PHOTO[1] + HEIGHT)
FINDINGS_BOX = (60, 604, 364, 986)
PRIVATE_BOX = (376, 604, 708, 986)
STEPS_BOX = (60, 126, 708, 176)
PARTS = {"photo": PHOTO_BOX, "findings": FINDINGS_BOX, "private": PRIVATE_BOX, "steps": STEPS_BOX}


def picture(data: dict[str, Any], *actions: str) -> Image.Image:
    return PUZZLE.draw(PUZZLE.scene(played(started(data), *actions)[0])).convert("RGB")


def altered(code: str = "NEV", diameter: float = 5, **looks: Any) -> Image.Image:
    """Draw a spot that looks otherwise than its diagnosis does: the manual is not asked."""
    scene = PUZZLE.scene(started(setup(code, **(CALM if code == "NEV" else {}))))
    findings = scene.findings.model_copy(update={"diameter": float(diameter)})
    lesion = scene.lesion and scene.lesion.model_copy(update=looks)
    return PUZZLE.draw(replace(scene, findings=findings, lesion=lesion)).convert("RGB")


@cache
def nevus() -> Image.Image:
    return picture(setup("NEV", **CALM))


def differing(one: Image.Image, other: Image.Image) -> set[str]:
    """Name the parts in which two pictures differ clearly: the palette of a picture is its own."""
    found = set()
    for name, box in PARTS.items():
        first, second = (np.asarray(each.crop(box), dtype=np.int16) for each in (one, other))
        if (np.abs(first - second).max(axis=2) > 60).sum() > 8:
            found.add(name)
    return found


def photo(shown: Image.Image) -> NDArray[np.int16]:
    return np.asarray(shown.crop(PHOTO_BOX), dtype=np.int16)


def width_in_mm(shown: Image.Image, diameter: float) -> float:
    """Measure a dark lesion on light skin at its widest, by the picture's own scale."""
    box = (X - 150, Y - 145, X + 150, Y + 145)
    dark = np.asarray(shown.crop(box).convert("L")) < 100
    rows, columns = np.nonzero(dark)
    angles = np.arange(36) * np.pi / 36
    widest = max(np.ptp(columns * np.cos(angle) + rows * np.sin(angle)) for angle in angles)
    return float(widest / pixels_per_mm(diameter))


def test_the_same_scene_gives_the_same_bytes() -> None:
    scenes = [PUZZLE.scene(started(setup())) for _ in range(2)]

    assert png(PUZZLE.draw(scenes[0])) == png(PUZZLE.draw(scenes[1]))


def test_other_patients_give_other_bytes() -> None:
    assert len({png(PUZZLE.draw(PUZZLE.scene(drawn(seed)))) for seed in range(10)}) == 10


def test_a_picture_is_a_telephone_upright() -> None:
    assert nevus().size == (768, 1024)


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("patient", "first_name", "Tamsin"),
        ("patient", "last_name", "Varrick"),
        ("patient", "address", "3 Millrace Terrace, Dunvale"),
        ("patient", "ssn", "987-65-4321"),
        ("patient", "phone", "555-0199"),
        ("patient", "born", "1999-12-31"),
    ],
)
def test_private_fields_are_on_their_card(part: str, field: str, value: str) -> None:
    data = setup("NEV", **CALM)

    assert differing(nevus(), picture(data | {part: data[part] | {field: value}})) == {"private"}


@pytest.mark.parametrize(
    ("field", "value"), [("site", "face"), ("itches", True), ("hurts", True), ("grown", True), ("changed", True)]
)
def test_findings_are_on_their_card(field: str, value: Any) -> None:
    assert differing(nevus(), picture(setup("NEV", **(CALM | {field: value})))) == {"findings"}


@pytest.mark.parametrize("field", ["bleeds", "irritated"])
def test_what_can_be_seen_of_a_finding_is_seen(field: str) -> None:
    shown = picture(setup("NEV", **(CALM | {field: True})))

    assert differing(nevus(), shown) == {"findings", "photo"}


@pytest.mark.parametrize(
    ("sign", "value"),
    [
        ("shape", "oval"), ("shape", "asymmetric"), ("border", "notched"), ("border", "blurred"), ("colour", "black"),
        ("colour", "pink"), ("colour", "several colours"), ("elevation", "raised"), ("surface", "shiny"),
        ("surface", "scaly"), ("surface", "crusted"), ("surface", "waxy"), ("marks", "hairs"),
        ("marks", "dark specks"), ("marks", "blood vessels"), ("number", 99999),
    ],
)  # fmt: skip
def test_every_sign_is_to_be_seen_in_the_photograph_alone(sign: str, value: Any) -> None:
    assert differing(nevus(), altered(**{sign: value})) == {"photo"}


def test_what_is_raised_casts_a_shadow() -> None:
    edge = round(5 * pixels_per_mm(5) / 2 / 2**0.5)

    def light(elevation: str) -> int:
        below = photo(altered(elevation=elevation))[CENTRE[1] + edge + 3, CENTRE[0] + edge + 3]
        return int(below.sum())

    assert light("raised") < light("flat") - 60
    assert light("slightly raised") < light("flat") - 30


@pytest.mark.parametrize("diameter", [2, 3, 5, 9, 18, 80])
@pytest.mark.parametrize("shape", ["round", "oval", "asymmetric"])
def test_a_lesion_is_as_wide_as_the_scale_bar_says(diameter: int, shape: str) -> None:
    shown = altered(diameter=diameter, colour="black", shape=shape)

    assert width_in_mm(shown, diameter) == pytest.approx(diameter, rel=0.04)


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    row = np.asarray(nevus().convert("L"))[PHOTO[1] + BAR, X - 150 : X + 60]
    dark = np.nonzero(row < 90)[0]

    assert pixels_per_mm(5) == 40
    assert np.ptp(dark) == pytest.approx(2 * 40, abs=5)


@pytest.mark.parametrize("skin_type", range(1, 7))
def test_skin_has_its_tone(skin_type: int) -> None:
    data = setup("NEV", **CALM)
    shown = picture(data | {"patient": data["patient"] | {"skin_type": skin_type}})
    tone = photo(shown)[60:340, 20:120].reshape(-1, 3).mean(axis=0)

    nearest = min(range(6), key=lambda number: float(np.abs(tone - SKIN[number]).sum()))
    assert nearest + 1 == skin_type


@pytest.mark.parametrize("code", ["SEK", "NEV", "SCC", "MEL"])
def test_a_spot_stands_out_on_every_skin(code: str) -> None:
    for skin_type in range(1, 7):
        data = setup(code, **(CALM if code == "NEV" else {}))
        pixels = photo(picture(data | {"patient": data["patient"] | {"skin_type": skin_type}}))
        inside = pixels[CENTRE[1] - 40 : CENTRE[1] + 40, CENTRE[0] - 40 : CENTRE[0] + 40].reshape(-1, 3)
        far = np.abs(inside - pixels[60:340, 20:120].reshape(-1, 3).mean(axis=0)).sum(axis=1)
        assert np.median(far) > 40


@pytest.mark.parametrize(
    ("colour", "brighter", "darker"),
    [("red", 0, 1), ("pink", 0, 1), ("light brown", 0, 2)],
)
def test_a_colour_is_that_colour(colour: str, brighter: int, darker: int) -> None:
    shown = photo(altered(colour=colour))
    red_green_blue = shown[CENTRE[1] - 20 : CENTRE[1] + 20, CENTRE[0] - 20 : CENTRE[0] + 20].reshape(-1, 3).mean(axis=0)

    assert red_green_blue[brighter] - red_green_blue[darker] > 60


def test_several_colours_are_several() -> None:
    def spread(colour: str) -> float:
        pixels = photo(altered("MEL", diameter=8, colour=colour))
        part = pixels[CENTRE[1] - 50 : CENTRE[1] + 50, CENTRE[0] - 50 : CENTRE[0] + 50].reshape(-1, 3)
        return float(part.std(axis=0).sum())

    assert spread("several colours") > 4 * spread("dark brown")


def test_only_an_asymmetric_outline_has_two_different_halves() -> None:
    def uneven(shape: str) -> float:
        box = (X - 145, Y - 145, X + 145, Y + 145)
        dark = np.asarray(altered(shape=shape, colour="black").convert("L").crop(box)) < 100
        return float((dark ^ dark[::-1, ::-1]).sum() / dark.sum())

    assert uneven("asymmetric") > 0.2
    assert uneven("round") < 0.1
    assert uneven("oval") < 0.1


def test_the_step_is_to_be_seen() -> None:
    first, second, done = (
        picture(setup(), *actions) for actions in ((), ("diagnose_mel",), ("diagnose_mel", "treat_with_surgery"))
    )

    def chips(shown: Image.Image) -> list[str]:
        names = {(29, 111, 209): "blue", (35, 134, 74): "green", (201, 209, 217): "grey"}
        pixels = [np.array(shown.getpixel((x, 170))) for x in (200, 550)]
        return [min(names.items(), key=lambda item: int(np.abs(pixel - item[0]).sum()))[1] for pixel in pixels]

    assert [chips(shown) for shown in (first, second, done)] == [
        ["blue", "grey"],
        ["green", "blue"],
        ["green", "green"],
    ]
    assert differing(first, second) == differing(second, done) == {"steps"}


@pytest.mark.parametrize("code", LOOKS)
def test_six_diagnoses_look_different(code: str) -> None:
    mine = picture(setup(code, **(CALM if code == "NEV" else {})))

    others = [picture(setup(other, **(CALM if other == "NEV" else {}))) for other in LOOKS if other != code]
    assert all("photo" in differing(mine, other) for other in others)
