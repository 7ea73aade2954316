"""The rule-based grader: from a raw transcript to the agreed route, under the most favourable scheme."""

from .grader import Grade, extract, grade, grade_extraction

__all__ = ["Grade", "extract", "grade", "grade_extraction"]
