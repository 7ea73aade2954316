"""What a calibration has come to, in words and tables for people. Pure functions."""

from collections.abc import Iterator, Sequence

from palaver_gamemasters.game import AnyGame
from palaver_observability.statistics import Interval
from palaver_observability.writing import number

from .labelled import Agreement, Verdict

__all__ = ["told"]

COLUMN = 9
"""Characters of a label at the head of the confusion table."""


def told(game: AnyGame, found: Agreement, wrong: Sequence[Verdict]) -> Iterator[str]:
    """Yield lines: accuracy, a table of the labels, who was taken for what, and the examples that were."""
    for part in (_summary(game, found), _shares(found), _confusion(found), _wrong(wrong)):
        lines = list(part)
        if lines:
            yield ""
            yield from lines


def _summary(game: AnyGame, found: Agreement) -> Iterator[str]:
    right = round((found.accuracy.estimate or 0) * found.n)
    yield f"accuracy    {_interval(found.accuracy)}, {right} of {found.n}"
    if found.all_labels is not None:
        yield f"all labels  {_interval(found.all_labels)}, of the {found.all_labels.n} that list them"
    yield f"kappa       {number(found.kappa)} (Cohen's: beyond chance)"
    if found.ungraded:
        yield f"ungraded    {found.ungraded}, whose answers could not be read; they count in nothing here"
    for row in game.published().get("judge", ()):
        yield f"published   {row['accuracy']:.2f} ({row['grader']}, on {row['examples']} examples of the study's own)"


def _shares(found: Agreement) -> Iterator[str]:
    width = max(len(share.label) for share in found.labels)
    yield f"{'label':<{width}}  examples  precision  recall"
    for each in found.labels:
        yield f"{each.label:<{width}}  {each.n:>8}  {number(each.precision):>9}  {number(each.recall):>6}"


def _confusion(found: Agreement) -> Iterator[str]:
    """Lay the confusion table out: a row a label of the file's, a column a label of the grader's."""
    labels = list(found.confusion)
    width, corner = max(map(len, labels)), "is / said"
    heads = [label if len(label) <= COLUMN else f"{label[: COLUMN - 1]}." for label in labels]
    yield f"{corner:<{width}}  " + "  ".join(f"{head:>{COLUMN}}" for head in heads)
    for label in labels:
        yield f"{label:<{width}}  " + "  ".join(f"{n or '.':>{COLUMN}}" for n in found.confusion[label].values())


def _wrong(wrong: Sequence[Verdict]) -> Iterator[str]:
    if wrong:
        yield "not as labelled:"
    for each in wrong:
        said = "ungraded" if each.said is None else each.said
        reason = f" ({each.reason})" if each.reason else ""
        yield f"  line {each.example.line}, {each.example.variant}: said {said}, is {each.example.label}{reason}"


def _interval(share: Interval) -> str:
    if share.estimate is None:
        return number(None)
    return f"{share.estimate:.3f} [{share.ci_low:.3f}, {share.ci_high:.3f}]"
