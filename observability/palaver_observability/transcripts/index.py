"""The page that lists the transcripts of a run, or of several. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .page import document, shown_number
from .setting import text

__all__ = ["Entry", "Listed", "index_page"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A transcript: where it lies, and what to say of it. ``score`` is None where it is not defined."""

    href: str
    episode: str
    variant: str
    outcome: str
    score: float | None
    turns: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A run: what it is called, who played, and its transcripts. ``main`` is the measure that its game leads with."""

    name: str
    game: str
    agents: tuple[str, ...]
    main: str
    entries: tuple[Entry, ...]


def index_page(title: str, runs: Sequence[Listed]) -> str:
    """Set the list."""
    episodes = sum(len(run.entries) for run in runs)
    body = [f'<header><p class="kicker">transcripts</p><h1>{text(title)}</h1>']
    body += [f"<p>{episodes:,} episodes</p></header>", "<main>", *(_run(run) for run in runs), "</main>"]
    return document(f"{title} · transcripts", "\n".join(body))


def _run(run: Listed) -> str:
    heads = ("episode", "variant", "outcome", run.main, "turns")
    columns = "".join(f'<th scope="col"{_kind(at)}>{text(head)}</th>' for at, head in enumerate(heads))
    rows = "\n".join(_row(entry) for entry in run.entries)
    who = ", ".join(dict.fromkeys(run.agents))
    return (
        f'<section>\n<h2>{text(run.name)}</h2>\n<p class="who">{text(run.game)}: {text(who)}</p>\n<div class="scroll">'
        f"<table><thead><tr>{columns}</tr></thead><tbody>\n{rows}\n</tbody></table></div>\n</section>"
    )


def _row(entry: Entry) -> str:
    link = f'<a href="{escape(entry.href)}">{text(entry.episode)}</a>'
    score = shown_number(entry.score)
    return (
        f'<tr><th scope="row">{link}</th><td class="variant">{text(entry.variant)}</td>'
        f'<td class="outcome {text(entry.outcome)}">{text(entry.outcome)}</td>'
        f'<td class="num">{score}</td><td class="num">{entry.turns}</td></tr>'
    )


def _kind(column: int) -> str:
    kinds = ("", "variant", "", "num", "num")
    return f' class="{kinds[column]}"' if kinds[column] else ""
