"""What the pages are for, in a real browser: fifty games are watched, and a person plays one of them to its end."""

import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.deploy.children import child
from tests.deploy.conftest import home as home  # noqa: PLC0414 - a fixture of theirs
from tests.deploy.test_fleet import bus as bus  # noqa: PLC0414 - a fixture of theirs
from tests.deploy.test_fleet import said_by, served
from tests.redis_server import free_port

TOKEN = "open-sesame-1001"
GAMES = 50
THINKING = """
import asyncio, random
from palaver_gamemasters.maze import GAME
DICE, PLAYER = random.Random(7), GAME.players()["scripted"]
async def reply(turn):
    await asyncio.sleep(DICE.uniform(0.5, 2.5))
    return PLAYER(turn.request)
"""
"""A player of mazes that takes its time, so that there is something to watch."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


async def submitted(home: Path, *words: str) -> None:
    async with child("submit", *words, cwd=home) as process:
        code, _, err = await said_by(process)
    assert code == 0, err


def wire_named_in(advice: str) -> int:
    """Return the number of the wire that the expert wants cut."""
    found = re.search(rf"\b({'|'.join(ORDINALS)}|[1-6](?=st|nd|rd|th))", advice.lower())
    assert found, advice
    return ORDINALS.index(found[1]) + 1 if found[1] in ORDINALS else int(found[1])


@pytest.mark.timeout(120)
async def test_fifty_games_are_watched_and_a_person_plays_one_through_a_lost_connection(
    bus: str, home: Path, browser: Browser
) -> None:
    (home / "thinking.py").write_text(THINKING)
    site = f"http://127.0.0.1:{free_port()}"
    pages = ("dashboard", "--runs", "runs", "--token", TOKEN, "--listen", site.removeprefix("http://"))
    thinker = ("agent", "--python", "thinking:reply", "--name", "slow", "--concurrency", "100")
    async with AsyncExitStack() as stack:
        for words in (pages, ("gamemaster",), ("agent", "--agent", "scripted"), thinker, ("recorder", "--out", "runs")):
            await (await stack.enter_async_context(served(*words, cwd=home))).until_ready()
        mazes = ("maze", "--agents", "bus/slow", "-n", str(GAMES), "--concurrency", str(GAMES), "--run-id", "mazes")
        await submitted(home, *mazes)
        puzzle = ("comma", "--agents", "human,scripted", "-n", "1", "--set", "puzzle=wire", "--run-id", "people")
        await submitted(home, *puzzle)

        operator = await browser.new_page()
        complaints: list[str] = []
        operator.on("pageerror", lambda error: complaints.append(str(error)))
        await operator.goto(f"{site}/?token={TOKEN}")
        assert TOKEN not in operator.url, "the token does not stay in the address"
        await watch_fifty(operator)
        await watch_one(operator, site)
        seat = await seat_of_the_person(operator, site)
        await play(browser, seat)
        await found_in_the_results(operator, site)
        assert complaints == []


async def watch_fifty(page: Page) -> None:
    """The overview counts them all, and draws those on the screen."""
    running = page.get_by_label("In sum").locator("div", has_text="running").locator("dd")
    await expect(running).to_have_text(str(GAMES + 1), timeout=20_000)
    card = page.locator("[data-key^='mazes/']").first
    await expect(card.locator("img").first).to_be_visible()
    turn = card.get_by_title("turns taken")
    before = await turn.inner_text()
    await expect(turn).not_to_have_text(before, timeout=15_000)


async def watch_one(page: Page, site: str) -> None:
    """An episode's page grows with its dialogue, and its board changes."""
    await page.locator("[data-key='mazes/maze-pair-00007']").get_by_role("link").first.click()
    await expect(page).to_have_url(f"{site}/episode/mazes/maze-pair-00007")
    board = page.get_by_role("img", name=re.compile("maze", re.IGNORECASE)).first
    await expect(board).to_be_visible()
    for _ in range(2):
        shown = await board.get_attribute("src")
        assert shown
        await expect(board).not_to_have_attribute("src", shown, timeout=15_000)


async def seat_of_the_person(page: Page, site: str) -> str:
    """The operator finds the open seat, and its link."""
    await page.goto(f"{site}/seats")
    row = page.get_by_role("row", name=re.compile("comma-wire-00000"))
    link = await row.get_by_role("link", name=re.compile("^Open")).get_attribute("href")
    assert link is not None
    assert link.startswith(f"{site}/sit/")
    return link


async def play(browser: Browser, seat: str) -> None:
    """A person, in a browser of their own, takes the seat, describes it, loses the network, and cuts the right wire."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(seat)
    await page.get_by_role("button", name="Take the seat").click()
    answer = page.get_by_role("textbox", name=re.compile("answer", re.IGNORECASE))
    await expect(answer).to_be_visible()
    seen = await page.get_by_role("img", name=re.compile("wire", re.IGNORECASE)).first.get_attribute("alt")
    assert seen
    await answer.fill(f"This is what I see. {seen}")

    await context.set_offline(True)
    await expect(page.get_by_text("connection lost")).to_be_visible()
    await page.get_by_role("button", name="Send").click()  # in vain
    await expect(page.get_by_role("alert")).not_to_be_empty()
    await context.set_offline(False)
    await expect(page.get_by_text("connected", exact=True)).to_be_visible()
    await page.reload()
    await expect(answer).to_have_value(f"This is what I see. {seen}")  # a draft outlives the page
    await page.get_by_role("button", name="Send").click()

    advice = page.get_by_text(re.compile(r"^Cut the \w+ wire"))
    await expect(advice).to_be_visible(timeout=20_000)
    wanted = wire_named_in(await advice.inner_text())
    await page.get_by_role("button", name=re.compile(f"^Cut wire {wanted}")).click()
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text(re.compile("solved", re.IGNORECASE)).first).to_be_visible(timeout=20_000)
    await context.close()


async def found_in_the_results(page: Page, site: str) -> None:
    """It stands among the results, with a link to its dialogue."""
    await page.goto(f"{site}/results/people")
    await page.get_by_role("link", name=re.compile("comma-wire-00000")).first.click()
    await expect(page).to_have_url(re.compile("/episode/people/comma-wire-00000"))
    await expect(page.get_by_text("solved").first).to_be_visible()
