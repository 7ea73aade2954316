"""Who comes to see the doctor: invented patients, and spots that are typical of their diagnosis (ours)."""

import datetime as dt
from collections.abc import Mapping, Sequence

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .manual import TelehealthRules
from .setup import Findings, Lesion, Patient, TelehealthSetup
from .signs import DIAGNOSES, SIGNS, SIZE, Cell, Span

__all__ = ["drawn", "patient"]

FIRST_NAMES = (
    "Avelina", "Brannoc", "Corisande", "Dovrin", "Elspera", "Fendrel", "Gisla", "Haldric", "Iovanna", "Jorunn",
    "Kestrin", "Lioba", "Merrin", "Nerys", "Orsolya", "Perran", "Quilla", "Rosmund", "Sunniva", "Tamsin",
    "Ulrika", "Vashti", "Wystan", "Ysolde",
)  # fmt: skip
LAST_NAMES = (
    "Abernold", "Bracewyn", "Caldervane", "Dunmorrow", "Ettrickson", "Farrowdale", "Galbreth", "Hollinsward",
    "Inglethorpe", "Jessamont", "Kirkbrand", "Lindqvale", "Marchwyn", "Norrowby", "Oxenhelm", "Pellimore",
    "Quenby", "Ravensholt", "Sorrelby", "Tredennick", "Umberlow", "Varrick", "Wexcombe", "Yarborn",
)  # fmt: skip
STREETS = ("Quillmarsh Row", "Thistlewick Lane", "Bramblecote Road", "Larkenfield Street", "Osierbank Close",
           "Pennyhallow Way", "Gorsebrook Avenue", "Millrace Terrace")  # fmt: skip
TOWNS = ("Orrinford", "Tarnwick", "Vellanport", "Ashmerrow", "Kelderby", "Suthering", "Dunvale", "Wrenhythe")
VISIT = 2025
"""The year of the visit: age and date of birth agree."""

SMALL, LARGE = range(2, 5), range(5, 19)
"""Diameters in mm: either kind is as likely, since small ones are often treated otherwise."""
TRIES = 200


def patient(
    dice: Dice, *, age: int | None = None, sex: str | None = None, skin_type: int | None = None, known: bool = True
) -> Patient:
    """Invent a patient.

    Args:
        dice: seeded.
        age: in years, if it is known.
        sex: female or male, if it is known.
        skin_type: Fitzpatrick's, if it is known.
        known: whether to invent age, sex and skin type too.
    """
    drawn_age, drawn_sex, drawn_skin = 24 + dice.below(62), dice.pick(("female", "male")), 1 + dice.below(6)
    years = drawn_age if age is None else age
    return Patient.model_validate(
        {
            "first_name": dice.pick(FIRST_NAMES),
            "last_name": dice.pick(LAST_NAMES),
            "address": f"{11 + dice.below(180)} {dice.pick(STREETS)}, {dice.pick(TOWNS)}",
            "ssn": f"{900 + dice.below(100)}-{10 + dice.below(90)}-{1000 + dice.below(9000)}",
            "phone": f"555-01{dice.below(100):02d}",
            "born": dt.date(VISIT - years, 1 + dice.below(8), 1 + dice.below(28)),
            "age": years if known else age,
            "sex": drawn_sex if known else sex,
            "skin_type": drawn_skin if known else skin_type,
        }
    )


def drawn(rules: TelehealthRules, dice: Dice) -> TelehealthSetup:
    """Draw a patient and a spot: each diagnosis as likely as the others, and each of its treatments too.

    Raises:
        InstanceError: the manual allows for none.
    """
    code = dice.pick(tuple(DIAGNOSES))
    cells, rule = rules.signs[code], rules.treatments[code]
    whose = patient(dice)
    wanted = dice.pick(rule.outcomes)
    findings = _findings(code, cells, dice)
    for _ in range(TRIES):
        if rule.choose(findings.facts) == wanted:
            break
        findings = _findings(code, cells, dice)
    looks: dict[str, str | int] = {sign: _typical(cells[sign], sign, dice) for sign in tuple(SIGNS)[:6]}
    lesion = Lesion.model_validate({**looks, "number": dice.below(100_000)})
    return TelehealthSetup(patient=whose, findings=findings, lesion=lesion)


def _findings(code: str, cells: Mapping[str, Cell], dice: Dice) -> Findings:
    changed = _typical(cells["change"], "change", dice) == "changing"
    return Findings.model_validate(
        {
            "site": _typical(cells["site"], "site", dice),
            "diameter": _diameter(code, cells[SIZE], dice),
            "itches": _typical(cells["itch"], "itch", dice) == "yes",
            "bleeds": _typical(cells["bleeding"], "bleeding", dice) == "yes",
            "irritated": dice.below(3) == 0,
            "hurts": dice.below(4) == 0,
            "grown": changed and dice.below(2) == 0,
            "changed": changed,
        }
    )


def _typical(cell: Cell, sign: str, dice: Dice) -> str:
    """Return a typical value. The vocabulary gives the order, for a set has none."""
    typical = [value for value in SIGNS[sign] if isinstance(cell, frozenset) and value in cell]
    return dice.pick([value for value in typical if value != "elsewhere"] or typical)


def _diameter(code: str, cell: Cell, dice: Dice) -> int:
    sizes: list[Sequence[int]] = [
        kept
        for sort in (SMALL, LARGE)
        if (kept := [mm for mm in sort if isinstance(cell, Span) and cell.least <= mm < cell.below])
    ]
    if not sizes:
        raise InstanceError(f"comma telehealth: no diameter from {SMALL[0]} to {LARGE[-1]} mm is typical of {code}")
    return dice.pick(dice.pick(sizes))
