"""One page for an episode: columns side by side, or below each other where there is no room. Pure functions.

What models say is shown as it is: escaped, with control characters as signs.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from palaver_gamemasters.minutes import GM
from palaver_protocols.content import Image

from .boards import Board, Boards, View, board_cell, view_section
from .setting import text
from .story import Column, Line, Round, Shown, Story

__all__ = ["Pictures", "document", "episode_page", "shown_number"]

Pictures = Mapping[str, bytes | str]
"""By SHA-256, their bytes, which are put into the page, or where they lie. One that is missing is said to be."""

OUTCOMES = {
    "solved": "solved",
    "failed": "played, and not solved",
    "aborted": "aborted: an answer broke the rules, or there were too many of them",
    "crashed": "crashed: the original programs raise here",
    "error": "ended by an error",
    "budget": "stopped: the budget was spent",
}


def shown_number(value: float | None) -> str:
    """Write a measure."""
    return "undefined" if value is None else f"{value:.6g}"


POLICY = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"
"""No page of ours has a script: none that somebody smuggles in is to run either."""


@cache
def _style() -> str:
    return files(__package__).joinpath("page.css").read_text("utf-8")


def document(title: str, body: str) -> str:
    """Return a whole page, its style included."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{text(title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def episode_page(
    story: Story,
    pictures: Pictures,
    main: str | None = None,
    around: Mapping[str, str] | None = None,
    why: str = "",
    *,
    boards: Boards | None = None,
    views: Sequence[View] = (),
) -> str:
    """Set an episode.

    Args:
        story: the episode.
        pictures: the bytes of those that it shows.
        main: the measure that its game leads with; None if nobody knows.
        around: pages to go to, by what they are called.
        why: what there is to say of its end that its log does not hold.
        boards: how the game stood after so many turns, beside the dialogue; only where it had changed.
        views: what seats were shown, folded away below it.
    """
    started = story.started
    body = [
        '<a class="skip" href="#dialogue">To the dialogue</a>',
        "<header>",
        _links(around or {}),
        f'<p class="kicker">{text(started.game)} · {text(started.variant)}</p>',
        f"<h1>{text(started.episode_id)}</h1>",
        _outcome(story, main, why),
        _facts(story),
        "</header>",
        f'<main id="dialogue"{" class=boarded" if boards else ""} style="--columns: {len(story.columns)}">',
        _heads(story.columns, boarded=bool(boards)),
        *_rounds(story, pictures, boards or {}),
        "</main>",
        view_section(views, lambda image: _picture(Shown("", image), pictures)),
        _measures(story, main),
    ]
    return document(f"{started.episode_id} · {started.game}", "\n".join(filter(None, body)))


def _links(around: Mapping[str, str]) -> str:
    if not around:
        return ""
    links = (f'<a href="{escape(href)}">{text(name)}</a>' for name, href in around.items())
    return f'<nav aria-label="Episodes">{" ".join(links)}</nav>'


def _outcome(story: Story, main: str | None, why: str) -> str:
    ended = story.ended
    if ended is None:
        return '<p class="outcome"><strong>not ended yet</strong></p>'
    said = OUTCOMES.get(ended.outcome, ended.outcome)
    score = ended.scores.get(main or "")
    if main is not None and main in ended.scores:
        said += f"; {main} {shown_number(score)}"
    more = "".join(f"<br>{text(each)}" for each in (ended.error, why) if each)
    return f'<p class="outcome {ended.outcome}"><strong>{text(said)}</strong>{more}</p>'


def _facts(story: Story) -> str:
    started = story.started
    facts = {"instance": started.instance_id, "run": started.run_id, "turns": story.turns}
    facts["began"] = f"{started.at:%Y-%m-%d %H:%M:%S} UTC" if started.at.year > 1970 else "nobody knows when"
    rows = (f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in facts.items())
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _heads(columns: Iterable[Column], *, boarded: bool) -> str:
    heads = (
        f'<div class="{_colour(at, each.name)}"><b>{text(_called(each.name))}</b> <span>{text(each.who)}</span></div>'
        for at, each in enumerate(columns)
    )
    more = '<div class="b"><b>Board</b> <span>how the game stood then</span></div>' if boarded else ""
    return f'<div class="heads">{"".join(heads)}{more}</div>'


def _rounds(story: Story, pictures: Pictures, boards: Boards) -> Iterable[str]:
    """Set the rounds; what the board is at the beginning of one was drawn in an earlier one, but for the first."""
    board = boards.get(0, ())
    fresh = True
    for round_ in story.rounds:
        placed = {0: board} | {
            row: boards[line.turns]
            for row, line in enumerate(round_.lines, 1)
            if line.turns is not None and line.turns in boards
        }
        yield _round(round_, pictures, placed if boards else {}, len(story.columns) + 1, fresh=fresh)
        board, fresh = placed[max(placed)], False


def _round(
    round_: Round, pictures: Pictures, boards: Mapping[int, Sequence[Board]], column: int, *, fresh: bool
) -> str:
    title = text(round_.title) if round_.title else "Dialogue"
    hidden = "" if round_.title else ' class="hidden"'
    items = []
    last = len(round_.lines)
    for row in range(last + 1):
        if row:
            items.append(_line(round_.lines[row - 1], row, pictures))
        # it stands beside the answer that made it so, and those after it, until another one does
        first, until = max(row, 1), min((other for other in boards if other > row), default=last + 1) - 1
        if boards.get(row) and first <= until:
            items.append(board_cell(boards[row], first, until, column, again=not row and not fresh))
    lines = "\n".join(items)
    return f'<section>\n<h2{hidden}>{title}</h2>\n<ol class="lines">\n{lines}\n</ol>\n</section>'


def _line(line: Line, row: int, pictures: Pictures) -> str:
    who = text(_called(line.sender))
    if line.kind == "noted":
        who = f'<span class="hidden">{who} notes:</span>'
    elif line.receiver:
        who = f'{who} <span aria-hidden="true">→</span><span class="hidden">to</span> {text(_called(line.receiver))}'
    if line.kind == "behind":
        who = f"behind the seat: {who}"
    label = f' <span class="label">{text(line.label)}</span>' if line.label else ""
    grid = " grid" if _has_grid(line.text) else ""
    said = f'<div class="text{grid}" dir="auto">{text(line.text)}</div>' if line.text else ""
    if not line.text and line.kind == "said":
        said = '<div class="text nothing">(nothing)</div>'
    shown = "".join(_picture(each, pictures) for each in line.pictures)
    remarks = "".join(f'<p class="remark">{text(remark)}</p>' for remark in line.remarks)
    classes = f"{line.kind} {_colour(line.column, line.sender)}"
    return (
        f'<li class="{classes}" style="grid-area: {row} / {line.column + 1}"><p class="who">{who}{label}</p>'
        f"{said}{shown}{remarks}</li>"
    )


def _has_grid(said: str) -> bool:
    """Whether lines are drawn with signs, so that only letters of one width keep their places."""
    widths = [len(line) for line in said.splitlines()]
    return any(a == b == c > 2 for a, b, c in zip(widths, widths[1:], widths[2:], strict=False))


def _colour(column: int, name: str) -> str:
    return "gm" if name == GM else f"p{column % 6}"


def _called(name: str) -> str:
    return "Game master" if name == GM else name


def _picture(shown: Shown, pictures: Pictures) -> str:
    caption = f"<figcaption>{text(shown.name)}</figcaption>" if shown.name else ""
    image = shown.image
    if image is None:
        told = f"<p>told in words:</p><pre>{text(shown.words)}</pre>" if shown.words else "<p>a picture</p>"
        return f'<figure class="absent">{told}{caption}</figure>'
    data = pictures.get(image.sha256)
    if data is None:
        return f'<figure class="absent"><p>the run folder has no picture {image.sha256[:12]}</p>{caption}</figure>'
    return f"<figure>{_img(image, data, shown.name)}{caption}</figure>"


def _img(image: Image, data: bytes | str, name: str) -> str:
    alt = image.alt or f"picture {name}".strip()
    size = f'width="{image.width}" height="{image.height}"'
    if isinstance(data, str):
        return f'<img src="{escape(data)}" {size} loading="lazy" alt="{text(alt)}">'
    encoded = base64.b64encode(data).decode()
    return f'<img src="data:{image.media_type};base64,{encoded}" {size} alt="{text(alt)}">'


def _measures(story: Story, main: str | None) -> str:
    scores = story.ended.scores if story.ended else {}
    if not scores:
        return ""
    names = sorted(scores, key=lambda name: name != main)
    rows = "\n".join(
        f'<tr><th scope="row">{text(name)}</th><td>{shown_number(scores[name])}</td></tr>' for name in names
    )
    return f"<footer>\n<h2>Measures</h2>\n<table><tbody>\n{rows}\n</tbody></table>\n</footer>"
