"""What the documentation shows is run."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from palaver_broker.redis import RedisBroker
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_request, ask

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("*/*/*/README.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


async def test_the_agent_of_the_page_answers(redis_server: RedisServer) -> None:
    names: dict[str, Any] = {}
    url = fresh_bus(redis_server)
    for source in blocks(ROOT / "docs" / "add-an-agent.md", "python"):
        exec(source.replace("redis://localhost:6379", url), names)
    serving = asyncio.create_task(names["main"]())
    async with RedisBroker(url) as broker, broker.subscribe(BOX, "gamemasters", consumer="test") as answers:
        await ask(broker, a_request(agent="parrot"))
        assert (await anext(answers)).message.text == "Say something."
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []
