"""Teams: seats that a lead fills after it has asked its members."""

from palaver_observability.statistics import mean_ci
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from ..document import Section, Table, num, words
from ..numbers import NONE, count, number, with_interval
from ..samples import success_of
from ..study import Cell, Study

__all__ = ["teams"]


def teams(study: Study) -> Section | None:
    """Tabulate the runs in which something was said behind a seat."""
    rows = [
        _row(cell, records, study.primary(cell.config.game)) for cell in study.cells for records in _with_asides(cell)
    ]
    if not rows:
        return None
    head = (
        words("run"),
        words("agents, in seat order"),
        num("n"),
        num("primary score [95 % CI]"),
        num("success [Wilson 95 % CI]"),
        num("asides a turn"),
        num("tokens an episode"),
    )
    about = (
        "A lead consults its members privately and alone speaks for its seat. Asides are what was said behind seats: "
        "questions, answers, and summaries for who comes next. n counts episodes; scores as in the results."
    )
    return Section("teams", "Teams and summaries", about, (Table("What was said behind seats", head, tuple(rows)),))


def _with_asides(cell: Cell) -> list[list[EpisodeRecord]]:
    """Return the episodes of each set of agents that had something to say behind a seat, in whichever of them."""
    groups: dict[tuple[str, ...], list[EpisodeRecord]] = {}
    for record in cell.played:
        groups.setdefault(tuple(map(relay_of, record.seats.values())), []).append(record)
    return [
        records for agents, records in groups.items() if any("team(" in name for name in agents) or _asides(records)
    ]


def _asides(records: list[EpisodeRecord]) -> int:
    return sum(record.asides for record in records)


def _row(cell: Cell, records: list[EpisodeRecord], primary: str) -> tuple[str, ...]:
    agents = dict.fromkeys(", ".join(relay_of(fillers) for fillers in record.seats.values()) for record in records)
    turns = sum(record.turns for record in records)
    tokens = [record.tokens / len(records) for record in records]
    solved = success_of(records)
    return (
        cell.id,
        "; ".join(agents),
        count(len(records)),
        with_interval(mean_ci([record.scores.get(primary) for record in records])),
        with_interval(solved) if solved else NONE,
        number(_asides(records) / turns) if turns else NONE,
        count(sum(tokens)),
    )
