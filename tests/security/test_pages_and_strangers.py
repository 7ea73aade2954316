"""Who comes to the pages without the token: nobody's cookie, a seat's link, or another's, opens anything else."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from palaver_broker.memory import MemoryBroker
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import HEADERS, Doors
from palaver_observability.dashboard.seats.answers import COOKIE
from palaver_observability.dashboard.serving import served
from palaver_observability.dashboard.sources import RunSource, Shelf
from tests.observability.dashboard.seating import Scene, seating
from tests.observability.dashboard.stage import OURS, TOKEN, Client, folder_dashboard, same_site

EPISODE = "comma-wire-00000"
HERE = f"/api/episode/run/{EPISODE}"
READS = (
    *("/", "/runs", "/agents", "/seats", f"/episode/run/{EPISODE}", "/results/run", "/report/run", "/metrics"),
    *("/api/hello", "/api/cards", "/api/stream", "/api/stream?topics=seats", "/api/runs", "/api/runs/run"),
    *("/api/results", "/api/results/run", "/api/agents", "/api/seats", f"/api/blob/{'0' * 64}"),
    *(HERE, f"{HERE}/stream", f"{HERE}/view?seat=expert&turn=9", f"{HERE}/view?seat=solver&turn=9", f"{HERE}/sent?n=1"),
    *(f"/api/board/run/{EPISODE}/0", f"/api/boards/run/{EPISODE}/0", "/nowhere", "/api/nowhere"),
)
WRITES = (
    *("/api/runs/run/pause", "/api/runs/run/resume", "/api/runs/run/cancel", "/api/runs/run/delete"),
    *(f"{HERE}/seats/expert/take", f"{HERE}/seats/solver/give", f"{HERE}/seats/expert/give"),
)
STRANGERS = ("nobody", "a person with a seat", "the link as a token", "the link in the address", "forged cookies")
ATTEMPTS = [f"{who}: {path}" for who in STRANGERS for path in (*READS, *WRITES)]


@dataclass
class Pages:
    """A game with a person at one seat, and all of its pages; the solver's seat is hers, and ``cookie`` is of it."""

    scene: Scene
    server: TestServer
    link: str
    cookie: str
    doors: Doors

    @property
    def token(self) -> str:
        return self.link.rpartition("/")[2]

    def guises(self) -> Mapping[str, tuple[dict[str, str], dict[str, str]]]:
        """Return the headers and the query with which strangers come."""
        forged = f"{self.doors.cookie}={TOKEN}; {self.doors.cookie}={'0' * 64}; palaver=1; {COOKIE}={'A' * 43}"
        return {
            "nobody": ({}, {}),
            "a person with a seat": ({"Cookie": f"{COOKIE}={self.cookie}"}, {}),
            "the link as a token": ({"Authorization": f"Bearer {self.token}"}, {}),
            "the link in the address": ({"Cookie": f"{self.doors.cookie}={self.token}"}, {"token": self.token}),
            "forged cookies": ({"Cookie": forged}, {}),
        }


@asynccontextmanager
async def pages_of_a_game(tmp_path: Path) -> AsyncIterator[tuple[Pages, Client]]:
    """Play COMMA with a person as the solver, and serve all pages."""
    async with AsyncExitStack() as stack:
        scene = await stack.enter_async_context(seating("comma", "human,scripted", options={"puzzle": "wire"}))
        assert isinstance(scene.broker, MemoryBroker)
        source = RunSource(Shelf([tmp_path]), "run", "here", lambda: None)
        source.attach(scene.broker, ())
        doors = Doors(TOKEN)
        board = Dashboard(source, doors, room=scene.room)
        client = await stack.enter_async_context(TestClient(TestServer(board.application())))
        (episode,) = scene.ended
        assert episode == EPISODE
        link = await scene.link(episode, "solver")
        async with client.post(
            f"/api{link}/claim", json={"consent": True, "pseudonym": "Ada"}, headers=same_site(client)
        ) as response:
            assert response.status == 200, await response.text()
            cookie = response.cookies[COOKIE].value
        client.session.cookie_jar.clear()
        yield Pages(scene, client.server, link, cookie, doors), client  # type: ignore[arg-type]  # its server is one


@pytest.mark.parametrize("who", STRANGERS)
async def test_only_the_token_opens_what_is_for_operators(tmp_path: Path, who: str) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client):
        headers, query = pages.guises()[who]
        before = await pages.scene.log(EPISODE)
        for path in READS:
            async with client.get(path, headers=headers, params=query or None, allow_redirects=False) as response:
                assert response.status == 401, path
                assert "Set-Cookie" not in response.headers
                assert {name: response.headers.get(name) for name in HEADERS} == HEADERS, path
        for path in WRITES:
            both = {**same_site(client), **headers}
            async with client.post(path, json={"agent": "scripted"}, headers=both, params=query or None) as response:
                assert response.status == 401, path

        assert await pages.scene.log(EPISODE) == before
        assert [chair.agent for chair in pages.scene.hall.chairs()] == ["human"]


AT_HER_SEAT = (
    ("GET", ""),
    ("GET", "/stream"),
    ("GET", "/blob/{picture}"),
    ("POST", "/say"),
    ("POST", "/leave"),
    ("POST", "/claim"),
)


async def test_with_her_link_and_another_cookie_nothing_is_seen_said_or_taken(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client):
        hers = {"Cookie": f"{COOKIE}={pages.cookie}"}
        async with client.get(f"/api{pages.link}", headers=hers) as response:
            state = await response.json()
        assert state["state"] == "your_turn"
        parts = [part for message in state["messages"] for part in message["parts"]]
        picture = next(part["sha256"] for part in parts if part["type"] == "image")
        async with client.get(f"/api{pages.link}/blob/{picture}", headers=hers) as response:
            assert (response.status, response.content_type) == (200, "image/png")

        for cookie in (None, "A" * 43, "short", pages.cookie[:-1] + ("A" if pages.cookie[-1] != "A" else "B")):
            other = {} if cookie is None else {"Cookie": f"{COOKIE}={cookie}"}
            for method, path in AT_HER_SEAT:
                address = f"/api{pages.link}{path.format(picture=picture)}"
                said = {"key": state["key"], "text": "mine", "consent": True}
                headers = {**same_site(client), **other}
                sent = None if method == "GET" else said
                async with client.request(method, address, json=sent, headers=headers) as response:
                    if path == "/stream":
                        seen = (await response.content.readuntil(b"}\n\n")).decode()
                    else:
                        seen = await response.text()
                assert response.status == (200 if path in ("", "/stream") else 409 if path == "/claim" else 403), path
                assert not any(word in seen for word in ("Ada", state["key"], "messages", picture)), path
        chair = pages.scene.hall.chair_at(pages.token)
        assert chair.claim is not None
        assert (chair.claim.who, list(chair.questions)) == ("Ada", [state["key"]])


async def test_what_was_said_after_leaving_or_for_what_is_over_is_not_heard(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client):
        headers = {**same_site(client), "Cookie": f"{COOKIE}={pages.cookie}"}

        async def post(path: str, body: Any) -> int:
            async with client.post(f"/api{pages.link}/{path}", json=body, headers=headers) as response:
                return response.status

        async with client.get(f"/api{pages.link}", headers=headers) as response:
            key = (await response.json())["key"]
        length = len(await pages.scene.log(EPISODE))

        assert await post("say", {"key": "of-another-question", "text": "hello"}) == 409
        assert await post("say", {"key": key, "text": "x" * 33_000}) == 413
        assert await post("say", {"key": key, "text": "x" * 1_000_000}) == 413
        assert await post("say", {"key": key, "text": "\n" * 10_000}) == 400
        assert await post("say", {"key": [key], "text": {"a": 1}}) == 400
        assert await post("leave", {}) == 200
        assert await post("say", {"key": key, "text": "hello"}) == 403
        assert len(await pages.scene.log(EPISODE)) == length


async def test_nobody_takes_the_name_by_which_records_know_another(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (_, client):
        async with client.post(f"{HERE}/seats/expert/take", json={}, headers={**OURS, **same_site(client)}) as response:
            link = (await response.json())["link"]
        for name, status in (("Ada", 400), ("Eve", 200)):
            said = {"consent": True, "pseudonym": name}
            async with client.post(f"/api{link}/claim", json=said, headers=same_site(client)) as response:
                assert response.status == status


RAW = {
    "no request at all": "hello\r\n\r\n",
    "a header that is none": "GET / HTTP/1.1\r\n<script>\r\n\r\n",
    "a token in a line that cannot be read": f"GET /?token={TOKEN} x HTTP/9\r\n\r\n",
    "two hosts": f"GET /api/hello HTTP/1.1\r\nHost: evil\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
    "two lengths": "POST /api/runs/maze/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a line without end": f"GET /{'a' * 20_000} HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "letters that are none": "GET /api/episode/maze/\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a path behind the pages' files": "GET /static/../api/cards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "the same, written in full": "GET http://localhost/static/../api/cards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "the same, in disguise": "GET /static/%2e%2e/api/cards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a path behind a seat": "GET /api/sit/../cards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a slash in disguise": "GET /api%2fcards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two slashes": "GET //api/cards HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a tunnel": "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "everything": "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "another method in a header": "GET /api/runs/maze/pause HTTP/1.1\r\nHost: localhost\r\n"
    f"Authorization: Bearer {TOKEN}\r\nX-HTTP-Method-Override: POST\r\n\r\n",
    "a web socket": "GET /api/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://evil\r\n\r\n",
    "what is expected": "GET /api/hello HTTP/1.1\r\nHost: localhost\r\nExpect: the-token\r\n\r\n",
    **{
        f"the host {host}": f"GET /api/hello HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        for host in (
            *("evil.example", "localhost.evil.example", "localhost@evil.example", "evil.example#@localhost", "[::1"),
            *("0.0.0.0:80", "2130706433", "127.1", "xn--localhost", "", "localhost:80:80@evil", "169.254.169.254"),
        )
    },
}


async def test_what_no_browser_sends_is_answered_in_one_line_and_opens_nothing(tmp_path: Path) -> None:
    async with served(folder_dashboard(tmp_path).application(), "127.0.0.1", 0) as url:
        for name, words in RAW.items():
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(words.encode("latin-1"))
            async with asyncio.timeout(5):
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
                body = await reader.readexactly(int(length.partition(b":")[2]))
            writer.close()
            await writer.wait_closed()

            status = int(head.split()[1])
            assert status >= 400, name
            assert b"content-security-policy: default-src 'none'" in head.lower(), name
            assert b"aiohttp" not in head.lower(), name
            assert TOKEN.encode() not in head + body, name
            assert len(body) < 300, name
            if status != 417:  # that one says what was expected
                assert set(json.loads(body)) == {"error", "mend"}, name


SITES: tuple[dict[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "file://"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1:1 http://127.0.0.1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    {},
)
KINDS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/json")


async def test_no_page_of_another_site_makes_an_operator_or_a_person_do_anything(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client):
        both = f"{pages.doors.cookie}={pages.doors.cookie_value}; {COOKIE}={pages.cookie}"
        ours = {"Cookie": both, "Content-Type": "application/json", **same_site(client)}
        tricks = [{**{k: v for k, v in ours.items() if k != "Origin"}, **site} for site in SITES]
        tricks += [{**ours, "Content-Type": kind} for kind in KINDS]
        tricks += [{**ours, "X-Palaver": value} for value in ("0", "", "1, 1", "true")]
        for path in ("/api/runs/run/cancel", f"{HERE}/seats/expert/take", f"/api{pages.link}/leave"):
            for trick in tricks:
                async with client.post(path, data=b"{}", headers=trick) as response:
                    assert response.status == 403, (path, trick)
        chair = pages.scene.hall.chair_at(pages.token)
        assert (chair.claim is not None, len(pages.scene.hall.chairs())) == (True, 1)


async def test_the_token_never_leads_to_another_host(tmp_path: Path) -> None:
    async with served(folder_dashboard(tmp_path).application(), "127.0.0.1", 0) as url:
        for path in ("//evil.example", "/\\evil.example", "/\\/evil.example", "\\\\evil.example", "///evil.example/x"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(f"GET {path}?token={TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            head = (await asyncio.wait_for(reader.read(), 5)).decode()
            writer.close()
            await writer.wait_closed()
            where = next((line for line in head.splitlines() if line.startswith("Location: ")), "Location: /")
            assert where.removeprefix("Location: ")[:2].replace("\\", "/") != "//", path


async def test_behind_a_proxy_with_tls_the_cookie_is_never_sent_without_it(tmp_path: Path) -> None:
    async with TestClient(TestServer(folder_dashboard(tmp_path).application())) as client:
        headers = {"X-Forwarded-Proto": "https"}
        async with client.get("/", params={"token": TOKEN}, headers=headers, allow_redirects=False) as response:
            assert "; Secure" in response.headers["Set-Cookie"]
