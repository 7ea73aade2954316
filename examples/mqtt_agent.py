"""An agent that speaks MQTT 5, with nothing but aiomqtt.

    pip install aiomqtt
    PALAVER_MQTT=mqtt://NAME:TOKEN@localhost:1883 python mqtt_agent.py [BRAIN.py [ANSWERS.jsonl]]

A question comes again until its answer is safe on the bus, whatever dies in between. So an answer is kept under its
question's key, in ANSWERS.jsonl too if that is named, and sent again when its question comes again. BRAIN.py holds
``reply(question) -> text``; ``question["pictures"]`` has the bytes of what it shows, by SHA-256.
"""

import asyncio
import json
import os
import runpy
import socket
import ssl
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import aiomqtt

AT_A_TIME = 8
PICTURES = 100
ASKED = ("version", "key", "run_id", "episode_id", "turn", "seat", "agent")


class Answers:
    """What has been answered, by key; on disk before anybody hears of it."""

    def __init__(self, file: Path | None) -> None:
        self._known: dict[str, str] = {}
        self._file = file.open("a+") if file else None
        if self._file:
            self._file.seek(0)
            for line in self._file:
                if line.endswith("}\n"):  # else we were killed as we wrote it
                    self._known[json.loads(line)["key"]] = line.strip()
            self._file.write("\n")

    def get(self, key: str) -> str | None:
        """Return an answer that was given before."""
        return self._known.get(key)

    def keep(self, key: str, answer: str) -> None:
        """Keep an answer."""
        self._known[key] = answer
        if self._file:
            self._file.write(answer + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())


class Agent:
    """One agent, as long as the program runs; connections come and go, and what it thinks about goes on."""

    def __init__(self, name: str, bus: str, brain: Callable[[dict[str, Any]], str], answers: Answers) -> None:
        self.agent = f"bus/{name}"
        self.topics = f"palaver/{bus}/agents/{name}"
        self.brain, self.answers = brain, answers
        self.client: aiomqtt.Client | None = None
        self.pictures: dict[str, bytes] = {}
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.places = asyncio.Semaphore(AT_A_TIME)

    async def serve(self, client: aiomqtt.Client) -> None:
        """Take questions from one connection until it breaks."""
        await client.subscribe([(f"{self.topics}/{end}", 1) for end in ("in", "note", "blob/+")])
        self.client = client
        greeting = asyncio.create_task(self.greet())
        try:
            async for message in client.messages:
                self.take(message.topic.value.removeprefix(f"{self.topics}/"), bytes(message.payload))
        finally:
            self.client = None
            greeting.cancel()

    def take(self, topic: str, said: bytes) -> None:
        """Take a message."""
        if topic.startswith("blob/"):
            self.pictures[topic.removeprefix("blob/")] = said
            if len(self.pictures) > PICTURES:
                del self.pictures[next(iter(self.pictures))]
        elif topic == "in":
            question = json.loads(said)
            if question["type"] == "turn.request" and question["key"] not in self.thinking:
                self.thinking[question["key"]] = asyncio.create_task(self.answer(question))
        elif b'"refused"' in said:
            print(said.decode(), file=sys.stderr)

    async def say(self, said: str) -> None:
        """Say something, if we can: nothing depends on it, since what is lost is asked for again."""
        if self.client is not None:
            with suppress(aiomqtt.MqttError):
                await self.client.publish(f"{self.topics}/out", said, qos=1)

    async def greet(self) -> None:
        """Say that we are here; a new key says that we are new here, and have lost whatever was on its way."""
        names = {"type": "agent.hello", "version": "1.0", "key": uuid.uuid4().hex, "agent": self.agent}
        said = json.dumps({**names, "software": "mqtt_agent.py", "concurrency": AT_A_TIME})
        for pause_s in chain([2], repeat(20)):  # a bridge that has just heard of us listens within a second
            await self.say(said)
            await asyncio.sleep(pause_s)

    async def answer(self, question: dict[str, Any]) -> None:
        """Answer a question, with the same words if it has come before."""
        key = question["key"]
        parts = [part for said in question["view"] for part in said["parts"]]
        shown = {part["sha256"] for part in parts if part["type"] == "image"}
        try:
            said = self.answers.get(key)
            if said is None:
                if not shown <= self.pictures.keys():
                    return  # a picture was lost on the way; they come again with their question
                question["pictures"] = {each: self.pictures[each] for each in shown}
                async with self.places:
                    said = await asyncio.to_thread(self.think, question)
                if '"turn.reply"' in said:
                    self.answers.keep(key, said)
            await self.say(said)
        finally:
            del self.thinking[key]

    def think(self, question: dict[str, Any]) -> str:
        """Return the answer as it travels."""
        names = {name: question[name] for name in ASKED}
        try:
            return json.dumps(
                {"type": "turn.reply", **names, "parts": [{"type": "text", "text": self.brain(question)}]}
            )
        except Exception as error:
            said = {"type": "turn.failure", **names, "code": "crashed", "message": repr(error), "retryable": True}
            return json.dumps(said)


async def main(url: str, bus: str, brain: Callable[[dict[str, Any]], str], answers: Answers) -> None:
    """Answer until somebody stops us, or our token is no longer valid."""
    where = urlsplit(url)
    secure = where.scheme == "mqtts"
    name = where.username or ""
    agent = Agent(name, bus, brain, answers)
    while True:
        try:
            async with aiomqtt.Client(
                where.hostname or "localhost",
                where.port or (8883 if secure else 1883),
                identifier=name,
                username=name,
                password=unquote(where.password or ""),
                protocol=aiomqtt.ProtocolVersion.V5,
                socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],  # 40 ms a message sooner
                clean_start=True,  # what was on its way comes again anyway
                tls_context=ssl.create_default_context(cafile=os.environ.get("PALAVER_MQTT_CA")) if secure else None,
            ) as client:
                await agent.serve(client)
        except aiomqtt.MqttError as error:
            if isinstance(error, aiomqtt.MqttCodeError) and getattr(error.rc, "value", 0) in (0x86, 0x87):
                sys.exit("our token is not valid")
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    BRAIN = runpy.run_path(sys.argv[1])["reply"] if sys.argv[1:] else lambda question: "I have nothing to add."
    ANSWERS = Answers(Path(sys.argv[2]) if sys.argv[2:] else None)
    asyncio.run(main(os.environ["PALAVER_MQTT"], os.environ.get("PALAVER_BUS", "palaver"), BRAIN, ANSWERS))
