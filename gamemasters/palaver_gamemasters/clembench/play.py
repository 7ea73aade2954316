"""An episode as it stands: what each player has in its history, what is in the minutes, whose answer is awaited.

clembench's framework (rule book: Appendix D of the paper, and the code of v1.6.5): every player has a history of its
own, in which the game master is the user. Players never see each other's history. What the game master notes for itself
goes into the minutes, whose words are those of clembench's ``interactions.json``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Self, TypeVar

from pydantic import JsonValue

from palaver_gamemasters.game import GameOutcome, Scores
from palaver_gamemasters.minutes import GM, Minute, Minutes
from palaver_protocols.content import Text
from palaver_protocols.transcript import USER, Message, in_words

from .instance import ClemInstance
from .options import ClemOptions, PicturedOptions
from .pictures import load, wordless

if TYPE_CHECKING:
    from .game import ClemGame

__all__ = ["GET", "REPROMPT", "SEND", "CrashError", "Ending", "Play", "Verdict"]

SEND = "send message"
REPROMPT = "send message (reprompt)"
GET = "get message"

Ending = Literal["played", "aborted", "crashed"]
"""``crashed``: the original programs raise here, and the episode is missing from all averages."""

T = TypeVar("T")


class CrashError(Exception):
    """The original programs raise an exception at this point; the message says which part of them does."""


class Verdict(NamedTuple):
    """How an episode ended, and its measures; ``why`` says which of the original programs raise, where one does."""

    outcome: GameOutcome
    scores: Scores
    why: str = ""


@dataclass(frozen=True)
class _Shown:
    """What the game master tells a player, with pictures that nobody has to have before somebody looks at them."""

    seat: str
    text: str
    pictures: tuple[str, ...]
    of: ClemInstance
    options: PicturedOptions

    @cached_property
    def message(self) -> Message:
        """The message as the player sees it.

        Raises:
            InstanceError: a picture cannot be had, or has no words where words are all that is shown; names it.
        """
        modality = self.options.modality
        shown = tuple(load(name, self.of.pictures.get(name), told=modality != "image") for name in self.pictures)
        for name, picture in zip(self.pictures, shown, strict=True):
            if modality == "text" and picture.alt is None:
                raise wordless(name)
        message = Message(speaker=USER, parts=(Text(text=self.text), *shown), audience=(self.seat,))
        return in_words((message,))[0] if modality == "text" else message

    @cached_property
    def faded(self) -> Message:
        """The message without its pictures."""
        return Message.text_from(USER, self.text, (self.seat,))


@dataclass(frozen=True)
class Play(Generic[T]):
    """An episode as it stands. ``now`` is the game's own part of it; every method returns a new one.

    ``pending`` is the seat that must answer. ``names`` are the players' names in the minutes, by seat.
    """

    game: "ClemGame[T, Any]"
    options: ClemOptions
    instance: ClemInstance
    now: T
    names: Mapping[str, str]
    histories: Mapping[str, tuple[Message | _Shown, ...]] = field(default_factory=dict)
    minutes: Minutes = ()
    pending: str | None = None
    ending: Ending | None = None

    @property
    def clean(self) -> bool:
        """Whether the quirks are mended."""
        return self.options.profile == "clean"

    @cached_property
    def verdict(self) -> Verdict:
        """How it ended, and its measures; ``failed`` and the measures so far while it is going on."""
        return self.game.judge(self)

    def history(self, seat: str) -> tuple[Message, ...]:
        """Return what a player sees."""
        kept = self.histories.get(seat, ())
        return tuple(each.message if isinstance(each, _Shown) else each for each in kept)

    def then(self, now: T) -> Self:
        """Go on with another state of the game's own."""
        return replace(self, now=now)

    def turn(self) -> Self:
        """Begin a new turn of the minutes."""
        return replace(self, minutes=(*self.minutes, ()))

    def tell(self, seat: str, text: str, pictures: tuple[str, ...] = (), kind: str = SEND) -> Self:
        """Tell a player something, and await its answer."""
        said: Message | _Shown = Message.text_from(USER, text, (seat,))
        if pictures:
            assert isinstance(self.options, PicturedOptions), "a game that shows pictures has them as options"
            said = _Shown(seat, text, pictures, self.instance, self.options)
        told = self._with(Minute(GM, self.names[seat], kind, text, pictures))
        return replace(told, histories=self._longer(seat, said), pending=seat)

    def hear(self, text: str) -> Self:
        """Write an answer into the minutes, as it came. It is not in the player's history before it is kept."""
        assert self.pending is not None, "somebody was asked"
        return replace(self._with(Minute(self.names[self.pending], GM, GET, text)), pending=None)

    def keep(self, seat: str, text: str) -> Self:
        """Add a player's answer to its history: as it came, or as the game has put it in order."""
        return replace(self, histories=self._longer(seat, Message.text_from(seat, text, (seat,))))

    def forget_pictures(self, seat: str) -> Self:
        """Take all pictures out of a player's history."""
        kept = tuple(each.faded if isinstance(each, _Shown) else each for each in self.histories.get(seat, ()))
        return replace(self, histories={**self.histories, seat: kept})

    def note(self, kind: str, content: JsonValue, **more: JsonValue) -> Self:
        """Write a note of the game master's own into the minutes."""
        return self._with(Minute(GM, GM, kind, content, (), more))

    def between(self, sender: str, receiver: str, kind: str, content: JsonValue) -> Self:
        """Write into the minutes what a player of the game's own said or was told."""
        return self._with(Minute(sender, receiver, kind, content))

    def end(self, how: Ending) -> Self:
        """End the episode."""
        return replace(self, ending=how, pending=None)

    def _with(self, minute: Minute) -> Self:
        *before, last = self.minutes
        return replace(self, minutes=(*before, (*last, minute)))

    def _longer(self, seat: str, said: Message | _Shown) -> Mapping[str, tuple[Message | _Shown, ...]]:
        return {**self.histories, seat: (*self.histories.get(seat, ()), said)}
