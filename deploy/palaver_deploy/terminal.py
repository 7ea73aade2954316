"""A seat at this terminal: what it is shown is printed, what is typed is said.

Everything that others say is printed behind a bar, with control characters as pictures: nobody can write over the
screen, or forge another's words.
"""

import asyncio
import re
import signal
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
from palaver_protocols.transcript import Message

from .keyboard import Keyboard

__all__ = ["Terminal"]

NUMBERS = re.compile(r"\d+(?:[ ,]+\d+)*")
NAME = "you"
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
    """

    game: AnyGame
    folder: RunFolder
    keyboard: Keyboard = field(default_factory=Keyboard)
    echo: Callable[..., None] = click.echo
    _seen: dict[str, Counter[bytes]] = field(default_factory=dict)
    """What was shown of each episode, by message."""
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
                return "\n".join(moves[number - 1].says for number in numbers)
            self.echo(f"there are the moves 1 to {len(moves)}; /say {typed} says it anyway")
            return None
        named = [move for move in moves if typed.casefold() in (move.label.casefold(), move.says.casefold())]
        return named[0].says if named else text

    def _moves(self, request: TurnRequest) -> tuple[tuple[Move, ...], int | None]:
        """Return what can be said by a number, and how many turns there are; a game that raises tells nothing."""
        try:
            episode = Episode.from_log(self.game, self.folder.read_log(request.episode_id))
            options = self.game.configure(episode.started.options)
            return episode.moves(request.seat), self.game.turn_limit(options)
        except PalaverError:
            return (), None

    def _new(self, request: TurnRequest) -> Iterator[Message]:
        """Yield what this terminal has not been shown yet of an episode; what was just typed here need not be shown."""
        begins = f"{request.episode_id}/{request.seat}" not in self._seen
        shown = self._seen.setdefault(f"{request.episode_id}/{request.seat}", Counter())
        there: Counter[bytes] = Counter()
        for message in request.view:
            there[message.digest] += 1
            if there[message.digest] > shown[message.digest]:
                shown[message.digest] += 1
                if begins or message.speaker != request.seat:
                    yield message

    def _show(self, request: TurnRequest, messages: Sequence[Message] | Iterator[Message]) -> None:
        for message in messages:
            to = [each for each in message.audience or () if each not in (message.speaker, request.seat)]
            heading = f"[{message.speaker}{' to you and ' + ', '.join(to) if to else ''}]"
            self.echo(f"\n{click.style(heading.translate(HEADING), bold=True)}")
            for part in message.parts:
                for line in self._text(part).translate(VISIBLE).splitlines() or [""]:
                    self.echo(f"| {line}".rstrip())

    def _text(self, part: Text | Image) -> str:
        if isinstance(part, Text):
            return part.text
        where = self._file(part.sha256)
        named = f"[picture, {part.width}x{part.height}{f': {where}' if where else ''}]"
        return named if part.alt is None else f"{named}\n{part.alt}"

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
