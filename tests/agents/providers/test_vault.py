"""The cache on disk: what makes two questions one, what is written, and what happens when the disk fails."""

import asyncio
import gzip
import hashlib
import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from palaver_agents.model import Completion
from palaver_agents.providers.calling import Exchange, ProviderModel
from palaver_agents.providers.endpoint import Endpoint, Price
from palaver_agents.providers.vault import DiskVault, default_cache, key_of
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Sampling, Schema, TurnRequest, Usage
from palaver_protocols.quirks import OPENAI
from palaver_protocols.roles import ChatMessage
from palaver_protocols.transcript import Message
from tests.support import a_request

KEY = "sk-test-0123456789abcdef"
PLACE = Endpoint(
    provider="openai",
    model="gpt-test",
    base_url="http://localhost:1/v1",
    key=KEY,
    key_variable="OPENAI_API_KEY",
    quirks=OPENAI,
    headers={"X-Secret": KEY},
    price=Price(1.0, 2.0),
)
BODY: dict[str, Any] = {"model": "gpt-test", "messages": [{"role": "user", "content": "Größe?"}], "temperature": 0.0}
EXCHANGE = Exchange(b'{"what": "was sent"}', '{"said": "Überall"}'.encode())
SENT = hashlib.sha256(EXCHANGE.sent).hexdigest()


class Counted(ProviderModel):
    """A model that answers with the number of its call, and costs a dollar a token."""

    def __init__(self, vault: DiskVault) -> None:
        super().__init__(replace(PLACE, price=Price(1e6, 1e6)), blobs=MemoryBlobs(), vault=vault)
        self.calls = 0

    async def _body(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> dict[str, Any]:
        return {"messages": [await self._message(message) for message in messages]}

    def _held_to(self, body: dict[str, Any], schema: Schema) -> dict[str, Any]:
        return {**body, "schema": schema}

    async def _part(self, part: Part) -> dict[str, Any]:
        return {"part": str(part)}

    async def _send(self, body: dict[str, Any], request: TurnRequest) -> Exchange:
        self.calls += 1
        return Exchange(json.dumps(body).encode(), str(self.calls).encode())

    def _read(self, received: bytes) -> Completion:
        return Completion((Text(text=received.decode()),), usage=Usage(input_tokens=3, output_tokens=1))

    def _our_errors(self, timeout_s: float) -> AbstractContextManager[None]:
        return nullcontext()

    async def aclose(self) -> None:
        pass


@pytest.fixture
def vault(tmp_path: Path) -> DiskVault:
    return DiskVault(tmp_path)


def files_in(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def only_file(folder: Path) -> Path:
    (file,) = files_in(folder)
    return file


# What it is for.


async def test_what_was_answered_is_free_the_next_time(tmp_path: Path) -> None:
    first = await Counted(DiskVault(tmp_path)).complete(a_request())
    model = Counted(DiskVault(tmp_path))
    again = await model.complete(a_request())
    assert (first.cost_usd, first.cached) == (4.0, False)
    assert again == first._replace(cost_usd=0.0, cached=True)
    assert model.calls == 0


async def test_the_bytes_that_were_sent_are_found_by_the_hash_that_the_answer_names(vault: DiskVault) -> None:
    answer = await Counted(vault).complete(a_request())
    assert answer.sent is not None
    sent = await vault.sent(answer.sent)
    assert sent is not None
    assert hashlib.sha256(sent).hexdigest() == answer.sent


@pytest.mark.parametrize("sha256", ["0" * 64, "", "../../../../etc/passwd", "a\0b", "x" * 5000])
async def test_what_was_never_sent_is_not_there(vault: DiskVault, sha256: str) -> None:
    with capture_logs():
        assert await vault.sent(sha256) is None


# What makes two questions one.


@pytest.mark.parametrize(
    "asked",
    [
        (replace(PLACE, provider="vllm"), BODY, a_request()),
        (replace(PLACE, base_url="http://localhost:2/v1"), BODY, a_request()),
        (replace(PLACE, model="another"), BODY, a_request()),
        (PLACE, {**BODY, "temperature": 0.5}, a_request()),
        (PLACE, {**BODY, "temperature": None}, a_request()),
        (PLACE, BODY, a_request(seed=1)),
        (PLACE, BODY, a_request(seat="b")),
        (PLACE, BODY, a_request(turn=1)),
        (PLACE, BODY, a_request(role="lead")),
    ],
)
async def test_another_question_or_another_sample_is_asked(
    vault: DiskVault, asked: tuple[Endpoint, dict[str, Any], TurnRequest]
) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await vault.look_up(*asked) is None


@pytest.mark.parametrize(
    "asked",
    [
        (PLACE, dict(reversed(BODY.items())), a_request()),
        (replace(PLACE, key="another", headers={}), BODY, a_request()),
        (replace(PLACE, price=None), BODY, a_request()),
        (PLACE, BODY, a_request("k1", run_id="another", episode_id="e1", attempt=2, timeout_s=3.0)),
    ],
)
async def test_who_pays_and_for_which_run_makes_no_difference(
    vault: DiskVault, asked: tuple[Endpoint, dict[str, Any], TurnRequest]
) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await vault.look_up(*asked) == EXCHANGE


async def test_a_question_with_pictures_is_found_again(vault: DiskVault) -> None:
    picture = Image(sha256="0" * 64, media_type="image/png", width=1, height=1, size=1)
    request = a_request(view=(Message(speaker="user", parts=(picture,)),))
    await vault.keep(PLACE, BODY, request, EXCHANGE)
    assert await vault.look_up(PLACE, BODY, request) == EXCHANGE


# What is written.


async def test_where_things_lie_and_what_they_hold(tmp_path: Path, vault: DiskVault) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    key = key_of(PLACE, BODY, a_request())
    kept = json.loads(gzip.decompress((tmp_path / "exchanges" / key[:2] / f"{key}.json.gz").read_bytes()))
    assert kept.pop("at")
    assert kept == {
        "schema": "palaver.exchange/1.0",
        "key": key,
        "provider": "openai",
        "model": "gpt-test",
        "sent": SENT,
        "received": '{"said": "Überall"}',
    }
    assert gzip.decompress((tmp_path / "sent" / SENT[:2] / f"{SENT}.gz").read_bytes()) == EXCHANGE.sent


async def test_no_key_goes_to_the_disk_and_nothing_is_left_over(tmp_path: Path, vault: DiskVault) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    files = files_in(tmp_path)
    assert len(files) == 2
    assert not any(KEY.encode() in gzip.decompress(file.read_bytes()) for file in files)


async def test_what_was_sent_is_written_once(tmp_path: Path, vault: DiskVault) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    before = only_file(tmp_path / "sent").stat()
    await vault.keep(PLACE, BODY, a_request(turn=1), EXCHANGE)
    assert only_file(tmp_path / "sent").stat() == before


async def test_the_same_bytes_make_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        await DiskVault(tmp_path / name).keep(PLACE, BODY, a_request(), EXCHANGE)
    one, other = (only_file(tmp_path / name / "sent").read_bytes() for name in ("one", "other"))
    assert one == other
    assert one[4:8] == b"\0\0\0\0", "gzip's own time"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(sent=st.binary(), received=st.binary())
def test_any_bytes_come_back_as_they_were(tmp_path: Path, sent: bytes, received: bytes) -> None:
    async def round_trip() -> Exchange | None:
        vault = DiskVault(tmp_path)
        await vault.keep(PLACE, BODY, a_request(), Exchange(sent, received))
        return await vault.look_up(PLACE, BODY, a_request())

    assert asyncio.run(round_trip()) == (sent, received)


async def test_many_may_write_the_same_at_once(tmp_path: Path) -> None:
    vaults = [DiskVault(tmp_path) for _ in range(16)]
    answers = [Exchange(EXCHANGE.sent, str(number).encode()) for number in range(16)]
    await asyncio.gather(
        *(vault.keep(PLACE, BODY, a_request(), answer) for vault, answer in zip(vaults, answers, strict=True))
    )
    assert await vaults[0].look_up(PLACE, BODY, a_request()) in answers
    assert len(files_in(tmp_path)) == 2


# What is damaged.


def rewritten(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    return lambda data: gzip.compress(json.dumps(change(json.loads(gzip.decompress(data)))).encode())


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:20] + b"\xff\xff\xff" + data[23:],
        lambda _: b"this is no gzip",
        lambda _: gzip.compress(b"\xff\xfe", mtime=0),
        lambda _: gzip.compress(b"[" * 100_000),
        rewritten(lambda _: [1, 2, 3]),
        rewritten(lambda kept: {**kept, "schema": "palaver.exchange/2.0"}),
        rewritten(lambda kept: {**kept, "key": "another"}),
        rewritten(lambda kept: {**kept, "received": 7}),
    ],
)
async def test_a_damaged_answer_is_asked_for_again_and_replaced(
    tmp_path: Path, vault: DiskVault, damage: Callable[[bytes], bytes]
) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    file = only_file(tmp_path / "exchanges")
    file.write_bytes(damage(file.read_bytes()))
    with capture_logs() as logs:
        assert await vault.look_up(PLACE, BODY, a_request()) is None
    assert [(log["log_level"], log["place"]) for log in logs] == [("warning", str(file))]
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await vault.look_up(PLACE, BODY, a_request()) == EXCHANGE


@pytest.mark.parametrize("damage", [None, b"", b"this is no gzip", gzip.compress(b"something else", mtime=0)])
async def test_an_answer_whose_question_is_lost_is_asked_for_again_and_both_are_replaced(
    tmp_path: Path, vault: DiskVault, damage: bytes | None
) -> None:
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    file = only_file(tmp_path / "sent")
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage)
    with capture_logs():
        assert await vault.look_up(PLACE, BODY, a_request()) is None
        await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await vault.look_up(PLACE, BODY, a_request()) == EXCHANGE


async def test_a_folder_in_the_place_of_a_file_is_a_warning_and_no_end(tmp_path: Path, vault: DiskVault) -> None:
    key = key_of(PLACE, BODY, a_request())
    (tmp_path / "exchanges" / key[:2] / f"{key}.json.gz").mkdir(parents=True)
    with capture_logs() as logs:
        answer = await Counted(vault).complete(a_request())
        assert await vault.look_up(PLACE, BODY, a_request()) is None
    assert answer.text == "1"
    assert [log["log_level"] for log in logs] == ["warning"]


def test_a_folder_that_cannot_be_written_is_told_in_one_line_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError) as raised:
        DiskVault(tmp_path / "file" / "cache")
    assert str(raised.value) == (
        f"the cache cannot be written to {tmp_path}/file/cache: Not a directory (give another folder, or no cache)"
    )


async def test_a_disk_that_fails_on_the_way_is_told_once_and_ends_nothing(tmp_path: Path, vault: DiskVault) -> None:
    (tmp_path / "exchanges").rmdir()
    (tmp_path / "exchanges").touch()
    with capture_logs() as logs:
        for turn in range(3):
            await vault.keep(PLACE, BODY, a_request(turn=turn), EXCHANGE)
    assert [(log["event"], log["error"]) for log in logs] == [
        ("the cache cannot be written, and answers are not kept", "Not a directory")
    ]
    (tmp_path / "exchanges").unlink()
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await vault.look_up(PLACE, BODY, a_request()) == EXCHANGE


# Two at once.


async def waiting(vault: DiskVault) -> asyncio.Task[Exchange | None]:
    """Ask what is being asked already, and return when that is what we wait for."""
    second = asyncio.create_task(vault.look_up(PLACE, BODY, a_request()))
    done, _ = await asyncio.wait([second], timeout=0)
    assert not done
    return second


async def test_who_asks_the_same_at_the_same_time_waits_and_takes_the_answer(vault: DiskVault) -> None:
    assert await vault.look_up(PLACE, BODY, a_request()) is None
    second = await waiting(vault)
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await second == EXCHANGE


async def test_two_calls_at_once_are_paid_once(vault: DiskVault) -> None:
    model = Counted(vault)
    answers = await asyncio.gather(*(model.complete(a_request()) for _ in range(5)))
    assert model.calls == 1
    assert sorted((answer.text, answer.cost_usd, answer.cached) for answer in answers) == [
        *[("1", 0.0, True)] * 4,
        ("1", 4.0, False),
    ]


async def test_who_waited_for_nothing_makes_the_call_and_the_next_waits_for_that(vault: DiskVault) -> None:
    assert await vault.look_up(PLACE, BODY, a_request()) is None
    second, third = await waiting(vault), await waiting(vault)
    vault.release(PLACE, BODY, a_request())
    assert await second is None
    assert not third.done()
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await third == EXCHANGE


async def test_nobody_waits_longer_than_a_call_may_take(vault: DiskVault) -> None:
    assert await vault.look_up(PLACE, BODY, a_request(timeout_s=0.01)) is None
    assert await vault.look_up(PLACE, BODY, a_request()) is None


async def test_who_is_cancelled_while_it_waits_leaves_the_others_alone(vault: DiskVault) -> None:
    assert await vault.look_up(PLACE, BODY, a_request()) is None
    second, third = await waiting(vault), await waiting(vault)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    await vault.keep(PLACE, BODY, a_request(), EXCHANGE)
    assert await third == EXCHANGE


async def test_who_is_cancelled_while_it_looks_lets_the_others_call(
    vault: DiskVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()

    def look(_: str) -> None:
        looked.wait()

    monkeypatch.setattr(vault, "_load", look)
    first, second = await waiting(vault), await waiting(vault)
    first.cancel()
    looked.set()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await second is None


async def test_other_questions_do_not_wait(vault: DiskVault) -> None:
    assert await vault.look_up(PLACE, BODY, a_request()) is None
    assert await vault.look_up(PLACE, BODY, a_request(turn=1)) is None


# Where it is.


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({"PALAVER_CACHE": "/here", "XDG_CACHE_HOME": "/caches", "HOME": "/home/ada"}, Path("/here")),
        ({"PALAVER_CACHE": "here"}, Path("here")),
        ({"PALAVER_CACHE": " ", "XDG_CACHE_HOME": "/caches", "HOME": "/home/ada"}, Path("/caches/palaver")),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/ada"}, Path("/home/ada/.cache/palaver")),
        ({"XDG_CACHE_HOME": "", "HOME": "/home/ada"}, Path("/home/ada/.cache/palaver")),
        ({}, Path.home() / ".cache" / "palaver"),
        ({"PALAVER_CACHE": "~/here"}, Path.home() / "here"),
    ],
)
def test_the_usual_place_of_a_cache(environ: dict[str, str], place: Path) -> None:
    assert default_cache(environ) == place
