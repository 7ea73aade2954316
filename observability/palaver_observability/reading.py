"""An episode as a dialogue that a person can follow."""

from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.rule import Rule
from rich.text import Text as Line

from palaver_protocols.content import Image, Text
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, TurnTaken

__all__ = ["print_dialogue"]

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")


def print_dialogue(entries: Sequence[LogEntry], file: TextIO) -> None:
    """Print an episode's log: what the game said to each seat, what each seat answered, how it ended."""
    console = Console(file=file, highlight=False, soft_wrap=True)
    colours: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, EpisodeStarted):
            colours = dict(zip(entry.seats, COLOURS * len(entry.seats), strict=False))
            console.print(_title(entry))
        elif isinstance(entry, TurnTaken):
            _print_turn(console, entry, colours)
        else:
            console.print(_ending(entry))


def _title(started: EpisodeStarted) -> Rule:
    agents = ", ".join(f"{seat}: {' > '.join(f.agent for f in fillers)}" for seat, fillers in started.seats.items())
    return Rule(escape(f"{started.episode_id}  {started.instance_id}  {agents}"), style="bold")


def _print_turn(console: Console, taken: TurnTaken, colours: dict[str, str]) -> None:
    reply = taken.reply
    for prompt in taken.prompts:
        console.print(Line(f"\n[{prompt.speaker} to {reply.seat}]", style="dim bold"))
        console.print(Line(_text(prompt.parts), style="dim"))
    console.print(
        Line(f"\n{reply.turn + 1}. {reply.seat} ({reply.agent})", style=f"bold {colours.get(reply.seat, '')}")
    )
    console.print(Line(_text(reply.parts)))


def _ending(ended: EpisodeEnded) -> Rule:
    scores = "  ".join(f"{name} {'-' if value is None else f'{value:g}'}" for name, value in ended.scores.items())
    return Rule(escape(f"{ended.outcome}  {ended.error or scores}"), style="bold")


def _text(parts: Sequence[Text | Image]) -> str:
    shown = (p.text if isinstance(p, Text) else f"[picture {p.sha256[:12]}, {p.width}x{p.height}]" for p in parts)
    return "\n".join(shown)
