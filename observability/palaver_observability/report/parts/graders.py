"""Whether graders can be trusted: the rules against each, and its votes against each other.

The measures are those of The Collaboration Gap, appendix D.
"""

from collections.abc import Iterable, Sequence

from palaver_observability.statistics import (
    Comparison,
    Interval,
    correlations,
    difference,
    exact_agreement,
    fleiss_kappa,
    icc,
    mcnemar,
    paired_test,
    wilson,
)

from ..charts.dots import Dot, DotRow, dot_plot
from ..document import Block, Chart, Figure, Headline, Note, Section, Table, num, words
from ..numbers import NONE, ci, count, number, p_value, with_interval
from ..readings import RULES, Graded, filled, graded, verdicts_of
from ..samples import SUCCESS
from ..study import Study
from .disputes import disputes

__all__ = ["graders"]

ABOUT = "Every grader reads the same dialogues. What one could not read is counted apart."
METHODS = (
    "The game's own rules are the reference. Each measure counts the episodes that all graders concerned could read "
    "(n): ICC for the primary score, Fleiss' kappa for success, McNemar, a paired t-test or Wilcoxon's where normality "
    "is refused, Cohen's d; and whether graders dispute successes more than failures, with Fisher's exact test and "
    "Welch's t."
)
JUDGES = (
    "Judges name what went wrong and rate no outcome, so that there is nothing to compare with the rules. How far they "
    "can be trusted is told by examples with known errors: palaver calibrate."
)


def graders(study: Study) -> Section | None:
    """Compare the gradings of all episodes that a grading model has seen."""
    blocks: list[Block] = []
    headlines: list[Headline] = []
    about = ABOUT
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        primary = study.primary(game)
        records = [record for cell in study.cells if cell.config.game == game for record in cell.played]
        episodes = [found for record in records if (found := graded(record))]
        names = list(dict.fromkeys(name for episode in episodes for name in episode.by if name != RULES))
        if not names:
            continue
        blocks += _ungraded(episodes, names)
        said = {name: _said(episodes, name) for name in names}
        if unread := [name for name in names if not said[name]]:
            who = ", ".join(unread)
            blocks.append(Note(f"Nothing that {who} said could be read, so that there is nothing to compare."))
        names = [name for name in names if said[name] & {primary, SUCCESS}]
        if any(said[name] and name not in names for name in said):
            blocks.append(Note(JUDGES))
        if not names:
            continue
        about = f"{ABOUT} {METHODS}"
        tests = {name: _against_rules(episodes, name, primary) for name in names}
        blocks += [_figure(tests, primary), disputes(episodes, names, primary)]
        blocks += [_votes(episodes, names, primary), _all(episodes, names, primary)]
        blocks += [_against_rules_by_agents(episodes, names, primary), _by_agents(episodes, names, primary)]
        headlines += _headline(tests)
    if not blocks:
        return None
    return Section("graders", "Grader reliability", about, tuple(blocks), tuple(headlines[:1]))


def _said(episodes: Iterable[Graded], name: str) -> set[str]:
    """Name the scores that a grader has given; a judge of errors does not say how episodes ended."""
    return {score for episode in episodes if name in episode.by for score in episode.by[name].scores}


def _ungraded(episodes: Sequence[Graded], names: Iterable[str]) -> list[Block]:
    rows = []
    for name in names:
        seen = [episode.by[name] for episode in episodes if name in episode.by]
        without = [grading for grading in seen if not grading.scores]
        reasons = dict.fromkeys(grading.reason for grading in without if grading.reason)
        votes = sum(len(grading.votes) for grading in seen)
        lost = sum(grading.ungraded for grading in seen)
        rows.append((name, count(len(seen)), count(len(without)), count(votes), count(lost), next(iter(reasons), NONE)))
    head = (
        words("grader"),
        num("episodes"),
        num("of them ungraded"),
        num("usable votes"),
        num("votes ungraded"),
        words("first reason"),
    )
    return [Table("What each grader could read", head, tuple(rows))]


def _against_rules(episodes: Sequence[Graded], name: str, primary: str) -> list[tuple[str, Interval | Comparison]]:
    """Compare one grader with the rules, over the episodes that both could read."""
    both = [episode for episode in episodes if name in episode.by and RULES in episode.by]
    scores = [(episode.score(RULES, primary), episode.score(name, primary)) for episode in both]
    reference = verdicts_of(episode.score(RULES, SUCCESS) for episode in both)
    verdicts = verdicts_of(episode.score(name, SUCCESS) for episode in both)
    pairs = [(a, b) for a, b in zip(reference, verdicts, strict=True) if a is not None and b is not None]
    graded = list(zip(reference, verdicts, strict=True))
    return [
        ("agreement on success", wilson(sum(a == b for a, b in pairs), len(pairs))),
        (f"ICC, {primary}", icc(scores)),
        ("Fleiss' kappa, success", fleiss_kappa(graded)),
        ("McNemar, success", mcnemar(verdicts, reference)),
        (f"paired test, {primary}", paired_test([b for _, b in scores], [a for a, _ in scores])),
    ]


def _figure(tests: dict[str, list[tuple[str, Interval | Comparison]]], primary: str) -> Figure:
    rows, drawn = [], []
    for name, found in tests.items():
        dots = []
        for at, (what, each) in enumerate(found):
            if isinstance(each, Interval):
                rows.append((name, what, count(each.n), with_interval(each), NONE, NONE, each.method))
                if each.estimate is not None:
                    dots.append(Dot(at, each.estimate, each.ci_low, each.ci_high, each.n))
            else:
                difference = with_interval(each, sign=True) if each.estimate is not None else NONE
                rows.append((name, what, count(each.n), difference, p_value(each.p), number(each.effect), each.method))
        drawn.append(DotRow(name, tuple(dots)))
    series = ("agreement on success", f"ICC, {primary.replace('_', ' ')}", "Fleiss' kappa")
    svg = dot_plot("Agreement of each grader with the rules", "agreement", drawn, series, include=(0.0, 1.0))
    head = (
        words("grader"),
        words("measure, grader against rules"),
        num("n"),
        num("value or difference [95 % CI]"),
        num("p"),
        num("effect"),
        words("method"),
    )
    caption = (
        "Each grader against the rules, n episodes at each mark: share of equal verdicts with Wilson's interval, ICC "
        "of the primary score, Fleiss' kappa of success. The table adds the tests; differences are grader minus rules."
    )
    return Figure(
        (Chart("Each grader against the rules", svg),), caption, Table("Graders against the rules", head, tuple(rows))
    )


def _votes(episodes: Sequence[Graded], names: Iterable[str], primary: str) -> Block:
    """Compare the votes of one grader with each other."""
    rows = []
    for name in names:
        votes = [episode.by[name].votes for episode in episodes if name in episode.by]
        most = max(map(len, votes), default=0)
        if most < 2:
            continue
        scores = [[vote.get(primary) for vote in filled(each, most)] for each in votes]
        verdicts = [verdicts_of(vote.get(SUCCESS) for vote in filled(each, most)) for each in votes]
        for what, found in (
            ("Fleiss' kappa, success", fleiss_kappa(verdicts)),
            (f"ICC, {primary}", icc(scores)),
            ("exact agreement, success", exact_agreement(verdicts)),
        ):
            rows.append((name, what, count(found.n), with_interval(found), found.method))
        for pair in correlations(scores):
            which = f"correlation of votes {pair.first + 1} and {pair.second + 1}, {primary}"
            rows.append((name, which, count(pair.n), f"{number(pair.r)} (p {p_value(pair.p)})", pair.method))
    if not rows:
        return Note("No grader was asked more than once, so its votes cannot be compared with each other.")
    head = (
        words("grader"),
        words("measure, votes among themselves"),
        num("n"),
        num("value [95 % CI]"),
        words("method"),
    )
    return Table("Votes of each grader among themselves", head, tuple(rows))


def _all(episodes: Sequence[Graded], names: Sequence[str], primary: str) -> Block:
    """Compare all graders, the rules among them."""
    raters = [RULES, *names]
    scores = [[episode.score(rater, primary) for rater in raters] for episode in episodes]
    verdicts = [verdicts_of(episode.score(rater, SUCCESS) for rater in raters) for episode in episodes]
    rows = [
        (f"{what}, {len(raters)} raters", count(found.n), with_interval(found), NONE, found.method)
        for what, found in ((f"ICC, {primary}", icc(scores)), ("Fleiss' kappa, success", fleiss_kappa(verdicts)))
    ]
    rows += [
        (
            f"{raters[pair.first]} with {raters[pair.second]}",
            count(pair.n),
            number(pair.r),
            p_value(pair.p),
            pair.method,
        )
        for pair in correlations(scores)
    ]
    head = (
        words("all graders, and pairwise correlations"),
        num("n"),
        num("value [95 % CI]"),
        num("p"),
        words("method"),
    )
    return Table(f"All graders together, {primary.replace('_', ' ')}", head, tuple(rows))


def _against_rules_by_agents(episodes: Sequence[Graded], names: Sequence[str], primary: str) -> Block:
    """Tell whether a grader is harder or softer on some agents than the rules are (Tables 4c to 7c).

    Without tests: there would be as many as rows.
    """
    rows = []
    for agents in dict.fromkeys(episode.agents for episode in episodes):
        some = [episode for episode in episodes if episode.agents == agents]
        rows += [(agents, name, *_briefly(some, name, primary)) for name in names]
    head = (
        words("agents"),
        words("grader"),
        num("n"),
        num("agreement [95 % CI]"),
        num("ICC [95 % CI]"),
        num("kappa [95 % CI]"),
        num("grader minus rules [95 % CI]"),
    )
    title = f"Each grader against the rules, for each set of agents, {primary.replace('_', ' ')}"
    return Table(title, head, tuple(rows), folded=True)


def _briefly(episodes: Sequence[Graded], name: str, primary: str) -> tuple[str, ...]:
    scores = [(episode.score(RULES, primary), episode.score(name, primary)) for episode in episodes]
    verdicts = [(episode.won(RULES), episode.won(name)) for episode in episodes]
    agreement = exact_agreement(verdicts)
    shift = difference([its for _, its in scores], [ours for ours, _ in scores], paired=True)
    return (
        count(agreement.n),
        *map(with_interval, (agreement, icc(scores), fleiss_kappa(verdicts))),
        with_interval(shift, sign=True),
    )


def _by_agents(episodes: Sequence[Graded], names: Sequence[str], primary: str) -> Block:
    """Tell whether graders favour some agents."""
    rows = []
    for agents in dict.fromkeys(episode.agents for episode in episodes):
        some = [episode for episode in episodes if episode.agents == agents]
        raters = [RULES, *names]
        kappa = fleiss_kappa([verdicts_of(episode.score(rater, SUCCESS) for rater in raters) for episode in some])
        within = icc([[episode.score(rater, primary) for rater in raters] for episode in some])
        rows.append((agents, count(within.n), with_interval(within), with_interval(kappa)))
    head = (words("agents"), num("n"), num("ICC [95 % CI]"), num("kappa [95 % CI]"))
    return Table("Agreement of all graders, for each set of agents", head, tuple(rows), folded=True)


def _headline(tests: dict[str, list[tuple[str, Interval | Comparison]]]) -> list[Headline]:
    for name, found in tests.items():
        what, agreement = found[0]
        if isinstance(agreement, Interval) and agreement.estimate is not None:
            detail = f"{ci(agreement.ci_low, agreement.ci_high)}, n {count(agreement.n)}; Wilson"
            return [Headline(number(agreement.estimate), f"{what}: {name} and the rules", detail)]
    return []
