import asyncio
import re
import threading
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from examples.count_up import GAME as COUNT_UP
from examples.count_up import next_number
from PIL import Image as Pillow

from palaver_agents import Completion
from palaver_broker import AskResult, Budget, Commit, CommitResult, Question, answer_box
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters import waiting as waiting_module
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import AnyGame, Scores
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import AgentError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, Sampling, TurnRequest, TurnTaken, Usage
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message
from tests.support import a_reply
from tests.toys import Choices, Match, ToyModel, serving

QUICK = Patience(base_s=0.0, cap_s=0.0, tries=3)
BUSY = AgentError("too many requests", code="rate_limited", retryable=True)
REFUSED = AgentError("no such key", code="auth", retryable=False)


def opening(game: AnyGame = COUNT_UP, **changes: Any) -> EpisodeStarted:
    options = {"target": 4} if game is COUNT_UP else {}
    config = RunConfig(**{"run_id": "run", "game": game.name, "agents": ("toy",), "options": options, **changes})
    return plan(game, config).openings[0]


class Costly(ToyModel):
    """Uses ten tokens a turn."""

    async def complete(self, request: TurnRequest) -> Completion:
        return (await super().complete(request))._replace(usage=Usage(input_tokens=7, output_tokens=3))


async def play(
    model: ToyModel,
    *,
    game: AnyGame = COUNT_UP,
    broker: MemoryBroker | None = None,
    patience: Patience = QUICK,
    hook: Callable[[Event], None] = lambda _: None,
) -> tuple[EpisodeEnded, list[Any]]:
    """Play the one episode of a game; return how it ended, and its log."""
    start = opening(game)
    broker = broker or MemoryBroker()
    async with (
        serving(broker, "toy", model),
        open_engine(broker, hooks=[hook]) as engine,
    ):
        ended = await engine.play(game, start, patience)
        return ended, await broker.read(episode_log(start.run_id, start.episode_id))


def kinds(log: list[Any]) -> list[str]:
    return [entry.type for entry in log]


class TestPlaying:
    async def test_an_episode_is_played_to_its_end(self) -> None:
        ended, log = await play(ToyModel())
        assert (ended.outcome, ended.scores) == ("solved", {"success": 1.0, "reached": 4.0})
        assert kinds(log) == ["episode.started", *["turn.taken"] * 4, "episode.ended"]
        assert [entry.reply.text for entry in log[1:-1]] == ["1!", "2!", "3!", "4!"]
        assert [entry.reply.seat for entry in log[1:-1]] == ["first", "second", "first", "second"]

    async def test_a_lost_game_is_failed_and_no_error(self) -> None:
        ended, _ = await play(ToyModel(lambda _: "seven"))
        assert (ended.outcome, ended.error) == ("failed", None)

    async def test_each_message_of_the_game_stands_in_the_log_once(self) -> None:
        _, log = await play(ToyModel())
        prompts = [[message.text for message in entry.prompts] for entry in log[1:-1]]
        assert [len(each) for each in prompts] == [1, 1, 0, 0]
        assert "You start" in prompts[0][0]
        assert "Your partner starts" in prompts[1][0]

    async def test_seats_that_speak_together_are_asked_together(self) -> None:
        model = ToyModel(lambda _: "yes")
        ended, log = await play(model, game=Match())
        assert ended.outcome == "solved"
        assert [(request.turn, request.seat) for request in model.asked] == [
            (0, "left"), (1, "right"), (2, "left"), (3, "right"),
        ]  # fmt: skip
        assert len(log) == 6

    async def test_whoever_takes_long_to_measure_an_episode_keeps_nobody_waiting(self) -> None:
        class Slow(Match):
            """Is measured once the loop has had a turn: never, if the game master waits for it there."""

            def score(self, state: Choices) -> Scores:
                went_on = threading.Event()
                loop.call_soon_threadsafe(went_on.set)
                assert went_on.wait(20)
                return super().score(state)

        loop = asyncio.get_running_loop()
        ended, _ = await play(ToyModel(lambda _: "yes"), game=Slow())
        assert (ended.outcome, ended.error) == ("solved", None)

    async def test_the_same_episode_asks_the_same_questions(self) -> None:
        first, second = ToyModel(), ToyModel()
        await play(first)
        await play(second)
        assert [request.key for request in first.asked] == [request.key for request in second.asked]
        assert len({request.key for request in first.asked}) == 4

    async def test_another_parameter_is_another_question(self) -> None:
        keys = set()
        for sampling in (Sampling(), Sampling(temperature=0.0)):
            start = opening(sampling=sampling)
            model = ToyModel()
            async with (
                MemoryBroker() as broker,
                serving(broker, "toy", model),
                open_engine(broker) as engine,
            ):
                await engine.play(COUNT_UP, start)
            keys.add(model.asked[0].key)
        assert len(keys) == 2

    async def test_who_watches_hears_of_everything(self) -> None:
        seen: list[Event] = []
        await play(ToyModel(), hook=seen.append)
        assert [type(event) for event in seen] == [EpisodeOpened, *[TurnAsked, TurnAnswered] * 4, EpisodeClosed]

    async def test_a_picture_is_in_the_blob_store_before_its_seat_is_asked(self) -> None:
        file = BytesIO()
        Pillow.new("RGB", (3, 2), "red").save(file, "PNG")
        picture = Image.from_bytes(file.getvalue())

        class Gallery(Match):
            def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
                return (Message(speaker="user", parts=(Text(text="What is this?"), picture)),)

        class Onlooker(ToyModel):
            async def complete(self, request: TurnRequest) -> Completion:
                assert picture in request.view[0].parts
                seen.append(await broker.blobs.get(picture.sha256))
                return await super().complete(request)

        seen: list[bytes] = []
        broker = MemoryBroker()
        ended, _ = await play(Onlooker(lambda _: "red"), game=Gallery(), broker=broker)
        assert (ended.outcome, seen) == ("solved", [file.getvalue()] * 4)

    async def test_refused_and_empty_replies_are_reported(self) -> None:
        seen: list[Event] = []
        await play(ToyModel(lambda _: ""), game=Match(), hook=seen.append)
        assert [event.reason for event in seen if isinstance(event, InvalidReply)] == ["refused by the game"] * 2


class TestTrouble:
    async def test_what_passes_is_tried_again(self) -> None:
        seen: list[Event] = []
        model = ToyModel(lambda request: BUSY if request.attempt < 3 else next_number(request))
        ended, _ = await play(model, hook=seen.append)
        assert ended.outcome == "solved"
        assert [request.attempt for request in model.asked] == [1, 2, 3] * 4
        assert len({request.key for request in model.asked}) == 4
        assert [event.code for event in seen if isinstance(event, TurnRetried)] == ["rate_limited"] * 8

    async def test_what_does_not_pass_ends_in_error(self) -> None:
        model = ToyModel(lambda _: BUSY)
        ended, log = await play(model)
        assert (ended.outcome, len(model.asked)) == ("error", 3)
        assert ended.error == "toy after 3 tries: too many requests"
        assert kinds(log) == ["episode.started", "episode.ended"]

    async def test_what_cannot_pass_is_not_tried_again(self) -> None:
        model = ToyModel(lambda _: REFUSED)
        ended, _ = await play(model)
        assert (ended.outcome, ended.error, len(model.asked)) == ("error", "toy: no such key", 1)

    async def test_an_error_that_names_its_agent_names_it_once(self) -> None:
        ended, _ = await play(ToyModel(lambda _: AgentError("toy: no such key", code="auth", retryable=False)))
        assert ended.error == "toy: no such key"

    async def test_an_agent_that_raises_is_an_error_with_its_name(self) -> None:
        ended, _ = await play(ToyModel(lambda _: KeyError("lost")))
        assert ended.outcome == "error"
        assert ended.error is not None
        assert "toy: it raised KeyError" in ended.error

    async def test_a_game_that_raises_is_an_error_with_its_name(self) -> None:
        ended, _ = await play(ToyModel(lambda _: "break"), game=Match())
        assert ended.outcome == "error"
        assert ended.error is not None
        said, place = ended.error.split(" (at ")
        assert said == "the game match (plain) raised ZeroDivisionError: this game has a bug"
        assert re.fullmatch(r"\S*tests/toys\.py:\d+\)", place), place

    @pytest.mark.parametrize("method", ["view", "pending", "start"])
    async def test_a_game_that_raises_before_the_first_turn_leaves_a_log_that_can_be_read(
        self, monkeypatch: pytest.MonkeyPatch, method: str
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError("of\ntwo lines")

        start, broker = opening(Match()), MemoryBroker()
        with monkeypatch.context() as patch:
            patch.setattr(Match, method, broken)
            ended, log = await play(ToyModel(), game=Match(), broker=broker)
            again, longer = await play(ToyModel(), game=Match(), broker=broker)

        assert kinds(log) == ["episode.started", "episode.ended"]
        assert log[0].instance == start.instance
        assert ended.outcome == "error"
        assert ended.error is not None
        assert ended.error.startswith("the game match (plain) raised ZeroDivisionError: of two lines (at ")
        assert (again.error, kinds(longer)) == (ended.error, [*kinds(log), "episode.ended"])

        mended, _ = await play(ToyModel(lambda _: "yes"), game=Match(), broker=broker)
        assert mended.outcome == "solved"

    async def test_an_episode_that_broke_its_game_can_be_taken_up_and_breaks_it_again(self) -> None:
        broker = MemoryBroker()
        first, log = await play(ToyModel(lambda _: "break"), game=Match(), broker=broker)
        second, longer = await play(ToyModel(lambda _: "break"), game=Match(), broker=broker)

        assert first.error == second.error
        assert kinds(longer) == [*kinds(log), "episode.ended"]

    async def test_a_question_that_has_long_waited_is_asked_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(waiting_module, "REMIND_S", 0.01)

        class Lossy(MemoryBroker):
            """A bus that asks nobody until it is reminded."""

            async def commit(self, commit: Commit) -> CommitResult:
                return await super().commit(commit._replace(ask=()))

            async def ask(self, question: Question) -> AskResult:
                reminders.append(question.request.turn)
                return await super().ask(question)

        reminders: list[int] = []
        ended, _ = await play(ToyModel(), broker=Lossy(), patience=Patience(remind_s=0.0))
        assert ended.outcome == "solved"
        assert set(reminders) == {0, 1, 2, 3}

    async def test_a_repeated_answer_is_dropped(self) -> None:
        async with MemoryBroker() as broker:

            def twice(request: TurnRequest) -> str:
                broker._topics[answer_box("gamemaster")].put(a_reply(request, next_number(request)))
                return next_number(request)

            ended, log = await play(ToyModel(twice), broker=broker)
            assert (ended.outcome, len(log)) == ("solved", 6)

    async def test_a_run_that_has_spent_its_budget_asks_nobody_more(self) -> None:
        broker = MemoryBroker()
        await broker.fund("run", Budget(tokens=20))
        model = Costly(next_number)
        ended, log = await play(model, broker=broker)
        assert (ended.outcome, ended.error) == ("budget", "the run has spent what it may")
        assert kinds(log) == ["episode.started", "turn.taken", "turn.taken", "episode.ended"]
        assert len(model.asked) == 2

    async def test_a_game_that_asks_nobody_and_does_not_end_is_an_error(self) -> None:
        class Idle(Match):
            def pending(self, state: Choices) -> tuple[str, ...]:
                return ()

        ended, _ = await play(ToyModel(), game=Idle())
        assert ended.error == "the game match (plain) raised RuntimeError: it has not ended, and asks nobody"

    async def test_what_broke_a_game_is_in_the_log(self) -> None:
        _, log = await play(ToyModel(lambda _: "break"), game=Match())
        assert [entry.reply.text for entry in log[1:-1]] == ["break", "break"]

    async def test_an_answer_is_kept_when_the_other_seat_fails(self) -> None:
        broker = MemoryBroker()
        failing = ToyModel(lambda request: "yes" if request.seat == "left" else REFUSED)
        ended, _ = await play(failing, game=Match(), broker=broker)
        assert ended.outcome == "error"
        working = ToyModel(lambda _: "yes")
        ended, log = await play(working, game=Match(), broker=broker)
        assert ended.outcome == "solved"
        assert [(request.turn, request.seat) for request in working.asked] == [(1, "right"), (2, "left"), (3, "right")]
        assert kinds(log) == ["episode.started", "turn.taken", "episode.ended", *["turn.taken"] * 3, "episode.ended"]


class TestResuming:
    async def half_played(self) -> list[Any]:
        """Return a log that ends after the second turn."""
        _, log = await play(ToyModel())
        return log[:3]

    async def test_an_episode_goes_on_where_it_stood_and_asks_nothing_again(self) -> None:
        start = opening()
        seen: list[Event] = []
        broker = MemoryBroker(logs={episode_log(start.run_id, start.episode_id): await self.half_played()})
        model = ToyModel()
        ended, log = await play(model, broker=broker, hook=seen.append)
        assert ended.outcome == "solved"
        assert [request.turn for request in model.asked] == [2, 3]
        assert len(log) == 6
        assert isinstance(seen[0], EpisodeOpened)
        assert seen[0].resumed_at == 2

    async def test_an_episode_that_has_ended_is_not_played_again(self) -> None:
        _, log = await play(ToyModel())
        model = ToyModel()
        broker = MemoryBroker(logs={episode_log(log[0].run_id, log[0].episode_id): log})
        ended, again = await play(model, broker=broker)
        assert (ended, again, model.asked) == (log[-1], log, [])

    async def test_a_resumed_log_equals_an_undisturbed_one(self) -> None:
        _, whole = await play(ToyModel())
        start = opening()
        broker = MemoryBroker(logs={episode_log(start.run_id, start.episode_id): await self.half_played()})
        _, resumed = await play(ToyModel(), broker=broker)
        assert [entry.key for entry in resumed] == [entry.key for entry in whole]
        assert [e.prompts for e in resumed if isinstance(e, TurnTaken)] == [
            e.prompts for e in whole if isinstance(e, TurnTaken)
        ]

    async def test_whoever_is_overtaken_goes_on_from_what_the_other_wrote(self) -> None:
        class Contested(MemoryBroker):
            """A bus on which another game master commits each turn a moment earlier."""

            async def commit(self, commit: Commit) -> CommitResult:
                if isinstance(commit.entry, TurnTaken):
                    await super().commit(commit._replace(ack=()))
                return await super().commit(commit)

        model = ToyModel()
        ended, log = await play(model, broker=Contested())
        assert ended.outcome == "solved"
        assert kinds(log) == ["episode.started", *["turn.taken"] * 4, "episode.ended"]
        assert [request.turn for request in model.asked] == [0, 1, 2, 3]
