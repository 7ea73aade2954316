"""A2A in both directions: bombs for pictures, addresses that lead inside, answers without end, words that steer."""

import asyncio
import json
import struct
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import httpx
import pytest
from a2a.types import AgentInterface, Part, Task, TaskState
from aiohttp import web
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]  # it ships no stubs
from PIL import Image as Pillow

from palaver_agents.a2a import open_a2a
from palaver_agents.a2a.extension import DATA_TYPE
from palaver_agents.a2a.plain import plain
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.codec import encode
from palaver_protocols.errors import AgentError
from palaver_protocols.transcript import Message
from tests.agents.a2a.sdk_server import a_card, a_picture, pages, says, sdk_server, works
from tests.agents.a2a.test_a2a_serving import TOKEN, a_header_of, ended, raw, send, served
from tests.security.attempts import Attempts, bait
from tests.security.house import FEW, House
from tests.support import a_request
from tests.toys import ToyModel

ATTEMPTS = Attempts()
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\r\n"


# --- what a client sends to an agent of ours ---


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n"
        + header
        + b"".join(chunks)
        + chunk(b"IDAT", zlib.compress(bytes(52)))
        + chunk(b"IEND", b"")
    )


def saved(kind: str) -> bytes:
    file = BytesIO()
    Pillow.new("RGB", (4, 4)).save(file, kind)
    return file.getvalue()


BOMB = zlib.compress(bytes(100_000_000), 1)
PICTURES = {
    "of 4,000,000,000 pixels (PNG)": a_header_of(65_000, 65_000),
    "of 2^62 pixels (PNG)": a_header_of(2**31 - 1, 2**31 - 1),
    "of no pixels (PNG)": a_header_of(0, 0),
    "of 41,000,000 pixels (PNG)": a_header_of(10_250, 4_000),
    "of 4,294,836,225 pixels (GIF)": b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\x00\x00\x00",
    "of 268,402,689 pixels (WebP)": b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\xfe\xbf\xff\x0f" + bytes(9),
    "of 4,294,836,225 pixels (JPEG)": b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x11\0\x02\x11\0\x03\x11\0",
    "with a text that unpacks to 100 MB": png(chunk(b"zTXt", b"Comment\0\0" + BOMB)),
    "with a text in any language that unpacks to 100 MB": png(chunk(b"iTXt", b"a\0\1\0\0\0" + BOMB)),
    "in another format (TIFF)": saved("TIFF"),
    "in another format (ICO)": saved("ICO"),
    "in another format (PPM)": b"P6 65000 65000 255\n" + bytes(100),
    "in another format (EPS, a program)": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%x) (r) file",
    "in another format (SVG, which loads others)": b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///x"/></svg>',
    "that is only half there": saved("PNG")[:20],
    "that is empty": b"",
}


async def picture_refused(house: House, data: bytes) -> None:
    model = ToyModel()
    async with served(model) as url:
        state, why = ended(await send(url, raw(data)))
    assert (state, model.asked) == ("rejected", []), why


for _name, _data in PICTURES.items():
    ATTEMPTS(f"send an agent of ours a picture {_name}", _data)(picture_refused)


@ATTEMPTS("send an agent of ours a picture whose colours unpack to 100 MB")
async def _(house: House) -> None:
    """Its profile is not unpacked: it is taken for what its header says, 4 by 4 pixels."""
    model = ToyModel(lambda _: "I see.")
    async with served(model) as url:
        state, _ = ended(await send(url, raw(png(chunk(b"iCCP", b"a\0\0" + BOMB)))))
    assert state in ("rejected", "completed")


PARTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "a picture by its URL": lambda url: {"url": url, "mediaType": "image/png"},
    "a file by its URL": lambda url: {"url": url, "filename": "../../x", "mediaType": "text/plain"},
    "a file of this machine": lambda _: {"url": "file:///etc/passwd", "mediaType": "image/png"},
    "data": lambda url: {"data": {"$ref": url}},
    "a whole question in pieces": lambda _: {"data": {"a": 1}, "mediaType": DATA_TYPE},
    "a whole question that is none": lambda _: {"data": "[" * 100_000, "mediaType": DATA_TYPE},
    "a whole question with a turn of 5,000 digits": lambda _: {
        "data": encode(a_request()).decode().replace('"turn":0', '"turn":' + "9" * 5000), "mediaType": DATA_TYPE
    },
    "a whole question with a picture out of a folder": lambda _: {
        "data": encode(a_request(view=(Message(speaker="user", parts=(a_picture(),)),))).decode()
        .replace(a_picture().sha256, "../" * 20 + "etc/passwd"), "mediaType": DATA_TYPE
    },
    "a whole question with somebody else's picture": lambda _: {
        "data": encode(a_request(view=(Message(speaker="user", parts=(a_picture(),)),))).decode(),
        "mediaType": DATA_TYPE,
    },
    "an answer as a question": lambda _: {"data": '{"type":"turn.reply"}', "mediaType": DATA_TYPE},
    "two megabytes of text": lambda _: {"text": "x" * 2**21},
}  # fmt: skip


async def part_refused(house: House, part: Callable[[str], dict[str, Any]]) -> None:
    model = ToyModel()
    async with bait() as trap, served(model) as url:
        state, why = ended(await send(url, part(trap.url)))
        assert why.isprintable()
    assert (state, model.asked) == ("rejected", []), why


for _name, _part in PARTS.items():
    ATTEMPTS(f"send an agent of ours {_name}", _part)(part_refused)

RPC: dict[str, bytes] = {
    "no JSON": b"{",
    "100,000 lists in each other": b"[" * 100_000,
    "a list of 1,000 calls": json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "GetTask"}] * 1000).encode(),
    "an unknown method": b'{"jsonrpc":"2.0","id":1,"method":"__init__","params":{}}',
    "an id of 5,000 digits": b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"GetTask"}',
    "a task out of a folder": b'{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"../../etc/passwd"}}',
    "a message to a task that is not there": (
        b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","taskId":"../x",'
        b'"role":"ROLE_USER","parts":[{"text":"x"}]}}}'
    ),
    "no UTF-8": b'{"jsonrpc":"\xff\xfe"}',
    "what is no number": b'{"jsonrpc":"2.0","id":NaN,"method":"SendMessage","params":{"a":Infinity}}',
}


async def call_refused(house: House, body: bytes) -> None:
    model = ToyModel()
    async with served(model) as url, httpx.AsyncClient(timeout=20) as client:
        page = await client.post(url, content=body, headers={"A2A-Version": "1.0", "Content-Type": "application/json"})
        assert "Traceback" not in page.text
        assert page.status_code >= 400 or "error" in page.json()
        assert ended(await send(url, {"text": "1"}))[0] == "completed", "it is alive"
    assert len(model.asked) == 1


for _name, _body in RPC.items():
    ATTEMPTS(f"call an agent of ours with {_name}", _body)(call_refused)


@ATTEMPTS("have an agent of ours tell an address inside how a task goes, with the message")
async def _(house: House) -> None:
    async with bait() as trap, served(ToyModel()) as url, httpx.AsyncClient(timeout=20) as client:
        said = {
            "message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "1"}]},
            "configuration": {"taskPushNotificationConfig": {"url": trap.url, "token": "x"}},
        }
        page = await client.post(f"{url}/message:send", json=said, headers={"A2A-Version": "1.0"})
        assert "Traceback" not in page.text


@ATTEMPTS("have an agent of ours tell an address inside how a task goes, afterwards")
async def _(house: House) -> None:
    async with bait() as trap, served(ToyModel()) as url, httpx.AsyncClient(timeout=20) as client:
        task = await send(url, {"text": "1"})
        where = f"{url}/tasks/{task['id']}/pushNotificationConfigs"
        page = await client.post(where, json={"url": trap.url}, headers={"A2A-Version": "1.0"})
        assert page.status_code >= 400


WITHOUT = ("POST /", "POST /message:send", "POST /message:stream", "GET /tasks", "GET /tasks/x", "POST /tasks/x:cancel",
           "GET /extendedAgentCard", "GET //.well-known/agent-card.json/../tasks")  # fmt: skip


async def let_nobody_in(house: House, where: str) -> None:
    method, _, path = where.partition(" ")
    model = ToyModel()
    async with served(model, token=TOKEN) as url, httpx.AsyncClient(timeout=20) as client:

        async def call(headers: dict[str, str]) -> int:
            page = await client.request(method, f"{url}{path}?token={TOKEN}", headers=headers, content=b"{}")
            return page.status_code

        shown: tuple[dict[str, str], ...] = (
            {},
            {"Authorization": TOKEN},
            {"Authorization": f"Basic {TOKEN}"},
            {"Cookie": f"token={TOKEN}"},
            {"Authorization": f"Bearer {TOKEN[:-1]}"},
        )
        assert await asyncio.gather(*(call(headers) for headers in shown)) == [401] * 5
    assert model.asked == []


for _call in WITHOUT:
    ATTEMPTS(f"call {_call} without a token", _call)(let_nobody_in)


# --- what a server says that plays as an agent ---


async def trouble(url: str, timeout_s: float = 10, **environ: str) -> AgentError:
    """Ask a server; return what is wrong with it, which is one line that can be shown to anybody."""
    async with open_a2a(url, MemoryBlobs(), environ) as model:
        with pytest.raises(AgentError) as caught:
            await model.complete(a_request(timeout_s=timeout_s))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000
    return caught.value


Page = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def card_at_itself(request: web.Request) -> web.StreamResponse:
    return web.json_response(plain(a_card(f"http://{request.host}", streaming=False)))


def sends_to(status: int, where: str) -> Page:
    async def page(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers={"Location": where.replace("SELF", str(request.url))})

    return page


def answers(body: bytes | str, **headers: str) -> Page:
    async def page(_: web.Request) -> web.StreamResponse:
        data = body.encode() if isinstance(body, str) else body
        return web.Response(body=data, headers={"Content-Type": "application/json"} | headers)

    return page


REDIRECTS = (301, 302, 303, 307, 308)


async def card_elsewhere(house: House, status: int) -> None:
    async with bait() as trap, pages(card=sends_to(status, trap.url)) as url:
        assert (await trouble(url, A2A_TOKEN="secret-of-ours")).code == "bad_card"


async def call_elsewhere(house: House, status: int) -> None:
    async with bait() as trap, pages(card=card_at_itself, rpc=sends_to(status, trap.url)) as url:
        assert "elsewhere" in str(await trouble(url, A2A_TOKEN="secret-of-ours"))


for _status in REDIRECTS:
    ATTEMPTS(f"lead us inside from a card ({_status})", _status)(card_elsewhere)
    ATTEMPTS(f"lead us inside from a call ({_status})", _status)(call_elsewhere)


@ATTEMPTS("lead us in circles")
async def _(house: House) -> None:
    async with pages(card=sends_to(302, "SELF")) as url:
        assert (await trouble(url)).code == "bad_card"


INTERFACES: dict[str, Callable[[str, str], str]] = {
    "another port of this machine": lambda trap, _: trap,
    "this machine by another number": lambda trap, _: trap.replace("127.0.0.1", "2130706433"),
    "this machine by IPv6": lambda trap, _: trap.replace("127.0.0.1", "[::1]"),
    "this machine, mapped": lambda trap, _: trap.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    "a name before an @": lambda trap, own: own.replace("http://", f"http://{trap[7:].partition('/')[0]}@"),
    "itself before an @": lambda trap, own: f"{own}@{trap[7:]}",
    "itself behind a backslash": lambda trap, own: f"{trap}\\@{own[7:]}",
    "a file": lambda *_: "file:///etc/passwd",
    "Redis": lambda *_: "gopher://127.0.0.1:6379/_FLUSHALL",
    "the cloud's own address": lambda *_: "http://169.254.169.254/latest/meta-data/",
    "no address at all": lambda *_: "http://[",
}


async def interface_elsewhere(house: House, where: Callable[[str, str], str]) -> None:
    async with bait() as trap:

        async def card(request: web.Request) -> web.StreamResponse:
            own = f"http://{request.host}"
            there = [AgentInterface(protocol_binding="JSONRPC", url=where(trap.url, own), protocol_version="1.0")]
            return web.json_response(plain(a_card(own, supported_interfaces=there)))

        async with pages(card=card) as url:
            assert (await trouble(url, A2A_TOKEN="secret-of-ours")).code == "bad_card"


for _name, _where in INTERFACES.items():
    ATTEMPTS(f"say in a card that its server is {_name}", _where)(interface_elsewhere)

CARDS: dict[str, bytes | str] = {
    "of two megabytes": json.dumps({"name": "x" * 2**21}),
    "that is no JSON": "<html>",
    "of 100,000 lists": "[" * 100_000,
    "with a name of 5,000 digits": '{"name": ' + "9" * 5000 + "}",
    "in no UTF-8": b'{"name":"\xff\xfe"}',
    "that is empty": "",
}


async def card_refused(house: House, body: bytes | str) -> None:
    async with pages(card=answers(body)) as url:
        assert (await trouble(url)).code in ("bad_card", "bad_response", "too_large")


for _name, _text in CARDS.items():
    ATTEMPTS(f"show a card {_name}", _text)(card_refused)


@ATTEMPTS("show a card that unpacks to 100 MB")
async def _(house: House) -> None:
    async with pages(card=answers(BOMB, **{"Content-Encoding": "deflate"})) as url:
        assert "compressed" in str(await trouble(url))


@ATTEMPTS("answer with what unpacks to 100 MB")
async def _(house: House) -> None:
    async with pages(card=card_at_itself, rpc=answers(BOMB, **{"Content-Encoding": "deflate"})) as url:
        assert "compressed" in str(await trouble(url))


ANSWERS: dict[str, bytes | str] = {
    "no JSON": "{",
    "100,000 lists in each other": "[" * 100_000,
    "two megabytes": " " * 2**21,
    "no UTF-8": b'{"jsonrpc":"\xff"}',
    "a task of 5,000 digits": '{"jsonrpc":"2.0","id":1,"result":{"task":' + "9" * 5000 + "}}",
    "what is no number": '{"jsonrpc":"2.0","id":1,"result":NaN}',
    **{
        f"the result {result}": f'{{"jsonrpc":"2.0","id":1,"result":{result}}}'
        for result in ("5", '"x"', "[1]", "null", "true", '{"task":"x"}', '{"message":[1]}', '{"task":{"status":5}}')
    },
    **{f"the whole body {body}": body for body in ("5", "null", '"x"', "[]", "{}")},
    "an error that is a list": '{"jsonrpc":"2.0","id":1,"error":[1]}',
    "an error whose code is a list": '{"jsonrpc":"2.0","id":1,"error":{"code":[1],"message":{}}}',
    "half a surrogate pair": '{"jsonrpc":"2.0","id":1,"result":{"message":{"parts":[{"text":"\\ud800"}]}}}',
    "an error that steers terminals": json.dumps(
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": ESCAPES * 100}}
    ),
}


async def answer_refused(house: House, body: bytes | str) -> None:
    async with pages(card=card_at_itself, rpc=answers(body)) as url:
        await trouble(url)


for _name, _text in ANSWERS.items():
    ATTEMPTS(f"answer with {_name}", _text)(answer_refused)

GIVEN: dict[str, Callable[[str], Part]] = {
    "a picture by its URL": lambda url: Part(url=url, media_type="image/png"),
    "a text by its URL": lambda url: Part(url=url, media_type="text/plain"),
    "a picture that is a bomb": lambda _: Part(raw=a_header_of(65_000, 65_000), media_type="image/png"),
    "a file under a path": lambda _: Part(raw=b"x", filename="../../.bashrc", media_type="text/plain"),
    "nothing at all": lambda _: Part(),
}


async def part_not_taken(house: House, part: Callable[[str], Part]) -> None:
    async with bait() as trap:

        async def gives(updater: Any) -> None:
            await updater.add_artifact([part(trap.url)], name="../../x")
            await updater.complete()

        async with sdk_server(works(gives)) as server:
            assert (await trouble(server.url)).code in ("not_text", "bad_response")


for _name, _given in GIVEN.items():
    ATTEMPTS(f"answer with {_name}", _given)(part_not_taken)


@ATTEMPTS("work on a task for ever")
async def _(house: House) -> None:
    async def hangs(updater: Any) -> None:
        await updater.start_work()
        await asyncio.Event().wait()

    async with sdk_server(works(hangs)) as server:
        assert (await trouble(server.url, 0.5)).code == "timeout"


@ATTEMPTS("say that a task is under way, again and again")
async def _(house: House) -> None:
    under_way = Task(id="../../t", context_id="c")
    under_way.status.state = TaskState.TASK_STATE_WORKING

    async def rpc(request: web.Request) -> web.StreamResponse:
        call = await request.json()
        found = plain(under_way)
        result = found if call["method"] == "GetTask" else {"task": found}
        return web.json_response({"jsonrpc": "2.0", "id": call["id"], "result": result})

    async with pages(card=card_at_itself, rpc=rpc) as url:
        assert (await trouble(url, 0.5)).code == "timeout"


@ATTEMPTS("stream without an end")
async def _(house: House) -> None:
    async def card(request: web.Request) -> web.StreamResponse:
        return web.json_response(plain(a_card(f"http://{request.host}", streaming=True)))

    async def rpc(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        with suppress(ConnectionError):
            while True:
                await response.write(b": " + b"x" * 65536 + b"\n")
        return response

    async with pages(card=card, rpc=rpc) as url:
        assert (await trouble(url, 20)).code == "too_large"


@ATTEMPTS("say that it fails, in words that steer terminals")
async def _(house: House) -> None:
    async def fails(updater: Any) -> None:
        await updater.failed(updater.new_agent_message([Part(text=ESCAPES * 50)]))

    async with sdk_server(works(fails)) as server:
        assert (await trouble(server.url)).code == "failed"


@ATTEMPTS("repeat our token in an error")
async def _(house: House) -> None:
    async def rpc(request: web.Request) -> web.StreamResponse:
        error = {"code": -32603, "message": f"you showed {request.headers['Authorization']}"}
        return web.json_response({"jsonrpc": "2.0", "id": 1, "error": error})

    async with pages(card=card_at_itself, rpc=rpc) as url:
        assert "secret-of-ours" not in str(await trouble(url, A2A_TOKEN="secret-of-ours"))


USAGES: dict[str, Any] = {
    "10^12 tokens": {"usage": {"input_tokens": 1e12, "output_tokens": 1}},
    "tokens below nothing": {"usage": {"input_tokens": -5}},
    "1e308 tokens": {"usage": {"output_tokens": 1e308}},
    "more thoughts than words": {"usage": {"output_tokens": 1, "reasoning_tokens": 9}},
    "tokens in words": {"usage": {"output_tokens": ESCAPES}},
    "a dollar price": {"usage": {"output_tokens": 3}, "cost_usd": 1e9},
    "an unknown end": {"finish_reason": ESCAPES},
}


async def usage_counts_nowhere(house: House, said: dict[str, Any]) -> None:
    metadata = Struct()
    metadata.update(said)
    async with sdk_server(says("Hello.", metadata=metadata)) as server:
        async with open_a2a(server.url, MemoryBlobs(), {}) as model:
            found = await model.complete(a_request(timeout_s=10))
    assert found.unverified
    assert found.cost_usd is None
    assert 0 <= found.usage.reasoning_tokens <= found.usage.output_tokens <= 3
    assert (found.usage.input_tokens, found.finish_reason) == (0, "stop")


for _name, _said in USAGES.items():
    ATTEMPTS(f"say that an answer took {_name}", _said)(usage_counts_nowhere)


@ATTEMPTS("call itself in a card by words that steer terminals")
async def _(house: House) -> None:
    async with sdk_server(says("Hello."), card=lambda url: a_card(url, name=ESCAPES * 50, version=ESCAPES)) as server:
        async with open_a2a(server.url, MemoryBlobs(), {}) as model:
            found = await model.complete(a_request(timeout_s=10))
    assert found.model.isprintable()
    assert len(found.model) < 200


@pytest.fixture(scope="module", autouse=True)
def no_certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Spare each of our clients the reading of all certificates of the world, of which none is needed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SSL_CERT_FILE", raising=False)
        patch.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("none")))
        yield


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_it_does_not_work(house: House, attempt: str) -> None:
    with house.harmless(every=FEW):
        await ATTEMPTS[attempt](house)


def test_the_games_end_as_they_would_have(house: House) -> None:
    house.finish()
