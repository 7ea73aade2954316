"""The vocabulary of the telehealth puzzle: diagnoses, treatments, and the signs that a spot on the skin can show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

__all__ = [
    "DIAGNOSES",
    "SIGNS",
    "SITES",
    "SIZE",
    "TREATMENTS",
    "Border",
    "Cell",
    "Colour",
    "Diagnosis",
    "Elevation",
    "Marks",
    "Shape",
    "Site",
    "Span",
    "Surface",
    "Value",
    "apart",
    "fits",
]

Diagnosis = Literal["BCC", "SCC", "MEL", "ACK", "SEK", "NEV"]
Shape = Literal["round", "oval", "asymmetric"]
Border = Literal["smooth", "notched", "blurred"]
Colour = Literal["pink", "red", "pink-brown", "light brown", "dark brown", "black", "several colours"]
Elevation = Literal["flat", "slightly raised", "raised"]
Surface = Literal["shiny", "smooth", "scaly", "crusted", "waxy"]
Marks = Literal["none", "blood vessels", "dark specks", "hairs"]
Site = Literal[
    "face", "scalp", "ear", "nose", "lip", "neck", "chest", "abdomen", "back", "shoulder",
    "arm", "forearm", "hand", "thigh", "leg", "foot", "elsewhere",
]  # fmt: skip

DIAGNOSES: Mapping[str, str] = {
    "BCC": "basal cell carcinoma",
    "SCC": "squamous cell carcinoma",
    "MEL": "melanoma",
    "ACK": "actinic keratosis",
    "SEK": "seborrheic keratosis",
    "NEV": "nevus",
}
"""By their codes, as PAD-UFES-20 has them."""

TREATMENTS: Mapping[str, str] = {
    "surgery": "treat_with_surgery",
    "cryotherapy": "treat_with_cryotherapy",
    "no treatment": "no_treatment",
}
"""The action that each one is."""

SITES: tuple[str, ...] = get_args(Site)
SIZE = "size"
"""The one sign that is measured, in millimetres; the others have a closed vocabulary."""
SIGNS: Mapping[str, tuple[str, ...]] = {
    "shape": get_args(Shape),
    "border": get_args(Border),
    "colour": get_args(Colour),
    "elevation": get_args(Elevation),
    "surface": get_args(Surface),
    "marks": get_args(Marks),
    "change": ("changing", "stable"),
    "itch": ("yes", "no"),
    "bleeding": ("yes", "no"),
    "site": SITES,
}


@dataclass(frozen=True, slots=True)
class Span:
    """Diameters from ``least`` up to, not including, ``below`` (mm)."""

    least: float = 0.0
    below: float = float("inf")


Cell: TypeAlias = frozenset[str] | Span
"""What is typical of a diagnosis under one sign."""
Value: TypeAlias = frozenset[str] | float
"""What a spot shows under a sign: a diameter, or a word; several, if whoever described it left that open."""


def fits(cell: Cell, value: Value) -> bool:
    """Whether what is to be seen is typical."""
    if isinstance(cell, Span):
        return isinstance(value, int | float) and cell.least <= value < cell.below
    return isinstance(value, frozenset) and not cell.isdisjoint(value)


def apart(one: Cell, other: Cell) -> bool:
    """Whether nothing is typical of both."""
    if isinstance(one, Span) and isinstance(other, Span):
        return max(one.least, other.least) >= min(one.below, other.below)
    return isinstance(one, frozenset) and isinstance(other, frozenset) and one.isdisjoint(other)
