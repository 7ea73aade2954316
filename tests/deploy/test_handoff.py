"""`palaver handoff`: another agent takes over a seat, by hand."""

from asyncio import to_thread
from pathlib import Path

import pytest

from tests.agents.providers.openai_server import OpenAIServer, error_answer
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver


async def stuck(palaver: Palaver) -> str:
    """Play a run whose only episode stops at its third turn, since its first agent answers no more."""
    async with OpenAIServer() as server:
        server.will(error_answer(401, "no"))
        agent = f"openai/gone@{server.base_url.removesuffix('/v1')}"
        agents = f"scripted/rc@2>{agent},scripted/rc"
        await to_thread(palaver, "run", "maze", "-a", agents, "-q", "--set", "size=4", "--out", "run")
    (record,) = lines(Path("run", "episodes.jsonl"))
    assert (record["outcome"], record["turns"]) == ("error", 2)
    return agent


async def test_a_seat_whose_agent_answers_no_more_is_taken_over(palaver: Palaver) -> None:
    agent = await stuck(palaver)

    said = await to_thread(palaver, "handoff", "run", "maze-pair-00000", "agent_1", "scripted/words")
    assert (said.code, said.err) == (0, "")
    assert said.out == ("scripted/words takes over agent_1 of maze-pair-00000; go on with: palaver resume run\n")
    assert (await to_thread(palaver, "resume", "run", "-q")).code == 0

    (record,) = lines(Path("run", "episodes.jsonl"))
    assert record["outcome"] == "solved"
    assert [filler["agent"] for filler in record["seats"]["agent_1"]] == ["scripted/rc", agent, "scripted/words"]
    assert record["seats"]["agent_1"][-1]["when"] == "hand"
    segments = record["segments"]
    assert [part["agents"]["agent_1"] for part in segments] == ["scripted/rc", "scripted/words"]
    assert segments[-1]["scores"]["weighted_outcome"] == 1.0
    assert "by hand" in palaver("view", "run", "maze-pair-00000", "--brief").out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("maze-pair-00009", "agent_1", "scripted/rc"), "run has no episode 'maze-pair-00009' that has begun"),
        (("maze-pair-00000", "agent_3", "scripted/rc"), "has no seat 'agent_3' (it has: agent_1, agent_2)"),
        (("maze-pair-00000", "agent_1", "nobody/x"), "there is no agent 'nobody/x'"),
        (("maze-pair-00000", "agent_1", "random@4>scripted"), "is a relay"),
        (("maze-pair-00000", "agent_1", "random,scripted"), "are several agents"),
    ],
)
async def test_what_cannot_be_handed_over_is_named(palaver: Palaver, words: tuple[str, ...], complaint: str) -> None:
    await stuck(palaver)
    said = await to_thread(palaver, "handoff", "run", *words)
    assert said.code == 2
    assert complaint in said.complaint


def test_an_episode_that_has_ended_changes_no_seat(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-q", "--out", "run")
    said = palaver("handoff", "run", "maze-solo-full-00000", "agent_1", "random")
    assert "has ended (solved)" in said.complaint
