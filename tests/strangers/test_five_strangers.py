"""Five programs that are none of ours, each by a way of its own, in one maze; and again, while all of it is killed."""

import asyncio
import random
from pathlib import Path

import pytest

from palaver_broker.redis import RedisBroker
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.maze import GAME as MAZE
from palaver_protocols.messages import LogEntry, TurnTaken
from tests.strangers.party import Party, a_party

pytestmark = pytest.mark.usefixtures("redis_7")

STRIKES = ("gateway", "bridge", "mosquitto", "redis")
GUESTS = ("py", "js", "ws", "edge", "a2a")
LAST_STRIKE = 12
"""After so many turns at the latest; the game takes seventeen."""


def check(log: list[LogEntry], names: list[str]) -> None:
    """A log is whole: nothing in it is missing or there twice, and each has spoken for itself."""
    assert len({entry.key for entry in log}) == len(log)
    episode = Episode.from_log(MAZE, log)
    assert episode.outcome == "solved"
    assert episode.ended is not None
    turns = [entry.reply for entry in log if isinstance(entry, TurnTaken)]
    assert [reply.turn for reply in turns] == list(range(episode.turns))
    assert [reply.agent for reply in turns[:5]] == names
    assert all(reply.unverified for reply in turns)


@pytest.mark.timeout(150)
async def test_five_strangers_solve_a_maze_together(tmp_path: Path) -> None:
    async with asyncio.timeout(120), a_party(tmp_path) as party:
        async with RedisBroker(party.url) as broker:
            await party.until_present(broker)
        for name in party.names:
            said = await party.palaver("check-agent", name)
            assert said.code == 0, said.out + said.err
        played = await party.play()
        assert played.code == 0, played.err
        check(party.record, party.names)
        seen, audited = await asyncio.gather(party.palaver("view", "run", "--text"), party.palaver("audit", "run"))
        assert (seen.code, seen.err) == (0, "")
        assert "solved" in seen.out.splitlines()[-1]
        assert all(name in seen.out for name in party.names)
        assert audited.code == 0, audited.out
        assert "no seat was sent what only another may see" in audited.out


async def storm(party: Party, dice: random.Random, think_s: float) -> list[str]:
    """Kill the house and its guests at moments of the game that the dice say; return who was killed, in order."""
    struck = [*STRIKES, *dice.sample(GUESTS, 2)]
    dice.shuffle(struck)
    moments = sorted(dice.choices(range(1, LAST_STRIKE + 1), k=len(struck)))
    for name, turns in zip(struck, moments, strict=True):
        await until_taken(party, turns)
        await asyncio.sleep(dice.uniform(0, think_s))  # in the middle of something
        await party.kill(name)
        await asyncio.sleep(dice.uniform(0, 0.5))  # for so long nobody starts it again
        await party.start(name)
    return struck


async def until_taken(party: Party, turns: int) -> None:
    """Wait until the log on the bus has so many turns."""
    async with RedisBroker(party.url) as broker:
        taken = -1
        while taken < turns:
            for key in await broker.link.call("KEYS", f"{broker.link.prefix}log:*"):
                taken = int(await broker.link.call("XLEN", key)) - 1  # the first is the start
            await asyncio.sleep(0.02)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", [0])
async def test_they_solve_it_while_the_house_and_the_guests_are_killed(tmp_path: Path, seed: int) -> None:
    think_s = 0.2
    async with asyncio.timeout(150), a_party(tmp_path, think_s=think_s) as party:
        async with RedisBroker(party.url) as broker:
            await party.until_present(broker)
        async with asyncio.TaskGroup() as tasks:
            storming = tasks.create_task(storm(party, random.Random(seed), think_s))
            played = await party.play("--tries", "10")
            assert storming.done(), f"the game was over before the storm: {played}"
        assert played.code == 0, played.err
        check(party.record, party.names)
