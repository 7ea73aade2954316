"""How far a run has come, on a terminal or line by line in a log."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO, get_args

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from palaver_protocols.events import EpisodeClosed, EpisodeRecorded, Event, TurnAnswered, TurnRetried
from palaver_protocols.messages import Outcome

__all__ = ["Progress", "duration"]

REFRESH_HZ = 4
BAR_WIDTH = 40
STEPS = 10
"""Lines that a whole run writes where there is no terminal."""


class Progress:
    """A hook and a context manager that shows how far a run has come.

    An event costs a few additions; the terminal is drawn from these sums four times a second, by a thread of its own.
    Where ``stream`` is no terminal, a plain line is written each tenth of the way.

    Args:
        total: episodes of the whole run.
        done: outcomes of the episodes that earlier processes have played; the time left is judged without them.
        stream: where to; stderr, so that what a command prints on stdout can be piped.
        clock: seconds, from any origin.
    """

    def __init__(
        self,
        total: int,
        *,
        done: Mapping[Outcome, int] | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total = total
        self.outcomes: Counter[Outcome] = Counter(done or {})
        self.turns = self.tokens = self.retries = 0
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._before = self.episodes
        self._began = clock()
        self._live: Live | None = None
        self._note: str | None = None

    @property
    def episodes(self) -> int:
        """Number of episodes that have ended, those of earlier processes included."""
        return self.outcomes.total()

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at the pace of this process; None before its first episode has ended."""
        played = self.episodes - self._before
        if not played:
            return None
        return (self._clock() - self._began) / played * max(0, self.total - self.episodes)

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, TurnAnswered):
            usage = event.reply.usage
            self.turns += not event.aside
            self.tokens += usage.tokens
        elif isinstance(event, TurnRetried):
            self.retries += 1
        elif isinstance(event, EpisodeClosed):
            self._end(event.ended.outcome)
        elif isinstance(event, EpisodeRecorded):
            record = event.record
            self.turns += record.turns
            self.tokens += record.tokens
            self._end(record.outcome)

    def _end(self, outcome: Outcome) -> None:
        step = self._step()
        self.outcomes[outcome] += 1
        if self._live is None and self._step() > step:
            self._write_line()

    def say(self, note: str | None) -> None:
        """Show what the run waits for until told otherwise; None: it goes on."""
        if note == self._note:
            return
        self._note = note
        if note is not None and self._live is None:
            self._write(f"waiting: {note}")

    def __enter__(self) -> Self:
        self._began = self._clock()
        console = Console(file=self._stream, highlight=False)
        if console.is_terminal:
            self._live = Live(
                console=console,
                get_renderable=self._draw,
                refresh_per_second=REFRESH_HZ,
                redirect_stdout=False,  # it would send what is piped elsewhere to the terminal
            )
            self._live.start(refresh=True)
        elif self._before:
            self._write_line()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __str__(self) -> str:
        """Say it all in one line of ASCII."""
        outcomes = ", ".join(f"{self.outcomes[name]} {name}" for name in get_args(Outcome) if self.outcomes[name])
        parts = [
            f"{self.episodes}/{self.total} episodes" + (f" ({outcomes})" if outcomes else ""),
            f"{self.turns:,} turns",
            f"{self.tokens:,} tokens",
        ]
        if self.retries:
            parts.append(f"{self.retries:,} retries")
        if self.seconds_left is not None and self.episodes < self.total:
            parts.append(f"{duration(self.seconds_left)} left")
        return ", ".join(parts)

    def _step(self) -> int:
        return self.episodes * STEPS // max(1, self.total)

    def _write_line(self) -> None:
        self._write(str(self))

    def _write(self, line: str) -> None:
        with suppress(OSError, ValueError):  # a closed stderr ends no run
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def _draw(self) -> RenderableType:
        lines = Table.grid()
        lines.add_row(ProgressBar(total=max(1, self.total), completed=self.episodes, width=BAR_WIDTH))
        lines.add_row(Text(str(self)))
        if self._note is not None:
            lines.add_row(Text(f"waiting: {self._note}", style="yellow"))
        return lines


def duration(seconds: float) -> str:
    """Write a time: 45 s, 12 min, 3 h 05 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
