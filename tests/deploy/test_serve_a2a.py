"""`palaver serve a2a` as a process: an agent of ours that plays elsewhere, and a seat that A2A clients take."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from a2a.client import Client, ClientConfig, create_client
from a2a.types import Message, Part, Role, SendMessageRequest, Task, TaskState

from palaver_agents.a2a.extension import EXTENSION
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.board import Board
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.doors.a2a_serving import public_name
from palaver_gamemasters.registry import load_game
from palaver_protocols.codec import decode
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnReply, TurnRequest
from palaver_protocols.transcript import Message as Said
from tests.agents.a2a.sdk_server import a_picture
from tests.deploy.children import child, lines
from tests.deploy.conftest import Palaver
from tests.deploy.test_fleet import a_fleet
from tests.redis_server import RedisServer, free_port, fresh_bus
from tests.support import BOX, a_request, ask

RUN = ("run", "maze", "-n", "2", "--seed", "3", "--set", "size=4")
TOKEN = "a-token-that-nobody-guesses"
EXAMPLE = Path(__file__).parents[2] / "examples" / "a2a_agent.py"


@asynccontextmanager
async def serving(home: Path, *words: str) -> AsyncIterator[tuple[dict[str, Any], asyncio.subprocess.Process]]:
    """Start `palaver serve a2a`; yield what it says when it serves."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "palaver_deploy", "serve", "a2a", *words, cwd=home, stdout=PIPE, stderr=PIPE
    )
    assert process.stderr is not None
    try:
        while {"agent", "event"} - (said := json.loads(await process.stderr.readline())).keys():
            pass
        yield said, process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def played(home: Path, *words: str) -> tuple[int, str]:
    async with child(*words, "-q", cwd=home) as run:
        _, err = await run.communicate()
        assert run.returncode is not None
        return run.returncode, err.decode()


class TestAnAgent:
    async def test_a_maze_is_solved_with_it_at_both_seats_as_without(self, home: Path) -> None:
        async with serving(home, "--agent", "scripted") as (said, process):
            name = f"a2a/{said['http']}"
            assert await played(home, *RUN, "--agents", name, "--out", "far") == (0, "")
            assert await played(home, *RUN, "--agents", "scripted", "--out", "near") == (0, "")
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
        far, near = (lines(home / folder / "episodes.jsonl") for folder in ("far", "near"))
        assert [episode["outcome"] for episode in far] == ["solved", "solved"]
        assert [episode["scores"] for episode in far] == [episode["scores"] for episode in near]
        assert far[0]["seats"]["agent_1"] == [{"agent": name, "model": f"scripted {said['version']}", "from_turn": 0}]

    async def test_a_token_is_asked_for_and_kept_out_of_every_record(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PALAVER_A2A_TOKEN", TOKEN)
        async with serving(home, "--agent", "scripted") as (said, _):
            words = (*RUN, "--agents", f"a2a/{said['http']}")
            code, err = await played(home, *words, "--out", "without")
            assert code == 1
            assert "wants a token (set A2A_TOKEN" in (home / "without/episodes.jsonl").read_text() + err
            monkeypatch.setenv("A2A_TOKEN", TOKEN)
            assert await played(home, *words, "--out", "with") == (0, "")
        for file in (home / "with").rglob("*"):
            assert not file.is_file() or TOKEN.encode() not in file.read_bytes()

    async def test_an_agent_on_a_bus_may_be_an_a2a_server(
        self, home: Path, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PALAVER_BROKER", fresh_bus(redis_server))
        monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
        async with serving(home, "--agent", "scripted") as (said, _):
            name = f"a2a/{said['http']}"
            async with a_fleet(home, ("agent", "--agent", name)):
                code, err = await played(home, *RUN, "--agents", f"{name},scripted", "--out", "mixed")
        assert (code, [e["outcome"] for e in lines(home / "mixed/episodes.jsonl")]) == (0, ["solved"] * 2), err


async def test_the_example_plays_with_a_function_that_knows_the_game(home: Path) -> None:
    port = free_port()
    words = ("--python", "maze_brain:reply", "--whole", "--port", str(port))
    process = await asyncio.create_subprocess_exec(sys.executable, EXAMPLE, *words, cwd=home)
    try:
        async with httpx.AsyncClient() as web, asyncio.timeout(30):
            while not await answers(web, f"http://127.0.0.1:{port}/.well-known/agent-card.json"):  # noqa: ASYNC110 - as users do
                await asyncio.sleep(0.05)
        assert await played(home, *RUN, "--agents", f"a2a/http://127.0.0.1:{port}", "--out", "example") == (0, "")
    finally:
        process.kill()
        await process.wait()
    assert [episode["outcome"] for episode in lines(home / "example/episodes.jsonl")] == ["solved", "solved"]


async def answers(web: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await web.get(url)).status_code == 200
    except httpx.ConnectError:
        return False


class TestWords:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "say what to serve: one of --agent and --seat"),
            (("--agent", "scripted", "--seat", "ann"), "say what to serve: one of --agent and --seat"),
            (("--agent", "nobody"), "there is no agent 'nobody'"),
            (("--agent", "scripted", "--listen", "0.0.0.0:0"), "(set PALAVER_A2A_TOKEN to a token)"),
            (("--agent", "scripted", "--listen", "here"), "the address 'here' does not read HOST:PORT"),
            (("--seat", "ann"), "a seat is on a bus (name the bus"),
            (("--seat", "Ann", "--broker", "redis://localhost"), "'Ann' is no name for an agent on the bus"),
            (("--seat", "ann", "--broker", "memory://"), "memory://"),
        ],
        ids=range(8),
    )
    def test_what_cannot_be_served(self, palaver: Palaver, words: tuple[str, ...], said: str) -> None:
        ended = palaver("serve", "a2a", *words)
        assert (ended.code, said in ended.err.splitlines()[-1]) == (2, True), ended.err

    def test_the_sdk_is_missing(self, palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in ("app", "client"):
            monkeypatch.setitem(sys.modules, f"palaver_agents.a2a.{module}", None)
        mend = "(pip install 'palaver[a2a]')"
        for words in (("serve", "a2a", "--agent", "random"), ("run", "maze", "--agents", "a2a/http://localhost:1")):
            said = palaver(*words)
            assert (said.code, mend in said.err, " needs the package a2a-sdk" in said.err) == (2, True, True)

    def test_a_token_that_can_be_guessed(self, palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PALAVER_A2A_TOKEN", "1234")
        assert "PALAVER_A2A_TOKEN holds what can be guessed" in palaver("serve", "a2a", "--agent", "random").err


class Sitting:
    """An A2A client at a seat."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.task = Task()

    async def says(self, *parts: str | bytes) -> Task:
        """Say something in the task, or in a new one if there is none or it has ended."""
        going_on = self.task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
        message = Message(message_id="m", role=Role.ROLE_USER, task_id=self.task.id if going_on else "")
        for part in parts:
            message.parts.append(Part(text=part) if isinstance(part, str) else Part(raw=part, media_type="image/png"))
        async for event in self._client.send_message(SendMessageRequest(message=message)):
            self.task = event.task
        return self.task

    @property
    def asked(self) -> str:
        """What the task waits for."""
        assert self.task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
        return "\n".join(part.text for part in self.task.status.message.parts if part.HasField("text"))


@asynccontextmanager
async def sitting(url: str, token: str, *, knows_us: bool = False) -> AsyncIterator[Sitting]:
    headers = {"Authorization": f"Bearer {token}", "A2A-Extensions": EXTENSION if knows_us else "urn:x"}
    async with httpx.AsyncClient(headers=headers, timeout=30) as web:
        client = await create_client(url, ClientConfig(httpx_client=web, streaming=False))
        yield Sitting(client)


class Bus:
    """A bus, its registry of strangers, and the answers to what we ask."""

    def __init__(self, broker: RedisBroker) -> None:
        self.broker = broker
        self.strangers = Strangers(broker.link)

    async def asks(self, request: TurnRequest) -> None:
        assert await ask(self.broker, request) == "asked"

    async def sees(self, agent: str) -> None:
        """Wait until an agent has said that it is there."""
        board = Board(self.broker.link)
        async with asyncio.timeout(20):
            while agent not in [member.name for member in await board.members()]:  # noqa: ASYNC110 - as runs look
                await asyncio.sleep(0.05)

    async def hears(self) -> TurnReply:
        async with self.broker.subscribe(BOX, "test", consumer="test") as answers, asyncio.timeout(20):
            delivery = await anext(aiter(answers))
            await delivery.ack()
            reply: TurnReply = delivery.message
            return reply


@pytest.fixture
async def bus(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bus]:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    async with RedisBroker(url) as broker:
        yield Bus(broker)


def a_question(key: str, *parts: Any, **changes: Any) -> TurnRequest:
    view = (Said(speaker="user", parts=parts or (Text(text=f"Question {key}?"),)),)
    return a_request(key, agent="bus/ann", view=view, **changes)


def test_a_card_tells_nothing_of_where_a_model_is() -> None:
    assert public_name("vllm/Qwen/Qwen3-8B@http://10.0.0.7:8000") == "vllm/Qwen/Qwen3-8B"
    assert public_name("replay/home/me/a.json") == "replay"
    assert public_name("scripted/rc") == "scripted/rc"


class TestASeat:
    async def test_questions_come_as_a_task_that_waits_and_answers_go_back_in_it(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        red = a_picture("red")
        assert red.data is not None
        await bus.broker.blobs.put(red.data)
        await bus.asks(a_question("k0", Text(text="Look:"), red, Text(text="What is it?")))
        async with serving(home, "--seat", "ann") as (said, process), sitting(said["a2a"], token) as ann:
            task = await ann.says("hello")
            parts = [part.text or part.raw for part in task.status.message.parts]
            assert parts == ["Look:", red.data, "What is it?"]
            await bus.asks(a_question("k1", turn=1))
            await ann.says("A box.")
            reply = await bus.hears()
            assert (reply.key, reply.text, reply.agent, reply.unverified) == ("k0", "A box.", "bus/ann", True)
            assert ann.asked == "Question k1?"
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0

    async def test_a_client_that_waits_is_asked_when_there_is_something_to_ask(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        async with serving(home, "--seat", "ann") as (said, _), sitting(said["a2a"], token) as ann:
            waiting = asyncio.create_task(ann.says("hello"))
            await bus.sees("bus/ann")
            assert not waiting.done()
            await bus.asks(a_question("k0"))
            await waiting
            assert ann.asked == "Question k0?"

    async def test_a_client_that_waits_in_vain_is_told_so_and_may_come_again(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        async with serving(home, "--seat", "ann", "--idle", "0.2") as (said, _), sitting(said["a2a"], token) as ann:
            task = await ann.says("hello")
            assert task.status.state == TaskState.TASK_STATE_COMPLETED
            assert "no question within 0.2 s" in task.status.message.parts[0].text
            await bus.asks(a_question("k0"))
            await until_asked(ann)
            assert ann.asked == "Question k0?"

    async def test_a_server_that_is_stopped_keeps_nobody_waiting(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        async with serving(home, "--seat", "ann", "--grace", "600") as (said, process):
            async with sitting(said["a2a"], token) as ann:
                waiting = asyncio.create_task(ann.says("hello"))
                await bus.sees("bus/ann")
                process.send_signal(signal.SIGTERM)
                assert "about to end" in (await waiting).status.message.parts[0].text
            assert await process.wait() == 0

    async def test_an_answer_that_cannot_be_taken_is_asked_for_again(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        await bus.asks(a_question("k0"))
        picture = a_picture().data
        assert picture is not None
        async with serving(home, "--seat", "ann", "--idle", "0.2") as (said, _), sitting(said["a2a"], token) as ann:
            await until_asked(ann)
            await ann.says("Look:", picture)
            assert ann.asked == "Your answer was refused: an answer is text; pictures are not taken.\nQuestion k0?"
            await ann.says("x" * 300_000)
            assert "262,144 are allowed.\nQuestion k0?" in ann.asked
            await ann.says("A box.")
            assert (await bus.hears()).text == "A box."

    async def test_two_tasks_have_two_questions(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        for number in range(2):
            await bus.asks(a_question(f"k{number}", turn=number))
        async with AsyncExitStack() as stack:
            said, _ = await stack.enter_async_context(serving(home, "--seat", "ann"))
            one, two = [await stack.enter_async_context(sitting(said["a2a"], token)) for _ in range(2)]
            await one.says("hello")
            await two.says("hello")
            assert {one.asked, two.asked} == {"Question k0?", "Question k1?"}

    async def test_nobody_sits_down_with_another_ones_token(self, bus: Bus, home: Path) -> None:
        tokens = [
            await bus.strangers.add("bob", ["gateway"]),
            await bus.strangers.add("ann", ["redis"]),
            "",
            "ann.guess",
        ]
        await bus.asks(a_question("k0"))
        async with serving(home, "--seat", "ann") as (said, _), httpx.AsyncClient() as web:
            for token in tokens:
                headers = {"Authorization": f"Bearer {token}".strip()}
                assert (await web.post(said["a2a"], headers=headers, content=b"{}")).status_code == 401

    async def test_who_is_turned_out_while_it_waits_is_shown_nothing(self, bus: Bus, home: Path) -> None:
        token = await bus.strangers.add("ann", ["gateway"])
        async with serving(home, "--seat", "ann") as (said, _), sitting(said["a2a"], token) as ann:
            waiting = asyncio.create_task(ann.says("hello"))
            await bus.sees("bus/ann")
            await bus.strangers.remove("ann")
            await bus.asks(a_question("k0"))
            task = await waiting
            assert task.status.state == TaskState.TASK_STATE_REJECTED
            assert "Question" not in str(task)

    async def test_a_client_plays_a_maze_to_its_end(
        self, bus: Bus, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PALAVER_A2A_TOKEN", TOKEN)
        monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
        scripted = load_game("maze").players()["scripted"]
        async with (
            serving(home, "--seat", "ann", "--idle", "3") as (said, _),
            a_fleet(home),
            sitting(said["a2a"], TOKEN, knows_us=True) as ann,
        ):
            run = asyncio.create_task(played(home, *RUN, "--agents", "bus/ann,scripted", "--out", "with-ann"))
            while not run.done():  # on a busy machine it may greet in vain: nobody has begun yet
                task = await ann.says("hello")
                while task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED:
                    request = decode(task.status.message.parts[-1].data.string_value)
                    task = await ann.says(scripted(request))
                assert task.status.state == TaskState.TASK_STATE_COMPLETED
            code, err = await run
        assert (code, [e["outcome"] for e in lines(home / "with-ann/episodes.jsonl")]) == (0, ["solved"] * 2), err


async def until_asked(client: Sitting) -> None:
    """Greet until there is a question: it may be on its way to the desk yet."""
    async with asyncio.timeout(20):
        while (await client.says("hello")).status.state != TaskState.TASK_STATE_INPUT_REQUIRED:
            pass
