"""Mazes on a fleet of which one of each is killed every few seconds: ``python -m tests.chaos.mazes`` (``make chaos``).

Three game masters, two agents and a recorder play the mazes that one process plays undisturbed on the embedded bus; in
the end, what was recorded must be the same: scores, turns, and every word. Exit code 1 if it is not.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.deploy.children import lines
from tests.redis_server import RedisServer

LEASE = ("--lease", "3")
SERVICES: dict[str, tuple[str, ...]] = {
    **{f"gamemaster-{n}": ("gamemaster", *LEASE) for n in range(3)},
    **{f"agent-{n}": ("agent", "--agent", "scripted", "--concurrency", "8", *LEASE) for n in range(2)},
    "recorder": ("recorder", "--out", "fleet", *LEASE),
}
STRUCK = ("gamemaster", "agent")
RUN = "mazes"
GIVEN_UP_S = 600.0


def palaver(*words: str) -> list[str]:
    """Return the command line of a command."""
    return [sys.executable, "-m", "palaver_deploy", *words]


def story(folder: Path) -> dict[str, Any]:
    """Return what a run came to, without times; an episode that is written twice is an error."""
    records = lines(folder / "episodes.jsonl")
    found = {
        record["episode_id"]: (
            [record[name] for name in ("outcome", "scores", "turns", "seats", "instance_id", "seed")],
            [
                (entry["key"], entry["prompts"], entry["reply"]["parts"])
                for entry in lines(folder / "transcripts" / f"{record['episode_id']}.jsonl")
                if entry["type"] == "turn.taken"
            ],
        )
        for record in records
    }
    if len(found) < len(records):
        raise ValueError(f"{len(records)} lines are about {len(found)} episodes")
    return found


def kill_until_done(folder: Path, environ: dict[str, str], episodes: int, each_s: float, seed: int) -> int:
    """Play on a fleet, and kill; return how many were killed."""
    dice, kills = random.Random(seed), 0
    with (folder / "log").open("wb") as log:

        def start(name: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen(palaver("serve", *SERVICES[name]), env=environ, cwd=folder, stdout=log, stderr=log)

        fleet = {name: start(name) for name in SERVICES}
        try:
            began = struck = time.monotonic()
            recorded = folder / "fleet" / RUN / "episodes.jsonl"
            while not recorded.exists() or recorded.read_bytes().count(b"\n") < episodes:
                if time.monotonic() - began > GIVEN_UP_S:
                    raise TimeoutError(f"not done after {GIVEN_UP_S:.0f} s; see {log.name}")
                time.sleep(0.1)
                if time.monotonic() - struck > each_s:
                    struck = time.monotonic()
                    for kind in STRUCK:
                        name = dice.choice([name for name in fleet if name.startswith(kind)])
                        fleet[name].kill()
                        fleet[name].wait()
                        fleet[name], kills = start(name), kills + 1
        finally:
            for process in fleet.values():
                process.terminate()
            for process in fleet.values():
                process.wait()
    return kills


def main() -> int:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.mazes", description=__doc__)
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--each", type=float, default=3.0, metavar="S", help="seconds from kill to kill")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--game", default="maze", help="another game that scripts can play, such as comma, with pictures"
    )
    said = parser.parse_args()
    folder = Path(mkdtemp(prefix="palaver-mazes-"))
    words = (said.game, "--agents", "scripted", "-n", str(said.episodes), "--seed", str(said.seed))
    alone = folder / "alone" / RUN
    subprocess.run(palaver("run", *words, "--quiet", "--out", str(alone)), check=True, stdout=subprocess.DEVNULL)
    with RedisServer() as server:
        environ = {**os.environ, "PALAVER_BROKER": server.url, "PALAVER_STATE": str(folder / "state")}
        submit = palaver("submit", *words, "--run-id", RUN, "--concurrency", "16")
        subprocess.run(submit, env=environ, check=True, stdout=subprocess.DEVNULL)
        began = time.monotonic()
        kills = kill_until_done(folder, environ, said.episodes, said.each, said.seed)
        seconds = time.monotonic() - began
    same = story(folder / "fleet" / RUN) == story(alone)
    verdict = "the same" if same else "NOT the same"
    print(f"{said.episodes} episodes of {said.game}, {kills} kills, {seconds:.0f} s: {verdict} ({folder})")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
