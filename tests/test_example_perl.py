"""`examples/agent.pl`: an agent by docs/protocol.md, down to the bytes on the socket."""

import asyncio
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import inbox, outbox
from palaver_deploy.conformance.checking import check
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello, Notice, read_stranger, stranger
from tests.redis_server import RedisServer
from tests.support import a_request
from tests.test_examples_agents import EXAMPLES, PATIENCE_S, a_bus, agent, let_in
from tests.toys import Match

PROGRAM = EXAMPLES / "agent.pl"
ME = stranger("me")
BRAIN = r"""
my $calls = 0;

sub answer {
    my ($ask) = @_;
    $calls++;
    die "no idea\n" if $ask->{game} eq 'crash';
    die { code => 'busy', message => 'later', retryable => JSON::PP::true } if $ask->{game} eq 'busy';
    return "x" x 300_000 if $ask->{game} eq 'chatter';
    return "thought $calls: $ask->{view}[0]{parts}[0]{text}";
}
"""


@pytest.fixture
def perl() -> str:
    """Return the path of perl; skip the test where there is none."""
    found = shutil.which("perl")
    if found is None:
        pytest.skip("there is no perl: apt-get install perl")
    return found


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    """Return the agent with another function to answer."""
    program, functions = re.subn(
        r"^sub answer \{.*?^\}\n", lambda _: BRAIN, PROGRAM.read_text(), flags=re.MULTILINE | re.DOTALL
    )
    assert functions == 1
    path = tmp_path / "agent.pl"
    path.write_text(program)
    return path


async def said_by_me(broker: RedisBroker, count: int) -> list[Any]:
    """Wait for so many messages in the outbox, which no porter empties; return them."""
    said: list[Any] = []
    while len(said) < count:
        entries = await broker.link.call("XRANGE", f"{broker.link.prefix}{outbox(ME)}", "-", "+")
        said = [read_stranger(fields[1], ME) for _, fields in entries]
        await asyncio.sleep(0.005)
    return said


@pytest.mark.usefixtures("redis_7")
async def test_it_meets_every_point_and_plays_a_game_with_itself(perl: str) -> None:
    with RedisServer(tcp=True) as server:
        async with asyncio.timeout(PATIENCE_S), a_bus(server) as broker:
            token = await Strangers(broker.link).add("me", ["redis"])
            await let_in(broker)
            async with agent(server, "me", token, [perl, str(PROGRAM)]):
                report = await check(server.tcp_url, "me", timeout_s=10)
                config = RunConfig(run_id="run", game="match", agents=(ME, ME))
                async with open_engine(broker) as engine:
                    end = await engine.play(Match(), plan(Match(), config).openings[0])
    assert report.passed, report.unmet
    assert end.outcome == "failed", end.error  # each names its own seat


@pytest.mark.usefixtures("redis_7")
async def test_it_thinks_once_about_a_question_and_anew_about_another_attempt(perl: str, brain: Path) -> None:
    questions = [
        a_request("k1", agent=ME),
        a_request("k1", agent=ME),
        a_request("k1", agent=ME, attempt=2),
        a_request("k2", agent=ME, game="crash"),
        a_request("k3", agent=ME, game="busy"),
        a_request("k4", agent=ME, game="chatter"),
    ]
    with RedisServer(tcp=True) as server:
        async with asyncio.timeout(PATIENCE_S), RedisBroker(f"{server.tcp_url}?bus=other") as broker:
            token = await Strangers(broker.link).add("me", ["redis"])
            await let_in(broker)
            for question in questions:
                await broker.publish(inbox(ME), question)
            async with agent(server, "me", token, [perl, str(brain)], bus="other"):
                greeting, first, again, anew, *failures = await said_by_me(broker, 1 + len(questions))
    assert isinstance(greeting, AgentHello)
    assert not greeting.pictures
    assert isinstance(first, TurnReply)
    assert first.text == "thought 1: Say something."
    assert again == first
    assert anew.text == "thought 2: Say something."
    assert all(isinstance(failure, TurnFailure) for failure in failures)
    assert [(each.code, each.retryable) for each in failures] == [("bug", False), ("busy", True), ("too_large", False)]


@pytest.mark.usefixtures("redis_7")
async def test_it_comes_back_after_a_restart_and_says_the_same_unless_that_was_refused(perl: str, brain: Path) -> None:
    with RedisServer(tcp=True) as server:
        async with asyncio.timeout(PATIENCE_S), RedisBroker(server.tcp_url) as broker:
            token = await Strangers(broker.link).add("me", ["redis"])
            await let_in(broker)
            for key in ("k1", "k2"):
                await broker.publish(inbox(ME), a_request(key, agent=ME))
            async with agent(server, "me", token, [perl, str(brain)]) as process:
                before = await said_by_me(broker, 3)
                refusal = Notice(key="k2", agent=ME, code="refused", reason="mismatch", message="Größe → falsch")
                note = f"{broker.link.prefix}note:{ME}"
                await broker.link.call("XADD", note, "*", "m", refusal.model_dump_json())
                server.kill()
                server.start()
                await let_in(broker)
                after = (await said_by_me(broker, 6))[3:]
                process.send_signal(signal.SIGTERM)
                _, complaints = await process.communicate()
    assert isinstance(after[0], AgentHello)
    assert after[0].key != before[0].key
    assert after[1] == before[1]
    assert isinstance(after[2], TurnFailure)
    assert "refused, mismatch: Größe → falsch (k2)" in complaints.decode()
    assert token not in complaints.decode()


def test_it_has_eighty_lines_at_most() -> None:
    lines = PROGRAM.read_text().splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 120
