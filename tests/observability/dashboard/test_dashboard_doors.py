"""Who may do what: the token, the cookie, the address, the origin, and the headers."""

import asyncio
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from yarl import URL

from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import HEADERS, Doors
from tests.observability.dashboard.stage import OURS, TOKEN, Client, browsing, folder_dashboard, same_site, told

HIDDEN = [
    "/api/board/maze/maze-pair-00000/1",
    "/api/boards/maze/maze-pair-00000/1",
    "/api/episode/maze/maze-pair-00000",
    "/api/episode/maze/maze-pair-00000/stream",
    "/api/episode/maze/maze-pair-00000/view?seat=agent_1&turn=1",
    "/api/episode/maze/maze-pair-00000/sent?n=1",
    "/api/blob/" + "0" * 64,
    "/report/maze",
    "/report/study/maze",
    "/episode/maze/maze-pair-00000",
    "/seats",
]
SHOWN = ["/", "/runs", "/agents", "/results", "/api/hello", "/api/cards", "/api/runs", "/api/agents", "/api/results"]


@pytest.fixture
def board(played: Path) -> Dashboard:
    return folder_dashboard(played)


@pytest.fixture
async def stranger(board: Dashboard) -> AsyncIterator[Client]:
    async with browsing(board, {}) as client:
        yield client


@pytest.fixture
async def operator(board: Dashboard) -> AsyncIterator[Client]:
    async with browsing(board) as client:
        yield client


@pytest.mark.parametrize("path", [*SHOWN, *HIDDEN, "/api/stream", "/nowhere", "/api/nowhere"])
async def test_without_the_token_nothing_is_shown(stranger: Client, path: str) -> None:
    async with stranger.get(path) as response:
        assert response.status == 401
        assert (await response.json())["mend"].startswith("open the address that palaver printed")


async def test_a_browser_without_the_token_is_told_how_to_come_in_on_a_page(stranger: Client) -> None:
    async with stranger.get("/runs", headers={"Accept": "text/html"}) as response:
        assert (response.status, response.content_type) == (401, "text/html")
        assert "open the address that palaver printed" in await response.text()


async def test_files_and_the_pulse_are_for_everybody(stranger: Client) -> None:
    for path in ("/static/css/base.css", "/healthz"):
        async with stranger.get(path) as response:
            assert response.status == 200


async def test_the_address_with_the_token_gives_a_cookie_and_loses_the_token(stranger: Client) -> None:
    async with stranger.get(f"/runs?a=1&token={TOKEN}", allow_redirects=False) as response:
        assert (response.status, response.headers["Location"]) == (303, "/runs?a=1")
        (cookie,) = SimpleCookie(response.headers["Set-Cookie"]).values()
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
    assert TOKEN not in cookie.value

    async with stranger.get("/api/hello", cookies={cookie.key: cookie.value}) as response:
        assert (await response.json())["role"] == "operator"


@pytest.mark.parametrize("token", ["wrong", "", TOKEN[:-1], TOKEN + "x", "\N{SNOWMAN}"])
async def test_another_token_lets_nobody_in(stranger: Client, token: str) -> None:
    async with stranger.get("/", params={"token": token}, allow_redirects=False) as response:
        assert (response.status, "Set-Cookie" in response.headers) == (401, False)


async def test_a_redirect_never_leads_to_another_host(stranger: Client) -> None:
    url = stranger.make_url("/").join(stranger.make_url("/"))
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET //evil.example/?token={TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    said = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()

    assert "Location: //" not in said


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::2]", "a@b:c"]
)
async def test_a_name_that_is_not_ours_is_refused(operator: Client, host: str) -> None:
    async with operator.get("/api/hello", headers={"Host": host}) as response:
        assert response.status == 421


async def test_bytes_that_are_no_text_let_nobody_in_and_break_nothing(stranger: Client) -> None:
    url = stranger.make_url("/")
    for line in (b"Cookie: a=\xff\xfe", b"Authorization: Bearer \xff", b"Origin: \xff", b"Accept: \xff"):
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(b"GET /api/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + line + b"\r\n\r\n")
        status = (await reader.read()).split(b" ", 2)[1]
        writer.close()
        await writer.wait_closed()
        assert status in (b"401", b"400"), line


async def test_a_path_that_goes_up_again_is_no_way_round_the_token(stranger: Client) -> None:
    async with ClientSession() as session:
        for path in (
            "/static/../api/runs",
            "/static/%2e%2e/api/runs",
            "/sit/../api/runs",
            "/api/sit/..%2f..%2fapi/runs",
        ):
            url = URL(f"{str(stranger.make_url('/')).rstrip('/')}{path}", encoded=True)
            async with session.get(url) as response:
                assert "runs" not in (await response.text())[:12], path
                assert response.status != 200 or response.content_type == "text/html"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8700", "[::1]:1", "localhost."])
async def test_loopback_has_many_names(operator: Client, host: str) -> None:
    async with operator.get("/api/hello", headers={"Host": host}) as response:
        assert response.status == 200


def test_behind_a_proxy_the_name_that_was_told_is_ours() -> None:
    doors = Doors(TOKEN, names=("arena.example.org",))

    assert doors.is_our_host("Arena.example.org:443")
    assert not doors.is_our_host("10.0.0.7:8700")


def test_who_listens_everywhere_can_be_reached_by_any_address_but_by_no_other_name() -> None:
    doors = Doors(TOKEN, listens="0.0.0.0")

    assert doors.is_our_host("10.0.0.7:8700")
    assert not doors.is_our_host("rebound.example")


WRITE = "/api/runs/maze/pause"


async def test_the_pages_may_write(operator: Client) -> None:
    async with operator.post(WRITE, json={}, headers=same_site(operator)) as response:
        assert response.status == 409  # nothing plays this folder; but it was let in
        assert "only looked at" in (await response.json())["error"]


@pytest.mark.parametrize(
    "change",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Origin": "file://"},
        {"Origin": "http://["},
        {"X-Palaver": "0"},
    ],
)
async def test_pages_of_other_sites_may_not_write(operator: Client, change: dict[str, str]) -> None:
    async with operator.post(WRITE, json={}, headers={**same_site(operator), **change}) as response:
        assert response.status == 403


async def test_a_browser_that_names_no_origin_has_to_say_that_it_is_ours(operator: Client) -> None:
    for site, status in (("same-origin", 409), ("cross-site", 403), ("same-site", 403), ("none", 403)):
        async with operator.post(WRITE, json={}, headers={"X-Palaver": "1", "Sec-Fetch-Site": site}) as response:
            assert response.status == status, site
    async with operator.post(WRITE, json={}, headers={"X-Palaver": "1"}) as response:
        assert response.status == 403


async def test_a_form_may_not_write(operator: Client) -> None:
    async with operator.post(WRITE, data={"a": "b"}, headers=same_site(operator)) as response:
        assert response.status == 403


async def test_a_visitor_may_not_write(played: Path) -> None:
    async with browsing(folder_dashboard(played, visitors=True), {}) as visitor:
        async with visitor.post(WRITE, json={}, headers=same_site(visitor)) as response:
            assert response.status == 401


async def test_huge_bodies_are_refused_before_they_are_read(operator: Client) -> None:
    async with operator.post(
        WRITE, data=b" " * 70_000, headers={**same_site(operator), "Content-Type": "application/json"}
    ) as response:
        assert response.status == 413


async def test_huge_bodies_of_unknown_length_are_refused_too(operator: Client) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 1024

    headers = {**same_site(operator), "Content-Type": "application/json"}
    async with operator.post(WRITE, data=endless(), headers=headers) as response:
        assert response.status == 413


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
async def test_other_methods_are_refused(operator: Client, method: str) -> None:
    async with operator.request(method, "/api/runs") as response:
        assert response.status == 405


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/static/css/base.css", 200), ("/api/runs", 200), ("/api/nowhere", 404), ("/static/nowhere", 404)],
)
async def test_every_answer_carries_the_headers(operator: Client, path: str, status: int) -> None:
    async with operator.get(path) as response:
        assert response.status == status
        given = {name: response.headers.get(name) for name in HEADERS if name != "Cache-Control"}
        assert given == {name: value for name, value in HEADERS.items() if name != "Cache-Control"}
        assert "Server" not in response.headers


async def test_refusals_and_streams_carry_them_too(stranger: Client) -> None:
    for path, headers in (("/api/runs", {}), ("/", {"Host": "evil.example"}), ("/api/stream", OURS)):
        async with stranger.get(path, headers=headers) as response:
            assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_drawings_and_reports_are_documents_in_a_box(
    operator: Client, board: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def report(run: str) -> bytes:
        return b"<script>let it = 'run'</script>"

    monkeypatch.setattr(board.results, "report", report)
    for path, box in (("/api/board/maze/maze-pair-00000/1", "sandbox;"), ("/report/maze", "sandbox allow-scripts;")):
        async with operator.get(path) as response:
            assert response.status == 200
            assert response.headers["Content-Security-Policy"].startswith(f"{box} default-src 'none'")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/js",
        "/static/js/",
        "/static/%00",
        "/static/css/base.css/",
    ],
)
async def test_no_path_leads_out_of_the_pages_files_or_lists_a_folder(operator: Client, path: str) -> None:
    async with ClientSession() as session:
        url = URL(f"{str(operator.make_url('/')).rstrip('/')}{path}", encoded=True)
        async with session.get(url) as response:
            assert response.status in (401, 404)
            assert "import" not in await response.text()


@pytest.mark.parametrize(
    "path", ["/api/episode/..%2F..%2Fetc/passwd", "/api/episode/maze/..%2F..%2Fconfig", "/report/.."]
)
async def test_no_name_leads_out_of_the_runs(operator: Client, path: str) -> None:
    url = URL(f"{str(operator.make_url('/')).rstrip('/')}{path}", encoded=True)
    async with ClientSession(headers=OURS) as session, session.get(url) as response:
        assert response.status == 404


@pytest.fixture
async def visitor(played: Path) -> AsyncIterator[Client]:
    async with browsing(folder_dashboard(played, visitors=True), {}) as client:
        yield client


@pytest.mark.parametrize("path", SHOWN)
async def test_visitors_see_how_things_stand_where_they_are_let_in(visitor: Client, path: str) -> None:
    async with visitor.get(path) as response:
        assert response.status == 200


@pytest.mark.parametrize("path", HIDDEN)
async def test_visitors_see_nothing_that_is_said_drawn_or_hidden(visitor: Client, path: str) -> None:
    async with visitor.get(path) as response:
        assert response.status == 401


async def test_visitors_are_told_neither_where_things_are_nor_how_they_were_set_up(
    visitor: Client, played: Path
) -> None:
    hello, run = await told(visitor, "/api/hello"), await told(visitor, "/api/runs/maze")

    assert (hello["role"], hello["where"], set(hello["can"].values())) == ("visitor", "", {False})
    assert "config" not in run
    assert (run["errors"], run["can"]) == ([], [])


async def test_files_are_tagged_so_that_a_browser_asks_once(operator: Client) -> None:
    async with operator.get("/static/css/base.css") as response:
        assert (response.content_type, response.headers["Cache-Control"]) == ("text/css", "no-cache")
        tag = response.headers["ETag"]
    async with operator.get("/static/css/base.css", headers={"If-None-Match": tag}) as response:
        assert (response.status, await response.read()) == (304, b"")


async def test_a_bug_of_ours_is_one_line_and_no_traceback(board: Dashboard, capsys: Any) -> None:
    async def broken() -> Any:
        raise ZeroDivisionError("secret detail")

    board.source.agents = broken  # type: ignore[method-assign]  # a source that has a bug
    async with browsing(board) as client:
        error = await told(client, "/api/agents", 500)

    assert error == {"error": "a bug: ZeroDivisionError", "mend": "the log has the details"}
