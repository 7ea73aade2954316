"""Agents that get one thing wrong each."""

import asyncio
import json
from typing import Any

from tests.deploy.conformance.redis_agents import NAMES, Agent, DeadError, Plain, of, pictures

__all__ = ["CLUMSY", "DIES_AT"]


class Silent(Agent):
    async def on_question(self, question: Plain) -> None:
        pass


class Slow(Agent):
    async def on_question(self, question: Plain) -> None:
        await asyncio.sleep(30)


class Unable(Agent):
    async def on_question(self, question: Plain) -> None:
        await self.send(self.failure(question, "auth", "no\x1b[31m key"))


class WrongKey(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, key="mine")


class KeyLeftOut(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        reply = super().reply(question)
        del reply["key"]
        return reply


class EarlierKey(Agent):
    """Answers under the key that it has seen last but one: the first time, by luck, under the right one."""

    COPIED: tuple[str, ...] = ("key",)

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.last: Plain | None = None

    def reply(self, question: Plain, **changes: Any) -> Plain:
        names = {name: (self.last or question)[name] for name in self.COPIED}
        self.last = question
        return super().reply(question, **names)


class EarlierNames(EarlierKey):
    """Answers as if it were asked the question before."""

    COPIED = NAMES


class OtherKeyLater(Agent):
    """Has keys of its own from its second answer on."""

    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, **({} if of(question) == "answers" else {"key": "mine"}))


class FallsSilent(Agent):
    async def on_question(self, question: Plain) -> None:
        if of(question) == "answers":
            await super().on_question(question)


class LateOnce(Agent):
    """Takes all of its time for one question, and some more."""

    async def on_question(self, question: Plain) -> None:
        await asyncio.sleep(question["timeout_s"] + 0.2 if of(question) == "unknown-fields" else 0)
        await super().on_question(question)


class GivesUp(Agent):
    """Has an answer, and then only excuses."""

    async def on_question(self, question: Plain) -> None:
        if of(question) == "answers":
            await super().on_question(question)
        else:
            await self.send(self.failure(question, "rate_limited"))


class TurnAsText(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, turn=str(question["turn"]))


class NoVersion(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        reply = super().reply(question)
        del reply["version"]
        return reply


class UnableInBadForm(Agent):
    async def on_question(self, question: Plain) -> None:
        await self.send({**self.failure(question, "busy"), "retryable": "yes"})


class NewerLater(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, **({} if of(question) == "answers" else {"version": "2.0"}))


class NoParts(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, parts=[])


class NoWords(Agent):
    def text(self, question: Plain) -> str:
        return " \n"


class WrongAgent(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, agent="toy")


class WrongEpisode(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, episode_id="another")


class WrongTurn(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, turn=question["turn"] + 1)


class EchoesNothing(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        full = super().reply(question)
        return {name: full[name] for name in ("type", "version", "key", "parts")}


class Painter(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        image = {"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}
        return super().reply(question, parts=[image])


class Binary(Agent):
    async def on_question(self, question: Plain) -> None:
        await self.send(bytes(range(256)))


class NoJson(Agent):
    async def on_question(self, question: Plain) -> None:
        await self.send(b"My answer is 42.")


class PartsAsText(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, parts="My answer is 42.")


class Chatters(Agent):
    async def on_question(self, question: Plain) -> None:
        await self.send(b'{"type": "chat", "text": "let me think"}')
        await super().on_question(question)


class Verbose(Agent):
    def text(self, question: Plain) -> str:
        return "x" * 1_000_000


class Newer(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, version="2.0")


class Twice(Agent):
    async def on_question(self, question: Plain) -> None:
        await super().on_question(question)
        await super().on_question(question)


class Mute(Agent):
    says_hello = False


class Strict(Agent):
    async def on_question(self, question: Plain) -> None:
        if "mood" not in question:
            await super().on_question(question)


class MinorStrict(Agent):
    async def on_question(self, question: Plain) -> None:
        if question["version"] == "1.0":
            await super().on_question(question)


class AfraidOfSchemas(Agent):
    async def on_question(self, question: Plain) -> None:
        if "answer_schema" not in question:
            await super().on_question(question)


class Latin(Agent):
    def text(self, question: Plain) -> str:
        return super().text(question).encode().decode("latin-1")


class Ascii(Agent):
    async def on_question(self, question: Plain) -> None:
        try:
            self.text(question).encode("ascii")
        except UnicodeEncodeError:
            return
        await super().on_question(question)


class SmallBuffer(Agent):
    async def on_question(self, question: Plain) -> None:
        if len(json.dumps(question)) < 65_536:
            await super().on_question(question)


class Parrot(Agent):
    """Says all that it was shown, in a form of JSON that takes twice the room."""

    def text(self, question: Plain) -> str:
        said = [part.get("text", "") for message in question["view"] for part in message["parts"]]
        return " ".join(said) * 2


class _Gathers(Agent):
    """Waits until all of several questions are there."""

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.waiting: list[Plain] = []

    async def on_question(self, question: Plain) -> None:
        if not of(question).startswith("at-once"):
            await super().on_question(question)
            return
        self.waiting.append(question)
        if len(self.waiting) == 4:
            await self.all_there()

    async def all_there(self) -> None:
        raise NotImplementedError


class SwapsKeys(_Gathers):
    async def all_there(self) -> None:
        keys = [question["key"] for question in self.waiting]
        for question, key in zip(self.waiting, reversed(keys), strict=True):
            await self.send(self.reply(question, key=key))


class SwapsAnswers(_Gathers):
    async def all_there(self) -> None:
        texts = [self.text(question) for question in self.waiting]
        for question, text in zip(self.waiting, reversed(texts), strict=True):
            await self.send(self.reply(question, parts=[{"type": "text", "text": text}]))


class OnlyTheLast(Agent):
    """Keeps one question in mind."""

    async def on_questions(self, questions: list[Plain]) -> None:
        if of(questions[-1]).startswith("at-once"):
            await asyncio.sleep(0.3)  # let all of them come
            if questions[-1]["turn"] != 3:
                return
        await self.on_question(questions[-1])


class NeverAgain(Agent):
    """Remembers what was accepted, and never answers it again."""

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.done: set[str] = set()

    async def on_question(self, question: Plain) -> None:
        if question["key"] not in self.done:
            await super().on_question(question)

    async def on_notice(self, notice: Plain) -> None:
        if notice["code"] == "accepted":
            self.done.add(notice["key"])


class Offended(Agent):
    """Leaves out a question for each refusal."""

    offences = 0

    async def on_question(self, question: Plain) -> None:
        if self.offences:
            self.offences -= 1
        else:
            await super().on_question(question)

    async def on_notice(self, notice: Plain) -> None:
        self.offences += notice["code"] == "refused" and "check-agent" in notice["message"]


class Confused(Agent):
    """Does not know what to say to a question that it has in mind already."""

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.seen: list[str] = []

    async def on_question(self, question: Plain) -> None:
        if of(question) != "duplicates":
            await super().on_question(question)
        elif question["key"] not in self.seen:
            self.seen.append(question["key"])


class Stubborn(Agent):
    """Says the same again until it is accepted, whatever it is told; another question must wait."""

    async def on_question(self, question: Plain) -> None:
        while of(question) == "cancellation" and question["turn"] == 0:
            await self.send(self.reply(question))
            await asyncio.sleep(0.05)
        await super().on_question(question)


class Blind(Agent):
    async def on_question(self, question: Plain) -> None:
        if not any(pictures(question)):
            await super().on_question(question)


class _Dies(Agent):
    """Dies of one step."""

    step = ""

    async def on_question(self, question: Plain) -> None:
        if of(question) == self.step:
            raise DeadError(self.step)
        await super().on_question(question)


class DiesOfNews(_Dies):
    step = "unknown-fields"


class DiesOfSchemas(_Dies):
    step = "answer-schema"


class DiesOfPictures(_Dies):
    step = "pictures"


CLUMSY: dict[type[Agent], str] = {
    Silent: "answers",
    Slow: "answers",
    Unable: "answers",
    WrongKey: "key",
    KeyLeftOut: "key",
    EarlierKey: "key",
    EarlierNames: "key",
    OtherKeyLater: "key",
    FallsSilent: "answers",
    GivesUp: "answers",
    LateOnce: "answers",
    DiesOfNews: "answers",
    DiesOfSchemas: "answers",
    DiesOfPictures: "answers",
    TurnAsText: "form",
    UnableInBadForm: "form",
    NoVersion: "version",
    NewerLater: "version",
    NoParts: "words",
    NoWords: "words",
    WrongAgent: "names",
    WrongEpisode: "names",
    WrongTurn: "names",
    EchoesNothing: "names",
    Painter: "text",
    Binary: "form",
    NoJson: "form",
    PartsAsText: "form",
    Chatters: "form",
    Verbose: "size",
    Newer: "version",
    Twice: "once",
    Mute: "hello",
    Strict: "unknown-fields",
    MinorStrict: "unknown-fields",
    AfraidOfSchemas: "answer-schema",
    Latin: "unicode",
    Ascii: "unicode",
    SmallBuffer: "long-view",
    Parrot: "size",
    SwapsKeys: "at-once",
    SwapsAnswers: "at-once",
    OnlyTheLast: "at-once",
    NeverAgain: "redelivery",
    Offended: "refusals",
    Confused: "duplicates",
    Stubborn: "cancellation",
    Blind: "pictures",
}
"""Agents, and the one point that each of them misses."""

DIES_AT: dict[type[Agent], tuple[str, int]] = {
    FallsSilent: ("unknown-fields", 1),
    DiesOfNews: ("unknown-fields", 1),
    DiesOfSchemas: ("answer-schema", 2),
}
"""Agents that are silent from a question on: which it is, and how many they have answered."""
