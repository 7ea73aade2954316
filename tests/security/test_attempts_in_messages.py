"""What an agent says for others, again, too late or in a broken way counts nowhere, whichever door it comes by."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from palaver_broker.strangers import Door
from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnRequest
from tests.security.doors import DOORS
from tests.security.house import FEW, House, Once
from tests.support import a_failure, a_reply

IMAGE = {"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}
HELLO = {"version": "1.0", "type": "agent.hello", "key": "h"}

Forge = Callable[[Once, TurnRequest], bytes]
"""Makes a message, given what the agent itself was asked, and a player's open question in a running maze."""


def reply(**changes: Any) -> Forge:
    """Answer its own open question, but for some fields; those that are callable take theirs from the player's."""

    def forge(mine: Once, other: TurnRequest) -> bytes:
        meant = {name: value(other) if callable(value) else value for name, value in changes.items()}
        return json.dumps({**json.loads(encode(a_reply(mine.open))), **meant}).encode()

    return forge


def literal(field: str, text: str) -> Forge:
    """Answer its own open question, with a field as no JSON library would write it."""

    def forge(mine: Once, other: TurnRequest) -> bytes:
        return reply(**{field: "@"})(mine, other).replace(b'"@"', text.encode())

    return forge


def raw(said: bytes) -> Forge:
    return lambda _mine, _other: said


def hello(**changes: Any) -> Forge:
    return lambda mine, _: json.dumps({**HELLO, "agent": mine.open.agent, **changes}).encode()


def theirs(name: str) -> Callable[[TurnRequest], Any]:
    return lambda other: getattr(other, name)


NAMES = ("run_id", "episode_id", "seat", "turn", "key")
FORGED: dict[str, tuple[Forge, set[str]]] = {
    # speaking for others
    "a player's question, as the player": (lambda _, other: encode(a_reply(other)), {"mismatch"}),
    "a player's question, as itself": (
        lambda mine, other: encode(a_reply(other, agent=mine.open.agent)),
        {"closed"},
    ),
    "a failure of a player's question, as the player": (lambda _, other: encode(a_failure(other)), {"mismatch"}),
    "a failure of a player's question, as itself": (
        lambda mine, other: encode(a_failure(other, agent=mine.open.agent)),
        {"closed"},
    ),
    "its own question, as a player": (reply(agent="bus/rae"), {"mismatch"}),
    "its own question, as a model": (reply(agent="openai/gpt-4.1"), {"mismatch"}),
    "its own question, as nobody": (reply(agent=""), {"mismatch"}),
    "its own question, as itself and more": (reply(agent="bus/eve-redis/../rae"), {"mismatch"}),
    "its own question, as two agents at once": (literal("agent", '"bus/eve","agent":"bus/rae"'), {"mismatch"}),
    "its own answer for another run": (reply(run_id=theirs("run_id")), {"mismatch", "closed"}),
    "its own answer for another episode": (
        reply(run_id=theirs("run_id"), episode_id=theirs("episode_id")),
        {"mismatch", "closed"},
    ),
    "its own answer for another seat": (reply(seat="agent_1"), {"mismatch"}),
    "its own answer for a later turn": (reply(turn=7), {"mismatch"}),
    "its own answer under a player's key": (reply(key=theirs("key")), {"closed"}),
    "a key that leads out of a folder": (reply(key="../../etc/passwd"), {"closed"}),
    "a run that leads out of a folder": (reply(run_id="../../etc"), {"mismatch", "closed"}),
    "an episode that leads out of a folder": (reply(episode_id="../../passwd"), {"mismatch", "closed"}),
    "a key with the bus's own signs": (reply(key="=*?[x]{palaver}:"), {"closed"}),
    "a key that was never asked": (reply(key="never"), {"closed"}),
    "no key at all": (reply(key=""), {"closed"}),
    "a hello as a player": (hello(agent="bus/rae"), {"mismatch"}),
    "a hello as an agent of ours": (hello(agent="openai/gpt-4.1"), {"mismatch"}),
    # again, and too late
    "an answer a second time": (lambda mine, _: encode(a_reply(mine.answered)), {"duplicate", "closed"}),
    "another answer to what is answered": (
        lambda mine, _: encode(a_reply(mine.answered, "Changed.")),
        {"duplicate", "closed"},
    ),
    "a failure of what is answered": (lambda mine, _: encode(a_failure(mine.answered)), {"duplicate", "closed"}),
    "an answer to a withdrawn question": (lambda mine, _: encode(a_reply(mine.withdrawn)), {"closed"}),
    "a failure of a withdrawn question": (lambda mine, _: encode(a_failure(mine.withdrawn)), {"closed"}),
    "an answer in a game that is over": (lambda mine, _: encode(a_reply(mine.over)), {"duplicate", "closed"}),
    # what only the bus may say
    "a question": (lambda _, other: encode(other), {"malformed"}),
    "the end of an episode": (raw(b'{"type":"episode.ended","key":"x","outcome":"solved"}'), {"malformed"}),
    "a turn": (raw(b'{"type":"turn.taken","key":"x"}'), {"malformed"}),
    "a notice": (raw(b'{"type":"notice","key":"x","code":"accepted"}'), {"malformed"}),
    # numbers
    "tokens beyond all budgets": (reply(usage={"input_tokens": 10**12}), {"malformed"}),
    "tokens of 4,000 digits": (literal("usage", '{"output_tokens":' + "9" * 4000 + "}"), {"malformed"}),
    "tokens of 5,000 digits": (literal("usage", '{"output_tokens":' + "9" * 5000 + "}"), {"not_json"}),
    "tokens below nothing": (reply(usage={"input_tokens": -1}), {"malformed"}),
    "more thoughts than words": (reply(usage={"output_tokens": 1, "reasoning_tokens": 2}), {"malformed"}),
    "a cost of 1e308": (literal("cost_usd", "1e308"), {"malformed"}),
    "a cost without end": (literal("cost_usd", "1e999"), {"malformed"}),
    "a cost that is no number": (literal("cost_usd", "NaN"), {"malformed"}),
    "a cost below nothing": (reply(cost_usd=-5), {"malformed"}),
    "a latency without end": (literal("latency_s", "Infinity"), {"malformed"}),
    "a turn of 4,300 digits": (literal("turn", "9" * 4300), {"mismatch"}),
    "a turn of 100,000 digits": (literal("turn", "9" * 100_000), {"not_json"}),
    "a turn below nothing": (reply(turn=-1), {"malformed"}),
    # JSON that is none, or too much
    "no JSON": (raw(b"hello?"), {"not_json"}),
    "nothing": (raw(b""), {"not_json"}),
    "NUL": (raw(b"\0" * 100), {"not_json"}),
    "half a message": (lambda mine, _: encode(a_reply(mine.open))[:-9], {"not_json"}),
    "two messages": (lambda mine, _: encode(a_reply(mine.answered)) + encode(a_reply(mine.open)), {"not_json"}),
    "no UTF-8": (lambda mine, _: encode(a_reply(mine.open)).replace(b"Hello", b"\xff\xfe\xc0\xaf"), {"not_json"}),
    "UTF-16": (lambda mine, _: encode(a_reply(mine.open)).decode().encode("utf-16"), {"not_json"}),
    "half a surrogate pair": (literal("model", '"\\ud800"'), {"not_json"}),
    "a list": (raw(b"[1]"), {"malformed"}),
    "100,000 lists in each other": (raw(b"[" * 100_000), {"not_json"}),
    "100,000 lists in an unknown field": (literal("zzz", "[" * 100_000 + "]" * 100_000), {"not_json"}),
    "a text under a type of 100,000 letters": (reply(type="x" * 100_000), {"malformed"}),
    "9,000 parts and a picture": (reply(parts=[{"type": "text", "text": ""}] * 6000 + [IMAGE]), {"not_text"}),
    "20,000 unknown fields and a wrong turn": (reply(turn=7, **{f"f{i}": 1 for i in range(20_000)}), {"mismatch"}),
    "a byte too many": (lambda mine, _: encode(a_reply(mine.open)).ljust(256 * 1024 + 1), {"too_large"}),
    "200,000 bytes too many": (lambda mine, _: encode(a_reply(mine.open)).ljust(256 * 1024 + 50_000), {"too_large"}),
    "another version": (reply(version="2.0"), {"version"}),
    "a version of 100,000 letters": (reply(version="2." + "9" * 100_000), {"version"}),
    "a version that is none": (reply(version="1.0\n"), {"malformed"}),
    # what is no text
    "a picture": (reply(parts=[IMAGE]), {"not_text"}),
    "a picture by its URL": (reply(parts=[{"type": "image", "url": "http://127.0.0.1:1/"}]), {"malformed"}),
    "a picture whose digest leads out of a folder": (
        reply(parts=[{**IMAGE, "sha256": "../../../../etc/passwd"}]),
        {"malformed"},
    ),
    "a file": (reply(parts=[{"type": "file", "path": "/etc/passwd"}]), {"malformed"}),
    # greetings
    "a hello for 10^9 questions": (hello(concurrency=10**9), {"malformed"}),
    "a hello of 100,000 letters": (hello(software="x" * 100_000), {"malformed"}),
    "a hello with 20,000 names": (hello(model=[f"m{i}" for i in range(20_000)]), {"malformed"}),
}
BY: dict[str, tuple[str, tuple[Door, ...]]] = {
    "redis": ("eve-says-redis", ("redis",)),
    "socket": ("eve-says-socket", ("gateway",)),
    "post": ("eve-says-post", ("gateway",)),
    "mqtt": ("eve-says-mqtt", ("mqtt",)),
}
ATTEMPTS = {f"{what}, by {door}": (what, door) for door in BY for what in FORGED}


@pytest.fixture
def place(request: pytest.FixtureRequest) -> House:
    """The house that has the door of a test."""
    _, door = ATTEMPTS[request.getfixturevalue("attempt")]
    found: House = request.getfixturevalue("far_house" if door == "mqtt" else "house")
    return found


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_it_is_refused(attempt: str, place: House) -> None:
    what, door = ATTEMPTS[attempt]
    name, doors = BY[door]
    mine = place.guest(name, *doors)
    forge, reasons = FORGED[what]
    said = forge(mine, place.victims())
    with place.harmless(every=FEW):
        notice = DOORS[door](place, name, said)
        assert (notice["reason"] or notice["code"]) in reasons, notice
        assert notice["message"].isprintable()


@pytest.mark.parametrize("which", ["house", "far_house"])
def test_the_games_end_as_they_would_have(which: str, request: pytest.FixtureRequest) -> None:
    house: House = request.getfixturevalue(which)
    house.finish()
