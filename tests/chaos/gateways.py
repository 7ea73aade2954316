"""Mazes by agents at gateways, while connections break at random and gateways are killed: nothing lost or doubled.

    python -m tests.chaos.gateways [--episodes 100] [--drops 200] [--kills 4] [--seed 0] [--think-s 0.2]

One seat is filled by an agent at a WebSocket, the other by one that polls. Two gateways serve them; each comes back at
either. Every turn is asked once, thought about once, and in the record once.
"""

import argparse
import asyncio
import random
import signal
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_gamemasters.registry import load_game
from tests.deploy.gates import Gate, Poller, Sitter, a_gate, play
from tests.redis_server import RedisServer, free_port


async def keep(place: int, ports: list[int], gates: dict[int, Gate], home: Path) -> None:
    """Run a gateway, and another in its place whenever it is killed."""
    while True:
        async with a_gate(home, "--listen", f"127.0.0.1:{ports[place]}") as gate:
            gates[place] = gate
            await gate.process.wait()
            del gates[place]


async def storm(home: Path, *, episodes: int, drops: int, kills: int, seed: int, think_s: float) -> dict[str, object]:
    """Play through a storm; return what came of it."""
    dice, ports, gates = random.Random(seed), [free_port(), free_port()], dict[int, Gate]()
    game, began = load_game("maze"), time.monotonic()
    player = game.players()["scripted"]
    done = {"drops": 0, "kills": 0}
    with RedisServer() as server, patch.dict("os.environ", PALAVER_BROKER=server.url):
        async with RedisBroker(server.url) as broker:
            book = Strangers(broker.link)
            urls = [f"http://127.0.0.1:{port}" for port in ports]
            sitters = [
                Sitter(urls, await book.add("ann", ["gateway"]), player, think_s=think_s),
                Poller(urls, await book.add("bob", ["gateway"]), player, think_s=think_s),
            ]
            tasks = [asyncio.create_task(keep(place, ports, gates, home)) for place in range(2)]
            tasks += [asyncio.create_task(each.run()) for each in sitters]
            playing = asyncio.create_task(play(broker, game, episodes, concurrency=16))
            while len(gates) < 2:  # noqa: ASYNC110 - they are other processes
                await asyncio.sleep(0.05)
            for strike in range(drops):
                if playing.done():
                    break
                await asyncio.sleep(dice.uniform(0.01, 0.1))
                dice.choice(sitters).drop()
                done["drops"] += 1
                if kills and strike % (drops // kills) == drops // kills // 2 and gates:
                    gates[dice.choice(list(gates))].process.send_signal(signal.SIGKILL)
                    done["kills"] += 1
            outcomes = await playing
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    thought = [count for each in sitters for count in each.thought.values()]
    return {
        **done,
        "solved": outcomes.count("solved"),
        "lost": episodes - len(outcomes),
        "turns": len(thought),
        "thought about twice": sum(count > 1 for count in thought),
        "refused": sum(each.told["refused"] for each in sitters),
        "duplicate": sum(each.told["duplicate"] for each in sitters),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    """Say what came of a storm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("episodes", 100), ("drops", 200), ("kills", 4), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--think-s", type=float, default=0.2)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        for name, value in asyncio.run(storm(Path(home), **vars(said))).items():
            print(f"{name:>20} {value}")


if __name__ == "__main__":
    main()
