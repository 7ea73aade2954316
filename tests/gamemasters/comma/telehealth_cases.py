"""Patients for the tests of the telehealth puzzle."""

from functools import cache
from typing import Any

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.telehealth.manual import TelehealthRules
from palaver_gamemasters.comma.puzzles.telehealth.puzzle import TelehealthPuzzle, TelehealthState
from palaver_gamemasters.dice import Dice

PUZZLE = TelehealthPuzzle()
TEXT = own_manual(PUZZLE).text
RULES: TelehealthRules = rules_of(PUZZLE)
PATIENT = {
    "first_name": "Nerys", "last_name": "Quenby", "address": "17 Thistlewick Lane, Orrinford", "ssn": "912-34-5678",
    "phone": "555-0142", "born": "1962-03-14", "age": 63, "sex": "female", "skin_type": 2,
}  # fmt: skip
FINDINGS = {
    "site": "back", "diameter": 8, "itches": False, "bleeds": False, "irritated": False, "hurts": False,
    "grown": True, "changed": True,
}  # fmt: skip
LOOKS = {
    "BCC": ("round", "smooth", "pink", "raised", "shiny", "blood vessels"),
    "SCC": ("oval", "smooth", "red", "raised", "crusted", "none"),
    "MEL": ("asymmetric", "notched", "several colours", "flat", "smooth", "none"),
    "ACK": ("oval", "blurred", "pink-brown", "flat", "scaly", "none"),
    "SEK": ("round", "smooth", "dark brown", "slightly raised", "waxy", "dark specks"),
    "NEV": ("round", "smooth", "light brown", "flat", "smooth", "none"),
}
CALM: dict[str, Any] = {"changed": False, "grown": False, "diameter": 5}
"""Findings without which there is no typical nevus."""
SIGNS = ("shape", "border", "colour", "elevation", "surface", "marks")


def setup(code: str = "MEL", *, looks: dict[str, Any] | None = None, **findings: Any) -> dict[str, Any]:
    """Return an initialisation that looks like a diagnosis; ``findings`` and ``looks`` change some of it."""
    return {
        "patient": PATIENT,
        "findings": FINDINGS | findings,
        "lesion": dict(zip(SIGNS, LOOKS[code], strict=True)) | {"number": 7} | (looks or {}),
    }


def started(data: dict[str, Any], rules: TelehealthRules = RULES) -> TelehealthState:
    """Set an initialisation up."""
    return PUZZLE.start(PUZZLE.configure(data), rules)


def changed(old: str, new: str) -> TelehealthRules:
    """Read the manual with a passage replaced."""
    assert old in TEXT
    return PUZZLE.read_manual(Manual("mine.md", TEXT.replace(old, new)))


@cache
def drawn(seed: int) -> TelehealthState:
    """Set a generated initialisation up."""
    return PUZZLE.start(PUZZLE.generate(RULES, Dice("telehealth tests", seed), None), RULES)


def played(state: TelehealthState, *actions: str) -> tuple[TelehealthState, list[bool]]:
    """Perform actions; return which of them were mistakes."""
    mistakes = []
    for action in actions:
        step = PUZZLE.act(state, action)
        state = step.state
        mistakes.append(step.mistake)
    return state, mistakes
