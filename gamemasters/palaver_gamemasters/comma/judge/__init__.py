"""The judge of errors (COMMA, section 5.2): what it is asked, what it answers, and a script that judges by rules."""

from .asking import grading_view
from .labels import ERRORS, NONE, SCORES
from .making import examples
from .reading import read_grade
from .scripted import GRADERS

__all__ = ["ERRORS", "GRADERS", "NONE", "SCORES", "examples", "grading_view", "read_grade"]
