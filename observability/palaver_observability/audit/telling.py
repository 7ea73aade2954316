"""What an audit says to people: a line a run, what was looked at, and what was found."""

from collections import Counter
from collections.abc import Iterator, Sequence

from palaver_protocols.errors import one_line

from ..writing import counted
from .findings import LAYERS, Layer, RunAudit

__all__ = ["tell"]

SHOWN = 40
"""Findings that are told in full; all of them are in the JSON."""
FEW = 3
"""Records of a run that are named if they show too little."""
LONGEST = 400
"""Characters of a line."""


def tell(audits: Sequence[RunAudit]) -> Iterator[str]:
    """Yield the lines of a report, without control characters.

    Args:
        audits: one or several runs.
    """
    yield from _table(audits)
    yield ""
    for layer in LAYERS:
        looked_at = sum((audit.checked[layer] for audit in audits), Counter[str]())
        yield f"{layer:<11} {_looked_at(layer, looked_at)}"
    unread = sum(len(audit.unread) for audit in audits)
    if unread:
        yield ""
    for audit in audits:
        for each in audit.unread[:FEW]:
            yield one_line(f"NOT PROVEN {' '.join(filter(None, (audit.run, each.episode)))}: {each.why}", LONGEST)
        if len(audit.unread) > FEW:
            yield f"and {len(audit.unread) - FEW:,} more of {one_line(audit.run)} (--json has them all)"
    found = [(audit.run, finding) for audit in audits for finding in audit.findings]
    if found:
        yield ""
    for run, finding in found[:SHOWN]:
        where = f"{run} {finding.episode}, turn {finding.turn}, {finding.seat}"
        yield one_line(f"LEAK {finding.layer}: {where}: {finding.what}", LONGEST)
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN:,} more (--json has them all)"
    yield ""
    yield _verdict(len(found), unread)


def _table(audits: Sequence[RunAudit]) -> Iterator[str]:
    rows = [("run", "game", "episodes", "questions", *LAYERS)]
    for audit in audits:
        questions = audit.checked["addressing"]["questions"]
        counts = (str(audit.count(layer) or "-") for layer in LAYERS)
        rows.append((one_line(audit.run), audit.game, f"{audit.episodes:,}", f"{questions:,}", *counts))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        names = (f"{cell:<{width}}" for cell, width in zip(row[:2], widths[:2], strict=True))
        numbers = (f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))
        yield "  ".join((*names, *numbers))


def _looked_at(layer: Layer, counts: Counter[str]) -> str:
    match layer:
        case "addressing":
            proofs = [f"{counts['proven']:,} proven by their keys"]
            proofs += [f"{counts['frozen']:,} frozen: proven where they were asked"] * bool(counts["frozen"])
            proofs += [f"{counts['open']:,} not answered yet"] * bool(counts["open"])
            proofs += [f"{counts['differs']:,} not as recorded"] * bool(counts["differs"])
            return f"{counts['messages']:,} messages in {counted(counts['questions'], 'question')}: {', '.join(proofs)}"
        case "content":
            common = f"{counts['common']:,} comparisons left out: told to both, or said aloud"
            return f"{counted(counts['passages'], 'passage')}, {counted(counts['pictures'], 'picture')}; {common}"
        case "secrets":
            if not counts["secrets"]:
                return "none: the game declares none"
            return f"{counts['secrets']:,} declared, in {counted(counts['searched'], 'message')} of the game"
    return f"{counted(counts['pictures'], 'picture')} hashed again, {counted(counts['asides'], 'aside')}"


def _verdict(found: int, unread: int) -> str:
    if found:
        return f"{counted(found, 'leak')} found"
    if unread:
        return f"no leak found; but {counted(unread, 'record')} cannot show what was sent, or not all of it"
    return "no seat was sent what only another may see"
