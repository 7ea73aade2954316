"""The judge (PuzzleWorld, section 4 and appendix A): is each step of the reference solution in the candidate's?"""

from .asking import candidate, grading_views, questions
from .reading import SCHEMA, merge_verdicts, read_verdict
from .scores import SCORES, measure
from .scripted import GRADERS

__all__ = [
    "GRADERS",
    "SCHEMA",
    "SCORES",
    "candidate",
    "grading_views",
    "measure",
    "merge_verdicts",
    "questions",
    "read_verdict",
]
