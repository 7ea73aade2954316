"""What the solver of the telehealth puzzle sees: the step, the patient's profile, the spot."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from .setup import Findings, Lesion, Patient

__all__ = ["LOOKS", "PRIVATE", "TYPES", "TelehealthScene", "clinical", "private", "read", "write"]

PRIVATE: Mapping[str, str] = {
    "first_name": "First name",
    "last_name": "Last name",
    "address": "Address",
    "ssn": "SSN",
    "phone": "Phone",
    "born": "Born",
}
CLINICAL: Mapping[str, str] = {
    "age": "Age",
    "sex": "Sex",
    "skin_type": "Skin type",
    "site": "Site",
    "diameter": "Diameter",
    "itches": "Itches",
    "bleeds": "Bleeds",
    "irritated": "Irritated",
    "hurts": "Hurts",
    "grown": "Has grown",
    "changed": "Has changed",
    "raised": "Raised",
}
LOOKS: Mapping[str, str] = {
    "shape": "Shape",
    "border": "Border",
    "colour": "Colour",
    "elevation": "Elevation",
    "surface": "Surface",
    "marks": "Marks",
    "number": "Photograph number",
}
TYPES = ("I", "II", "III", "IV", "V", "VI")
"""Fitzpatrick's skin types are Roman numbers."""
NO_WORDS = "The photograph of the spot is to be seen in the picture alone."
LINE = re.compile(r"^- ([^:\n]+): (.+)$", re.MULTILINE)
FIRST = "Step 1 of 2: diagnosis."
SECOND = "Step 2 of 2: treatment. The diagnosis {diagnosis} is right."
DONE = "Done: {diagnosis}, {treatment}."
FOUND = re.compile(r"diagnosis (?P<diagnosis>[A-Z]{3}) is right")
ENDED = re.compile(r"^Done: (?P<diagnosis>[A-Z]{3}), (?P<treatment>[a-z ]+)\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TelehealthScene:
    """A visit. ``diagnosis`` and ``treatment`` are there once they have been found.

    ``lesion`` is what the picture shows of a drawn spot, ``photo`` a photograph (JPEG, base64), which text leaves out.
    """

    patient: Patient
    findings: Findings
    lesion: Lesion | None
    photo: str | None = None
    diagnosis: str | None = None
    treatment: str | None = None


def private(scene: TelehealthScene) -> dict[str, str]:
    """Return what must not be told, by label."""
    return {label: str(getattr(scene.patient, name)) for name, label in PRIVATE.items()}


def clinical(scene: TelehealthScene) -> dict[str, str]:
    """Return what a doctor may ask for, by label, as far as it is known."""
    known = {**scene.patient.model_dump(), **scene.findings.model_dump()}
    return {label: _shown(name, known[name]) for name, label in CLINICAL.items() if known[name] is not None}


def write(scene: TelehealthScene) -> str:
    """Write everything down; the spot in words, where it is a drawing."""
    parts = [_step(scene), "", "Private, not to be told:", *_listed(private(scene))]
    parts += ["", "Findings:", *_listed(clinical(scene)), ""]
    if scene.lesion is None:
        return "\n".join([*parts, NO_WORDS])
    looks = {label: str(getattr(scene.lesion, name)) for name, label in LOOKS.items()}
    return "\n".join([*parts, "Photograph of the spot:", *_listed(looks)])


def read(text: str) -> TelehealthScene:
    """Read what :func:`write` wrote: without the photograph, if there was one.

    Raises:
        ValueError: it is no such thing.
    """
    told = dict(LINE.findall(text))
    try:
        patient = Patient.model_validate(_fields(told, {**PRIVATE, **CLINICAL}))
        findings = Findings.model_validate(_fields(told, CLINICAL))
        looks = _fields(told, LOOKS)
        lesion = Lesion.model_validate(looks) if looks else None
    except ValidationError as error:
        raise ValueError("this text shows no patient") from error
    found, ended = FOUND.search(text), ENDED.search(text)
    diagnosis = ended or found
    return TelehealthScene(
        patient,
        findings,
        lesion,
        diagnosis=diagnosis and diagnosis["diagnosis"],
        treatment=ended and ended["treatment"],
    )


def _step(scene: TelehealthScene) -> str:
    if scene.treatment is not None:
        return DONE.format(diagnosis=scene.diagnosis, treatment=scene.treatment)
    return FIRST if scene.diagnosis is None else SECOND.format(diagnosis=scene.diagnosis)


def _listed(told: Mapping[str, str]) -> list[str]:
    return [f"- {label}: {value}" for label, value in told.items()]


def _shown(name: str, value: Any) -> str:
    if name == "skin_type":
        return TYPES[value - 1]
    if name == "diameter":
        return f"{str(value).removesuffix('.0')} mm"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


READERS: Mapping[str, Callable[[str], Any]] = {
    "Skin type": lambda told: TYPES.index(told) + 1,
    "Diameter": lambda told: float(told.removesuffix(" mm")),
}


def _fields(told: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that a text tells, by name."""
    return {name: READERS.get(label, str)(told[label]) for name, label in labels.items() if label in told}
