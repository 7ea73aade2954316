"""What watching costs: a thousand games at a time on one bus, with and without dashboards.

    python benchmarks/dashboard.py           (four minutes; redis-server and chromium)
    GAMES=200 python benchmarks/dashboard.py

Redis, game master, agent and dashboard are processes of their own. The agent plays mazes and thinks 4 to 12 seconds a
turn. Two people watch (two streams of the overview, read as a browser on another machine reads them); every other
SECONDS the dashboard is held still, and nobody watches. Of each turn of the games: what it took beyond thinking, from
one commit to the next; and what CPU it cost Redis and the game master. Episodes that end cost more than others, and
they end in waves: so windows are short, and ratios compare neighbours. Then one real browser opens the overview on this
machine: how long after its commit a turn stands on the screen.
"""

import asyncio
import json
import os
import shutil
import signal
import statistics
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from playwright.async_api import async_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from palaver_broker.redis import RedisBroker
from tests.redis_server import RedisServer, free_port

GAMES, SECONDS, ROUNDS = int(os.environ.get("GAMES", "1000")), float(os.environ.get("SECONDS", "5")), 12
LOOK_S = 20.0
WARM_S = float(os.environ.get("WARM", "60"))
TOKEN = "benchmark-token"
TICK = os.sysconf("SC_CLK_TCK")
THINKER = """
import asyncio, random
from palaver_gamemasters.maze import GAME
DICE, PLAYER = random.Random(7), GAME.players()["scripted"]
async def reply(turn):
    await asyncio.sleep(DICE.uniform(4, 12))
    return PLAYER(turn.request)
"""
PAINTED = """
() => {
  window.painted = [];
  const known = new Map();
  const look = () => {
    for (const card of document.querySelectorAll("[data-key]")) {
      const turn = card.querySelector("[title='turns taken']")?.textContent.replace("turn ", "");
      if (turn && known.get(card.dataset.key) !== turn) {
        if (known.has(card.dataset.key)) window.painted.push([card.dataset.key, Number(turn), Date.now() / 1000]);
        known.set(card.dataset.key, turn);
      }
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Notes the moment of the frame in which a card shows another turn."""


@asynccontextmanager
async def running(home: Path, *words: str) -> AsyncIterator[Process]:
    """Run ``palaver serve``; yield the process when it is ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "palaver_deploy", "serve", *words, cwd=home, stdout=DEVNULL, stderr=PIPE
    )
    assert process.stderr is not None
    url = json.loads(await process.stderr.readline())["http"]
    draining = asyncio.create_task(_drain(process.stderr))
    try:
        async with aiohttp.ClientSession() as web:
            while (await web.get(f"{url}/readyz")).status != 200:  # noqa: ASYNC110 - as those poll it who start it
                await asyncio.sleep(0.05)
        yield process
    finally:
        process.terminate()
        await process.wait()
        await draining


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass


def cpu_of(pids: list[int]) -> float:
    """Return the CPU seconds that processes have used."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats) / TICK


@dataclass
class Turns:
    """What is heard of the turns of all games."""

    at: dict[tuple[str, int], float] = field(default_factory=dict)
    last: dict[str, float] = field(default_factory=dict)
    beyond_ms: list[float] = field(default_factory=list)

    async def hear(self, broker: RedisBroker) -> None:
        """Listen until cancelled."""
        async with aclosing(broker.watch()) as word:
            async for batch in word:
                for each in batch:
                    gist, key = each.gist, each.log.removeprefix("log:")
                    at = float(str(gist["at"]))
                    if gist["type"] == "turn.taken":
                        if key in self.last:
                            self.beyond_ms.append(1000 * (at - self.last[key] - float(str(gist["latency"]))))
                        self.at[key, int(str(gist["turn"])) + 1] = at
                    self.last[key] = at


async def read_on(site: str) -> None:
    """Read the overview's stream, as a browser does."""
    jar, patient = aiohttp.CookieJar(unsafe=True), aiohttp.ClientTimeout(total=None)  # cookies of an address, too
    async with aiohttp.ClientSession(cookie_jar=jar, timeout=patient) as web:
        await web.get(f"{site}/?token={TOKEN}")
        async with web.get(f"{site}/api/stream?topics=cards,runs", raise_for_status=True) as stream:
            async for _ in stream.content.iter_any():
                pass


def about(numbers: list[float]) -> str:
    """Write a median with its 95th percentile."""
    ordered = sorted(numbers)
    return f"{statistics.median(ordered):7.1f} (95 %: {ordered[int(0.95 * len(ordered))]:.1f})"


async def window(turns: Turns, games: list[int], dashboard: int) -> tuple[int, list[float], float, float]:
    """Watch for a while: turns, ms beyond thinking of each, CPU ms a turn of the games, and the dashboard's share."""
    turns.beyond_ms.clear()
    before, watched = cpu_of(games), cpu_of([dashboard])
    await asyncio.sleep(SECONDS)
    used, watching = cpu_of(games) - before, cpu_of([dashboard]) - watched
    taken = list(turns.beyond_ms)
    return len(taken), taken, 1000 * used / max(1, len(taken)), watching / SECONDS


async def painting(site: str, turns: Turns) -> list[float]:
    """Open the overview in a browser; return the milliseconds from a turn's commit to its frame."""
    found = shutil.which("chromium") or sys.exit("needs chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        await page.goto(f"{site}/?token={TOKEN}")
        await page.locator("[data-key]").first.wait_for()
        await page.evaluate(PAINTED)
        await asyncio.sleep(LOOK_S)
        seen = await page.evaluate("() => window.painted")
        frames = await page.evaluate(
            "() => new Promise(done => { let n = 0, t = performance.now(); const f = () => {"
            " n++; performance.now() - t < 5000 ? requestAnimationFrame(f) : done(n / 5) }; f() })"
        )
        shown = await page.locator("[data-key]").count()
        if shots := os.environ.get("SHOT"):
            await page.screenshot(path=shots)
        print(f"the browser: {frames:.0f} frames a second, {shown} cards in the page, {len(seen)} changes seen")
        await browser.close()
    return [1000 * (at - turns.at[key, turn]) for key, turn, at in seen if (key, turn) in turns.at]


async def main() -> None:
    """Measure, and print."""
    home = Path(tempfile.mkdtemp(prefix="bench-"))
    (home / "thinking.py").write_text(THINKER)
    site = f"http://127.0.0.1:{free_port()}"
    pages = ("dashboard", "--runs", "runs", "--token", TOKEN, "--listen", site.removeprefix("http://"))
    with RedisServer() as redis:
        os.environ |= {"PALAVER_BROKER": redis.url, "PALAVER_STATE": str(home / "state")}
        async with AsyncExitStack() as stack:
            thinker = ("agent", "--python", "thinking:reply", "--name", "slow", "--concurrency", str(2 * GAMES))
            # who writes episodes down: with a thousand that wait for it, no new ones are begun
            services = [("gamemaster", "--episodes", str(GAMES)), thinker, ("recorder", "--out", "runs")]
            processes = [await stack.enter_async_context(running(home, *words)) for words in services]
            games = [redis.pid, processes[0].pid]  # what the agent does is the same, whoever watches
            broker = await stack.enter_async_context(RedisBroker(redis.url))
            turns = Turns()
            hearing = asyncio.create_task(turns.hear(broker))
            words = ("maze", "--agents", "bus/slow", "-n", str(GAMES * 20), "--concurrency", str(GAMES))
            submitting = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "palaver_deploy", "submit", *words, "--run-id", "bench", cwd=home, stdout=DEVNULL
            )
            assert await submitting.wait() == 0
            while len(turns.last) < GAMES:  # noqa: ASYNC110 - all games begin
                await asyncio.sleep(0.2)
            await asyncio.sleep(WARM_S)  # until they are at all turns at once
            alone: list[tuple[int, list[float], float, float]] = []
            watched: list[tuple[int, list[float], float, float]] = []
            async with running(home, *pages) as dashboard:
                readers = [asyncio.create_task(read_on(site)) for _ in range(2)]
                await asyncio.sleep(5)  # what was before has been read by then
                for turn in range(2 * ROUNDS):
                    still = turn % 4 in (0, 3)  # either comes first as often as the other
                    dashboard.send_signal(signal.SIGSTOP if still else signal.SIGCONT)
                    await asyncio.sleep(1)
                    (alone if still else watched).append(await window(turns, games, dashboard.pid))
                dashboard.send_signal(signal.SIGCONT)
                for reader in readers:
                    reader.cancel()
                await asyncio.gather(*readers, return_exceptions=True)
            for name, rounds in (("nobody watches", alone), ("two watch", watched)):
                rate = statistics.median(each[0] for each in rounds) / SECONDS
                beyond = about([ms for each in rounds for ms in each[1]])
                print(f"{name:15} {rate:6.0f} turns/s; ms beyond thinking {beyond}; ", end="")
                print(f"CPU ms a turn {statistics.median(each[2] for each in rounds):.2f}")
            ratios = [after[2] / before[2] for before, after in zip(alone, watched, strict=True)]
            spread = ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios))
            print(f"CPU a turn of the games, two watch / nobody: {statistics.median(ratios):.3f} ({spread})")
            share = statistics.median(each[3] for each in watched)
            print(f"the dashboard: {100 * share:.0f} % of a core")
            async with running(home, *pages) as dashboard:
                before = cpu_of([dashboard.pid])
                painted = await painting(site, turns)
                share = (cpu_of([dashboard.pid]) - before) / (LOOK_S + 6)
            print(f"from commit to paint, ms: {about(painted)}; with boards: {100 * share:.0f} % of a core")
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main())
