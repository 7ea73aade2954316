"""What goes wrong: error categories by a judge (COMMA, section 5.2 and figure 3), and repetition found by rule."""

from collections.abc import Sequence
from itertools import compress

from palaver_observability.statistics import Interval, wilson
from palaver_protocols.runs import EpisodeRecord

from ..charts.dots import Dot, DotRow, dot_plot
from ..charts.stacks import Stack, stacks
from ..document import Block, Chart, Figure, Note, Section, Table, num, words
from ..lineups import Lineup
from ..numbers import count, number, with_interval
from ..paper import Paper
from ..study import Study

__all__ = ["errors"]

JUDGED = "error_"
"""How the scores of a judge begin: 1 where the error is in the dialogue."""
REPETITIONS = "repetitions"
"""The score that counts, by rule, mistakes that were made in the same state before."""


def errors(study: Study) -> Section | None:
    """Draw the errors of each line-up: the kinds that a judge found, and the episodes in which rules found loops."""
    blocks: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        found = Paper.of(study, game).lineups(study, game)
        if seen := [lineup for lineup in found if _kinds([lineup])]:
            blocks.append(_judged(seen, game))
        if looping := [lineup for lineup in found if _share(lineup.records, REPETITIONS).n]:
            blocks.append(_loops(looping, game))
    if not blocks:
        return None
    about = "Why episodes go wrong: kinds of error as a judge named them, and loops that the rules found by themselves."
    return Section("errors", "Errors", about, tuple(blocks))


def _kinds(found: Sequence[Lineup]) -> list[str]:
    names = dict.fromkeys(name for lineup in found for record in lineup.records for name in record.scores)
    return [name for name in names if name.startswith(JUDGED)]


def _share(records: Sequence[EpisodeRecord], score: str) -> Interval:
    """Return the share of episodes in which there is any."""
    known = [value for record in records if (value := record.scores.get(score)) is not None]
    return wilson(sum(value > 0 for value in known), len(known))


def _by_judgement(lineup: Lineup, kinds: Sequence[str]) -> tuple[list[EpisodeRecord], list[EpisodeRecord]]:
    """Return the episodes of which a judge has said everything, and those that it has seen without being understood."""
    seen = [record for record in lineup.records if any(name in record.scores for name in kinds)]
    whole = [all(record.scores.get(name) is not None for name in kinds) for record in seen]
    return list(compress(seen, whole)), [record for record, told in zip(seen, whole, strict=True) if not told]


def _judged(found: Sequence[Lineup], game: str) -> Figure | Note:
    kinds = _kinds(found)
    series = [name.removeprefix(JUDGED).replace("_", " ") for name in kinds]
    drawn, rows = [], []
    unread = 0
    for lineup in found:
        judged, ungraded = _by_judgement(lineup, kinds)
        unread += len(ungraded)
        n = len(judged)
        shares = [_share(judged, name) for name in kinds]
        clean = sum(not any(record.scores[name] for name in kinds) for record in judged)
        total = sum(each.estimate or 0.0 for each in shares)
        parts = tuple((each.estimate or 0.0) / total if total else 0.0 for each in shares)
        if judged:
            drawn.append(Stack(lineup.name, parts, f"{count(n - clean)} of {count(n)}"))
        rows.append((lineup.name, count(n), count(len(ungraded)), count(clean), *map(with_interval, shares)))
    if not drawn:
        return Note(f"{game}: none of {count(unread)} judgements could be read, so that no kinds of error are shown.")
    title = "Kinds of error, by the judge"
    caption = (
        f"{title}, {game}: each bar is all errors found in the dialogues of a line-up, divided by kind (a dialogue can "
        "hold several). Beside it, in how many of the judged episodes there were any. The table gives the share of the "
        "judged episodes with each kind, with Wilson's 95 % interval."
    )
    if unread:
        caption += f" {count(unread)} whose judgement could not be read are left out (ungraded in the table)."
    head = (
        words("line-up"),
        num("n"),
        num("ungraded"),
        num("without error"),
        *(num(f"{each} [95 % CI]") for each in series),
    )
    table = Table(f"{title}, in numbers", head, tuple(rows), folded=True)
    return Figure((Chart(title, stacks(title, series, drawn)),), caption, table)


def _loops(found: Sequence[Lineup], game: str) -> Figure:
    title = "Repetition loops, by rule"
    rows, table = [], []
    for lineup in found:
        share, times = _share(lineup.records, REPETITIONS), lineup.overall(REPETITIONS)
        if share.estimate is not None:
            rows.append(DotRow(lineup.name, (Dot(0, share.estimate, share.ci_low, share.ci_high, share.n),)))
        table.append((lineup.name, count(share.n), with_interval(share), number(times.mean)))
    svg = dot_plot(title, "share of episodes", rows, include=(0.0, 1.0))
    caption = (
        f"{title}, {game}: share of episodes in which a mistake is made again in a state in which it was made before; "
        "Wilson's 95 % interval, n beside each mark."
    )
    head = (words("line-up"), num("n"), num("with a loop [Wilson 95 % CI]"), num("repeated mistakes an episode"))
    return Figure((Chart(title, svg),), caption, Table(f"{title}, in numbers", head, tuple(table), folded=True))
