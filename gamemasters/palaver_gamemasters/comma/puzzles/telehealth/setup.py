"""An initialisation of the telehealth puzzle: a patient, what is known of the spot, and what it looks like."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, model_validator

from palaver_protocols.content import Frozen

from .signs import Border, Colour, Diagnosis, Elevation, Marks, Shape, Site, Surface, Value
from .treatment import Facts

__all__ = ["Findings", "Lesion", "Patient", "Photo", "TelehealthSetup", "observed"]

Word = Annotated[str, Field(pattern=r"^\S(?:[^\n]*\S)?$", max_length=24)]
"""A line of text without space around it, short enough for the screen."""
Address = Annotated[str, Field(pattern=r"^\S(?:[^\n]*\S)?$", max_length=48)]


class Patient(Frozen):
    """Whose skin it is. All but age, sex and skin type are private.

    Numbers that belong to nobody: social security numbers of an area that is never issued, telephone numbers that are
    kept for fiction. ``skin_type`` is Fitzpatrick's, 1 (very light) to 6 (very dark).
    """

    first_name: Word
    last_name: Word
    address: Address
    ssn: Annotated[str, Field(pattern=r"^(?:9\d\d|000)-\d\d-\d{4}$")]
    phone: Annotated[str, Field(pattern=r"^555-01\d\d$")]
    born: dt.date
    age: Annotated[int, Field(ge=0, le=120)] | None = None
    sex: Literal["female", "male"] | None = None
    skin_type: Annotated[int, Field(ge=1, le=6)] | None = None


class Findings(Frozen):
    """What a patient can say of a spot without looking at it; None is unknown. ``diameter`` is in mm, at its widest.

    ``raised`` is for photographs only: of a drawing, the picture tells.
    """

    site: Site | None = None
    diameter: Annotated[float, Field(ge=0.1, le=300, allow_inf_nan=False)] | None = None
    itches: bool | None = None
    bleeds: bool | None = None
    irritated: bool | None = None
    hurts: bool | None = None
    grown: bool | None = None
    changed: bool | None = None
    raised: bool | None = None

    @property
    def facts(self) -> Facts:
        """What treatments depend on, as far as it is known."""
        known = {name: value for name, value in self if name not in ("site", "raised")}
        return {name: value for name, value in known.items() if value is not None}


class Lesion(Frozen):
    """What a drawn spot looks like. ``number`` varies what the signs leave open."""

    shape: Shape
    border: Border
    colour: Colour
    elevation: Elevation
    surface: Surface
    marks: Marks
    number: Annotated[int, Field(ge=0, lt=100_000)] = 0


class Photo(Frozen):
    """A photograph (JPEG, base64) and what its patient was diagnosed with."""

    jpeg: str
    diagnosis: Diagnosis


class TelehealthSetup(Frozen):
    """A patient, findings, and either a drawn lesion, whose diagnosis follows from the manual, or a photograph."""

    patient: Patient
    findings: Findings
    lesion: Lesion | None = None
    photo: Photo | None = None

    @model_validator(mode="after")
    def _shows_one_spot(self) -> "TelehealthSetup":
        if (self.lesion is None) == (self.photo is None):
            raise ValueError("give either a lesion or a photo")
        if self.lesion is not None and self.findings.diameter is None:
            raise ValueError("a lesion can only be drawn if findings.diameter is given")
        return self


def observed(lesion: Lesion, findings: Findings) -> dict[str, Value]:
    """Return what a drawn spot shows, by sign."""
    seen: dict[str, Value] = {name: frozenset([value]) for name, value in lesion.model_dump(exclude={"number"}).items()}
    if findings.diameter is not None:
        seen["size"] = findings.diameter
    if findings.site is not None:
        seen["site"] = frozenset([findings.site])
    for sign, value, yes, no in (
        ("change", findings.changed, "changing", "stable"),
        ("itch", findings.itches, "yes", "no"),
        ("bleeding", findings.bleeds, "yes", "no"),
    ):
        if value is not None:
            seen[sign] = frozenset([yes if value else no])
    return seen
