"""A seat at this terminal: what it is shown is printed, what is typed is said.

Everything that others say is printed behind a bar, with control characters as pictures: nobody can write over the
screen, or forge another's words.
"""

import asyncio
import re
import shutil
import signal
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from palaver_agents import Completion, Model
from palaver_agents.human import HUMAN
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.showing import Move
from palaver_observability.folder import RunFolder
from palaver_observability.reading import HEADING, VISIBLE
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message

from .keyboard import Keyboard

__all__ = ["Terminal"]

NUMBERS = re.compile(r"\d+(?:[ ,]+\d+)*")
NAME = "you"
VOICES = {USER: "task", ENVIRONMENT: "game", SYSTEM: "game"}
"""What a person calls those who speak for the game."""
NARROWEST = 40
HELP = """\
Type your answer and press Enter; a line that ends with \\ goes on in the next one.
  3         say move 3 of the list; `1 4 2` says three, a line each
  /say 3    say just that, though it reads like a move
  /view     show again all that your seat sees
  /help     show this
  /quit     stop; nothing that was said is lost (as Ctrl-C does)"""


@dataclass(slots=True)
class Terminal(Model):
    """The person at this terminal, at one seat.

    Args:
        game: the rules.
        folder: the run's folder: logs tell which moves there are, and pictures are files in it.
        keyboard: where lines come from.
        echo: prints a text; without a line's end if ``nl`` is False.
        width: how many letters fit into a line.
    """

    game: AnyGame
    folder: RunFolder
    keyboard: Keyboard = field(default_factory=Keyboard)
    echo: Callable[..., None] = click.echo
    width: Callable[[], int] = field(default=lambda: shutil.get_terminal_size().columns)
    _seen: dict[str, Counter[bytes]] = field(default_factory=dict)
    """What each seat was shown last, by message."""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    provider = HUMAN
    keeps_time = True

    async def complete(self, request: TurnRequest) -> Completion:
        """Show what is new, and return what is typed."""
        async with self._turn:  # one thing is asked at a time
            moves, limit = await asyncio.to_thread(self._moves, request)
            self._show(request, self._new(request))
            began = asyncio.get_running_loop().time()
            text = await self._answer(request, moves, limit)
            took = asyncio.get_running_loop().time() - began
        return Completion((Text(text=text),), HUMAN, NAME, latency_s=took)

    async def aclose(self) -> None:
        """Nothing to release."""

    async def _answer(self, request: TurnRequest, moves: Sequence[Move], limit: int | None) -> str:
        self._list(moves)
        place = f"turn {request.turn + 1}" + (f" of at most {limit}" if limit else "")
        said: list[str] = []
        while True:
            self.echo("  ... " if said else f"\n{request.seat}, {place}> ", nl=False)
            line = await self.keyboard.line()
            if line is None or (not said and line.strip() == "/quit"):
                self.echo()
                signal.raise_signal(signal.SIGINT)  # as Ctrl-C does: whoever runs us stops in good order
                await asyncio.Event().wait()
            assert line is not None
            if line.endswith("\\"):
                said.append(line[:-1])
                continue
            said.append(line)
            text, said = "\n".join(said), []
            answer = self._meant(request, text, moves)
            if answer is not None:
                return answer

    def _meant(self, request: TurnRequest, text: str, moves: Sequence[Move]) -> str | None:
        """Return what is said by what was typed; None where that was no answer."""
        word, _, rest = text.strip().partition(" ")
        match word:
            case "":
                return None
            case "/help":
                self.echo(HELP)
                return None
            case "/view":
                self._show(request, request.view)
                self._list(moves)
                return None
            case "/say" if rest.strip():
                return rest.strip()
        if word.startswith("/") and re.fullmatch(r"/\w+", text.strip()):
            self.echo(f"there is no {word.translate(HEADING)}; /help tells what there is, /say says it anyway")
            return None
        return self._of_moves(text, moves)

    def _of_moves(self, text: str, moves: Sequence[Move]) -> str | None:
        """Return what is said by numbers or by a label; a text that is neither is said as it is."""
        typed = text.strip()
        if moves and NUMBERS.fullmatch(typed):
            numbers = [int(number) for number in re.split(r"[ ,]+", typed)]
            if all(0 < number <= len(moves) for number in numbers):
                return self._told("\n".join(moves[number - 1].says for number in numbers))
            self.echo(f"there are the moves 1 to {len(moves)}; /say {typed} says it anyway")
            return None
        named = [move for move in moves if typed.casefold() in (move.label.casefold(), move.says.casefold())]
        return self._told(named[0].says) if named else text

    def _told(self, says: str) -> str:
        """Show what is said by a number or a label."""
        self.echo(f"\n{click.style(f'[{NAME}]', bold=True)}")
        for line in says.translate(VISIBLE).splitlines():
            self._behind_bar(line)
        return says

    def _moves(self, request: TurnRequest) -> tuple[tuple[Move, ...], int | None]:
        """Return what can be said by a number, and how many turns there are; a game that raises tells nothing."""
        try:
            episode = Episode.from_log(self.game, self.folder.read_log(request.episode_id))
            options = self.game.configure(episode.started.options)
            return episode.moves(request.seat), self.game.turn_limit(options)
        except PalaverError:
            return (), None

    def _new(self, request: TurnRequest) -> Iterator[Message]:
        """Yield what was not there when the seat was asked last; what was just typed here need not be shown."""
        seat = f"{request.episode_id}/{request.seat}"
        begins, left = seat not in self._seen, Counter(self._seen.get(seat, ()))
        self._seen[seat] = Counter(message.digest for message in request.view)
        for message in request.view:
            if left[message.digest]:
                left[message.digest] -= 1
            elif begins or message.speaker != request.seat:
                yield message

    def _show(self, request: TurnRequest, messages: Sequence[Message] | Iterator[Message]) -> None:
        for message in messages:
            to = [each for each in message.audience or () if each not in (message.speaker, request.seat)]
            speaker = VOICES.get(message.speaker, message.speaker)
            heading = f"[{speaker}{' to you and ' + ', '.join(to) if to else ''}]"
            self.echo(f"\n{click.style(heading.translate(HEADING), bold=True)}")
            for part in message.parts:
                if isinstance(part, Image):
                    self.echo(f"| {self._named(part)}")  # in one line, so that it can be copied
                for line in ((part.text if isinstance(part, Text) else part.alt) or "").translate(VISIBLE).splitlines():
                    self._behind_bar(line)

    def _behind_bar(self, line: str) -> None:
        """Print a line behind a bar, and what does not fit behind another: the terminal's own wrapping has none."""
        room = max(NARROWEST, self.width()) - 2
        if any(unicodedata.east_asian_width(letter) in "WF" for letter in line):
            room //= 2
        for piece in textwrap.wrap(line, room, break_on_hyphens=False) or [""]:
            self.echo(f"| {piece}".rstrip())

    def _named(self, picture: Image) -> str:
        where = self._file(picture.sha256)
        return f"[picture, {picture.width}x{picture.height}{f': {where}' if where else ''}]"

    def _file(self, sha256: str) -> Path | None:
        return next((self.folder.path / "blobs").glob(f"{sha256}.*"), None)

    def _list(self, moves: Sequence[Move]) -> None:
        """Print the moves with their numbers, in their groups."""
        group = ""
        for number, move in enumerate(moves, 1):
            if move.group != group:
                group = move.group
                self.echo(f"\n{group.translate(HEADING)}:")
            elif number == 1:
                self.echo()
            says = "" if move.says.casefold() == move.label.casefold() else f"  ({move.says})"
            self.echo(f"{number:4}  {(move.label + says).translate(HEADING)}")
