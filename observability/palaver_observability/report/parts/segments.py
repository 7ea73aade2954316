"""What was reached by whom: the score at each change of agents, and what each stretch added."""

from palaver_observability.statistics import mean_ci
from palaver_protocols.runs import EpisodeRecord

from ..document import Section, Table, num, words
from ..numbers import NONE, count, number, with_interval
from ..study import Cell, Study

__all__ = ["segments"]


def segments(study: Study) -> Section | None:
    """Tabulate the stretches between handoffs of every run that has some."""
    rows = [row for cell in study.cells for row in _rows(cell, study.primary(cell.config.game))]
    if not rows:
        return None
    head = (
        words("run"),
        num("stretch"),
        words("who played"),
        num("n"),
        num("turns"),
        num("score at its end [95 % CI]"),
        num("gain [95 % CI]"),
    )
    about = (
        "Where agents changed in mid-episode: the primary score as it stood at the end of each stretch, by the game's "
        "own rules, and its gain over the end of the one before, in the same episode (mean ± 1.96 standard errors; n "
        "episodes). Frozen turns are a stretch like any other. The first stretch begins with nothing, so it has no "
        "gain."
    )
    return Section("segments", "Handoffs, stretch by stretch", about, (Table("Stretches", head, tuple(rows)),))


def _rows(cell: Cell, primary: str) -> list[tuple[str, ...]]:
    groups: dict[tuple[int, str], list[EpisodeRecord]] = {}
    for record in cell.played:
        for at, segment in enumerate(record.segments):
            who = ", ".join(f"{seat}: {agent}" for seat, agent in segment.agents.items())
            groups.setdefault((at, who), []).append(record)
    return [
        _row(cell, primary, at, who, records) for (at, who), records in sorted(groups.items(), key=lambda each: each[0])
    ]


def _row(cell: Cell, primary: str, at: int, who: str, records: list[EpisodeRecord]) -> tuple[str, ...]:
    stretches = [record.segments[at] for record in records]
    ends = [stretch.scores.get(primary) for stretch in stretches]
    before = [record.segments[at - 1].scores.get(primary) for record in records] if at else []
    gains = [end - start for end, start in zip(ends, before, strict=False) if end is not None and start is not None]
    turns = sum(stretch.until_turn - stretch.from_turn for stretch in stretches) / len(stretches)
    return (
        cell.id,
        str(at + 1),
        who,
        count(len(records)),
        number(turns, 1),
        with_interval(mean_ci(ends)),
        with_interval(mean_ci(gains), sign=True) if gains else NONE,
    )
