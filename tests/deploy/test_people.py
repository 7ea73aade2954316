"""People on a bus that processes share: one hall, and runs that need it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from palaver_agents.human import Hall, Place
from palaver_broker.redis import Board, RedisBroker
from palaver_deploy.known import check_known
from palaver_deploy.options import state_folder
from palaver_deploy.people import keep_people, open_hall, open_studies
from palaver_protocols.errors import UsageError
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_request, ask, until


@asynccontextmanager
async def a_dashboard(url: str, folder: Path, address: str) -> AsyncIterator[Hall]:
    """Keep people as a dashboard at an address does."""
    hall, _ = open_hall(url, folder)
    async with RedisBroker(url) as broker:
        keeping = asyncio.create_task(keep_people(broker, Board(broker.link), hall, address, folder))
        try:
            yield hall
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def test_of_two_dashboards_one_seats_people_and_the_other_says_where_and_takes_over(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    url, place = fresh_bus(redis_server), Place("run", "e0", "a")
    async with RedisBroker(url) as broker, asyncio.timeout(20):
        async with a_dashboard(url, tmp_path, "http://one:1") as first:
            await until(lambda: first.is_open)
            async with a_dashboard(url, tmp_path, "http://two:2") as second:
                await until(lambda: second.elsewhere)
                assert (second.is_open, second.elsewhere) == (False, "http://one:1")
                assert [each.about["pages"] for each in await Board(broker.link).members()] == ["http://one:1"]
                await ask(broker, a_request(agent="human"))
                await until(lambda: first.chair_of(place))
                assert second.chair_of(place) is None
        async with a_dashboard(url, tmp_path, "http://two:2") as second:
            await until(lambda: (chair := second.chair_of(place)) is not None and chair.asked is not None)
            chair = second.chair_of(place)
            assert chair is not None
            second.claim(chair, "me", "calm-otter-42")
            second.say(chair, "me", "k0", "Here.")
            async with broker.subscribe(BOX, "gamemasters", consumer="test") as answers:
                assert (await anext(answers)).message.text == "Here."
        assert await Board(broker.link).members() == []


def test_a_run_with_people_needs_a_dashboard_on_its_bus(
    redis_server: RedisServer, palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver_deploy.known.PATIENCE_S", 0.1)
    said = palaver("run", "maze", "-a", "human,scripted", "--broker", fresh_bus(redis_server))
    assert said.code == 2
    assert said.complaint == (
        "nobody can sit down for human on this bus: it has no dashboard "
        "(start one, and leave it running: palaver serve dashboard --broker URL)"
    )


async def test_with_a_dashboard_people_are_known(redis_server: RedisServer, tmp_path: Path) -> None:
    url = fresh_bus(redis_server)
    async with a_dashboard(url, tmp_path, "http://one:1") as hall:
        await until(lambda: hall.is_open)
        await asyncio.to_thread(check_known, url, ["human", "scripted"])


def test_buses_and_runs_have_people_of_their_own_and_links_of_one_secret(tmp_path: Path) -> None:
    (one, here), (two, there) = open_hall("redis://u:secret@h/1", tmp_path), open_hall("run-1", tmp_path)
    place = Place("run", "e0", "a")
    assert here.folder != there.folder
    assert one.tokens.of_seat(place) == two.tokens.of_seat(place)
    assert open_hall("redis://u:other@h/1", tmp_path)[1].folder == here.folder


def test_studies_are_told_apart_and_their_consent_is_a_file(tmp_path: Path) -> None:
    hall, store = open_hall("run-1", tmp_path)
    text = tmp_path / "consent.md"
    text.write_text("Do you agree?")
    (study,) = open_studies(["pilot=r1,r2"], hall, store, consent=text, each=3)
    assert (study.plan.runs, study.plan.consent, study.plan.each) == (("r1", "r2"), "Do you agree?", 3)
    with pytest.raises(UsageError, match=r"'r1' stands twice among the studies \(name each study"):
        open_studies(["a=r1", "b=r1"], hall, store)
    with pytest.raises(UsageError, match=r"the consent text .*gone.md cannot be read: No such file"):
        open_studies(["a=r1"], hall, store, consent=tmp_path / "gone.md")


def test_state_is_kept_where_it_is_told(tmp_path: Path) -> None:
    assert state_folder(None, {"PALAVER_STATE": "/a"}) == Path("/a")
    assert state_folder(None, {"XDG_STATE_HOME": "/x"}) == Path("/x/palaver")
    assert state_folder(tmp_path, {"PALAVER_STATE": "/a"}) == tmp_path
