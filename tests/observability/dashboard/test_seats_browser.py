"""A person's page in a real browser: typed, clicked and pressed, through a reload and a server that goes away."""

import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.serving import served
from palaver_observability.dashboard.sources import FolderSource, Shelf
from palaver_protocols.messages import TurnTaken
from tests.observability.dashboard.seating import Scene, seating
from tests.redis_server import free_port

CHROMIUM = Path("/usr/bin/chromium")
EPISODE = "comma-wire-00000"


def pages(scene: Scene) -> Any:
    return Dashboard(FolderSource(Shelf(())), Doors("a token of tests"), room=scene.room).application()


@pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no chromium")
async def test_a_person_solves_comma_by_hand_though_the_server_goes_away() -> None:
    playwright = pytest.importorskip("playwright.async_api")
    port, trouble = free_port(), []
    async with AsyncExitStack() as stack:
        scene = await stack.enter_async_context(seating("comma", "human,scripted", options={"puzzle": "wire"}))
        link = await scene.link(EPISODE, "solver")
        running = await stack.enter_async_context(playwright.async_playwright())
        browser = await running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        stack.push_async_callback(browser.close)
        page = await browser.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        expect, box = playwright.expect, page.locator("#answer")
        seen = expect(page.locator("#status"))

        async with served(pages(scene), "127.0.0.1", port) as url:
            await page.goto(url + link)
            await page.get_by_label("Pseudonym").fill("Ada")
            await page.keyboard.press("Enter")
            await seen.to_have_text("It is your turn: turn 1 of at most 19.")
            words = await page.locator(".sit-board img").get_attribute("alt") or ""
            wires = re.findall(r"^\d+\. (\w+)", words, flags=re.MULTILINE)
            (serial,) = re.findall(r"Serial number: (\w+)", words)
            await box.fill(f"<b>{', '.join(wires)}</b>; serial number {serial}")
            await page.reload()
            await expect(box).to_have_value(f"<b>{', '.join(wires)}</b>; serial number {serial}")
            await box.press("Enter")
            await seen.to_have_text("It is your turn: turn 3 of at most 19.")
            advice = page.locator(".sit-message", has_text="Cut the second wire.")
            await expect(advice.locator(".badge")).to_have_text("new")
            assert await page.locator(".sit-chat b").count() == 0
            await page.locator(".sit-talk").focus()
            await page.keyboard.press("2")
            await expect(box).to_have_value("cut_wire_2")
        await expect(page.locator("#connection")).to_have_text("connection lost; trying again…")
        await box.press("End")
        await box.type(" ")

        async with served(pages(scene), "127.0.0.1", port):
            await expect(page.locator("#connection")).to_have_text("connected")
            await expect(box).to_have_value("cut_wire_2 ")
            await page.get_by_role("button", name="Send").click()
            await expect(page.get_by_role("heading", name="The episode is over")).to_be_visible()
            await expect(page.locator(".sit-ending .badge")).to_have_text("✓solved")
    assert trouble == []


@pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no chromium")
async def test_in_a_study_clicks_become_lines_that_can_be_taken_back_and_the_end_is_thanks() -> None:
    playwright = pytest.importorskip("playwright.async_api")
    trouble: list[str] = []
    async with AsyncExitStack() as stack:
        scene = await stack.enter_async_context(
            seating("comma", "human,scripted", options={"puzzle": "wire"}, study="pilot=run")
        )
        await scene.link(EPISODE, "solver")
        url = await stack.enter_async_context(served(pages(scene), "127.0.0.1", free_port()))
        running = await stack.enter_async_context(playwright.async_playwright())
        browser = await running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        stack.push_async_callback(browser.close)
        page = await browser.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        expect, box = playwright.expect, page.locator("#answer")

        await page.goto(f"{url}/join/{scene.room.studies[0].token}")
        await page.get_by_role("button", name="I agree").click()
        await page.get_by_role("button", name="Cut wire 2").click()
        await page.get_by_role("button", name="Cut wire 3").click()
        await expect(box).to_have_value("cut_wire_2\ncut_wire_3")
        await expect(page.locator(".sit-count")).to_have_text("2 actions in your answer, not sent yet")
        await page.get_by_role("button", name="Take back the last").click()
        await expect(box).to_have_value("cut_wire_2")
        await page.keyboard.press("Enter")  # sends: the focus is not on the button that was clicked
        await page.get_by_role("link", name="Go on").click()
        await expect(page.get_by_role("heading", name="Thank you for taking part")).to_be_visible()
        await expect(page.locator(".sit-door")).to_contain_text("You have played 1 episode.")
        turns = [entry.reply.text for entry in await scene.log(EPISODE) if isinstance(entry, TurnTaken)]
        assert turns == ["cut_wire_2"]
    assert trouble == []
