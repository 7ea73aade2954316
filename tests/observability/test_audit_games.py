"""The leak audit: games that there are play without a leak, with scripts, relays and teams; patched, they leak."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.clembench.matchit import ASCII
from palaver_gamemasters.comma import GAME as COMMA
from palaver_gamemasters.comma.state import SOLVER
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.ivispar.described import GAME as DESCRIBED
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.puzzleworld import GAME as PUZZLES
from palaver_gamemasters.registry import game_names, load_game
from palaver_protocols.messages import LogEntry, TurnRequest
from palaver_protocols.seating import leaves
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.folding import play
from tests.observability.audit_support import audited, layers, opening

TEAM = "team(lead=scripted,members=scripted+scripted{})"
CASTS = [
    ("maze", ("scripted@3>scripted/weak", "scripted"), {"handoff": "nothing"}, {}),
    ("maze", ("scripted", "scripted@3>scripted/weak@6>scripted"), {"handoff": "summary"}, {}),
    ("maze", ("scripted@3>random", "scripted"), {"handoff": "last:2"}, {}),
    ("maze", (TEAM.format(""), TEAM.format(",show=split")), {}, {}),
    ("maze", (f"{TEAM.format('')}@3>{TEAM.format(',show=split')}", "scripted"), {"handoff": "summary"}, {}),
    ("maze", ("scripted",), {}, {"agents": 3, "cover": 2}),
    ("maze", ("optimal",), {}, {"setting": "solo-distributed"}),
    ("comma", ("scripted", TEAM.format(",show=split")), {}, {"modality": "text"}),
    ("comma", ("scripted",), {}, {"experts": 3}),
    ("comma", ("scripted/roleplaying",), {}, {}),
    ("ivispar_described", ("scripted",), {}, {"describers": 2, "modality": "text"}),
    ("puzzleworld", ("scripted",), {}, {"solvers": 2, "expert": True}),
    ("puzzleworld", ("scripted",), {}, {"solvers": 3, "divide": "modalities"}),
    ("puzzleworld", (TEAM.format(",show=split"),), {}, {}),
]
DECLARING = ("comma", "ivispar_described", "matchit_ascii", "maze", "puzzleworld")


def logs_of(game: AnyGame, agents: tuple[str, ...], options: Mapping[str, Any], **config: Any) -> list[list[LogEntry]]:
    """Play two episodes with scripts, each as good as its name."""
    scripts = game.players()

    def speak(request: TurnRequest) -> str:
        if request.role == "leaver":
            return f"I leave {request.seat} at turn {request.turn} to whoever comes next."
        if request.role == "lead" and request.view[-1].speaker not in request.members and request.turn % 2:
            return f"@all: what do you see at turn {request.turn}?"
        if request.role == "member":
            return f"{request.seat} sees what it sees at turn {request.turn}."
        return scripts[request.agent](request)

    assert all(leaf in scripts for agent in agents for each in agent.split(">") for leaf in leaves(each.split("@")[0]))
    starts = opening(game, 2, agents=agents, options=options, **config)
    return [play(game, start, speak)[1] for start in starts]


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("agent", ["scripted", "random"])
def test_every_game_is_clean(name: str, agent: str) -> None:
    game = load_game(name)
    audit = audited(game, logs_of(game, (agent,), {}))
    assert (audit.findings, audit.unread) == ([], [])
    assert audit.checked["addressing"]["questions"] == audit.checked["addressing"]["proven"] > 0


@pytest.mark.parametrize(("name", "agents", "config", "options"), CASTS)
def test_relays_teams_and_groups_are_clean(
    name: str, agents: tuple[str, ...], config: dict[str, Any], options: dict[str, Any]
) -> None:
    game = load_game(name)
    audit = audited(game, logs_of(game, agents, options, **config))
    assert (audit.findings, audit.unread) == ([], [])
    assert audit.checked["addressing"]["proven"] > 0


@pytest.mark.parametrize("name", DECLARING)
def test_games_with_secrets_declare_some_for_seats_that_there_are(name: str) -> None:
    game = load_game(name)
    options = game.configure({"expert": True} if name == "puzzleworld" else {})
    declared = [game.secrets(each.data, options) for each in islice(game.instances(options, 0), 3)]
    assert any(secret for each in declared for secret in each.values())
    assert {seat for each in declared for seat in each} <= set(game.seats(options))
    assert all(isinstance(text, str) and text for each in declared for texts in each.values() for text in texts)


def leaking(game: AnyGame, monkeypatch: pytest.MonkeyPatch, to: str, what: Any) -> None:
    """Have a game tell a seat something more, from its second question on or at once."""
    honest = type(game).view

    def view(self: AnyGame, state: Any, seat: str) -> tuple[Message, ...]:
        shown = honest(self, state, seat)
        return (*shown, Message.text_from(USER, what(state), (seat,))) if seat == to else shown

    monkeypatch.setattr(type(game), "view", view)


def found_in(game: AnyGame, **options: Any) -> set[str]:
    return layers(audited(game, logs_of(game, ("scripted",), options)))


def test_a_maze_that_shows_the_partners_map_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(MAZE, monkeypatch, "agent_2", lambda state: f"By the way: {' '.join(state.views[0].rows)}")
    assert "secrets" in found_in(MAZE)


def test_a_maze_that_shows_the_whole_map_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(MAZE, monkeypatch, "agent_1", lambda state: f"{state.maze}")
    assert "secrets" in found_in(MAZE, agents=3)


def test_a_solver_that_reads_the_manual_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(COMMA, monkeypatch, SOLVER, lambda state: max(state.manual.splitlines(), key=len).upper())
    assert "secrets" in found_in(COMMA)


def test_an_expert_that_sees_the_puzzle_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(COMMA, monkeypatch, "expert", lambda state: state.puzzle.write(state.puzzle.scene(state.now)))
    assert {"secrets"} <= found_in(COMMA)


def test_an_expert_that_sees_another_experts_part_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(COMMA, monkeypatch, "expert_1", lambda state: state.tasks["expert_2"].text)
    assert "secrets" in found_in(COMMA, experts=2)


def test_a_hint_with_the_solution_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(PUZZLES, monkeypatch, "solver", lambda state: f"Hint: {state.puzzle.solution.lower()}?")
    assert found_in(PUZZLES) == {"secrets"}


def test_a_mover_that_sees_where_an_object_stands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(DESCRIBED, monkeypatch, "mover", lambda state: state.puzzle.board.lines(state.puzzle.board.goal)[0])
    assert found_in(DESCRIBED) == {"secrets"}


def test_a_player_that_sees_the_others_grid_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(ASCII, monkeypatch, "player_2", lambda state: f"Theirs is\n{state.now.setup.grid_a}")
    assert "secrets" in found_in(ASCII, experiment="different_grid")
