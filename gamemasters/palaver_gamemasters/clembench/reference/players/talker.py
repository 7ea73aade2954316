"""The scripted player: it describes so that the three are told apart, and reads what people write."""

from collections.abc import Sequence

from palaver_gamemasters.clembench.features import features_of, grids_in
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.reference.prompts import ORDINALS
from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest

from . import grid_reader, grid_speaker, words_reader, words_speaker
from .asked import Asked, asked

__all__ = ["scripted_player"]

UNSEEN = "the picture that is called the target"
"""What to say of a picture that came without words."""


def scripted_player(request: TurnRequest) -> str:
    """Answer as is asked: an expression that fits the target alone, or the choice that fits an expression best.

    It sees pictures by their words; of those that have none it knows nothing, and chooses by chance.
    """
    question = asked(request.view)
    if question.expression is None:
        return f"Expression: {_describe(question)}"
    scores = _scores(question.expression, question.shown)
    best = [place for place, score in enumerate(scores) if score == max(scores)]
    return f"Answer: {ORDINALS[Dice('scripted', request.seed, request.turn, request.seat).pick(best)]}"


def _describe(question: Asked) -> str:
    if question.target >= len(question.shown):
        return UNSEEN
    grids = _grids(question.shown)
    at = question.target
    if grids:
        return grid_speaker.expression_of(grids[at], [*grids[:at], *grids[at + 1 :]])
    features = [features_of(words) for words in question.shown]
    if not features[at]:
        return UNSEEN
    return words_speaker.expression_of(features[at], [*features[:at], *features[at + 1 :]])


def _scores(expression: str, shown: Sequence[str]) -> Sequence[float]:
    """Return how well an expression fits each of the three; what came without words fits as well as any other."""
    if len(shown) != len(ORDINALS):
        return [0.0] * len(ORDINALS)
    grids = _grids(shown)
    if grids:
        return grid_reader.fits(expression, grids)
    return words_reader.fits(expression, [features_of(words) for words in shown])


def _grids(shown: Sequence[str]) -> Sequence[Grid]:
    """Read grids, if all that is shown is one each."""
    try:
        return [Grid.read(next(grids_in(words))) for words in shown]
    except (StopIteration, ValueError):
        return []
