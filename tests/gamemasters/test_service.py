"""A game master of a fleet, on a board that is easy to see through."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from examples.count_up import GAME as COUNT_UP

from palaver_broker import Commit, CommitResult, inbox
from palaver_broker.board import Lease
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters import service as service_module
from palaver_gamemasters import waiting
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.service import GameMaster
from palaver_gamemasters.table import Patience
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, Outcome
from palaver_protocols.runs import RunConfig
from tests.support import NOON, a_turn, until
from tests.toys import ToyModel, serving

RUN = RunConfig(run_id="run", game="count-up", agents=("toy",), episodes=3, options={"target": 4})
Name = tuple[str, str]


@pytest.fixture(autouse=True)
def looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "LOOK_S", 0.01)


class Table:
    """A board that knows one run, in this process."""

    def __init__(self, openings: Collection[EpisodeStarted]) -> None:
        self.owed = list(openings)
        self.holders: dict[Name, str] = {}
        self.taken_away: set[Name] = set()
        self.released: list[Name] = []
        self.silenced: set[str] = set()
        self.ended: dict[str, Outcome] = {}
        self.all_ended = asyncio.Event()
        self._count = len(self.owed)

    async def claim(self, gamemaster: str, games: Collection[str], room: int, lease_s: float) -> list[Lease]:
        assert "count-up" in games
        given, self.owed = self.owed[:room], self.owed[room:]
        self.holders |= {(opening.run_id, opening.episode_id): gamemaster for opening in given}
        return [Lease(RUN, opening) for opening in given]

    async def renew(self, gamemaster: str, held: Collection[Name], lease_s: float) -> set[Name]:
        return {name for name in held if self.holders.get(name) == gamemaster and name not in self.taken_away}

    async def release(self, gamemaster: str, held: Collection[Name]) -> None:
        self.released += held

    async def silence(self, run_id: str) -> None:
        self.silenced.add(run_id)

    async def finish(self, run_id: str, episode_id: str, outcome: Outcome) -> None:
        self.ended[episode_id] = outcome
        if len(self.ended) == self._count:
            self.all_ended.set()


def load_game(name: str) -> AnyGame:
    if name != COUNT_UP.name:
        raise UsageError(f"there is no game {name!r}")
    return COUNT_UP


def an_opening() -> EpisodeStarted:
    return plan(COUNT_UP, RUN).openings[0]


def an_end(key: str, outcome: Outcome) -> EpisodeEnded:
    return EpisodeEnded(key=key, outcome=outcome, at=NOON)


def no_game(name: str) -> AnyGame:
    raise UsageError(f"there is no game {name!r}")


@asynccontextmanager
async def at_work(
    broker: MemoryBroker, table: Table, *, load: Callable[[str], AnyGame] = load_game, **settings: object
) -> AsyncIterator[GameMaster]:
    master = GameMaster(broker, table, load, ["count-up"], "gm", **settings)  # type: ignore[arg-type] # any of its fields
    working = asyncio.create_task(master.run())
    try:
        yield master
    finally:
        master.drain()
        await working


async def test_it_plays_what_is_owed_to_the_end() -> None:
    table = Table(plan(COUNT_UP, RUN).openings)
    async with MemoryBroker() as broker, serving(broker, "toy", ToyModel()), at_work(broker, table) as master:
        await table.all_ended.wait()
        assert table.ended == {f"count-up-to-4-0000{n}": "solved" for n in range(3)}
        assert master.busy == 0


async def test_it_takes_no_more_than_it_has_places_for() -> None:
    table = Table(plan(COUNT_UP, RUN).openings)
    async with MemoryBroker() as broker, at_work(broker, table, episodes=2) as master:
        await until(lambda: len(table.holders) == 2)
        assert (master.busy, len(table.owed)) == (2, 1)
        async with serving(broker, "toy", ToyModel()):
            await table.all_ended.wait()


async def test_when_drained_it_hands_back_what_has_not_ended() -> None:
    table = Table(plan(COUNT_UP, RUN).openings)
    async with MemoryBroker() as broker:
        async with at_work(broker, table) as master:
            await until(lambda: master.busy == 3)
        assert sorted(table.released) == sorted(table.holders)
        assert table.ended == {}


async def test_it_stops_playing_what_is_no_longer_its_own() -> None:
    table = Table(plan(COUNT_UP, RUN).openings)
    async with MemoryBroker() as broker, at_work(broker, table, lease_s=0.03) as master:
        await until(lambda: master.busy == 3)
        table.taken_away |= set(table.holders)
        await until(lambda: table.silenced)  # in case its run is cancelled
        assert not master.busy
    assert (table.released, table.ended) == ([], {})


async def test_what_comes_back_while_it_is_played_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "REMIND_S", 0.01)
    opening = an_opening()
    table = Table([opening])
    async with MemoryBroker() as broker, broker.subscribe(inbox("toy"), "agents", consumer="c") as questions:
        async with at_work(broker, table):
            asked = await anext(questions)
            assert await broker.withdraw(asked.message), "as whoever pauses a run does"
            table.owed.append(opening)  # and now it goes on
            async with asyncio.timeout(Patience().remind_s / 2):
                assert (await anext(questions)).message.key == asked.message.key


async def test_an_instance_that_makes_no_game_here_ends_as_an_error_with_a_log() -> None:
    (opening, *_) = plan(COUNT_UP, RUN).openings
    table = Table([opening.model_copy(update={"options": {"target": "many"}})])
    async with MemoryBroker() as broker, at_work(broker, table):
        await table.all_ended.wait()
        started, ended = await broker.read(episode_log(opening.run_id, opening.episode_id))
    assert list(table.ended.values()) == ["error"]
    assert (started.type, ended.outcome) == ("episode.started", "error")
    assert ended.error.startswith("gm: ")


class TestAGameThatIsNotHere:
    """Episodes whose logs others have begun, and whose game this game master does not have."""

    async def ended(
        self, log: Sequence[LogEntry], outcome: Outcome, kind: type[MemoryBroker] = MemoryBroker
    ) -> list[Any]:
        """Play the episode of a log to this outcome; return the log."""
        opening = log[0]
        assert isinstance(opening, EpisodeStarted)
        table = Table([opening])
        name = episode_log(opening.run_id, opening.episode_id)
        async with kind(logs={name: log}) as broker, at_work(broker, table, load=no_game):
            await table.all_ended.wait()
            assert list(table.ended.values()) == [outcome]
            return await broker.read(name)

    async def test_the_error_comes_behind_all_that_was_said(self) -> None:
        log: list[LogEntry] = [an_opening(), a_turn("k1"), a_turn("k2")]
        *before, last = await self.ended(log, "error")
        assert before == log
        assert (last.key, last.outcome, last.error) == ("ended:3", "error", "gm: there is no game 'count-up'")

    async def test_an_episode_that_is_owed_once_more_has_another_end(self) -> None:
        log: list[LogEntry] = [an_opening(), a_turn("k1"), an_end("ended:2", "budget")]
        *before, last = await self.ended(log, "error")
        assert before == log
        assert (last.key, last.outcome) == ("ended:3", "error")

    async def test_an_episode_that_is_over_stays_as_it_ended(self) -> None:
        log: list[LogEntry] = [an_opening(), a_turn("k1"), an_end("ended:2", "solved")]
        assert await self.ended(log, "solved") == log

    async def test_what_somebody_writes_meanwhile_is_read_before_it_ends(self) -> None:
        log: list[LogEntry] = [an_opening(), a_turn("k1")]

        class Raced(MemoryBroker):
            async def commit(self, commit: Commit) -> CommitResult:
                if commit.at == 2 and commit.entry.key.startswith("ended"):
                    await super().commit(Commit(commit.log, 2, "k1", a_turn("late")))
                return await super().commit(commit)

        assert [entry.key for entry in await self.ended(log, "error", Raced)][1:] == ["k1", "late", "ended:3"]


async def test_a_log_that_cannot_be_read_ends_as_an_error_and_stops_nobody() -> None:
    openings = plan(COUNT_UP, RUN).openings
    damaged = {episode_log("run", openings[0].episode_id): [openings[0], a_turn("of-nobody")]}
    table = Table(openings)
    async with MemoryBroker(logs=damaged) as broker, serving(broker, "toy", ToyModel()), at_work(broker, table):
        await table.all_ended.wait()
    assert sorted(table.ended.values()) == ["error", "solved", "solved"]


async def test_an_episode_of_another_version_stops_nobody() -> None:
    class Mixed(Table):
        async def claim(self, gamemaster: str, games: Collection[str], room: int, lease_s: float) -> list[Lease]:
            if self.owed and not complaints:
                complaints.append("version 9")
                raise ProtocolError("this message speaks version 9.0 of the protocol")
            return await super().claim(gamemaster, games, room, lease_s)

    complaints: list[str] = []
    table = Mixed(plan(COUNT_UP, RUN).openings)
    async with MemoryBroker() as broker, serving(broker, "toy", ToyModel()), at_work(broker, table):
        await table.all_ended.wait()
    assert complaints
