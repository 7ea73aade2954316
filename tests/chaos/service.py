"""A service of the fleet as a process that may be killed, and that somebody starts again."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["Service"]

STOP_S = 20.0


class Service:
    """``palaver WORDS``, started as often as need be. What it says on stderr is kept, one life after the other.

    Args:
        name: what to call it.
        words: its command line.
        environ: its whole environment.
        folder: where it works, and where its log lies.
    """

    def __init__(self, name: str, words: Sequence[str], *, environ: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self.deaths: list[int] = []
        """The exit codes of lives that ended though nobody had asked for it."""
        self._words = words
        self._environ = environ
        self._folder = folder
        self._process: Process | None = None
        self._condemned: Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def log_file(self) -> Path:
        """What it has said in all of its lives."""
        return self._folder / f"{self.name}.log"

    @property
    def log(self) -> list[dict[str, Any]]:
        """The events that it has logged. A line that a kill has torn is left out, and what is no event, too."""
        return [json.loads(line) for line in self.log_file.read_bytes().splitlines() if _is_whole(line)]

    @property
    def alive(self) -> bool:
        """Whether it runs, or has been paused."""
        return self._process is not None and self._process.returncode is None

    @property
    def died(self) -> bool:
        """Whether it has ended though nobody had asked for it, and has not been started again."""
        process = self._process
        return process is not None and process is not self._condemned and process.returncode is not None

    async def start(self) -> None:
        """Start it; return when the process is there, which is long before it serves."""
        with self.log_file.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "palaver_deploy", *self._words),
                env=self._environ, cwd=self._folder, stdin=DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self._watching = asyncio.create_task(self._watch(self._process))

    async def _watch(self, process: Process) -> None:
        code = await process.wait()
        if process is not self._condemned:
            self.deaths.append(code)

    async def kill(self) -> None:
        """End it with SIGKILL, paused or not; return when it has ended."""
        self._condemned = process = self._process
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def stop(self) -> int | None:
        """Ask it to end, and return its exit code; None if it had to be killed."""
        self._condemned = process = self._process
        assert process is not None, f"{self.name} was never started"
        if process.returncode is None:
            process.terminate()
        try:
            return await asyncio.wait_for(process.wait(), STOP_S)
        except TimeoutError:
            await self.kill()
            return None

    def pause(self) -> None:
        """Let it hang as it is."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on as if no time had passed."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.alive:
            assert self._process is not None
            self._process.send_signal(number)


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
