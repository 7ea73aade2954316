"""What errors are called (COMMA, section 5.2)."""

from collections.abc import Mapping

from palaver_gamemasters.calibration import NONE

__all__ = ["ERRORS", "NAMES", "NONE", "SCORES"]

ERRORS = ("roleplay", "misinterpretation", "repetition", "miscommunication", "other")
"""The study's categories, in the order of its text; the repetition loop is called by its first word."""

SCORES: Mapping[str, str] = {f"error_{error}": error for error in ERRORS}
"""Which of a judge's scores stands for which category."""

NAMES: Mapping[str, str] = {
    **{error: error for error in (*ERRORS, NONE)},
    **dict.fromkeys(("role play", "role playing", "roleplaying", "role confusion"), "roleplay"),
    **dict.fromkeys(("misinterpret", "interpretation", "misperception"), "misinterpretation"),
    **dict.fromkeys(("repetition loop", "repeat", "loop", "repetitive"), "repetition"),
    **dict.fromkeys(("communication", "mis communication"), "miscommunication"),
    **dict.fromkeys(("others", "other error"), "other"),
    **dict.fromkeys(("no error", "no errors", "normal", "nothing", "null", "n/a"), NONE),
}
"""What judges call them besides; the study's own figure 3 has other words than its text."""
