"""An agent at the gateway, with nothing but a WebSocket client: it answers every question with what was said last.

    pip install aiohttp
    PALAVER_TOKEN=parrot.… python websocket_agent.py ws://localhost:8400/v1/agent [BRAIN.py]

Whatever breaks, it connects again and is sent again what it has not answered. What it has thought it remembers, so that
a question that comes again costs no second answer. BRAIN.py holds another ``reply(request) -> text``.
"""

import asyncio
import os
import runpy
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import aiohttp

AT_A_TIME = 8
ASKED = ("key", "run_id", "episode_id", "turn", "seat", "agent")
Thoughts = dict[str, "asyncio.Task[str]"]
Brain = Callable[[dict[str, Any]], str]


def reply(request: dict[str, Any]) -> str:
    """Answer one question: here is the place for a model of yours."""
    parts = request["view"][-1]["parts"]
    return "I heard: " + " ".join(part["text"] for part in parts if part["type"] == "text")[:200]


async def answer(
    gateway: aiohttp.ClientWebSocketResponse, request: dict[str, Any], thoughts: Thoughts, brain: Brain
) -> None:
    """Answer one question, by what we have thought of it before if it has come before."""
    if request["key"] not in thoughts:
        thoughts[request["key"]] = asyncio.create_task(asyncio.to_thread(brain, request))
    parts = [{"type": "text", "text": await thoughts[request["key"]]}]
    with suppress(ConnectionError):  # the question will come again
        await gateway.send_json(
            {"type": "turn.reply", "version": "1.0", **{name: request[name] for name in ASKED}, "parts": parts}
        )


async def serve(gateway: aiohttp.ClientWebSocketResponse, agent: str, thoughts: Thoughts, brain: Brain) -> None:
    """Say hello, and answer until the connection ends."""
    hello = {"type": "agent.hello", "version": "1.0", "key": "hello", "agent": agent, "concurrency": AT_A_TIME}
    await gateway.send_json(hello)
    answering: set[asyncio.Task[None]] = set()
    async for frame in gateway:
        message = frame.json()
        if message["type"] == "turn.request":
            task = asyncio.create_task(answer(gateway, message, thoughts, brain))
            answering.add(task)
            task.add_done_callback(answering.discard)
        elif message["code"] in ("accepted", "duplicate", "cancelled"):
            thoughts.pop(message["key"], None)
        else:
            print(f"refused: {message['reason']}: {message['message']}", file=sys.stderr)


async def main(url: str, token: str, brain: Brain) -> None:
    """Answer until somebody stops us, or our token is no longer valid."""
    thoughts: Thoughts = {}
    said = ""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session:
        while True:
            try:
                async with session.ws_connect(url, heartbeat=20) as gateway:
                    print(f"connected to {url}", file=sys.stderr)
                    said = ""
                    await serve(gateway, "bus/" + token.partition(".")[0], thoughts, brain)
                    if gateway.close_code == 4001:
                        sys.exit("our token is no longer valid")
            except (aiohttp.ClientError, OSError) as error:
                if isinstance(error, aiohttp.WSServerHandshakeError) and error.status == 401:
                    sys.exit("our token is not valid")
                if said != str(error):  # the gateway is away, or elsewhere; nothing is lost
                    said = str(error)
                    print(f"trying again: {said}", file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    BRAIN = runpy.run_path(sys.argv[2])["reply"] if sys.argv[2:] else reply
    asyncio.run(main(sys.argv[1], os.environ["PALAVER_TOKEN"], BRAIN))
