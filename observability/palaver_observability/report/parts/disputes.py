"""Whether graders dispute successes more than failures (appendix D, "Conditional Analysis", Tables 4b to 7b)."""

from collections.abc import Sequence

from palaver_observability.statistics import Conditional, Group, conditional

from ..document import Table, num, words
from ..numbers import NONE, count, number, p_value, with_interval
from ..readings import RULES, Graded, filled, verdicts_of
from ..samples import SUCCESS

__all__ = ["disputes"]


def disputes(episodes: Sequence[Graded], names: Sequence[str], primary: str) -> Table:
    """Split the episodes by the verdict of the rules, and compare how far grades are apart in each group."""
    found = [(f"{name} and the rules", _graders(episodes, [name], primary)) for name in names]
    if len(names) > 1:
        found.append(("all graders and the rules", _graders(episodes, names, primary)))
    found += [
        (f"the {most} votes of {name}", _repeats(episodes, name, most, primary))
        for name in names
        if (most := _votes(episodes, name)) > 1
    ]
    head = (
        words("grades"),
        words("verdict of the rules"),
        num("n"),
        num("left out"),
        num("disputed [95 % CI]"),
        num("standard deviation"),
        num("range"),
        num("p, disputed"),
        num("p, deviation"),
        num("Cohen's d"),
    )
    rows = tuple(row for what, each in found for row in _rows(what, each))
    title = f"Disputes by outcome, {primary.replace('_', ' ')}: tests compare successes with failures"
    return Table(title, head, rows)


def _rows(what: str, found: Conditional) -> list[tuple[str, ...]]:
    tests = (p_value(found.disputed.p), p_value(found.deviation.p), number(found.deviation.effect))
    return [
        (what, "success", *_numbers(found.successes, found.left_out), *tests),
        (what, "failure", *_numbers(found.failures, found.left_out), NONE, NONE, NONE),
    ]


def _numbers(group: Group, left_out: int) -> tuple[str, ...]:
    return (
        count(group.n),
        count(left_out),
        with_interval(group.disputed),
        number(group.deviation),
        number(group.spread),
    )


def _graders(episodes: Sequence[Graded], names: Sequence[str], primary: str) -> Conditional:
    raters = [RULES, *names]
    return conditional(
        [episode.won(RULES) for episode in episodes],
        [[episode.won(rater) for rater in raters] for episode in episodes],
        [[episode.score(rater, primary) for rater in raters] for episode in episodes],
    )


def _votes(episodes: Sequence[Graded], name: str) -> int:
    return max((len(episode.by[name].votes) for episode in episodes if name in episode.by), default=0)


def _repeats(episodes: Sequence[Graded], name: str, most: int, primary: str) -> Conditional:
    asked = [episode for episode in episodes if name in episode.by]
    votes = [filled(episode.by[name].votes, most) for episode in asked]
    return conditional(
        [episode.won(RULES) for episode in asked],
        [verdicts_of(vote.get(SUCCESS) for vote in each) for each in votes],
        [[vote.get(primary) for vote in each] for each in votes],
    )
