"""A process that is struck: who killed it, and what it said before."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.chaos.service import Service

STAYS = ("serve", "agent", "--agent", "scripted", "--broker", "unix:///nobody/is/here")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "PALAVER_STATE": str(tmp_path)}


async def until_logged(service: Service, events: int) -> None:
    while len(service.log) < events:  # noqa: ASYNC110 - a file tells nobody
        await asyncio.sleep(0.01)


async def test_a_death_that_nobody_asked_for_is_noticed(tmp_path: Path, environ: dict[str, str]) -> None:
    service = Service("s", ("no-such-command",), environ=environ, folder=tmp_path)
    await service.start()
    while not service.deaths:  # noqa: ASYNC110 - the service notes, it does not call
        await asyncio.sleep(0.01)
    assert (service.deaths, service.died, service.alive) == ([2], True, False)


async def test_a_kill_is_no_death_and_the_log_goes_on(tmp_path: Path, environ: dict[str, str]) -> None:
    service = Service("s", STAYS, environ=environ, folder=tmp_path)
    for life in range(2):
        await service.start()
        await until_logged(service, life + 1)
        assert service.alive
        await service.kill()
        assert (service.alive, service.died, service.deaths) == (False, False, [])


def test_torn_lines_are_left_out(tmp_path: Path) -> None:
    service = Service("s", (), environ={}, folder=tmp_path)
    service.log_file.write_text('{"event": "serving"}\n{"event": "cal\n"no event"\n{"event": "stopped"}\n')
    assert [event["event"] for event in service.log] == ["serving", "stopped"]
