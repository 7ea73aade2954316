"""One dialogue handed over across all three wire formats: each provider is sent all of it, once and in order.

A small game of two seats shows text and two pictures. Whoever speaks is a model behind a local server that speaks its
provider's wire format and refuses what that would refuse; what it was sent is read back into a flat list.
"""

import hashlib
import re
from base64 import b64decode
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from pydantic import JsonValue

from palaver_agents import Model
from palaver_agents.names import parse_agent
from palaver_agents.providers import open_model
from palaver_broker.memory import MemoryBlobs
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import Game, GameOutcome, Instance, Options, Reply, Scores
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import EpisodeStarted, Player, RoleProtocol, TurnRequest
from palaver_protocols.roles import ALSO, GO_BETWEEN
from palaver_protocols.seating import read_seat
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message
from tests.agents.providers.anthropic_server import AnthropicServer
from tests.agents.providers.asking import a_picture
from tests.agents.providers.google_server import GoogleServer
from tests.agents.providers.openai_server import OpenAIServer
from tests.agents.providers.wire_server import WireServer
from tests.support import NOON, a_reply, a_start

PROTOCOLS: tuple[RoleProtocol, ...] = ("prefixes", "user", "transcript")
ORDERS = (
    ("openai", "anthropic", "google"),
    ("anthropic", "google", "openai"),
    ("google", "openai", "anthropic"),
)
MODELS = {"openai": "gpt-4.1", "anthropic": "claude-sonnet-4-5", "google": "gemini-2.5-flash"}

BRIEF, HURRY = "Be brief, all of you.", "Time is short now."
TASK, MORE, NOON_SAID, SUN = "Find the way on this map:", "The goal is green.", "It is noon.", "The sun shines."
LINES = tuple(
    f"{word} speaks of the {thing}."
    for word, thing in zip(
        ("Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel"),
        ("river", "bridge", "meadow", "forest", "mountain", "valley", "island", "harbour"),
        strict=True,
    )
)
SUMMARY = "We are at the old mill."


MAP, SKY = (a_picture(colour) for colour in ("red", "blue"))
PICTURES = {hashlib.sha256(data).hexdigest(): name for data, name in ((MAP, "the map"), (SKY, "the sky"))}
KNOWN = re.compile("|".join(re.escape(text) for text in (BRIEF, HURRY, TASK, MORE, NOON_SAID, SUN, SUMMARY, *LINES)))

Item = tuple[str, str]
"""A role, and a text or the SHA-256 of a picture."""


def shown(data: bytes) -> Image:
    """A picture by reference: its bytes must come from the blob store."""
    return Image.model_validate_json(Image.from_bytes(data).model_dump_json())


class Talk(Game[tuple[str, ...], Options]):
    """Two seats speak in turn. After two turns the environment shows a picture, and the game says something."""

    name = "talk"
    summary = "speak in turn"
    options_type = Options
    primary_score = "success"

    def variant(self, options: Options) -> str:
        return "plain"

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        yield Instance("only", {})

    def seats(self, options: Options) -> tuple[str, ...]:
        return ("one", "two")

    def turn_limit(self, options: Options) -> int:
        return len(LINES)

    def start(self, instance: JsonValue, options: Options) -> tuple[str, ...]:
        return ()

    def pending(self, state: tuple[str, ...]) -> tuple[str, ...]:
        return (("one", "two")[len(state) % 2],)

    def view(self, state: tuple[str, ...], seat: str) -> tuple[Message, ...]:
        said = [Message.text_from(("one", "two")[turn % 2], text) for turn, text in enumerate(state)]
        interlude = [
            Message(speaker=ENVIRONMENT, parts=(Text(text=NOON_SAID), shown(SKY), Text(text=SUN))),
            Message.text_from(SYSTEM, HURRY),
        ]
        task = Message(speaker=USER, parts=(Text(text=TASK), shown(MAP), Text(text=MORE)))
        return (
            Message.text_from(SYSTEM, BRIEF),
            task,
            *said[:2],
            *(interlude if len(said) >= 2 else []),
            *said[2:],
        )

    def apply(self, state: tuple[str, ...], replies: Mapping[str, Reply]) -> tuple[str, ...]:
        return (*state, *(reply.text for reply in replies.values()))

    def outcome(self, state: tuple[str, ...]) -> GameOutcome | None:
        return None

    def score(self, state: tuple[str, ...]) -> Scores:
        return {}

    def players(self) -> Mapping[str, Player]:
        return {"random": lambda _: "Hm."}


# What a provider was sent, read back.


def read_openai(body: Mapping[str, Any]) -> Iterator[Item]:
    for message in body["messages"]:
        for part in parts_of(message["content"]):
            if part["type"] == "text":
                yield message["role"], part["text"]
            else:
                yield message["role"], digest(part["image_url"]["url"].removeprefix("data:image/png;base64,"))


def read_anthropic(body: Mapping[str, Any]) -> Iterator[Item]:
    if "system" in body:
        yield "system", body["system"]
    for message in body["messages"]:
        for block in parts_of(message["content"]):
            yield message["role"], block["text"] if block["type"] == "text" else digest(block["source"]["data"])


def read_google(body: Mapping[str, Any]) -> Iterator[Item]:
    told = {"role": "system", "parts": body.get("systemInstruction", {"parts": []})["parts"]}
    for content in [told, *body["contents"]]:
        role = "assistant" if content["role"] == "model" else content["role"]
        for part in content["parts"]:
            yield role, part["text"] if "text" in part else digest(part["inlineData"]["data"])


def parts_of(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def digest(data: str) -> str:
    return hashlib.sha256(b64decode(data, validate=True)).hexdigest()


def heard(items: Sequence[Item]) -> list[Item]:
    """Leave marks and whatever else the role protocols add out: what is left was said or shown by somebody."""
    found: list[Item] = []
    for role, text in items:
        if text in PICTURES:
            found.append((role, PICTURES[text]))
        else:
            found += [(role, match[0]) for match in KNOWN.finditer(text)]
    return found


def as_sent(provider: str, protocol: RoleProtocol, *said: Item) -> list[Item]:
    """Write what was said, in order, as a provider should be sent it."""
    if protocol == "transcript":
        said = tuple((role if role == "system" else "user", text) for role, text in said)
    if provider == "openai" and protocol != "transcript":
        return list(said)
    return sorted(said, key=lambda item: item[0] != "system")


# Who is asked.


class Asked(NamedTuple):
    """A question, and what its provider was sent."""

    request: TurnRequest
    provider: str
    body: Any
    items: list[Item]

    @property
    def text(self) -> str:
        return "\n".join(text for _, text in self.items)


class Place(NamedTuple):
    """A provider: its server, and how what it was sent is read."""

    server: WireServer
    read: Callable[[Mapping[str, Any]], Iterator[Item]]


@dataclass(frozen=True)
class World:
    """All three providers."""

    places: Mapping[str, Place]
    models: Mapping[str, Model]

    def agent(self, provider: str) -> str:
        return f"{provider}/{MODELS[provider]}@{self.places[provider].server.base_url}"

    async def play(self, start: EpisodeStarted, lines: Sequence[str]) -> list[Asked]:
        """Play until all lines are said."""
        episode, asked = Episode(Talk(), start), []
        for line in lines:
            request = next(episode.requests(timeout_s=5.0))
            provider = request.agent.partition("/")[0]
            place = self.places[provider]
            place.server.will(place.server.says(line))
            completion = await self.models[provider].complete(request)
            body = place.server.asked[-1].body
            asked.append(Asked(request, provider, body, list(place.read(body))))
            episode.take(episode.step(request, a_reply(request, completion.text), NOON))
        return asked


@pytest.fixture
async def world() -> AsyncIterator[World]:
    blobs = MemoryBlobs()
    for picture in (MAP, SKY):
        await blobs.put(picture)
    async with AsyncExitStack() as stack:
        places = {
            "openai": Place(await stack.enter_async_context(OpenAIServer()), read_openai),
            "anthropic": Place(await stack.enter_async_context(AnthropicServer()), read_anthropic),
            "google": Place(await stack.enter_async_context(GoogleServer()), read_google),
        }
        models = {
            provider: await stack.enter_async_context(
                open_model(
                    parse_agent(f"{provider}/{MODELS[provider]}@{place.server.base_url}"), blobs=blobs, environ={}
                )
            )
            for provider, place in places.items()
        }
        yield World(places, models)


def opening(protocol: RoleProtocol, one: str, two: str, handoff: str = "all") -> EpisodeStarted:
    return a_start(
        game="talk", seats={"one": read_seat(one), "two": read_seat(two)}, protocol=protocol, handoff=handoff
    )


TOLD: tuple[Item, ...] = (("system", BRIEF), ("user", TASK), ("user", "the map"), ("user", MORE))
INTERLUDE: tuple[Item, ...] = (("user", NOON_SAID), ("user", "the sky"), ("user", SUN), ("system", HURRY))


# One seat, one voice.


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("order", ORDERS)
async def test_each_provider_is_sent_the_whole_dialogue_once_and_in_order(
    world: World, order: tuple[str, ...], protocol: RoleProtocol
) -> None:
    first, second, third = map(world.agent, order)
    relay = f"{first}@2>{second}@4>{third}"
    asked = await world.play(opening(protocol, relay, relay), LINES[:6])
    assert [each.provider for each in asked] == [provider for provider in order for _ in range(2)]
    for turn, each in enumerate(asked):
        # whatever the seat has said is the assistant's, although another provider's model has said it
        said = [("assistant" if other % 2 == turn % 2 else "user", LINES[other]) for other in range(turn)]
        interlude = INTERLUDE if turn >= 2 else ()
        assert heard(each.items) == as_sent(each.provider, protocol, *TOLD, *said[:2], *interlude, *said[2:])


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_system_messages_are_where_each_provider_wants_them(world: World, protocol: RoleProtocol) -> None:
    relay = "@1>".join([world.agent("openai"), world.agent("anthropic")]) + f"@2>{world.agent('google')}"
    openai, anthropic, google = await world.play(opening(protocol, relay, relay), LINES[:3])
    told = [GO_BETWEEN] if protocol == "prefixes" else []
    *before, last = GO_BETWEEN.splitlines()
    environment = ALSO.format(who="the environment", name="environment")
    told_later = ["\n".join([*before, environment, last])] if protocol == "prefixes" else []

    roles = [message["role"] for message in openai.body["messages"]]
    assert [text for role, text in openai.items if role == "system"] == [*told, BRIEF]
    assert roles[: len(told) + 1] == ["system"] * (len(told) + 1)
    assert anthropic.body["system"] == "\n\n".join([*told, BRIEF])
    assert {message["role"] for message in anthropic.body["messages"]} <= {"user", "assistant"}
    assert google.body["systemInstruction"] == {"parts": [{"text": "\n\n".join([*told_later, BRIEF, HURRY])}]}
    assert {content["role"] for content in google.body["contents"]} <= {"user", "model"}


# Relays that leave a summary.


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("order", ORDERS)
async def test_a_newcomer_is_sent_its_predecessors_summary_in_the_place_of_the_dialogue(
    world: World, order: tuple[str, ...], protocol: RoleProtocol
) -> None:
    first, second, third = map(world.agent, order)
    start = opening(protocol, f"{first}@2>{second}", third, "summary")
    lines = [*LINES[:2], SUMMARY, *LINES[2:5]]
    _, _, leaver, newcomer, partner, again = await world.play(start, lines)

    assert (leaver.provider, leaver.request.role) == (order[0], "leaver")
    said: list[Item] = [("assistant", LINES[0]), ("user", LINES[1])]
    assert heard(leaver.items) == as_sent(leaver.provider, protocol, *TOLD, *said, *INTERLUDE)
    assert leaver.text.count("Another agent takes over your seat now.") == 1

    assert newcomer.provider == again.provider == order[1]
    left: Item = ("user", SUMMARY)
    assert heard(newcomer.items) == as_sent(newcomer.provider, protocol, *TOLD, left, *INTERLUDE)
    said = [("assistant", LINES[2]), ("user", LINES[3])]
    assert heard(again.items) == as_sent(again.provider, protocol, *TOLD, left, *INTERLUDE, *said)
    for each in (newcomer, again):
        assert each.text.count("You take over this seat from another agent") == 1

    said = [("user", LINES[0]), ("assistant", LINES[1])]
    after: Item = ("user", LINES[2])
    assert heard(partner.items) == as_sent(partner.provider, protocol, *TOLD, *said, *INTERLUDE, after)
    assert "take over" not in partner.text


# Teams: three speakers and more.


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("order", ORDERS)
async def test_a_lead_and_its_members_are_sent_their_own_views_once_and_in_order(
    world: World, order: tuple[str, ...], protocol: RoleProtocol
) -> None:
    lead, member, other = map(world.agent, order)
    start = opening(protocol, f"team(lead={lead},members={member}+{other})", other)
    ask_all, first, second, spoken, answered, ask_one, third, final = LINES
    lines = [f"@all: {ask_all}", first, second, spoken, answered, f"@member 1: {ask_one}", third, final]
    asked = await world.play(start, lines)
    assert [each.provider for each in asked] == [
        *(order[0], order[1], order[2], order[0]),
        *(order[2], order[0], order[1], order[0]),
    ]

    def own(text: str) -> Item:
        return "assistant", text

    def theirs(text: str) -> Item:
        return "user", text

    lead_at_last = [
        *TOLD,
        *[own(ask_all), theirs(first), theirs(second), own(spoken), theirs(answered)],
        *INTERLUDE,
        *[own(ask_one), theirs(third)],
    ]
    assert heard(asked[7].items) == as_sent(order[0], protocol, *lead_at_last)

    member_at_last = [
        *TOLD,
        *[theirs(ask_all), own(first), theirs(spoken), theirs(answered)],
        *INTERLUDE,
        theirs(ask_one),
    ]
    assert heard(asked[6].items) == as_sent(order[1], protocol, *member_at_last)

    partner = [*TOLD, theirs(spoken)]
    assert heard(asked[4].items) == as_sent(order[2], protocol, *partner), "what a team talks about is its own affair"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("order", ORDERS)
async def test_among_three_speakers_each_is_marked_by_its_name(
    world: World, order: tuple[str, ...], protocol: RoleProtocol
) -> None:
    lead, member, other = map(world.agent, order)
    start = opening(protocol, f"team(lead={lead},members={member}+{other})", other)
    ask_all, first, second, spoken, answered, ask_one, third, final = LINES
    lines = [f"@all: {ask_all}", first, second, spoken, answered, f"@member 1: {ask_one}", third, final]
    asked = await world.play(start, lines)

    def marked(name: str, text: str) -> str:
        return f"{name.capitalize()}: {text}" if protocol == "transcript" else f"[{name}]: {text}"

    for said in (("member 1", first), ("member 2", second), ("two", answered), ("member 1", third)):
        assert asked[7].text.count(marked(*said)) == 1
    for said in (("lead", ask_all), ("lead", spoken), ("two", answered), ("lead", ask_one)):
        assert asked[6].text.count(marked(*said)) == 1
