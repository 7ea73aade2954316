"""The picture of the telehealth puzzle: a telephone that shows the photograph of a spot and the patient's profile."""

import base64
import binascii
from dataclasses import replace
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageOps

from palaver_gamemasters.drawing import Canvas, fitting

from .lesion import CENTRE, HEIGHT, WIDTH, lesion_picture, pixels_per_mm
from .scene import TelehealthScene, clinical, private

__all__ = ["BAR", "PHOTO", "draw", "opened"]

SIZE = (768, 1024)
PHOTO = (60, 190)
"""Where the photograph's top left corner is; it is as large as a drawn lesion."""
BAR = HEIGHT - 28
"""How far below the photograph's top the scale bar is."""
BARS = (1, 2, 5, 10, 20, 50, 100)
INK, GREY, BLUE, GREEN = "#1f2933", "#66727f", "#1d6fd1", "#23864a"
UNKNOWN_SKIN = 3
PLACES = {"First name": 660, "Last name": 711, "Address": 762, "SSN": 838, "Phone": 889, "Born": 940}
"""How far down each private field is: an address may take two lines."""


def draw(scene: TelehealthScene) -> Image.Image:
    """Draw the telephone."""
    canvas = Canvas(*SIZE)
    canvas.paste(_screen(replace(scene, diagnosis=None, treatment=None)), (0, 0))
    _steps(canvas, scene)
    return canvas.picture if scene.photo else canvas.flat()


@lru_cache(maxsize=16)
def _screen(scene: TelehealthScene) -> Image.Image:
    """Draw all that stays the same while the solver goes from step to step."""
    findings, secrets = clinical(scene), private(scene)
    canvas = Canvas(*SIZE)
    canvas.paste(_frame(tuple(findings), tuple(secrets)), (0, 0))
    _photograph(canvas, scene)
    for row, value in enumerate(findings.values()):
        canvas.text((346, _row(row)), value, 21, INK, anchor="rm")
    for label, value in secrets.items():
        pieces = value.split() if label == "Address" else [value]  # an address has room for a second line
        size = min(fitting(piece, 21, 304) for piece in pieces)
        width = 304 if label == "Address" else SIZE[0]
        canvas.paragraph((394, PLACES[label] + 10, 394 + width, 986), value, size, INK, spacing=1.2)
    return canvas.picture


@lru_cache(maxsize=16)
def _frame(findings: tuple[str, ...], secrets: tuple[str, ...]) -> Image.Image:
    """Draw all that is the same for every patient of whom the same is known."""
    canvas = Canvas(*SIZE, background="#d5dde5")
    canvas.box((20, 8, 748, 1016), "#1c2026", radius=66, shadow=True)
    canvas.box((34, 22, 734, 1002), "#f3f6f9", radius=54)
    canvas.box((314, 36, 454, 58), "#1c2026", radius=11)
    canvas.text((64, 92), "Telehealth: skin visit", 30, INK, anchor="lm", bold=True)
    canvas.box((60, 604, 364, 986), "#ffffff", radius=18, outline="#cfd8e0")
    canvas.text((78, 626), "FINDINGS", 18, GREY, anchor="lm", bold=True)
    for row, label in enumerate(findings):
        canvas.text((78, _row(row)), label, 21, GREY, anchor="lm")
    canvas.box((376, 604, 708, 986), "#fff6e8", radius=18, outline="#e3b76a")
    canvas.ring((400, 619), 7, 3, "#a8690a")
    canvas.box((391, 619, 409, 634), "#a8690a", radius=3)
    canvas.text((418, 626), "PRIVATE: DO NOT TELL", 18, "#8a5608", anchor="lm", bold=True)
    for label in secrets:
        canvas.text((394, PLACES[label]), label, 16, "#8a6a35", anchor="lm")
    return canvas.picture


def _row(number: int) -> int:
    return 656 + 28 * number


def _steps(canvas: Canvas, scene: TelehealthScene) -> None:
    for number, (name, found, waits) in enumerate(
        (
            ("Diagnosis", scene.diagnosis, False),
            ("Treatment", scene.treatment, scene.diagnosis is None),
        )
    ):
        left = 60 + 328 * number
        paint = "#c9d1d9" if waits else GREEN if found else BLUE
        ink = GREY if waits else "#ffffff"
        canvas.box((left, 126, left + 320, 176), paint, radius=25)
        if found:
            canvas.line([(left + 22, 151), (left + 31, 161), (left + 46, 140)], ink, 5)
        else:
            canvas.text((left + 34, 151), str(number + 1), 24, ink, bold=True)
        said = f"{name}: {found}" if found else name if waits else f"{name}: choose"
        canvas.text((left + 62, 151), said, 22, ink, anchor="lm")


def _photograph(canvas: Canvas, scene: TelehealthScene) -> None:
    left, top = PHOTO
    if scene.lesion is not None and scene.findings.diameter is not None:
        canvas.paste(_lesion(scene), PHOTO)
        _scale_bar(canvas, scene.findings.diameter)
        canvas.box((left + 10, top + 10, left + 138, top + 38), "#2b333b", radius=8)
        canvas.text((left + 74, top + 24), f"IMG {scene.lesion.number:05d}", 18, "#ffffff")
    elif scene.photo:
        canvas.paste(opened(scene.photo), PHOTO)
    else:
        canvas.box((left, top, left + WIDTH, top + HEIGHT), "#aab4be")
        canvas.text((left + CENTRE[0], top + CENTRE[1]), "no photograph", 28, INK)


def _lesion(scene: TelehealthScene) -> Image.Image:
    assert scene.lesion is not None  # asked only where there is one
    assert scene.findings.diameter is not None
    return lesion_picture(
        scene.lesion,
        scene.findings.diameter,
        scene.patient.skin_type or UNKNOWN_SKIN,
        bleeds=bool(scene.findings.bleeds),
        irritated=bool(scene.findings.irritated),
    )


def _scale_bar(canvas: Canvas, diameter: float) -> None:
    scale = pixels_per_mm(diameter)
    length = next((mm for mm in BARS if mm * scale >= 75), BARS[-1])
    x, y = PHOTO[0] + CENTRE[0], PHOTO[1] + BAR
    half = length * scale / 2
    canvas.box((x - half - 16, y - 22, x + half + 96, y + 20), "#f8fafc", radius=8)
    canvas.box((x - half, y - 3, x + half, y + 3), INK)
    for end in (-half, half):
        canvas.box((x + end - 2, y - 12, x + end + 2, y + 12), INK)
    canvas.text((x + half + 14, y), f"{length} mm", 22, INK, anchor="lm", bold=True)


@lru_cache(maxsize=16)
def opened(jpeg: str) -> Image.Image:
    """Return a photograph, fitted into its frame.

    Raises:
        ValueError: it is no JPEG picture in base64.
    """
    try:
        data = base64.b64decode(jpeg, validate=True)
        with Image.open(BytesIO(data), formats=["JPEG"]) as picture:
            fitted = ImageOps.contain(picture.convert("RGB"), (WIDTH, HEIGHT))
    except (binascii.Error, ValueError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError("is no JPEG picture in base64") from error
    return ImageOps.pad(fitted, (WIDTH, HEIGHT), color="#aab4be")
