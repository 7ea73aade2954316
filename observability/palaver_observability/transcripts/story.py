"""An episode as lines in columns: who told whom what, and what the game master noted. Pure functions.

A log holds what seats were shown and what they answered. Where the game writes minutes, these are the story, and the
log adds what they do not hold: pictures, which agent spoke, what was said behind a seat.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from pydantic import JsonValue

from palaver_gamemasters.minutes import GM, Minute, Minutes
from palaver_observability.reading import ENDS
from palaver_protocols.content import Image, Text, text_of
from palaver_protocols.messages import Aside, EpisodeEnded, EpisodeStarted, LogEntry, SeatChanged, TurnTaken
from palaver_protocols.seating import relay_of
from palaver_protocols.transcript import IN_WORDS, Message

__all__ = ["Column", "Kind", "Line", "Round", "Shown", "Story", "story_of"]

PLAIN = frozenset({"send message", "get message"})
"""Kinds of minutes that go without saying."""

Kind = str
"""``told`` by the game master, ``said`` by a player, ``noted``, said ``behind`` a seat, or ``changed``: a seat."""


@dataclass(frozen=True, slots=True)
class Column:
    """Whose lines stand in a column, and who that is: an agent's name, or what else it is."""

    name: str
    who: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as it was shown. ``image`` is None where it was not, or told in ``words``."""

    name: str
    image: Image | None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One entry: in which column it stands, who says it to whom, and what.

    ``label`` is the game's own word for it, where it says more than who and whom. ``turns`` is how many turns had been
    taken when it was said, of an answer in the game; else None.
    """

    kind: Kind
    column: int
    sender: str
    receiver: str
    text: str
    label: str = ""
    pictures: tuple[Shown, ...] = ()
    remarks: tuple[str, ...] = ()
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Lines that belong together. ``title`` is empty where the whole episode is one round."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """An episode, ready to be set. ``ended`` is None while it is going on."""

    started: EpisodeStarted
    ended: EpisodeEnded | None
    columns: tuple[Column, ...]
    rounds: tuple[Round, ...]
    turns: int


def story_of(entries: Sequence[LogEntry], minutes: Minutes = (), names: Mapping[str, str] | None = None) -> Story:
    """Make a log into a story.

    Args:
        entries: the log of an episode; it begins with its start.
        minutes: what the game has written of it; nothing where the log says all.
        names: what the minutes call those at the seats, by seat; left out, they are called as their seats.
    """
    started = entries[0]
    assert isinstance(started, EpisodeStarted), "a log begins with its start"
    called = {seat: (names or {}).get(seat, seat) for seat in started.seats}
    agents = {called[seat]: relay_of(fillers) for seat, fillers in started.seats.items()}
    met = {who for minute in chain.from_iterable(minutes) for who in (minute.sender, minute.receiver)} - {GM}
    players = sorted(met | set(agents)) if minutes else list(agents)
    order = [*players[:1], GM, *players[1:]]
    whose = {**dict.fromkeys(players, "a player of the game's own"), GM: started.game, **agents}
    columns = tuple(Column(name, whose[name]) for name in order)
    teller = _Teller(entries, called, agents, {column.name: at for at, column in enumerate(columns)})
    rounds: tuple[Round, ...]
    if minutes and not met:
        rounds = (Round("", tuple(teller.with_notes(minutes))),)
    elif minutes:
        rounds = tuple(Round(f"Turn {at}", tuple(teller.told(round_))) for at, round_ in enumerate(minutes, 1))
        rest = tuple(teller.rest())
        rounds = (*rounds, Round("Afterwards", rest)) if rest else rounds
    else:
        rounds = (Round("", tuple(teller.rest())),)
    last = entries[-1]
    turns = sum(isinstance(entry, TurnTaken) for entry in entries)
    return Story(started, last if isinstance(last, EpisodeEnded) else None, columns, rounds, turns)


class _Teller:
    """Goes through a log, alone or beside the minutes."""

    def __init__(
        self, entries: Iterable[LogEntry], called: Mapping[str, str], agents: Mapping[str, str], at: Mapping[str, int]
    ) -> None:
        self._steps = [entry for entry in entries if isinstance(entry, TurnTaken | Aside | SeatChanged)]
        self._called = called
        self._agents = agents
        self._seats = {name: seat for seat, name in called.items()}
        self._at = at
        self._known: dict[str, Shown] = {}
        self._taken = 0
        """Pictures of the next turn that stand in the story already."""
        self._turns = 0

    def told(self, minutes: Iterable[Minute]) -> Iterator[Line]:
        """Yield the lines of a round of minutes, with what the log adds to them."""
        for minute in minutes:
            taken = self._answer(minute)
            if taken is not None:
                while self._steps:
                    step = self._steps.pop(0)
                    yield from self._step(step, prompts=False)
                    if step is taken:
                        break
                self._taken = 0
                continue
            label = "" if minute.kind in PLAIN else minute.kind
            if minute.sender == GM == minute.receiver:
                yield self._noted(minute, label)
            else:
                pictures = tuple(self._pictures(minute))
                kind = "told" if minute.sender == GM else "said"
                at = self._at[minute.sender]
                yield Line(kind, at, minute.sender, minute.receiver, _words(minute.content), label, pictures)

    def with_notes(self, notes: Minutes) -> Iterator[Line]:
        """Yield the lines of the log, and after each turn what the game master noted of it."""
        left = iter(notes)
        while self._steps:
            step = self._steps.pop(0)
            yield from self._step(step, prompts=True)
            if isinstance(step, TurnTaken):
                yield from (self._noted(minute, minute.kind) for minute in next(left, ()))

    def _noted(self, minute: Minute, label: str) -> Line:
        text = "" if minute.content is True else _words(minute.content)
        more = tuple(f"{name}: {_words(value)}" for name, value in minute.more.items())
        return Line("noted", self._at[GM], GM, "", text, label, (), more)

    def rest(self) -> Iterator[Line]:
        """Yield the lines of what is left of the log."""
        while self._steps:
            yield from self._step(self._steps.pop(0), prompts=True)

    def _next(self, seat: str | None) -> TurnTaken | None:
        """Return the next turn, if it is this seat's."""
        taken = next((step for step in self._steps if isinstance(step, TurnTaken)), None)
        return taken if taken is not None and taken.reply.seat == seat else None

    def _answer(self, minute: Minute) -> TurnTaken | None:
        """Return the turn that a minute is the trace of."""
        taken = self._next(self._seats.get(minute.sender)) if minute.receiver == GM else None
        return taken if taken is not None and taken.reply.text == minute.content else None

    def _pictures(self, minute: Minute) -> Iterator[Shown]:
        """Find the pictures that a player was shown with a message: the next of its turn that are not told of yet."""
        if not minute.pictures:
            return
        taken = self._next(self._seats.get(minute.receiver))
        ahead = [] if taken is None else [shown for prompt in taken.prompts for shown in _shown(prompt)]
        for name in minute.pictures:
            if self._taken < len(ahead):
                found = ahead[self._taken]
                self._taken += 1
                self._known[name] = Shown(name, found.image, found.words)
            yield self._known.get(name, Shown(name, None))

    def _step(self, step: TurnTaken | Aside | SeatChanged, *, prompts: bool) -> Iterator[Line]:
        if isinstance(step, SeatChanged):
            at = self._at[self._called[step.seat]]
            yield Line("changed", at, step.agent, "", f"takes over the seat {step.seat}, by hand")
            return
        seat = step.seat if isinstance(step, Aside) else step.reply.seat
        name = self._called[seat]
        for prompt in step.prompts if prompts else ():
            text = text_of(tuple(part for part in prompt.parts if not _is_words(part)))
            speaker = "" if prompt.speaker == "user" else prompt.speaker
            yield Line("told", self._at[GM], GM, name, text, speaker, tuple(_shown(prompt)))
        remarks = [] if step.reply.finish_reason == "stop" else [ENDS[step.reply.finish_reason]]
        if isinstance(step, Aside):
            to = ", ".join(step.audience) or "its successor"
            who = f"{step.reply.seat} ({step.reply.agent})"
            yield Line("behind", self._at[name], who, to, step.reply.text, "", (), tuple(remarks))
        else:
            remarks += [f"copied from {step.copied_from}"] if step.copied_from else []
            pictures = tuple(_shown(Message(speaker=name, parts=step.reply.parts)))
            receiver = "" if prompts else GM
            who = name if step.reply.agent == self._agents[name] else f"{name} ({step.reply.agent})"
            self._turns += 1
            yield Line(
                "said", self._at[name], who, receiver, step.reply.text, "", pictures, tuple(remarks), self._turns
            )


def _is_words(part: Text | Image) -> bool:
    return isinstance(part, Text) and part.text.startswith(IN_WORDS)


def _shown(message: Message) -> Iterator[Shown]:
    """Yield the pictures of a message, and those that were told in words."""
    for part in message.parts:
        if isinstance(part, Image):
            yield Shown("", part)
        elif _is_words(part):
            yield Shown("", None, part.text.removeprefix(IN_WORDS).strip())


def _words(content: JsonValue) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
