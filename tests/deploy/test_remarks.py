"""What is remarked before a run begins: models that think in too few tokens, a protocol that nobody needs."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from palaver_deploy.configure import configure, plan_of, words_of
from palaver_deploy.remarks import remarks_on
from tests.deploy.conftest import Palaver

CUT = "{} thinks before it answers; 100 tokens will cut it off: --max-tokens 4000"


def remarks(
    agents: str, game: str = "matchit_ascii", environ: Mapping[str, str] | None = None, **given: object
) -> tuple[str, ...]:
    rules, config = configure(words_of(game, {"agents": agents, "episodes": 1, **given}), Path("run"))
    planned = plan_of(rules, config)
    return remarks_on(rules, config, planned, environ or {}, str(given["protocol"]) if "protocol" in given else None)


@pytest.mark.parametrize(
    ("agents", "warned"),
    [
        ("openai/o3", ["openai/o3"]),
        ("openai/gpt-4.1,openai/gpt-5-mini", ["openai/gpt-5-mini"]),
        ("openai/gpt-5-chat-latest", []),
        ("openai/gpt-5.1", []),
        ("google/gemini-2.5-pro,google/gemini-2.5-flash-lite", ["google/gemini-2.5-pro"]),
        ("xai/grok-4,xai/grok-4-fast-non-reasoning", ["xai/grok-4"]),
        ("openai/gpt-4.1@4>deepseek/deepseek-reasoner,scripted", ["deepseek/deepseek-reasoner"]),
        ("team(lead=openai/gpt-4.1,members=openai/o3)", []),
        ("team(lead=scripted,members=team(lead=openai/o3,members=openai/o1))", ["openai/o3"]),
        ("replay/x.jsonl", []),
        ("vllm/whatever", []),
    ],
)
def test_models_that_are_known_to_think_are_named_where_answers_are_short(agents: str, warned: list[str]) -> None:
    assert remarks(agents) == tuple(CUT.format(agent) for agent in warned)


def test_who_allows_enough_tokens_is_not_warned(palaver: Palaver) -> None:
    facts = palaver("run", "matchit_ascii", "-a", "openai/o3", "--max-tokens", "1000", "--dry-run", "--json").document
    assert facts["warnings"] == []
    assert remarks("openai/o3", game="maze") == ()


@pytest.mark.parametrize(
    ("agent", "effort", "warned"),
    [("openai/gpt-5.1", "high", True), ("google/gemini-2.5-flash", "none", False), ("openai/gpt-4.1", "high", False)],
)
def test_reasoning_that_is_asked_for_counts(palaver: Palaver, agent: str, effort: str, warned: bool) -> None:
    said = palaver("run", "matchit_ascii", "-a", agent, "--reasoning-effort", effort, "--dry-run", "--json").document
    assert said["warnings"] == ([CUT.format(agent)] if warned else [])


def test_a_dry_run_warns_of_a_run_and_of_a_study(palaver: Palaver) -> None:
    run = palaver("run", "matchit_ascii", "-a", "openai/o3", "--dry-run")
    study = palaver("run", "clembench-ascii", "--only", "matchit_ascii", "--set", "models=openai/o3", "--dry-run")
    for said in (run, study):
        assert (said.code, said.out.splitlines().count(CUT.format("openai/o3"))) == (0, 1)


def test_a_run_warns_when_it_starts_and_a_quiet_one_does_not(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    words = ("run", "matchit_ascii", "-a", "openai/o3@http://127.0.0.1:1", "-n", "1", "--tries", "1")
    loud, quiet = palaver(*words, "--out", "a"), palaver(*words, "--out", "b", "-q")
    assert f"palaver: {CUT.format('openai/o3@http://127.0.0.1:1')}" in loud.err.splitlines()
    assert "thinks" not in quiet.err


def test_a_file_of_ones_own_can_say_who_thinks(palaver: Palaver, home: Path) -> None:
    (home / "palaver.providers.yaml").write_text("vllm: {models: {my-r1: {thinks: true}}}")
    facts = palaver("run", "matchit_ascii", "-a", "vllm/my-r1", "--dry-run", "--json").document
    assert facts["warnings"] == [CUT.format("vllm/my-r1")]


@pytest.mark.parametrize(
    ("game", "agent", "modality", "told"),
    [
        ("ivispar", "vllm/blind", "2d", True),
        ("ivispar", "vllm/blind", "text", False),
        ("ivispar", "vllm/sees", "2d", False),
        ("ivispar", "scripted", "2d", False),
        ("ivispar", "team(lead=vllm/blind,members=vllm/sees)", "2d", True),
        ("ivispar_described", "scripted,vllm/blind", "2d", True),
    ],
)
def test_a_model_that_takes_no_pictures_is_said_to_play_in_words(
    home: Path, game: str, agent: str, modality: str, told: bool
) -> None:
    (home / "palaver.providers.yaml").write_text("vllm: {models: {blind: {quirks: {pictures: {most: 0}}}}}")
    said = "vllm/blind takes no pictures: it plays 2d in words, and is no measure of seeing"
    assert remarks(agent, game, settings=(f"modality={modality}",)) == ((said,) if told else ())


@pytest.mark.parametrize(
    ("game", "agents", "told"),
    [
        ("matchit_ascii", "scripted", True),
        ("maze", "scripted", False),
        ("matchit_ascii", "team(lead=scripted,members=random),scripted", False),
    ],
)
def test_a_protocol_that_makes_no_difference_is_told(game: str, agents: str, told: bool) -> None:
    said = (
        f"--protocol user makes no difference in {game}: its players talk with the game master alone",
    )  # fmt: skip
    assert remarks(agents, game, protocol="user") == (said if told else ())


def test_the_protocol_is_told_by_a_run_and_once_by_a_study(palaver: Palaver) -> None:
    words = ("--protocol", "user", "-n", "1")
    run = palaver("run", "matchit_ascii", "-a", "random", *words, "--out", "a")
    only = ("--only", "matchit_ascii", "--set", "models=random,scripted")
    study = palaver("run", "clembench-ascii", *only, *words, "--out", "b")
    silent = palaver("run", "matchit_ascii", "-a", "random", "-n", "1", "--out", "c")
    assert [said.err.count("makes no difference") for said in (run, study, silent)] == [1, 1, 0]
