"""Scripts in every seat: alone, with others, in a team, in a relay, with an expert."""

from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.answers import answer_of, tells
from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import TurnRequest
from palaver_protocols.runs import RunConfig
from tests.gamemasters.puzzleworld.puzzle_folders import after, episode, make_puzzle
from tests.support import NOON, a_reply, a_request

TEAM = "team(lead=scripted,members=scripted+scripted,show=split)"


def run(*agents: str, handoff: str = "all", **options: Any) -> list[Episode]:
    """Play our own puzzles; whoever is asked is the script of that name."""
    config = RunConfig(
        run_id="run", game="puzzleworld", agents=agents, options=options, episodes=99, seed=1, handoff=handoff
    )
    scripts, played = GAME.players(), []
    for opening in plan(GAME, config).openings:
        played.append(Episode(GAME, opening))
        while played[-1].outcome is None:
            for request in list(played[-1].requests(timeout_s=1.0)):
                reply = a_reply(request, scripts[request.agent](request))
                played[-1].take(played[-1].step(request, reply, NOON))
    return played


@pytest.mark.parametrize(
    ("options", "turns"),
    [
        ({}, 1),
        ({"solvers": 2}, 2),
        ({"solvers": 5}, 5),
        ({"solvers": 2, "divide": "modalities"}, 2),
        ({"solvers": 4, "divide": "modalities", "expert": True}, 4),
        ({"solvers": 2, "divide": "nothing"}, 1),
        ({"expert": True}, 1),
    ],
    ids=str,
)
def test_scripts_solve_our_own_puzzles_together(options: dict[str, Any], turns: int) -> None:
    played = run("scripted", **options)
    assert len(played) >= 6
    assert {(each.outcome, each.turns) for each in played} == {("solved", turns)}


@pytest.mark.parametrize(
    ("agents", "how"),
    [
        ((TEAM,), {}),
        (("scripted@1>scripted", "scripted"), {"solvers": 2}),
        (("scripted", "scripted@1>scripted"), {"solvers": 2, "handoff": "summary"}),
    ],
    ids=["team", "relay", "summary"],
)
def test_scripts_solve_them_in_teams_and_relays(agents: tuple[str, ...], how: dict[str, Any]) -> None:
    assert {each.outcome for each in run(*agents, **how)} == {"solved"}


def test_whoever_is_hasty_is_mostly_wrong() -> None:
    played = run("scripted/hasty")
    assert sum(each.outcome == "failed" for each in played) > len(played) / 2
    assert {each.scores["answered"] for each in played} == {1.0}


@pytest.mark.parametrize("options", [{}, {"solvers": 2, "divide": "modalities"}, {"expert": True, "turns": 2}], ids=str)
def test_chance_hands_in_a_word_of_the_puzzle(options: dict[str, Any]) -> None:
    played = run("random", **options)
    assert {each.scores["answered"] for each in played} == {1.0}
    assert len({each.state.answer for each in played}) > 1


def test_chance_has_letters_where_there_are_no_words() -> None:
    guess = answer_of(GAME.players()["random"](a_request(seat="solver", view=())))
    assert guess is not None
    assert len(guess) == 5


def test_scripts_pass_on_puzzles_that_are_not_ours(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    played = run("scripted", dataset=str(tmp_path))
    assert [each.scores["success"] for each in played] == [0.0]


def expert_says(dataset: Path, *dialogue: str) -> str:
    state = after(episode(dataset, expert=True), *dialogue)
    request: TurnRequest = a_request(seat="expert", view=GAME.view(state, "expert"))
    return GAME.players()["scripted"](request)


def test_the_expert_hands_out_one_step_after_the_other(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    first = expert_says(tmp_path, "What now?")
    second = expert_says(tmp_path, "What now?", first, "And now?")
    assert [first, second] == ["Discover that the rolls are bread: BREAD.", "Sketch the path: it goes WITH it."]


def test_the_expert_never_tells_the_solution(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    said = expert_says(tmp_path, *["Hm."] * 5)
    assert not tells("ROLL WITH IT", said)
    assert said.startswith("Look at the pages again")


def test_an_expert_without_steps_says_where_to_look(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round", reasoning=[])
    assert expert_says(tmp_path, "What now?").startswith("Look at the pages again")
