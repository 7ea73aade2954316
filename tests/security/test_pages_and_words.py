"""Words that are more than words, wherever somebody can put them: the pages hand them on as text, nothing else."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from yarl import URL

from palaver_gamemasters.showing import Panel
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.games import Games
from palaver_observability.folder import RunFolder
from palaver_protocols.codec import encode
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.messages import EpisodeEnded, SeatFiller, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message
from tests.observability.dashboard.stage import OURS, Client, browsing, folder_dashboard, same_site
from tests.security.test_pages_and_strangers import HERE, pages_of_a_game
from tests.support import NOON, a_reply, a_request, a_start
from tests.toys import Choices, Match

EVIL = {
    "markup": "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "an attribute": "\" onload=alert(1) x='",
    "an end of data": "]]></text></svg><script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>",
    "an entity": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;',
    "a style": "</style><style>@import url(//evil.example)</style>",
    "a link": "[click](javascript:alert(1)) javascript:alert(1)",
    "a terminal's": "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x1b]52;c;b3duZWQ=\x07",
    "another line": 'ok\r\nevent: cards\ndata: {"all": true}\n\n{"level":"error"}',
    "separators": "a\u2028b\u2029c\x85d",
    "turned round": "\u202etxt.exe\u2066\u200f",
    "unseen": "a\u200b\u200d\ufeff\u00ad\u2060b\U000e0041",
    "nothing": "a\x00b\x08\x7f",
    "no characters": "\ufffe\uffff\U0001ffff",
    "piled up": "Z" + "\u0300\u0489" * 200,
    "faces": "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3ff",
    "very much": "W" * 20_000,
    "a template": "${7*7} {{7*7}} %(x)s {0} <%= 1 %>",
    "a path": "../../../../etc/passwd",
    "a prototype": "__proto__",  # the last: it is a name
}
DATA = b"\x89PNG\r\n\x1a\n"


class Showing(Match):
    """Shows whatever it is told to, in its drawings and its words."""

    def __init__(self, words: str) -> None:
        self._words = words

    def panels(self, state: Choices) -> tuple[Panel, ...]:
        drawing = f"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script>{self._words[:99]}</svg>"
        return (Panel(self._words, self._words), Panel(self._words, self._words, svg=drawing, width=9, height=9))

    def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
        picture = Image(sha256="a" * 64, media_type="image/png", width=1, height=1, size=8, alt=self._words)
        parts: tuple[Part, ...] = (Text(text=self._words), picture)
        return (Message(speaker="user", parts=parts),)

    def why(self, state: Choices) -> str:
        return self._words


def a_run_of(words: str, home: Path) -> Dashboard:
    """Make a run in which every field that somebody can fill holds these words."""
    agents = (words[:200] or "x",)
    config = RunConfig(run_id="run", game="match", agents=agents, episodes=1)
    RunFolder.create(home / "run", config)._unlock()
    seats = {"left": (SeatFiller(agent=words, model=words),), "right": (SeatFiller(agent="echo"),)}
    request = a_request("k0", seat="left", game="match", agent=words)
    reply = a_reply(request, words, provider=words, model=words, sent=words)
    entries = (
        a_start(game="match", seats=seats, variant=words, instance_id=words, labels={words: (words,)}),
        TurnTaken(key="k0", reply=reply, copied_from=words, at=NOON),
        EpisodeEnded(key="end", outcome="error", scores={words: 1.0}, error=words, at=NOON),
    )
    file = home / "run" / "transcripts" / "e0.jsonl"
    file.write_bytes(b"".join(encode(entry) + b"\n" for entry in entries))
    board = folder_dashboard(home)
    return Dashboard(board.source, board.doors, games=Games({"match": Showing(words)}), folder=board.folder)


JSON = ("", "/view?seat=left&turn=9", "/view?seat=right&turn=9", "/sent?n=1")


@pytest.mark.parametrize("what", EVIL)
async def test_words_stay_words_in_everything_that_a_page_is_told(tmp_path: Path, what: str) -> None:
    words = EVIL[what]
    async with browsing(a_run_of(words, tmp_path)) as client:
        for path in JSON:
            async with client.get(f"/api/episode/run/e0{path}") as response:
                assert (response.status, response.content_type) == (200, "application/json"), await response.text()
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                told = json.loads(await response.read())
        assert words in _strings(told)
        async with client.get("/api/boards/run/e0/1") as response:
            assert words in _strings(json.loads(await response.read()))
        for path in ("/api/board/run/e0/1", "/api/board/run/e0/1?panel=0"):
            async with client.get(path) as response:
                assert response.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
                assert {each.tag.rpartition("}")[2] for each in ET.fromstring(await response.read()).iter()} <= {
                    *("svg", "title", "desc", "style", "text", "rect", "image")
                }
        async with client.get("/api/episode/run/e0/stream") as response:
            lines = (await response.content.readuntil(b"event: ended")).split(b"\n")
            assert all(line.split(b":")[0] in (b"retry", b"event", b"id", b"data", b"") for line in lines)


REFUSAL = {"html", "head", "meta", "title", "link", "body", "main", "div", "h1", "p"}
"""Of what the page is made that says why there is no page."""


@pytest.mark.parametrize("what", EVIL)
async def test_errors_that_repeat_words_are_one_line_and_no_markup(tmp_path: Path, what: str) -> None:
    name = quote(EVIL[what][:500], safe="")
    paths = (f"/api/episode/run/{name}", f"/api/board/{name}/e0/1", f"/api/runs/{name}", f"/report/{name}")
    async with browsing(folder_dashboard(tmp_path)) as client:
        for path in paths:
            async with client.session.get(_address(client, path)) as response:
                assert response.status == 404
                assert all(words.isprintable() for words in _strings(json.loads(await response.read())))
        async with client.session.get(_address(client, f"/report/{name}"), headers={"Accept": "text/html"}) as response:
            assert (response.status, response.content_type) == (404, "text/html")
            assert _tags(await response.text()) <= REFUSAL


async def test_nobody_is_called_by_words_that_are_more_than_a_name(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (_, client):
        headers = same_site(client)
        taken = client.post(f"{HERE}/seats/expert/take", json={}, headers={**OURS, **headers})
        async with taken as response:
            link = (await response.json())["link"]
        for what, words in EVIL.items():
            said = {"consent": True, "pseudonym": words}
            async with client.post(f"/api{link}/claim", json=said, headers=headers) as response:
                answer = await response.json()
                assert (response.status, "error" in answer) == ((200, False) if what == "a prototype" else (400, True))
            if what == "a prototype":
                assert answer["you"] == "__proto__"  # letters, and to us no more than that


def _address(client: Client, path: str) -> URL:
    return URL(str(client.make_url("/")).rstrip("/") + path, encoded=True)


def _strings(value: Any) -> set[str]:
    match value:
        case str():
            return {value}
        case list():
            return set().union(*map(_strings, value))
        case dict():
            return set().union(value, *map(_strings, value.values()))
    return set()


def _tags(page: str) -> set[str]:
    found: set[str] = set()

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            found.add(tag)

    Tags().feed(page)
    return found
