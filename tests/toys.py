"""Agents and games that are small enough to see through."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from examples.count_up import next_number
from pydantic import JsonValue

from palaver_agents import AgentService, Completion, Model
from palaver_broker import Broker
from palaver_gamemasters.game import Game, GameOutcome, Instance, Options, Reply, Scores
from palaver_protocols.content import Text
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import USER, Message

Answer = Callable[[TurnRequest], str | Exception]


class ToyModel(Model):
    """Answers what a function says, raises what it returns as an exception, and remembers what it was asked."""

    provider = "toy"

    def __init__(self, answer: Answer = next_number) -> None:
        self._answer = answer
        self.asked: list[TurnRequest] = []

    async def complete(self, request: TurnRequest) -> Completion:
        self.asked.append(request)
        answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        return Completion((Text(text=answer),), self.provider, "toy-1")

    async def aclose(self) -> None:
        pass


@asynccontextmanager
async def serving(broker: Broker, name: str, model: Model, concurrency: int = 64) -> AsyncIterator[None]:
    """Serve a model as an agent until the context is left."""
    service = asyncio.create_task(AgentService(broker, name, model, concurrency=concurrency).run())
    try:
        yield
    finally:
        service.cancel()
        await asyncio.gather(service, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Choices:
    rounds: tuple[Mapping[str, str], ...] = ()


class Match(Game[Choices, Options]):
    """Both seats choose a word at the same time; twice. They want to choose the same."""

    name = "match"
    summary = "choose the same word at the same time"
    options_type = Options
    primary_score = "success"

    def variant(self, options: Options) -> str:
        return "plain"

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        yield Instance("only", {})

    def seats(self, options: Options) -> tuple[str, ...]:
        return ("left", "right")

    def turn_limit(self, options: Options) -> int:
        return 4

    def start(self, instance: JsonValue, options: Options) -> Choices:
        return Choices()

    def pending(self, state: Choices) -> tuple[str, ...]:
        return ("left", "right") if len(state.rounds) < 2 else ()

    def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
        return (Message.text_from(USER, f"Round {len(state.rounds) + 1}: choose a word."),)

    def apply(self, state: Choices, replies: Mapping[str, Reply]) -> Choices:
        if any(reply.text == "break" for reply in replies.values()):
            raise ZeroDivisionError("this game has a bug")
        return Choices((*state.rounds, {seat: reply.text for seat, reply in replies.items()}))

    def outcome(self, state: Choices) -> GameOutcome | None:
        if len(state.rounds) < 2:
            return None
        return "solved" if all(len(set(words.values())) == 1 for words in state.rounds) else "failed"

    def refused(self, state: Choices) -> int:
        return sum(not word for words in state.rounds for word in words.values())

    def score(self, state: Choices) -> Scores:
        return {"success": float(self.outcome(state) == "solved")}

    def players(self) -> Mapping[str, Player]:
        return {"random": lambda request: str(request.seed)}
