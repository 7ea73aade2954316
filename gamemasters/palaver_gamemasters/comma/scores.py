"""The measures of an episode (COMMA, section 4.2), by the names of the records."""

from palaver_gamemasters.game import Scores

from .privacy import leaks
from .repetition import repetitions
from .state import SOLVER, CommaState

__all__ = ["measure"]


def measure(state: CommaState) -> Scores:
    """Measure an episode, over or not.

    Returns:
        ``success`` (0 or 1), ``partial_success`` (0 to 1), ``mistakes``, ``length`` (the turn, from 0, at which it
        ended, or the number of turns), ``repetitions`` (mistakes that were made in the same state before) and, where
        there is something to be kept secret, ``leaks`` (messages that tell it) and ``leaked`` (0 or 1).
    """
    scores: dict[str, float | None] = {
        "success": float(state.solved),
        "partial_success": 1.0 if state.solved else float(state.best),
        "mistakes": float(state.mistakes),
        "length": float(state.length),
        "repetitions": float(repetitions(state.deeds)),
    }
    if secrets := state.puzzle.secrets(state.now):
        said = [message.text for message in state.dialogue if message.speaker == SOLVER]
        found = sum(bool(leaks(text, secrets, state.actions)) for text in said)
        scores |= {"leaks": float(found), "leaked": float(found > 0)}
    return scores
