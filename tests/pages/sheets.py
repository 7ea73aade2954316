"""Draw ``docs/pictures/dashboard-*.webp``: every page, light and dark, wide and narrow, of games that are played.

python -m tests.pages.sheets [NAME ...] takes a minute, and needs redis-server and chromium.
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image as Pillow
from playwright.async_api import Browser, Page, async_playwright

from tests.deploy.test_fleet import served
from tests.redis_server import RedisServer, free_port

PICTURES = Path(__file__).parent.parent.parent / "docs" / "pictures"
TOKEN = "token-of-the-pictures"
WIDE, NARROW = (1280, 860), (390, 860)
GAP, GROUND = 16, "#8a8f98"
THINKER = """
import asyncio, random
from palaver_agents import Completion
from palaver_gamemasters.registry import load_game
from palaver_protocols.content import Text
from palaver_protocols.messages import Usage
DICE = random.Random(3)
async def reply(turn):
    await asyncio.sleep(DICE.uniform(4, 9))
    said = load_game(turn.request.game).players()["scripted"](turn.request)
    usage = Usage(input_tokens=len(turn.text) // 4, output_tokens=len(said) // 4)
    cost = usage.input_tokens * 2e-6 + usage.output_tokens * 8e-6
    return Completion((Text(text=said),), usage=usage, cost_usd=cost)
"""
"""Plays any game, after a while, and counts tokens as if it were a model."""

Planned = tuple[str, str, int, str, tuple[str, ...]]
"""Game, agents, episodes, name of the run, settings."""
FINISHED: tuple[Planned, ...] = (
    ("comma", "scripted", 40, "comma-scripted", ()),
    ("comma", "random", 40, "comma-random", ()),
    ("maze", "scripted,random", 24, "mazes-mixed", ()),
)
PLAYED: tuple[Planned, ...] = (
    ("comma", "bus/thinker", 5, "puzzles", ("puzzle=keypad",)),
    ("ivispar", "bus/thinker", 4, "geoms", ("modality=3d",)),
    ("mm_mapworld", "bus/thinker", 4, "walks", ()),
    ("maze", "bus/thinker", 12, "mazes", ()),
    ("matchit", "bus/thinker", 4, "pairs", ()),
    ("comma", "bus/thinker", 10, "all-ten", ()),
    ("comma", "human,scripted", 10, "people", ()),
)


async def submit(home: Path, planned: Planned) -> None:
    game, agents, episodes, run, settings = planned
    words = ["submit", game, "--agents", agents, "-n", str(episodes), "--run-id", run]
    for setting in settings:
        words += ["--set", setting]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "palaver_deploy", *words, cwd=home, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0, words


@asynccontextmanager
async def a_page(browser: Browser, site: str, size: tuple[int, int], theme: str) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = await context.new_page()
    await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    await page.goto(f"{site}/?token={TOKEN}")
    try:
        yield page
    finally:
        await context.close()


async def shots(browser: Browser, site: str, address: str, *, seat: bool = False) -> list[Pillow.Image]:
    """Take a page four times: wide and narrow, light and dark."""
    taken = []
    for theme in ("light", "dark"):
        for size in (WIDE, NARROW):
            async with a_page(browser, site, size, theme) as page:
                await page.goto(site + address)
                if seat and await page.get_by_role("button", name="Take the seat").count():
                    await page.get_by_role("button", name="Take the seat").click()
                await page.wait_for_timeout(2500)  # boards come one by one
                taken.append(Pillow.open(BytesIO(await page.screenshot())).convert("RGB"))
                if seat:
                    await page.get_by_role("button", name="Leave").click()
                    await page.get_by_role("dialog").get_by_role("button").last.click()
                    await page.wait_for_timeout(300)
    return taken


def sheet(pictures: Sequence[Pillow.Image]) -> Pillow.Image:
    """Lay four pictures out: light above dark, narrow beside wide, at two thirds of their size."""
    sizes = [(picture.width * 2 // 3, picture.height * 2 // 3) for picture in pictures]
    small = [each.resize(size, Pillow.Resampling.LANCZOS) for each, size in zip(pictures, sizes, strict=True)]
    width, height = small[0].width + small[1].width + 3 * GAP, 2 * small[0].height + 3 * GAP
    whole = Pillow.new("RGB", (width, height), GROUND)
    for at, picture in enumerate(small):
        row, column = divmod(at, 2)
        whole.paste(picture, (GAP + column * (small[0].width + GAP), GAP + row * (picture.height + GAP)))
    return whole


async def main(only: Sequence[str]) -> None:
    home = Path(tempfile.mkdtemp(prefix="sheets-"))
    (home / "thinking.py").write_text(THINKER)
    site = f"http://127.0.0.1:{free_port()}"
    pages = ("dashboard", "--runs", "runs", "--token", TOKEN, "--listen", site.removeprefix("http://"))
    thinker = ("agent", "--python", "thinking:reply", "--name", "thinker", "--concurrency", "100")
    scripts = [("agent", "--agent", name) for name in ("scripted", "random")]
    with RedisServer() as redis:
        os.environ |= {"PALAVER_BROKER": redis.url, "PALAVER_STATE": str(home / "state")}
        async with AsyncExitStack() as stack:
            for words in (pages, ("gamemaster",), *scripts, thinker, ("recorder", "--out", "runs")):
                await (await stack.enter_async_context(served(*words, cwd=home))).until_ready()
            for run in (*FINISHED, *PLAYED):
                await submit(home, run)
            playwright = await stack.enter_async_context(async_playwright())
            found = shutil.which("chromium") or sys.exit("needs chromium")
            browser = await playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            async with a_page(browser, site, WIDE, "light") as page:
                await page.wait_for_timeout(12_000)  # so that there is something to see
                seats = json.loads(await (await page.goto(f"{site}/api/seats")).text())["seats"]  # type: ignore[union-attr]
            link = {seat["variant"]: seat["link"] for seat in seats}
            for name, address in {
                "now": "/",
                "episode": "/episode/puzzles/comma-keypad-00002",
                "views": "/episode/mazes/maze-pair-00003?tab=views",
                "runs": "/runs",
                "results": "/results/comma-random",
                "agents": "/agents",
                "seats": "/seats",
                "sit": link["keypad"],
            }.items():
                if not only or name in only:
                    sheet(await shots(browser, site, address, seat=name == "sit")).save(
                        PICTURES / f"dashboard-{name}.webp", quality=82, method=6
                    )
                    print(f"drawn: {name}")
            await browser.close()
    shutil.rmtree(home)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
