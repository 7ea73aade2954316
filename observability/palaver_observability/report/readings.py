"""What graders made of episodes, laid out so that they can be compared. Pure functions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palaver_protocols.runs import EpisodeRecord, Grading
from palaver_protocols.seating import relay_of

from .samples import SUCCESS

__all__ = ["RULES", "Graded", "filled", "graded", "scored_by", "verdicts_of"]

RULES = "rules"
"""The game's own reading, among graders."""

Scores = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Graded:
    """An episode with what each grader made of it."""

    agents: str
    by: dict[str, Grading]

    def score(self, grader: str, name: str) -> float | None:
        """Return a score by a grader; None where it gave none."""
        return self.by[grader].scores.get(name) if grader in self.by else None

    def won(self, grader: str) -> float | None:
        """Return a grader's verdict, 0 or 1."""
        return verdicts_of([self.score(grader, SUCCESS)])[0]


def graded(record: EpisodeRecord) -> Graded | None:
    """Return what graders made of an episode; None for one that no model has graded."""
    if not any(grading.grader != RULES for grading in record.gradings):
        return None
    agents = ", ".join(relay_of(fillers) for fillers in record.seats.values())
    return Graded(agents, {grading.grader: grading for grading in record.gradings})


def verdicts_of(values: Iterable[float | None]) -> list[float | None]:
    """Turn success scores into verdicts."""
    return [None if value is None else float(value >= 0.5) for value in values]


def filled(votes: Sequence[Scores], most: int) -> list[Scores]:
    """Give every episode as many votes, empty ones for those that could not be used."""
    return [*votes, *({} for _ in range(most - len(votes)))]


def scored_by(records: Iterable[EpisodeRecord], primary: str) -> list[str]:
    """Name whose scores count in some episodes; several where it is not the same in all.

    A record does not say so itself: its scores are those of the last grader that was asked, or of the rules where they
    have scored it again since. Where the two agree it makes no difference, and the grader is named.
    """
    found: dict[str, None] = {}
    for record in records:
        models = [grading for grading in record.gradings if grading.grader != RULES]
        last = models[-1] if models else None
        is_theirs = last is not None and last.scores.get(primary) == record.scores.get(primary)
        found[last.grader if last is not None and is_theirs else RULES] = None
    return list(found)
