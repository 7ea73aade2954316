"""An episode as a dialogue that a person can follow."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich.console import Console
from rich.rule import Rule
from rich.text import Text as Line

from palaver_protocols.content import Image, Text
from palaver_protocols.messages import Aside, EpisodeEnded, EpisodeStarted, LogEntry, SeatChanged, TurnTaken
from palaver_protocols.seating import relay_of

__all__ = ["print_dialogue"]

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")

FIRST, LAST = 12, 6
"""Lines of a long message that a brief view shows: how it begins (a 6x6 map is whole), and what it comes to."""

VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"},
    0x7F: "\u2421",
    **dict.fromkeys((*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}
"""Control characters as pictures: what a model says must not steer the reader's terminal.

The second row of them (0x9B begins a command as ESC [ does), and those that turn the direction of text round so that it
reads otherwise than it is, have no pictures.
"""

HEADING = VISIBLE | {ord("\n"): chr(0x240A), ord("\t"): " ", 0x2028: " ", 0x2029: " "}
"""In headings, ends of lines as well: what an agent has said of its failure stays on the line where it is told."""
BAR, PLAIN_BAR = "│ ", "| "
"""What stands in front of every line that somebody has said, and of no other: so nobody can forge a turn of another's,
by writing its heading into his own words."""
NARROW = 20
"""The width of a text, in columns, below which no terminal makes it break lines."""


ENDS = {
    "length": "cut off at the length limit",
    "refusal": "the model refused",
    "content_filter": "stopped by a content filter",
    "other": "ended for a reason of its provider's own",
}
"""What is said of an answer that did not end by itself."""


def print_dialogue(entries: Sequence[LogEntry], file: TextIO, *, brief: bool = False, why: str = "") -> None:
    """Print an episode's log: what the game said to each seat, what each seat answered, how it ended.

    What was said stands behind a bar, line by line, and nothing else does.

    Args:
        entries: the log.
        file: where to; colours go to a terminal only.
        brief: leave the game's own messages out, and show the first and last lines of what the seats say.
        why: what there is to say of how it ended beside outcome, error and scores: no log holds why an episode crashed.
    """
    console = Console(file=file, highlight=False, soft_wrap=True)
    colours: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, EpisodeStarted):
            colours = dict(zip(entry.seats, COLOURS * len(entry.seats), strict=False))
            console.print(_bold(_title(entry)))
            console.print(Rule(style="dim"))
        elif isinstance(entry, TurnTaken):
            _print_turn(console, entry, colours, brief)
        elif isinstance(entry, Aside):
            _print_aside(console, entry, colours, brief)
        elif isinstance(entry, SeatChanged):
            console.print(_bold(f"\n{entry.agent} takes over the seat {entry.seat}, by hand"))
        else:
            console.print(Rule(style="dim"))
            console.print(_bold(_ending(entry, why)))


def _title(started: EpisodeStarted) -> str:
    agents = ", ".join(f"{seat}: {relay_of(fillers)}" for seat, fillers in started.seats.items())
    return f"{started.episode_id}  {started.instance_id}  {agents}"


def _ending(ended: EpisodeEnded, why: str) -> str:
    scores = "  ".join(f"{name} {'-' if value is None else f'{value:g}'}" for name, value in ended.scores.items())
    return f"{ended.outcome}  {ended.error or scores or why}"


def _bold(text: str) -> Line:
    return Line(text.translate(HEADING), style="bold")


def _print_turn(console: Console, taken: TurnTaken, colours: dict[str, str], brief: bool) -> None:
    reply = taken.reply
    for prompt in () if brief else taken.prompts:
        _print_heading(console, f"[{prompt.speaker} to {reply.seat}]", "dim bold")
        _print_said(console, _text(prompt.parts), "dim")
    colour = colours.get(reply.seat, "")
    _print_heading(console, f"{reply.turn + 1}. {reply.seat} ({reply.agent})", f"bold {colour}")
    said = _text(reply.parts)
    _print_said(console, _shortened(said) if brief else said, "")
    if reply.finish_reason != "stop":
        console.print(Line(f"[{ENDS[reply.finish_reason]}]", style="bold yellow"))


def _print_aside(console: Console, aside: Aside, colours: dict[str, str], brief: bool) -> None:
    """Print what was said behind a seat, set in and marked with who heard it."""
    reply = aside.reply
    to = ", ".join(aside.audience) or "its successor"
    style = f"dim {colours.get(aside.seat, '')}"
    _print_heading(console, f"    behind {aside.seat}: {reply.seat} ({reply.agent}) to {to}", f"bold {style}")
    said = _text(reply.parts)
    _print_said(console, _shortened(said) if brief else said, style, indent="    ")


def _print_heading(console: Console, text: str, style: str) -> None:
    console.print()
    console.print(Line(text.translate(HEADING), style=style))


def _print_said(console: Console, text: str, style: str, *, indent: str = "") -> None:
    """Print what somebody has said, each line behind a bar; on a terminal, lines that it would break as well."""
    bar = indent + (PLAIN_BAR if console.options.ascii_only else BAR)
    for line in text.splitlines() or [""]:
        for piece in _broken(console, line, console.width - len(bar)):
            console.print(Line(f"{bar}{piece}".rstrip(), style=style))


def _broken(console: Console, line: str, width: int) -> Iterator[str]:
    """Break a line as a terminal would, which puts no bar in front of what follows."""
    if console.is_terminal and width >= NARROW:
        yield from (piece.plain for piece in Line(line).wrap(console, width, overflow="fold"))
    else:
        yield line


def _shortened(text: str) -> str:
    lines = text.strip().splitlines()
    left_out = len(lines) - FIRST - LAST
    return "\n".join([*lines[:FIRST], f"[... {left_out} lines ...]", *lines[-LAST:]] if left_out > 1 else lines)


def _text(parts: Sequence[Text | Image]) -> str:
    shown = (p.text if isinstance(p, Text) else _picture(p) for p in parts)
    return "\n".join(shown).translate(VISIBLE)


def _picture(image: Image) -> str:
    """Name a picture, and say what it shows if it does."""
    named = f"[picture {image.sha256[:12]}, {image.width}x{image.height}]"
    return named if image.alt is None else f"{named}\n{image.alt}"
