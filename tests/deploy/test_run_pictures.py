"""A game with pictures, played by models: who is shown the picture, who its words, and who neither."""

import base64
import json
from asyncio import to_thread
from pathlib import Path
from typing import Any

import pytest

from tests.agents.providers import anthropic_server, openai_server
from tests.agents.providers.anthropic_server import AnthropicServer, text_block
from tests.agents.providers.openai_server import OpenAIServer
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver

WIRES = {"puzzle": "wire", "setup": {"wires": ["red", "blue", "blue", "white"], "serial": "ABC124"}}
TOLD = "Four wires: red, blue, blue, white."
WORDS = "3. blue"
"""A line of the puzzle as text."""


@pytest.fixture(autouse=True)
def wires(home: Path) -> None:
    (home / "wires.json").write_text(json.dumps(WIRES))


def contents(body: Any) -> list[dict[str, Any]]:
    """Return the parts of all messages of a call, texts as parts too."""
    parts: list[dict[str, Any]] = []
    for message in body["messages"]:
        content = message["content"]
        parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return parts


def texts(body: Any) -> str:
    return "\n".join(part["text"] for part in contents(body) if part["type"] == "text")


async def test_a_solver_of_one_provider_sees_and_an_expert_of_another_hears(palaver: Palaver, home: Path) -> None:
    async with OpenAIServer() as eyes, AnthropicServer() as book:
        eyes.will(*(openai_server.json_answer(openai_server.completion(said)) for said in (TOLD, "cut_wire_2")))
        book.will(anthropic_server.json_answer(anthropic_server.message(text_block("Cut the second wire."))))
        agents = f"openai/gpt-4o@{eyes.base_url.removesuffix('/v1')},anthropic/claude-sonnet-4-5@{book.base_url}"
        said = await to_thread(
            palaver, "run", "comma", "--agents", agents, "-n", 1, "--set", "instances=wires.json", "--out", "run", "-q"
        )

    assert said.code == 0, said.err
    (record,) = lines(home / "run" / "episodes.jsonl")
    assert (record["variant"], record["outcome"], record["scores"]["length"]) == ("wire", "solved", 1.0)

    seen = [part for part in contents(eyes.asked[0].body) if part["type"] == "image_url"]
    (blob,) = (home / "run" / "blobs").iterdir()
    assert [part["image_url"]["url"].partition(",")[2] for part in seen] == [
        base64.b64encode(blob.read_bytes()).decode()
    ]
    assert WORDS not in texts(eyes.asked[0].body), "who sees the picture is not told what it shows"
    assert eyes.asked[0].body["temperature"] == 0.0

    heard = texts(book.asked[0].body)
    assert [part["type"] for part in contents(book.asked[0].body)] == ["text"]
    assert f"Solver: {TOLD}" in heard
    assert "## 4 wires" in heard
    assert "Environment:" not in heard


async def test_a_model_that_cannot_see_is_told_what_the_picture_shows(palaver: Palaver, home: Path) -> None:
    (home / "palaver.providers.yaml").write_text("openai: {models: {gpt-4o*: {quirks: {pictures: {most: 0}}}}}\n")
    async with OpenAIServer() as blind:
        blind.will(openai_server.json_answer(openai_server.completion("cut_wire_2")))
        agent = f"openai/gpt-4o@{blind.base_url.removesuffix('/v1')}"
        words = ("--set", "instances=wires.json", "--set", "experts=0", "-n", 1, "--out", "run", "-q")
        said = await to_thread(palaver, "run", "comma", "--agents", agent, *words)

    assert said.code == 0, said.err
    assert WORDS in texts(blind.asked[0].body)


async def test_pictures_alone_are_no_use_to_a_model_that_cannot_see(palaver: Palaver, home: Path) -> None:
    (home / "palaver.providers.yaml").write_text("openai: {models: {gpt-4o*: {quirks: {pictures: {most: 0}}}}}\n")
    async with OpenAIServer() as blind:
        agent = f"openai/gpt-4o@{blind.base_url.removesuffix('/v1')}"
        words = ("--set", "instances=wires.json", "--set", "modality=image", "-n", 1, "--out", "run", "-q")
        said = await to_thread(palaver, "run", "comma", "--agents", agent, *words)

    assert said.code == 2
    assert f"{agent} cannot be solver in comma (wire): the pictures cannot be sent: it takes no pictures" in said.err
    assert not blind.asked
