"""Agents that get one thing wrong each."""

import asyncio
import json
from typing import Any

from tests.deploy.conformance.redis_agents import Agent, DeadError, Plain, of, pictures

__all__ = ["CLUMSY"]


class Silent(Agent):
    async def on_question(self, question: Plain) -> None:
        pass


class Slow(Agent):
    async def on_question(self, question: Plain) -> None:
        await asyncio.sleep(30)


class Unable(Agent):
    async def on_question(self, question: Plain) -> None:
        names = {name: value for name, value in self.reply(question).items() if name not in ("type", "parts")}
        why = {"type": "turn.failure", "code": "auth", "message": "no\x1b[31m key", "retryable": False}
        await self.send({**names, **why})


class WrongKey(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        return super().reply(question, key="mine")


class KeyLeftOut(Agent):
    def reply(self, question: Plain, **changes: Any) -> Plain:
        reply = super().reply(question)
        del reply["key"]
        return reply


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
        if "mood" in question:
            raise DeadError("what is a mood?")
        await super().on_question(question)


class MinorStrict(Agent):
    async def on_question(self, question: Plain) -> None:
        if question["version"] == "1.0":
            await super().on_question(question)


class AfraidOfSchemas(Agent):
    async def on_question(self, question: Plain) -> None:
        if "answer_schema" in question:
            raise DeadError("what is a schema?")
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
    async def on_notice(self, notice: Plain) -> None:
        if notice["code"] == "refused":
            raise DeadError("refused!")


class Confused(Agent):
    """Dies of a question that it has in mind already."""

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self.seen: list[str] = []

    async def on_question(self, question: Plain) -> None:
        if of(question) == "duplicates" and question["key"] in self.seen:
            raise DeadError("again?")
        self.seen.append(question["key"])
        if of(question) == "duplicates":
            await asyncio.sleep(0.3)
        await super().on_question(question)


class Stubborn(Agent):
    """Says the same again until it is accepted, whatever it is told; another question must wait."""

    async def on_question(self, question: Plain) -> None:
        while of(question) == "cancellation" and question["turn"] == 0:
            await self.send(self.reply(question))
            await asyncio.sleep(0.05)
        await super().on_question(question)


class Blind(Agent):
    async def on_question(self, question: Plain) -> None:
        if any(pictures(question)):
            raise DeadError("pictures!")
        await super().on_question(question)


CLUMSY: dict[type[Agent], str] = {
    Silent: "answers",
    Slow: "answers",
    Unable: "answers",
    WrongKey: "key",
    KeyLeftOut: "key",
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
    Parrot: "long-view",
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
