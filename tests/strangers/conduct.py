"""How agents misbehave. Each is one that plays as it should, but for one thing."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field

from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.table import Patience
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import TurnRequest
from tests.strangers.lines import Line, LostError, Plain, Way
from tests.support import a_reply

__all__ = ["CALM", "CONDUCTS", "FLOOD", "FORGIVING", "GIVEN_UP", "Agent", "Scene", "player"]

player = MAZE.players()["scripted"]

GIVEN_UP = Patience(timeout_s=0.2, tries=2, base_s=0.0, cap_s=0.0, remind_s=5.0)
"""For those who will never answer."""
FORGIVING = Patience(timeout_s=0.5, tries=20, base_s=0.0, cap_s=0.0, remind_s=5.0)
"""For one that answers after its time: it is asked again."""
CALM = Patience(timeout_s=30.0, tries=5, base_s=0.0, cap_s=0.0, remind_s=5.0)
"""For those who answer in the end, however busy this machine is."""

FLOOD = 500
HUGE = (280 * 1024, 1024 * 1024)
"""Bytes: a little too much, and much too much."""


@dataclass
class Scene:
    """What an agent may know of the games around it, to misbehave at the right moment."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """It has been asked something."""
    asked_again: asyncio.Event = field(default_factory=asyncio.Event)
    """Its time was over, and it is asked once more."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Its game is over."""
    others: list[TurnRequest] = field(default_factory=list)
    """What others are asked."""


class Agent:
    """One that plays as it should.

    Args:
        way: how it comes in.
        scene: what it sees of the others.
    """

    patience = CALM
    solves = True
    """Whether its game is solved in the end, or given up because of it."""
    hears: frozenset[str] = frozenset()
    """What it must have been told in the end: codes of notices, or reasons of refusals."""

    def __init__(self, way: Way, scene: Scene) -> None:
        self.agent, self.scene, self._way = way.agent, scene, way
        self.told: Counter[str] = Counter()
        self.line: Line

    @property
    def has_heard(self) -> bool:
        """Whether it was told what became of its words."""
        return self.told.keys() >= self.hears

    async def live(self) -> None:
        """Live until cancelled; come again whenever the line breaks."""
        while True:
            async with self._way.come() as self.line:
                try:
                    await self.on_line()
                    while True:
                        await self.take(await self.line.hear())
                except LostError:
                    continue

    async def take(self, said: Plain) -> None:
        if said["type"] == "turn.request":
            self.scene.begun.set()
            await self.on_question(decode(json.dumps(said)))
        else:
            self.told[said["reason"] or said["code"]] += 1
            await self.on_notice(said)

    async def on_line(self) -> None:
        pass

    async def on_question(self, question: TurnRequest) -> None:
        await self.line.say(self.answer(question))

    async def on_notice(self, notice: Plain) -> None:
        pass

    def answer(self, question: TurnRequest, text: str | None = None) -> bytes:
        return encode(a_reply(question, player(question) if text is None else text, agent=self.agent))


class Silent(Agent):
    patience, solves = GIVEN_UP, False

    async def on_question(self, question: TurnRequest) -> None:
        pass


class Late(Agent):
    """Answers when all is over."""

    patience, solves = GIVEN_UP, False

    @property
    def has_heard(self) -> bool:
        # A door looks every two seconds whether a question was withdrawn; till then it takes answers, to no effect.
        return bool(self.told.keys() & {"closed", "accepted"})

    async def on_question(self, question: TurnRequest) -> None:
        await self.scene.over.wait()
        await super().on_question(question)


class Slow(Agent):
    """Takes longer for its first answer than it may, and then insists until it is heard."""

    patience = FORGIVING

    def __init__(self, way: Way, scene: Scene) -> None:
        super().__init__(way, scene)
        self._asked: dict[str, TurnRequest] = {}

    async def on_question(self, question: TurnRequest) -> None:
        self._asked[question.key] = question
        await self.scene.asked_again.wait()
        await super().on_question(question)

    async def on_notice(self, notice: Plain) -> None:
        if notice["reason"] == "closed" and (question := self._asked.get(notice["key"])) is not None:
            await self.line.say(self.answer(question))


class Crashing(Agent):
    """Dies of its first questions, when it has begun to think about them."""

    def __init__(self, way: Way, scene: Scene) -> None:
        super().__init__(way, scene)
        self.died_of: set[str] = set()

    async def on_question(self, question: TurnRequest) -> None:
        if len(self.died_of) < 2 and question.key not in self.died_of:
            self.died_of.add(question.key)
            raise LostError
        await super().on_question(question)


class Flooding(Agent):
    """Says much, and nothing to the point."""

    patience, solves = GIVEN_UP, False

    async def on_question(self, question: TurnRequest) -> None:
        for number in range(FLOOD):
            await self.line.say(self.answer(question.model_copy(update={"key": f"k{number}"})))


class Twice(Agent):
    """Says everything twice, the second time something else."""

    hears = frozenset({"accepted", "duplicate"})

    async def on_question(self, question: TurnRequest) -> None:
        await super().on_question(question)
        await self.line.say(self.answer(question, "I have changed my mind."))


class OutOfTurn(Agent):
    """Answers before it is asked, what it has answered, and what others are asked."""

    hears = frozenset({"accepted", "duplicate", "closed", "mismatch"})

    def __init__(self, way: Way, scene: Scene) -> None:
        super().__init__(way, scene)
        self._before: TurnRequest | None = None

    async def on_question(self, question: TurnRequest) -> None:
        coming = question.model_copy(update={"turn": question.turn + 2, "key": "0" * len(question.key)})
        await self.line.say(self.answer(coming, "I know what you will ask."))
        if self._before is not None:
            await self.line.say(self.answer(self._before, "I take that back."))
        for other in self.scene.others[-1:]:
            await self.line.say(self.answer(other, "I speak for you."))
            await self.line.say(encode(a_reply(other, "I am you.")))
        self._before = question
        await super().on_question(question)


JUNK = (
    b"",
    b"what?",
    bytes(range(256)),
    b"null",
    b"[" * 5000,
    b'{"type": "turn.reply"}',
    b'{"type": "turn.failure", "retryable": "\x1b[2J"}',
    b'{"key": "' + b"k" * 5000 + b'", "type": {}}',
    b'{"n": ' + b"9" * 5000 + b"}",
)


class Babbling(Agent):
    """Says what nobody can read."""

    patience, solves, hears = GIVEN_UP, False, frozenset({"not_json", "malformed"})

    async def on_question(self, question: TurnRequest) -> None:
        for raw in self.junk(question):
            await self.line.say(raw)

    def junk(self, question: TurnRequest) -> tuple[bytes, ...]:
        answer = json.loads(self.answer(question))
        wrong: list[Plain] = [answer | {"parts": "ACTI!"}, answer | {"version": "2.0"}, answer | {"turn": "first"}]
        return *JUNK, *(json.dumps(each).encode() for each in wrong)


class Stammering(Babbling):
    """The same, but in the end it is clear."""

    patience, solves, hears = CALM, True, frozenset({"not_json", "malformed", "version", "accepted"})

    async def on_question(self, question: TurnRequest) -> None:
        await super().on_question(question)
        await self.line.say(self.answer(question))


class Giant(Agent):
    """Says too much at first: whatever becomes of its line by that, it comes again and is brief."""

    def __init__(self, way: Way, scene: Scene) -> None:
        super().__init__(way, scene)
        self._said: set[int] = set()

    async def on_question(self, question: TurnRequest) -> None:
        for size in HUGE:
            if size not in self._said:
                self._said.add(size)
                await self.line.say(self.answer(question, "x" * size))
        await super().on_question(question)


CONDUCTS: dict[str, type[Agent]] = {
    "silent": Silent,
    "late": Late,
    "slow": Slow,
    "crashing": Crashing,
    "flooding": Flooding,
    "twice": Twice,
    "out of turn": OutOfTurn,
    "babbling": Babbling,
    "stammering": Stammering,
    "giant": Giant,
}
