"""The pages in a real browser: each comes up without an error, keys go through turns, and what is said stays text."""

import json
import shutil
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.dashboard.serving import served
from tests.observability.dashboard.stage import TOKEN, folder_dashboard

CHROMIUM = Path("/usr/bin/chromium")
EVIL = '<img src=x onerror="document.title=1"><b>bold</b><script>document.title=2</script>\u202e&lt;'
SHOWN = EVIL.replace("\u202e", "⟨202e⟩")
EPISODE = "/episode/maze/maze-pair-00000"
PAGES = {
    "/": "Nothing is played in these folders now",
    "/?view=list": "Nothing is played in these folders now",
    "/runs": "maze · scripted",
    "/runs/maze": "maze-pair-00001",
    "/results": "weighted_outcome",
    "/results/comma": "partial_success",
    "/agents": "Nobody is there",
    "/seats": "People cannot be seated here",
    f"{EPISODE}?tab=views&turn=2": "what only this seat saw",
    f"{EPISODE}?tab=sent&turn=1": "For turn 1, agent_1",
    f"{EPISODE}?tab=grading": "weighted_outcome",
    "/episode/maze/none": "no episode",
}


@pytest.fixture
def hostile(played: Path, tmp_path: Path) -> Path:
    """Runs in which a player has said markup before each of its words."""
    home = tmp_path / "runs"
    shutil.copytree(played, home)
    file = home / "maze/transcripts/maze-pair-00000.jsonl"
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for entry in entries:
        for part in entry.get("reply", {}).get("parts", ()):
            part["text"] = f"{EVIL}\n{part['text']}"
    file.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), "utf-8")
    return home


@pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no chromium")
async def test_every_page_comes_up_and_what_is_said_stays_text(hostile: Path) -> None:
    playwright = pytest.importorskip("playwright.async_api")
    trouble: list[str] = []

    def heard(message: Any) -> None:
        if message.type == "error" and "404" not in message.text:
            trouble.append(f"{page.url}: {message.text}")

    async with AsyncExitStack() as stack:
        board = folder_dashboard(hostile)
        url = await stack.enter_async_context(served(board.application(), "127.0.0.1", 0))
        running = await stack.enter_async_context(playwright.async_playwright())
        browser = await running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        stack.push_async_callback(browser.close)
        page = await browser.new_page(viewport={"width": 360, "height": 740})
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: trouble.append(f"{page.url}: {error}"))
        page.on("console", heard)
        expect, main = playwright.expect, page.locator("#main")

        await page.goto(f"{url}/?token={TOKEN}")
        for path, words in PAGES.items():
            await page.goto(url + path)
            await expect(main).to_contain_text(words)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is too wide"

        await page.goto(url + EPISODE)
        said = main.locator(".bubble .said").first
        await expect(said).to_contain_text(SHOWN)
        assert await said.locator("*").count() == 0
        assert await page.title() == "maze-pair-00000 · maze · episode · palaver"
        turns = main.locator("output")
        await expect(turns).to_contain_text("turn ")
        await page.keyboard.press("Home")
        await page.keyboard.press("ArrowRight")
        await expect(turns).to_contain_text("turn 1 of")
        assert page.url == f"{url}{EPISODE}?turn=1"
        await page.keyboard.press("g")
        await page.keyboard.press("e")
        await expect(page.locator("#nav [aria-current]")).to_have_text("Results")
        await page.go_back()
        await expect(turns).to_contain_text("turn 1 of")
    assert trouble == []
