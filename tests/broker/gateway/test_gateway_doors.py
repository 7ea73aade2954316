"""Who comes in at the gateway, and who does not, or no longer."""

import asyncio
import re
from itertools import count
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from structlog.testing import capture_logs

from palaver_broker import Broker
from palaver_broker.gateway import Rules
from palaver_broker.gateway import doorkeeper as doorkeeper_module
from palaver_broker.gateway.answers import TurnedAwayError
from palaver_broker.gateway.listening import check_safe
from palaver_protocols.errors import UsageError
from palaver_protocols.strangers import Notice
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.support import a_request, ask, until

PLACES = ["/v1/agent", "/v1/agent/requests", "/v1/blobs/" + "0" * 64]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "SLOWEST_S", 0.01)


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Authorization": "Bearer kim.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
        {"Authorization": "Bearer nobody.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
        {"Authorization": "Bearer kim."},
        {"Authorization": "Bearer \udcff.\udcfe"},
        {"Authorization": "Basic a2ltOng="},
        {"Authorization": "Bearer " + "k" * 5000},
        {"Sec-WebSocket-Protocol": "palaver.v1, token.kim.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
    ],
)
async def test_whoever_shows_no_token_that_is_right_is_turned_away(
    place: Place, path: str, shown: dict[str, str]
) -> None:
    async with place.web.get(place.url + path, headers=shown) as page:
        assert (page.status, page.headers["WWW-Authenticate"]) == (401, "Bearer")
        text = await page.text()
        assert text.count("\n") == 1
        assert "kim.AAAA" not in text
    assert place.gateway.tally.turned_away == 1


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (None, None),
        ("Bearer ", None),
        ("Bearer kim", None),
        ("Bearer kim.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "revoked"),
    ],
)
async def test_only_of_a_token_is_it_said_that_it_is_not_valid(
    place: Place, shown: str | None, reason: str | None
) -> None:
    headers = {} if shown is None else {"Authorization": shown}
    async with place.web.get(f"{place.url}/v1/agent/requests", headers=headers) as page:
        notice = await page.json()
    assert (page.status, notice["type"], notice["code"], notice["reason"]) == (401, "notice", "refused", reason)


def by_hand(line: str, *headers: str) -> bytes:
    return "\r\n".join([f"{line} HTTP/1.1", "Host: x", *headers, "", ""]).encode()


STRANGE = {
    "an address over 8 KiB": (by_hand("GET /" + "x" * 9000), 400),
    "a header over 8 KiB": (by_hand("GET /", "X: " + "x" * 9000), 400),
    "200 headers": (by_hand("GET /", *[f"X{number}: x" for number in range(200)]), 400),
    "a header without a name": (by_hand("GET /v1/agent", ": x"), 400),
    "no HTTP": (b"hello?\r\n\r\n", 400),
    "a path that is not there": (by_hand("GET /v3", "Connection: close"), 404),
    "a method that is not there": (by_hand("DELETE /v1/agent/messages", "Connection: close"), 405),
    "what cannot be expected": (by_hand("POST /v1/agent/messages", "Expect: rain", "Connection: close"), 417),
    "what cannot be expected, nowhere": (by_hand("GET /v3", "Expect: rain", "Connection: close"), 417),
    "no token": (by_hand("GET /v1/agent/requests", "Connection: close"), 401),
}


@pytest.mark.parametrize("case", STRANGE)
async def test_whatever_the_status_the_body_is_a_notice_and_tells_nothing_of_our_software(
    place: Place, case: str
) -> None:
    said, status = STRANGE[case]
    reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]))
    writer.write(said)
    head, _, body = (await asyncio.wait_for(reader.read(), 10)).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    assert int(head.split()[1]) == status
    assert b"Content-Type: application/json" in head
    assert re.findall(rb"Server: (.*?)\r\n", head + b"\r\n") == [b"palaver"]
    notice = Notice.model_validate_json(body)
    assert (notice.type, notice.code, body.count(b"\n")) == ("notice", "refused", 1)
    assert 0 < len(notice.message) < 400
    assert "xxx" not in notice.message
    assert notice.message.isprintable()


async def test_what_cannot_be_read_is_logged_without_its_words(place: Place) -> None:
    token = place.tokens["kim"]
    with capture_logs() as logs:
        for said in (f"X:\0 Bearer {token}", f"Authorization: Bearer {token}\x01", f": {token}", token + "x" * 9000):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]))
            writer.write(by_hand("GET /v1/agent", said))
            assert b" 400 " in await asyncio.wait_for(reader.read(), 10)
            writer.close()
            await writer.wait_closed()
    assert len(logs) == 3
    assert not [entry for entry in logs if token[-20:] in str(entry)]


async def test_what_is_found_tells_nothing_of_our_software(place: Place) -> None:
    async with place.line() as line:
        assert line.ws._response.headers.getall("Server") == ["palaver"]
    async with place.web.get(f"{place.url}/v1/agent/requests?wait=0", headers=place.head()) as page:
        assert (page.status, page.headers.getall("Server")) == (200, ["palaver"])


async def test_a_failure_of_ours_is_told_as_one_and_logged_in_a_line(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, times = TurnedAwayError.response, count()

    def broken_once(error: TurnedAwayError) -> web.Response:
        if next(times) == 0:
            raise ValueError("a bug\nof ours")
        return usual(error)

    monkeypatch.setattr(TurnedAwayError, "response", broken_once)
    with capture_logs() as logs:
        async with place.web.get(f"{place.url}/v1/agent/requests") as page:
            assert (page.status, page.headers.getall("Server")) == (500, ["palaver"])
            assert "its own fault" in (await page.json())["message"]
    assert [each["reason"] for each in logs if each["event"] == "a request failed"] == ["ValueError: a bug of ours"]


async def test_a_token_in_the_address_opens_nothing(place: Place) -> None:
    query = {"token": place.tokens["kim"], "access_token": place.tokens["kim"]}
    async with place.web.get(f"{place.url}/v1/agent/requests", params=query) as page:
        assert page.status == 401


async def test_a_token_opens_the_door_as_soon_as_it_is_given(place: Place, book: Book) -> None:
    place.tokens["new"] = book.add("new")
    assert (await place.poll("new", wait=0))[0] == 200
    place.tokens["kim"] = book.add("kim")
    assert (await place.poll(wait=0))[0] == 200


async def test_a_token_for_another_door_does_not_open_this_one(place: Place, book: Book) -> None:
    place.tokens["red"] = book.add("red", frozenset({"redis", "mqtt"}))
    assert (await place.poll("red"))[0] == 401


async def test_browsers_show_their_token_as_a_subprotocol(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    async with a_gateway(broker, book, Rules(origins=frozenset({"https://example.org"}))) as place:
        offer: dict[str, Any] = {
            "headers": {"Origin": "https://example.org"},
            "protocols": ("palaver.v1", f"token.{token}"),
        }
        async with place.line(**offer) as line:
            assert line.ws.protocol == "palaver.v1"
            await ask(broker, a_request(agent="bus/kim"))
            assert (await line.question()).key == "k0"
        for origin in ("https://example.com", "null", "https://example.org:444"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with place.line(**(offer | {"headers": {"Origin": origin}})):
                    pass
            assert refused.value.status == 403


async def test_a_subprotocol_that_is_not_ours_is_refused_and_no_token_logged(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        async with place.line(headers={}, protocols=(f"token.{place.tokens['kim']}",)):
            pass
    assert refused.value.status == 400
    assert place.tokens["kim"] not in caplog.text


async def test_a_revoked_token_cuts_a_socket_and_a_poll(place: Place, book: Book) -> None:
    async with place.line() as line, place.line("pat") as other:
        polling = asyncio.create_task(place.poll(wait=20))
        await until(lambda: place.gateway.connections == 3)
        del book.known["kim"]
        assert await line.closed() == (4001, "your token is no longer valid")
        assert (await polling)[0] == 401
        assert not other.ws.closed
        assert (await place.poll())[0] == 401
        assert place.gateway.tally.cut_off["revoked"] == 1


async def test_a_rotated_token_cuts_off_the_old_and_lets_the_new_one_in(
    broker: Broker, place: Place, book: Book
) -> None:
    async with place.line() as line:
        await ask(broker, a_request(agent="bus/kim"))
        assert (await line.question()).key == "k0"
        old, place.tokens["kim"] = place.tokens["kim"], book.add("kim")
        assert (await line.closed())[0] == 4001
        async with place.line() as new:
            assert (await new.question()).key == "k0"
            place.tokens["old"] = old
            assert (await place.poll("old"))[0] == 401


async def test_a_door_that_is_closed_to_an_agent_cuts_it_off(place: Place, book: Book) -> None:
    async with place.line() as line:
        book.known["kim"] = book.known["kim"]._replace(doors=frozenset({"redis"}))
        assert (await line.closed())[0] == 4001


async def test_wrong_tokens_are_answered_more_and_more_slowly_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(doorkeeper_module, "SLOWEST_S", 5.0)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    doorkeeper = doorkeeper_module.Doorkeeper(Book(), lambda _: None)
    for _ in range(8):
        await doorkeeper.turn_away("10.0.0.1")
    await doorkeeper.turn_away("10.0.0.2")
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 0.1]


@pytest.mark.parametrize(("behind", "address"), [(False, "127.0.0.1"), (True, "9.9.9.9")])
async def test_only_what_our_own_proxy_has_added_is_believed(
    broker: Broker, book: Book, behind: bool, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_gateway(broker, book, Rules(behind_proxy=behind)) as place:
        said = {"X-Forwarded-For": "1.1.1.1, 9.9.9.9"}
        async with place.web.get(f"{place.url}/v1/agent/requests", headers=said) as page:
            assert page.status == 401
        assert list(place.gateway._entry.doorkeeper._wrong) == [address]


@pytest.mark.parametrize("host", ["0.0.0.0", None, "10.0.0.5", "gateway.example.org", "::"])
def test_tokens_do_not_cross_a_network_in_the_clear(host: str | None) -> None:
    with pytest.raises(UsageError, match="without TLS"):
        check_safe(host, has_tls=False, behind_proxy=False)
    check_safe(host, has_tls=True, behind_proxy=False)
    check_safe(host, has_tls=False, behind_proxy=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_this_machine_needs_no_tls(host: str) -> None:
    check_safe(host, has_tls=False, behind_proxy=False)
