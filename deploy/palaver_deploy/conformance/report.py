"""What a trial has come to, for people and for programs."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_observability.table import PLAIN_WIDTH

from .judging import NOT_TRIED, latencies, verdicts, why_not_for_it
from .points import PAGE, POINTS, Point, Verdict
from .seen import Seen

__all__ = ["Report", "as_dict", "print_report", "report_on"]

MARKS = {"met": ("✓", "green"), "missed": ("✗", "red"), "untried": ("\u2013", "dim")}
NOTED = ("\u2013", "yellow")
"""What was missed and did not have to be met."""
WIDE = 2 * PLAIN_WIDTH
"""Columns that have room for all of a line."""


@dataclass(frozen=True, slots=True)
class Report:
    """Verdicts on the points that were looked at. ``latency_s`` are seconds, in order; ``took_s`` is all of it.

    ``not_for_it`` says why this agent cannot be tried at all, if that is so.
    """

    agent: str
    verdicts: tuple[Verdict, ...]
    questions: int
    took_s: float
    latency_s: tuple[float, ...]
    not_for_it: str = ""

    @property
    def unmet(self) -> list[Verdict]:
        """The required points that are not met: missed, or not tried for the sake of one that was."""
        return [each for each in self.verdicts if POINTS[each.point].kind == "required" and each.mark != "met"]

    @property
    def passed(self) -> bool:
        """Whether every required point is met."""
        return not self.unmet


def report_on(agent: str, seen: Seen, points: Collection[str], *, questions: int, took_s: float) -> Report:
    """Sum up what was seen of an agent.

    Args:
        agent: who it is.
        seen: all that was seen.
        points: what to report on; none: everything. A required point that was missed is always among it.
        questions: how many it was asked.
        took_s: how long all of it took, in seconds.
    """
    found = [
        verdict
        for verdict in verdicts(seen)
        if not points
        or verdict.point in points
        or (verdict.mark == "missed" and POINTS[verdict.point].kind == "required")
    ]
    return Report(agent, tuple(found), questions, took_s, tuple(latencies(seen)), why_not_for_it(seen))


def as_dict(report: Report) -> dict[str, Any]:
    """Return all of it as JSON values."""
    took = report.latency_s
    return {
        "agent": report.agent,
        "passed": report.passed,
        "questions": report.questions,
        "took_s": round(report.took_s, 3),
        "latency_s": {"median": round(median(took), 3), "longest": round(took[-1], 3)} if took else None,
        "points": [
            {
                "point": verdict.point,
                "kind": POINTS[verdict.point].kind,
                "mark": verdict.mark,
                "expected": POINTS[verdict.point].expected,
                "came": verdict.came,
                "mend": verdict.mend or POINTS[verdict.point].mend if verdict.mark == "missed" else None,
                "section": POINTS[verdict.point].section,
            }
            for verdict in report.verdicts
        ],
    }


def print_report(report: Report, file: TextIO) -> None:
    """Print a line for each point, what to do about those that were missed, and a summary.

    Points that were not tried, for the same reason, share a line. A terminal that is narrower than :data:`WIDE` columns
    is spared what is expected.
    """
    console = Console(file=file, highlight=False)
    if not console.is_terminal:
        console.width = WIDE
    with console.capture() as captured:
        console.print(_table(report, wide=console.width >= WIDE))
        for why, number in Counter(each.came for each in report.verdicts if each.mark == "untried").items():
            if number > 1:
                said = f"{number} points were not tried: {why.removeprefix(NOT_TRIED)}"
                console.print(Text.assemble(MARKS["untried"], f"  {said}"))
        for verdict in report.verdicts:
            point = POINTS[verdict.point]
            mend = verdict.mend or point.mend
            if verdict.mark == "missed" and mend:
                console.print(Text(f"\n{point.name}: {point.expected}; {verdict.came}"))
                console.print(Text(f"  mend: {mend}\n  see {PAGE}, {point.section}"))
        console.print(Text(f"\n{_summary(report)}"))
    file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _table(report: Report, *, wide: bool) -> Table:
    rows = []
    untried = Counter(verdict.came for verdict in report.verdicts if verdict.mark == "untried")
    for verdict in report.verdicts:
        if untried[verdict.came] > 1:
            continue
        point = POINTS[verdict.point]
        mark, style = NOTED if verdict.mark == "missed" and point.kind == "informative" else MARKS[verdict.mark]
        name = verdict.point if point.kind == "required" else f"{verdict.point} ({_in_short(point)})"
        expected = [point.expected] if wide else []
        came = Text(verdict.came)
        if verdict.mark == "met":  # what is as it should be may be cut; a reason has as many lines as it needs
            came.no_wrap, came.overflow = True, "ellipsis"
        rows.append([Text(mark, style=style), *map(Text, (name, *expected)), came, Text(point.section)])
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("", "point", *(["expected"] if wide else []), "came", PAGE):
        # Where there is too little room, it is what came that has several lines.
        table.add_column(name, no_wrap=name != "came", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _in_short(point: Point) -> str:
    return {"recommended": "advice", "informative": "note"}[point.kind]


def _summary(report: Report) -> str:
    required = [each for each in report.verdicts if POINTS[each.point].kind == "required"]
    asked = f"{report.questions} question{'s' * (report.questions != 1)} in {report.took_s:.1f} s"
    if report.passed:
        return f"{report.agent} speaks the protocol: all {len(required)} required points are met ({asked})"
    if report.not_for_it:
        return f"{report.agent} cannot be tried: {report.not_for_it} ({asked})"
    missed = ", ".join(each.point for each in report.unmet if each.mark == "missed") or "nothing that was tried"
    untried = sum(each.mark == "untried" for each in report.unmet)
    rest = f"; required and not tried: {untried}" if untried else ""
    return f"{report.agent} does not speak the protocol yet: it misses {missed}{rest} ({asked})"
