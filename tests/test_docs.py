"""What the documentation shows is run."""

import re
from pathlib import Path
from typing import Any

import pytest

from palaver_agents import Model
from tests.support import a_request

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("*/*/*/README.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


async def test_the_agent_of_the_page_answers() -> None:
    names: dict[str, Any] = {}
    (source,) = blocks(ROOT / "docs" / "add-an-agent.md", "python")
    exec(source, names)
    parrot: Model = names["Parrot"]()
    assert (await parrot.complete(a_request())).text == "Say something."


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []
