"""The board of runs, on a real Redis; all of it twice: the second time, every script is executed twice.

Time passes by leases that have lapsed when they are given.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_broker.board import Lease, Member, Queue, RunStatus
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.board import Board
from palaver_broker.redis.link import Link, Script
from palaver_broker.topics import inbox, notes
from palaver_protocols.errors import BrokerError, UsageError
from palaver_protocols.messages import EpisodeStarted, SeatFiller
from palaver_protocols.runs import RunConfig
from tests.redis_server import RedisServer, fresh_bus
from tests.support import NOON, a_request, a_start, ask

LONG, LAPSED = 30.0, -1.0
TOY = ("toy",)


class TwiceLink(Link):
    """Loses the first reply to every script: executes it again."""

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        await super().run(script, keys, args)
        return await super().run(script, keys, args)


@pytest.fixture(params=[Link, TwiceLink])
async def link(redis_server: RedisServer, request: pytest.FixtureRequest) -> AsyncIterator[Link]:
    async with request.param(fresh_bus(redis_server)) as link:
        yield link


@pytest.fixture
def board(link: Link) -> Board:
    return Board(link)


def a_run(run_id: str = "run", **changes: Any) -> RunConfig:
    return RunConfig(**{"run_id": run_id, "game": "toy", "agents": ("echo",), **changes})


def openings(episodes: int, run_id: str = "run", first: int = 0) -> list[EpisodeStarted]:
    return [a_start(f"k{n}", run_id=run_id, episode_id=f"e{n}") for n in range(first, first + episodes)]


async def submit(board: Board, episodes: int, run_id: str = "run", **changes: Any) -> None:
    await board.submit(a_run(run_id, **changes), openings(episodes, run_id))


def pair(lease: Lease) -> tuple[str, str]:
    return lease.config.run_id, lease.opening.episode_id


async def claim(board: Board, gamemaster: str, room: int = 100, lease_s: float = LONG) -> list[tuple[str, str]]:
    return [pair(lease) for lease in await board.claim(gamemaster, TOY, room, lease_s)]


async def episodes(board: Board, gamemaster: str, room: int = 100, lease_s: float = LONG) -> list[str]:
    return [episode for _, episode in await claim(board, gamemaster, room, lease_s)]


async def finish(board: Board, held: Collection[tuple[str, str]]) -> None:
    await asyncio.gather(*(board.finish(*each, "solved") for each in held))


async def archive(board: Board, held: Collection[tuple[str, str]]) -> None:
    await asyncio.gather(*(board.archive(*each) for each in held))


async def the(board: Board, run_id: str = "run") -> RunStatus:
    (status,) = await board.status(run_id)
    return status


async def counts(board: Board, run_id: str = "run") -> tuple[int, int, int, int]:
    status = await the(board, run_id)
    assert status.total == status.owed + status.playing + status.ended + status.archived
    return status.owed, status.playing, status.ended, status.archived


def before_the_next(link: Link, monkeypatch: pytest.MonkeyPatch, interfere: Callable[[], Awaitable[object]]) -> None:
    """Do something just before the next script is run."""

    async def late(script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        monkeypatch.undo()
        await interfere()
        return await link.run(script, keys, args)

    monkeypatch.setattr(link, "run", late)


async def keys_of(link: Link, pattern: str = "*") -> set[str]:
    return {key.decode().removeprefix(link.prefix) for key in await link.call("KEYS", f"{link.prefix}{pattern}")}


class TestSubmitting:
    async def test_what_was_submitted_is_claimed_whole_and_in_play_order(self, board: Board) -> None:
        await submit(board, 300)
        leases = await board.claim("g", TOY, 64, LONG)
        assert leases == [Lease(a_run(), opening) for opening in openings(64)]

    async def test_the_same_run_again_adds_only_what_is_not_known(self, board: Board) -> None:
        await submit(board, 4)
        held = await claim(board, "g", 3)
        await finish(board, held[:2])
        await archive(board, held[:1])
        await submit(board, 5)
        assert await counts(board) == (2, 1, 1, 1)

    async def test_what_is_added_to_a_run_that_is_done_opens_it_again(self, board: Board, link: Link) -> None:
        await self.play_to_the_end(board)
        await submit(board, 2)
        assert (await the(board)).state == "open"
        assert await episodes(board, "g") == ["e1"]
        assert await link.call("TTL", f"{link.prefix}run:run") == -1

    async def test_nothing_new_for_a_run_that_is_done_leaves_it_done(self, board: Board, link: Link) -> None:
        await self.play_to_the_end(board)
        await submit(board, 1)
        assert (await the(board)).state == "done"
        assert await link.call("TTL", f"{link.prefix}run:run") > 0

    async def test_an_archived_episode_can_be_owed_again(self, board: Board) -> None:
        await submit(board, 2)
        held = await claim(board, "g")
        await board.finish(*held[0], "error")
        await board.finish(*held[1], "solved")
        await archive(board, held)
        await board.submit(a_run(), openings(2), again=["e0"])
        status = await the(board)
        assert (status.state, status.total, status.owed, status.archived) == ("open", 2, 1, 1)
        assert status.outcomes == {"solved": 1}
        assert await episodes(board, "g") == ["e0"]

    async def test_another_configuration_under_the_same_name_is_refused(self, board: Board) -> None:
        await submit(board, 1)
        with pytest.raises(UsageError, match="another run called run"):
            await submit(board, 1, seed=7)
        assert (await the(board)).config == a_run()

    async def test_the_same_configuration_may_be_spelt_differently(self, board: Board, link: Link) -> None:
        await submit(board, 1)
        await link.call("HSET", f"{link.prefix}run:run", "config", a_run().model_dump_json(exclude_defaults=True))
        await submit(board, 2)
        assert (await the(board)).total == 2

    async def test_a_name_that_would_run_into_others_is_refused(self, board: Board) -> None:
        with pytest.raises(UsageError, match="a/b"):
            await submit(board, 1, "a/b")

    async def test_a_run_is_not_played_before_it_is_all_in(self, board: Board) -> None:
        def broken() -> Any:
            yield from openings(260)
            raise LookupError("no more instances")

        with pytest.raises(LookupError):
            await board.submit(a_run(), broken())
        assert ((await the(board)).state, await claim(board, "g")) == ("loading", [])
        await submit(board, 261)
        assert ((await the(board)).state, (await the(board)).total) == ("open", 261)

    async def test_a_run_forgotten_while_it_is_submitted_says_so(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(UsageError, match="run run was forgotten"):
            await board.submit(a_run(), self.meanwhile(board.forget, link, monkeypatch))

    async def test_a_run_cancelled_while_it_is_submitted_stays_so(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await board.submit(a_run(), self.meanwhile(board.cancel, link, monkeypatch))
        assert ((await the(board)).state, (await the(board)).total) == ("cancelled", 2)

    async def test_what_is_prepared_is_there_before_an_episode_can_be_played(self, board: Board) -> None:
        prepared: list[str] = []

        async def prepare(some: Sequence[EpisodeStarted]) -> None:
            new = {opening.episode_id for opening in some}
            assert new.isdisjoint(await episodes(board, "g"))
            prepared.extend(opening.episode_id for opening in some)

        await submit(board, 1)  # it is open, and played at once
        await board.submit(a_run(), openings(300, first=1), prepare=prepare)
        assert prepared == [opening.episode_id for opening in openings(300, first=1)]

    async def test_nothing_is_prepared_for_a_run_that_is_refused(self, board: Board) -> None:
        async def prepare(some: Sequence[EpisodeStarted]) -> None:
            pytest.fail("it has the name of another")

        await submit(board, 1)
        with pytest.raises(UsageError, match="another run called run"):
            await board.submit(a_run(seed=7), openings(1), prepare=prepare)

    async def test_a_run_that_could_not_be_prepared_is_submitted_again(self, board: Board) -> None:
        async def prepare(some: Sequence[EpisodeStarted]) -> None:
            raise BrokerError("killed")

        with pytest.raises(BrokerError, match="killed"):
            await board.submit(a_run(), openings(2), prepare=prepare)
        assert ((await the(board)).state, await claim(board, "g")) == ("loading", [])
        await submit(board, 2)
        assert await episodes(board, "g") == ["e0", "e1"]

    def meanwhile(
        self, interfere: Callable[[str], Awaitable[object]], link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[EpisodeStarted]:
        """Give openings, and do something about the run before they get onto the board."""
        before_the_next(link, monkeypatch, lambda: interfere("run"))
        yield from openings(2)

    async def test_budgets_go_to_the_purse_and_what_was_spent_stays(self, board: Board, link: Link) -> None:
        purse = f"{link.prefix}purse:run"
        await link.call("HSET", purse, "tokens", 12, "micro_usd", 1_500_000)
        await submit(board, 1, budget_tokens=1000, budget_usd=2.5)
        assert await link.call("HMGET", purse, "max_tokens", "max_micro_usd") == [b"1000", b"2500000"]
        assert ((await the(board)).tokens, (await the(board)).cost_usd) == (12, 1.5)

    async def play_to_the_end(self, board: Board) -> None:
        await submit(board, 1)
        held = await claim(board, "g")
        await finish(board, held)
        await archive(board, held)


class TestClaiming:
    async def test_only_runs_of_games_that_the_game_master_knows(self, board: Board) -> None:
        await submit(board, 1, "other", game="chess")
        await submit(board, 1)
        assert await claim(board, "g") == [("run", "e0")]
        assert [pair(lease) for lease in await board.claim("g", ["chess"], 9, LONG)] == [("other", "e0")]

    async def test_an_episode_is_leased_once(self, board: Board) -> None:
        await submit(board, 5)
        one, two = await episodes(board, "one", 3), await episodes(board, "two", 3)
        assert (one, two) == (["e0", "e1", "e2"], ["e3", "e4"])

    async def test_never_more_at_a_time_than_the_run_allows(self, board: Board) -> None:
        await submit(board, 10, concurrency=3)
        one, two = await claim(board, "one", 2), await claim(board, "two", 2)
        assert (len(one), len(two)) == (2, 1)
        await finish(board, one[:1])
        assert len(await claim(board, "two", 9)) == 1
        await board.renew("one", one, LAPSED)
        assert await claim(board, "two", 9) == one[1:]

    async def test_lapsed_leases_come_first_whatever_the_priority(self, board: Board) -> None:
        await submit(board, 3)
        await claim(board, "dead", 1, LAPSED)
        await submit(board, 3, "urgent", priority=9)
        assert await claim(board, "g", 1) == [("run", "e0")]
        assert await claim(board, "g", 1) == [("urgent", "e0")]

    async def test_the_higher_priority_goes_first(self, board: Board) -> None:
        await submit(board, 3, "low", priority=-1)
        await submit(board, 3, "high", priority=1)
        await submit(board, 3, "middle")
        assert [run for run, _ in await claim(board, "g", 8)] == ["high"] * 3 + ["middle"] * 3 + ["low"] * 2

    async def test_equal_runs_share_the_room(self, board: Board) -> None:
        await submit(board, 50, "one")
        assert len(await claim(board, "g", 6)) == 6
        await submit(board, 50, "two")
        share = [run for run, _ in await claim(board, "h", 10)]
        assert (share.count("one"), share.count("two")) == (2, 8)
        for gamemaster in range(6):
            await claim(board, f"g{gamemaster}", 1)
        assert ((await the(board, "one")).playing, (await the(board, "two")).playing) == (11, 11)

    async def test_a_run_that_waits_for_its_recorder_begins_nothing_new(self, board: Board) -> None:
        await submit(board, 1005, concurrency=1001)
        held = await claim(board, "g", 1000)
        assert len(held) == 1000
        await finish(board, held)
        await submit(board, 1, "other")
        assert await claim(board, "g") == [("other", "e0")]
        await board.archive(*held[0])
        assert await episodes(board, "g", 1, LAPSED) == ["e1000"]
        await board.archive(*held[1])
        await finish(board, [("run", "e1001"), ("run", "e1002")])  # a thousand wait again
        assert await episodes(board, "g") == ["e1000"]

    async def test_a_claim_whose_reply_is_lost_is_granted_again(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 9)
        await self.lose_the_next_reply(board, link, monkeypatch)
        assert await episodes(board, "g", 4) == ["e0", "e1", "e2", "e3"]
        assert await episodes(board, "g", 2) == ["e4", "e5"]

    async def test_what_there_is_no_room_for_any_more_is_handed_back(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 9)
        await self.lose_the_next_reply(board, link, monkeypatch)
        assert await episodes(board, "g", 1) == ["e0"]
        assert await episodes(board, "h", 4) == ["e1", "e2", "e3", "e4"]

    async def test_a_game_master_that_leaves_claims_nothing_and_hands_back_what_it_never_heard_of(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 9)
        await self.lose_the_next_reply(board, link, monkeypatch)
        assert await episodes(board, "g", 0) == []
        assert await episodes(board, "h", 2) == ["e0", "e1"]

    async def test_what_another_has_taken_over_is_not_granted_again(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 4)
        await self.lose_the_next_reply(board, link, monkeypatch, LAPSED)
        assert await episodes(Board(link), "h", 3) == ["e0", "e1", "e2"]
        assert await episodes(board, "g") == ["e3"]

    async def test_what_another_has_taken_over_is_not_waited_for(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 5)
        await self.lose_the_next_reply(board, link, monkeypatch, LAPSED)
        assert await episodes(Board(link), "h", 4) == ["e0", "e1", "e2", "e3"]
        assert [*await episodes(board, "g"), *await episodes(board, "g")] == ["e4"]

    async def test_an_old_claim_that_the_server_finds_once_more_takes_nothing(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 6)
        again = self.record(link, monkeypatch)
        await claim(board, "g", 1)
        await claim(board, "g", 2)
        await again(0)
        assert await episodes(board, "h") == ["e3", "e4", "e5"]

    async def test_what_it_takes_after_all_comes_with_the_next_claim(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 1)
        again = self.record(link, monkeypatch)
        assert [await episodes(board, "g"), await episodes(board, "g")] == [["e0"], []]
        await submit(board, 3)
        await again(1)
        assert await episodes(board, "g") == ["e1", "e2"]

    def record(self, link: Link, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Awaitable[object]]:
        """Return what executes one of the scripts that are run from now on once more."""
        run = link.run
        sent: list[tuple[Script, Sequence[str], Sequence[str | bytes | int]]] = []

        async def recorded(script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
            sent.append((script, keys, args))
            return await run(script, keys, args)

        monkeypatch.setattr(link, "run", recorded)
        return lambda which: run(*sent[which])

    async def lose_the_next_reply(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch, lease_s: float = LONG
    ) -> None:
        """Claim four episodes, and never hear of it."""
        run = link.run

        async def deaf(script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> None:
            await run(script, keys, args)
            raise BrokerError("gone")

        monkeypatch.setattr(link, "run", deaf)
        with pytest.raises(BrokerError):
            await board.claim("g", TOY, 4, lease_s)
        monkeypatch.setattr(link, "run", run)


class TestLeases:
    async def test_a_lease_is_renewed_until_another_has_it(self, board: Board) -> None:
        await submit(board, 2)
        held = await claim(board, "g", 2, LAPSED)
        assert await board.renew("g", held, LAPSED) == set(held)
        await claim(board, "h", 1)
        assert await board.renew("g", held, LONG) == {held[1]}
        assert await claim(board, "h") == []

    async def test_leases_of_many_runs_are_renewed_together(self, board: Board) -> None:
        await submit(board, 2, "one")
        await submit(board, 2, "two")
        held = await claim(board, "g")
        assert await board.renew("g", [*held, ("one", "e7"), ("nowhere", "e0")], LONG) == set(held)

    async def test_nothing_to_renew_is_nothing_held(self, board: Board) -> None:
        assert await board.renew("g", [], LONG) == set()

    async def test_what_is_handed_back_is_claimed_next(self, board: Board) -> None:
        await submit(board, 5)
        held = await claim(board, "g", 3)
        await board.release("g", held[1:2])
        assert await counts(board) == (3, 2, 0, 0)
        assert await board.renew("g", held, LONG) == {held[0], held[2]}
        assert await episodes(board, "h", 2) == ["e1", "e3"]

    async def test_only_the_holder_hands_back(self, board: Board) -> None:
        await submit(board, 1)
        held = await claim(board, "g")
        await board.release("h", held)
        assert await board.renew("g", held, LONG) == set(held)


class TestFinishing:
    async def test_the_recorder_is_told(self, board: Board) -> None:
        await submit(board, 1)
        held = await claim(board, "g")
        await board.finish(*held[0], "failed")
        assert await board.owed_to_recorder("run", 9) == [("e0", "failed")]
        assert (await the(board)).outcomes == {"failed": 1}
        assert await board.renew("g", held, LONG) == set()

    async def test_the_first_word_counts_whoever_holds_the_lease(self, board: Board) -> None:
        await submit(board, 1)
        await claim(board, "zombie", 1, LAPSED)
        held = await claim(board, "g")
        await board.finish(*held[0], "failed")
        await board.finish(*held[0], "error")
        assert (await the(board)).outcomes == {"failed": 1}
        assert await counts(board) == (0, 0, 1, 0)

    async def test_it_counts_even_where_the_board_has_forgotten_the_lease(self, board: Board) -> None:
        await submit(board, 2)
        await finish(board, [("run", "e0")])
        assert await counts(board) == (1, 0, 1, 0)
        assert await episodes(board, "g") == ["e1"]

    async def test_what_is_archived_or_unknown_stays_as_it_is(self, board: Board) -> None:
        await submit(board, 2)
        held = await claim(board, "g", 1)
        await finish(board, held)
        await archive(board, held)
        await finish(board, [*held, ("run", "e9"), ("nowhere", "e0")])
        assert await counts(board) == (1, 0, 0, 1)
        assert [status.config.run_id for status in await board.status()] == ["run"]


class TestArchiving:
    async def test_it_drops_what_was_kept_of_the_episode(self, board: Board, link: Link) -> None:
        await submit(board, 2)
        held = await claim(board, "g")
        for run, episode in held:
            await link.call("XADD", f"{link.prefix}log:{run}/{episode}", "1-0", "k", "start")
            await link.call("HSET", f"{link.prefix}calls:{run}/{episode}", "?k", "g")
        await finish(board, held)
        await archive(board, held[:1])
        assert (await the(board)).state == "open"
        assert await keys_of(link, "log:*") == {"log:run/e1"}
        assert await keys_of(link, "calls:*") == {"calls:run/e1"}
        assert await link.call("HKEYS", f"{link.prefix}run:run/openings") == [b"e1"]
        assert await link.call("XLEN", f"{link.prefix}done:run") == 1

    async def test_what_ended_first_is_recorded_first(self, board: Board) -> None:
        await submit(board, 4)
        await claim(board, "g")
        await board.finish("run", "e2", "solved")
        await board.finish("run", "e0", "error")
        await board.finish("run", "e1", "failed")
        assert await board.owed_to_recorder("run", 2) == [("e2", "solved"), ("e0", "error")]
        await archive(board, [("run", "e2")])
        assert await board.owed_to_recorder("run", 9) == [("e0", "error"), ("e1", "failed")]
        assert await board.owed_to_recorder("nowhere", 9) == []

    async def test_what_cannot_be_recorded_is_buried_and_its_log_kept(self, board: Board, link: Link) -> None:
        await submit(board, 1)
        held = await claim(board, "g")
        await board.bury(*held[0], "too early")
        await link.call("XADD", f"{link.prefix}log:run/e0", "1-0", "k", "start")
        await finish(board, held)
        await board.bury(*held[0], "it is damaged")
        await board.bury(*held[0], "it is damaged")
        assert ((await the(board)).state, (await the(board)).archived) == ("done", 1)
        ((_, fields),) = await link.call("XRANGE", f"{link.prefix}dead", "-", "+")
        assert fields == [b"t", b"log:run/e0", b"r", b"it is damaged", b"m", b""]
        assert await link.call("TTL", f"{link.prefix}log:run/e0") > 0

    async def test_an_episode_that_has_not_ended_is_kept(self, board: Board) -> None:
        await submit(board, 2)
        await archive(board, [*await claim(board, "g", 1), ("run", "e1")])
        assert await counts(board) == (1, 1, 0, 0)

    async def test_of_a_run_that_is_done_little_is_left_and_not_for_ever(self, board: Board, link: Link) -> None:
        await submit(board, 3)
        held = await claim(board, "g")
        await finish(board, held)
        await archive(board, held)
        status = await the(board)
        assert (status.state, status.total, status.archived, status.outcomes) == ("done", 3, 3, {"solved": 3})
        left = await keys_of(link, "*run*") - {"runs"}
        assert left == {"run:run", "run:run/archived", "run:run/agents", "done:run"}
        assert {await link.call("TTL", link.prefix + key) for key in left} <= {7 * 24 * 3600, 7 * 24 * 3600 - 1}

    async def test_a_done_run_that_has_expired_is_not_listed(self, board: Board, link: Link) -> None:
        await submit(board, 1)
        await link.call("DEL", f"{link.prefix}run:run")
        assert await board.status() == []
        assert await link.call("EXISTS", f"{link.prefix}runs") == 0


class TestStopping:
    async def test_a_cancelled_run_is_neither_claimed_nor_held(self, board: Board) -> None:
        await submit(board, 2)
        held = await claim(board, "g", 1)
        assert await board.cancel("run")
        assert (await the(board)).state == "cancelled"
        assert await board.renew("g", held, LONG) == set()
        assert await claim(board, "h") == []
        assert await counts(board) == (2, 0, 0, 0)
        assert await board.queues() == []

    @pytest.mark.parametrize("stop", ["pause", "cancel"])
    async def test_a_stopped_run_goes_on_when_it_is_resumed(self, board: Board, stop: str) -> None:
        await submit(board, 2)
        held = await claim(board, "g", 1)
        assert await getattr(board, stop)("run")
        assert (await the(board)).state == {"pause": "paused", "cancel": "cancelled"}[stop]
        assert (await board.renew("g", held, LONG), await claim(board, "h")) == (set(), [])
        assert await board.resume("run")
        assert (await the(board)).state == "open"
        assert await episodes(board, "h") == ["e0", "e1"]

    async def test_a_paused_run_can_be_cancelled_and_submitted_again(self, board: Board) -> None:
        await submit(board, 1)
        assert await board.pause("run")
        assert await board.cancel("run")
        assert not await board.pause("run"), "cancelled is more than paused"
        await submit(board, 1)
        await board.pause("run")
        await submit(board, 1)
        assert await episodes(board, "g") == ["e0"]

    async def test_a_run_that_was_not_all_submitted_cannot_be_resumed(self, board: Board) -> None:
        async def cancelled(_: Sequence[EpisodeStarted]) -> None:
            await board.cancel("run")

        await board.submit(a_run(), openings(1), prepare=cancelled)
        assert (await the(board)).state == "cancelled"
        assert not await board.resume("run")
        await submit(board, 1)
        assert (await the(board)).state == "open"
        await board.cancel("run")
        assert await board.resume("run"), "by now it is all there"

    async def test_what_is_done_or_unknown_is_neither_paused_nor_resumed(self, board: Board) -> None:
        await board.submit(a_run(), [])
        assert [await board.pause("run"), await board.resume("run")] == [False, False]
        assert [await board.pause("nowhere"), await board.resume("nowhere")] == [False, False]

    async def test_a_run_cancelled_while_it_is_claimed_gives_nothing(
        self, board: Board, link: Link, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await submit(board, 2)
        before_the_next(link, monkeypatch, lambda: board.cancel("run"))
        assert await claim(board, "g") == []

    async def test_submitted_again_it_goes_on_where_it_was(self, board: Board) -> None:
        await submit(board, 3)
        held = await claim(board, "g", 2)
        await finish(board, held[:1])
        await board.cancel("run")
        await submit(board, 3)
        assert await episodes(board, "h") == ["e1", "e2"]
        await archive(board, held[:1])
        assert await counts(board) == (0, 2, 0, 1)

    async def test_what_ends_after_all_is_recorded(self, board: Board) -> None:
        await submit(board, 1)
        held = await claim(board, "g")
        await board.cancel("run")
        await finish(board, held)
        await archive(board, held)
        assert (await the(board)).state == "done"

    @pytest.mark.parametrize("forgotten", [False, True])
    async def test_what_it_has_asked_is_taken_back(
        self, redis_server: RedisServer, board: Board, link: Link, forgotten: bool
    ) -> None:
        stranger = "bus/away"
        requests = {
            run: a_request(f"of {run}", run_id=run, episode_id="e0", agent=stranger) for run in ("run", "other")
        }
        async with RedisBroker(f"{redis_server.url}?bus={link.prefix[1:-2]}") as broker:
            for run, request in requests.items():
                opening = a_start(run_id=run, seats={"a": (SeatFiller(agent=stranger),)})
                await board.submit(a_run(run, agents=(stranger,)), [opening])
                await claim(board, "g", lease_s=LONG)
                await ask(broker, request)
            async with broker.subscribe(inbox(stranger), "agents", consumer="c") as questions:
                loans = [await anext(questions) for _ in requests]
                await (board.forget("run") if forgotten else board.cancel("run"))
                assert [await loan.renew() for loan in loans] == [loan.message.run_id == "other" for loan in loans]
                await board.cancel("run")
                assert await board.queues() == [Queue(stranger, 0, 1, ANY)]
            if type(link) is Link:  # the other one loses the first word that it was taken back
                (told,) = await link.call("XRANGE", f"{link.prefix}{notes(stranger)}", "-", "+")
                assert b'"key":"of run"' in told[1][1]
                assert b'"code":"cancelled"' in told[1][1]

    async def test_of_a_run_that_goes_on_nothing_is_taken_back(
        self, redis_server: RedisServer, board: Board, link: Link
    ) -> None:
        async with RedisBroker(f"{redis_server.url}?bus={link.prefix[1:-2]}") as broker:
            await submit(board, 1)
            await claim(board, "g", lease_s=LONG)
            request = a_request()
            await ask(broker, request)
            await board.silence("run")
            assert await broker.withdraw(request)

    async def test_only_what_goes_on_can_be_cancelled(self, board: Board) -> None:
        await board.submit(a_run(), [])
        assert (await the(board)).state == "done"
        assert not await board.cancel("run")
        assert not await board.cancel("nowhere")

    async def test_a_forgotten_run_leaves_nothing(self, board: Board, link: Link) -> None:
        await submit(board, 300)
        await submit(board, 1, "other")
        others = await keys_of(link) - await keys_of(link, "*run:run*")
        held = await claim(board, "g", 60, LONG)
        for run, episode in held:
            await link.call("XADD", f"{link.prefix}log:{run}/{episode}", "1-0", "k", "start")
            await link.call("HSET", f"{link.prefix}calls:{run}/{episode}", "?k", "1-0|g")
        mine = [each for each in held if each[0] == "run"]
        await finish(board, mine[:20])
        await archive(board, mine[:10])
        await board.forget("run")
        assert {key for key in await keys_of(link) - others if "run/" in key or key.endswith("run")} == set()
        assert [status.config.run_id for status in await board.status()] == ["other"]

    async def test_forgetting_what_was_never_there_is_no_error(self, board: Board) -> None:
        await board.forget("nowhere")


def a_member(name: str = "echo", **changes: Any) -> Member:
    member = Member("agent", name, "c1", "host", 42, "0.1", 64, {"provider": "toy"}, NOON, 3)
    return member._replace(**changes)


class TestFleet:
    async def test_who_is_alive_is_listed(self, board: Board) -> None:
        first, second = a_member(consumer="c1"), a_member(consumer="c2")
        master = a_member("g", kind="gamemaster")
        for member in (second, first, master):
            await board.beat(member.kind, member, LONG)
        assert await board.members() == [first, second, master]

    async def test_the_last_beat_tells(self, board: Board) -> None:
        await board.beat("agent", a_member(), LONG)
        await board.beat("agent", a_member(busy=4), LONG)
        assert await board.members() == [a_member(busy=4)]

    async def test_who_is_silent_or_leaves_is_not(self, board: Board) -> None:
        await board.beat("agent", a_member("silent"), LAPSED)
        await board.beat("agent", a_member("gone"), LONG)
        await board.leave("agent", a_member("gone"))
        assert await board.members() == []

    async def test_the_inboxes_of_known_and_of_asked_agents_are_measured(self, board: Board, link: Link) -> None:
        await board.beat("agent", a_member("idle"), LONG)
        seats = {"a": (SeatFiller(agent="busy"), SeatFiller(agent="unheard", from_turn=3))}
        await board.submit(a_run(), [a_start(seats=seats)])
        for agent, requests in (("busy", 3), ("unheard", 1)):
            for _ in range(requests):
                await link.call("XADD", f"{link.prefix}in:{agent}", "*", "m", "{}")
        await link.call("XGROUP", "CREATE", f"{link.prefix}in:busy", "agents", "0")
        await link.call(*("XREADGROUP", "GROUP", "agents", "c", "COUNT", 1, "STREAMS", f"{link.prefix}in:busy", ">"))
        queues = await board.queues()
        assert [queue[:3] for queue in queues] == [("busy", 2, 1), ("idle", 0, 0), ("unheard", 1, 0)]
        assert all(0 <= queue.oldest_s < 60 for queue in queues)

    async def test_the_oldest_request_is_told_by_its_age(self, board: Board, link: Link) -> None:
        await board.beat("agent", a_member(), LONG)
        an_hour_ago = int((datetime.now(UTC) - timedelta(hours=1)).timestamp() * 1000)
        await link.call("XADD", f"{link.prefix}in:echo", f"{an_hour_ago}-0", "m", "{}")
        (queue,) = await board.queues()
        assert abs(queue.oldest_s - 3600) < 60


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["claim", "renew", "lapse", "release", "finish", "archive", "cancel", "pause", "resume", "submit"]
        ),
        st.sampled_from(["one", "two"]),
        st.integers(1, 4),
    ),
    max_size=40,
)


class Play:
    """Two game masters and what they ought to hold, step by step."""

    EPISODES = 12

    def __init__(self, board: Board) -> None:
        self.board = board
        self.held: dict[str, set[tuple[str, str]]] = {"one": set(), "two": set()}
        self.lapsed: set[tuple[str, str]] = set()
        self.ended: set[tuple[str, str]] = set()

    async def step(self, what: str, gamemaster: str, room: int) -> None:
        board, held = self.board, self.held[gamemaster]
        some = sorted(held)[:room]
        match what:
            case "claim":
                self.granted(gamemaster, await claim(board, gamemaster, room))
            case "renew":
                self.lapsed -= await board.renew(gamemaster, some, LONG)
            case "lapse":
                self.lapsed |= await board.renew(gamemaster, some, LAPSED)
            case "release":
                await board.release(gamemaster, some)
                held.difference_update(some)
            case "finish":
                await finish(board, some)
                self.ended.update(some)
                held.difference_update(some)
            case "archive":
                await archive(board, sorted(self.ended)[:room])
            case "cancel" | "pause":
                if await (board.cancel if what == "cancel" else board.pause)("run"):
                    self.lapsed |= self.held["one"] | self.held["two"]
            case "resume":
                await board.resume("run")
            case "submit":
                await submit(board, self.EPISODES, concurrency=5)
        status = await the(board)
        assert status.total == self.EPISODES
        assert status.playing <= 5

    def granted(self, gamemaster: str, episodes: list[tuple[str, str]]) -> None:
        """Check that nobody else has a lease on what was granted, and that it is not over."""
        assert len(set(episodes)) == len(episodes)
        assert not set(episodes) & self.ended
        for holder in self.held.values():
            assert not holder & set(episodes) - self.lapsed
            holder.difference_update(episodes)
        self.lapsed.difference_update(episodes)
        self.held[gamemaster].update(episodes)

    async def end(self) -> None:
        """Let everybody die, and one game master play what is left."""
        await submit(self.board, self.EPISODES, concurrency=5)
        for gamemaster, held in self.held.items():
            await self.board.renew(gamemaster, held, LAPSED)
        await archive(self.board, self.ended)
        while left := await claim(self.board, "heir"):
            await finish(self.board, left)
            await archive(self.board, left)


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(steps=STEPS)
def test_whatever_happens_every_episode_is_played_once_at_a_time_and_archived(
    redis_server: RedisServer, steps: list[tuple[str, str, int]]
) -> None:
    async def play() -> None:
        async with Link(fresh_bus(redis_server)) as link:
            play = Play(Board(link))
            await submit(play.board, play.EPISODES, concurrency=5)
            for step in steps:
                await play.step(*step)
            await play.end()
            status = await the(play.board)
            assert (status.state, status.archived, status.outcomes) == ("done", 12, {"solved": 12})

    asyncio.run(play())
