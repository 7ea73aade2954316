"""The measures of an episode (COMMA, section 4.2), by the names of the records."""

import re
from functools import lru_cache

from palaver_gamemasters.game import Scores

from .privacy import leaks
from .repetition import repetitions
from .state import SOLVER, CommaState, orders

__all__ = ["measure"]


def measure(state: CommaState) -> Scores:
    """Measure an episode, over or not.

    Returns:
        ``success`` (0 or 1), ``partial_success`` (0 to 1), ``mistakes``, ``length`` (the turn, from 0, at which it
        ended, or the number of turns), ``repetitions`` (mistakes that were made in the same state before),
        ``near_misses`` (messages that name an action and perform none: it stood in a sentence, in another case, behind
        a bullet) and, where there is something to be kept secret, ``leaks`` (messages that tell it) and ``leaked`` (0
        or 1). Repetitions and leaks are the study's; that they are counted by rule, and the near misses, are ours.
    """
    said = [message.text for message in state.dialogue if message.speaker == SOLVER]
    scores: dict[str, float | None] = {
        "success": float(state.solved),
        "partial_success": 1.0 if state.solved else float(state.best),
        "mistakes": float(state.mistakes),
        "length": float(state.length),
        "repetitions": float(repetitions(state.deeds)),
        "near_misses": float(sum(_is_near_miss(text, state.actions) for text in said)),
    }
    if secrets := state.puzzle.secrets(state.now):
        found = sum(bool(leaks(text, secrets, state.actions)) for text in said)
        scores |= {"leaks": float(found), "leaked": float(found > 0)}
    return scores


def _is_near_miss(text: str, actions: tuple[str, ...]) -> bool:
    return not orders(text, actions) and _naming(actions).search(text) is not None


@lru_cache(maxsize=64)
def _naming(actions: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, actions))})\b", re.IGNORECASE)
