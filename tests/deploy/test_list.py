"""`palaver list`: games, agents, suites."""

from pathlib import Path

import pytest

from palaver_gamemasters import registry
from palaver_protocols.errors import UsageError
from tests.deploy.conftest import Palaver


def test_games_say_what_can_be_set(palaver: Palaver) -> None:
    (maze,) = (row for row in palaver("list", "games", "--json").document if row["name"] == "maze")

    options = {option["name"]: option for option in maze["options"]}
    assert (options["size"]["default"], options["size"]["values"]) == (6, "whole number from 2 to 26")
    assert (options["density"]["default"], options["density"]["values"]) == (0.3, "number from 0 to 1")
    assert options["setting"]["values"] == "solo-full | solo-distributed | pair"
    assert (options["min_path"]["default"], options["min_path"]["values"]) == (None, "whole number above 0")
    assert {"random", "optimal", "scripted", "scripted/rc"} <= set(maze["players"])


def test_games_are_listed_for_people(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = palaver("list", "games").out.splitlines()

    assert any(line.startswith("maze ") and "two agents with half a map each" in line for line in lines)
    assert "--set" not in "".join(lines)
    assert lines[-1].startswith("palaver list games NAME says what can be set")
    assert max(map(len, lines)) <= 80


def test_one_game_says_what_can_be_set(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = palaver("list", "games", "maze").out.splitlines()

    assert lines[0].startswith("maze: two agents with half a map each")
    assert "--set size=6 cells a side: whole number from 2 to 26" in [" ".join(line.split()) for line in lines]
    assert any(line.strip().startswith("Where min_path and max_path are left out") for line in lines)
    assert max(map(len, lines)) <= 80


def test_what_is_not_there_is_refused_with_what_is_like_it(palaver: Palaver) -> None:
    said = palaver("list", "games", "mazze")
    assert (said.code, said.out) == (2, "")
    assert said.err == "palaver: there is no game 'mazze' (did you mean maze?)\n"


def test_a_game_that_cannot_be_loaded_hides_no_other(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    load = registry.load_game

    def load_game(name: str) -> object:
        if name == "broken":
            raise UsageError("the game 'broken' cannot be loaded: ImportError: no module named luck")
        return load(name)

    monkeypatch.setattr(registry, "game_names", lambda: ["broken", "maze"])
    monkeypatch.setattr(registry, "load_game", load_game)

    said = palaver("list", "games")
    assert said.code == 0
    told = " ".join(said.out.split())
    assert "broken the game 'broken' cannot be loaded: ImportError" in told
    assert "maze two agents" in told


def test_agents_say_whether_their_key_is_set(palaver: Palaver) -> None:
    Path(".env").write_text("OPENAI_API_KEY=sk-secret\n")
    said = palaver("list", "agents", "--json")
    keys = {row["name"].partition("/")[0]: row["key"] for row in said.document}

    assert keys["openai"] == {"variable": "OPENAI_API_KEY", "needed": True, "set": True}
    assert keys["openrouter"] == {"variable": "OPENROUTER_API_KEY", "needed": True, "set": False}
    assert keys["vllm"] == {"variable": "VLLM_API_KEY", "needed": False, "set": False}
    assert keys["random"] is None
    assert "sk-secret" not in said.out


def test_agents_are_listed_for_people(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    lines = palaver("list", "agents").out.splitlines()

    assert any(line.startswith("openai/MODEL[@URL] ") and line.endswith("(OPENAI_API_KEY is set)") for line in lines)
    assert any(line.endswith("(OPENROUTER_API_KEY is not set)") for line in lines)
    assert any(line.startswith("human ") and line.endswith("or in the terminal (play)") for line in lines)


def test_suites_are_listed(palaver: Palaver) -> None:
    rows = [row for row in palaver("list", "suites", "--json").document if not row["name"].startswith("clembench")]

    named = [(row["name"], row["game"]) for row in rows]
    assert named == [
        ("collaboration-gap", "maze"),
        ("collaboration-gap-pair", "maze"),
        ("comma-benchmark", "comma"),
        ("comma-study", "comma"),
        ("ivispar-study", "ivispar, ivispar_inference"),
        ("puzzleworld-study", "puzzleworld"),
    ]
    assert "relay-primer" in rows[0]["experiments"]
    assert Path(rows[0]["file"]).exists()
    said = palaver("list", "suites").out
    assert "\ncollaboration-gap-pair  the maze for two" in said
    assert "(experiments: solo-full, solo-distributed," in " ".join(said.split())
    assert rows[0]["optional"] == ["size", "density", "group", "hierarchy"]
    assert "; only with --only: size, density, group, hierarchy)" in " ".join(said.split())


def test_models_are_listed_with_what_they_cost(palaver: Palaver) -> None:
    rows = {row["name"]: row for row in palaver("list", "models", "--json").document}
    assert rows["openai/gpt-4.1"]["price"] == {"input": 2.0, "output": 8.0, "cached": 0.5}
    assert rows["openai/gpt-4.1"]["dated"] == "gpt-4.1-2025-04-14"
    assert {name.partition("/")[0] for name in rows} >= {"openai", "anthropic", "google", "xai", "deepseek"}
    assert any(row["price"] is None for row in rows.values())
    said = palaver("list", "models").out
    assert "$2 in, $8 out (2025-09" in said
    assert "no price known" in said


def test_defaults_are_written_as_one_would_type_them(palaver: Palaver) -> None:
    said = palaver("list", "games", "ivispar").out
    assert "--set colors=red,green,blue,yellow" in said
    assert "--set compat=false" in said
    assert "--set instances=..." in said
