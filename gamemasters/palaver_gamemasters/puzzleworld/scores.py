"""What is measured of an episode by rule; a judge measures the steps."""

from palaver_gamemasters.game import Scores

from .answers import is_compatibly, is_strictly
from .state import PuzzleState
from .tasks import EXPERT

__all__ = ["measure"]


def measure(state: PuzzleState) -> Scores:
    """Measure an episode as it stands.

    ``acc_compat`` is the study's accuracy, a substring of all that the solvers have written; ``acc_strict`` looks at
    the last ``Answer:`` line, and is ``success``. Where several talk, ``turns`` counts the solvers' messages; with an
    expert, ``hints`` are the messages that are not empty, and ``leaked`` whether one told the solution.
    """
    solution, output = state.puzzle.solution, state.output
    strictly = float(is_strictly(solution, output))
    scores: dict[str, float | None] = {
        "acc_compat": float(is_compatibly(solution, output)),
        "acc_strict": strictly,
        "success": strictly,
        "answered": float(state.answer is not None),
    }
    if not state.options.alone:
        scores["turns"] = float(len(state.solvers_said))
    if state.options.expert:
        hints = [message for message in state.dialogue if message.speaker == EXPERT and message.text.strip()]
        scores |= {"hints": float(len(hints)), "leaked": float(state.leaked)}
    return scores
