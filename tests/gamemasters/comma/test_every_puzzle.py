"""What every puzzle promises, whatever it is about: see the interface, ``comma/puzzle.py``."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest
from pydantic import JsonValue

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.instances import CommaInstance, own_manual, rules_of
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.puzzles import load_puzzle, puzzle_names
from palaver_gamemasters.comma.state import orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from palaver_gamemasters.comma.tasks import solver_task, valid_actions
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_gamemasters.episode import Episode
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.playing import run

SKILLS = {"memory recall", "multimodal grounding", "multi-step reasoning", "private information"}
SIGHTS = 6
"""Episodes of random play that are looked at closely."""

EXAMPLE = "examples.safe:PUZZLE"
"""The one that the documentation adds keeps the promises too."""

pytestmark = pytest.mark.parametrize("puzzle", [*puzzle_names(), EXAMPLE])


@lru_cache(maxsize=16)
def initialisations(puzzle: str, number: int = 100) -> tuple[CommaInstance, ...]:
    found = islice(GAME.instances(GAME.configure({"puzzle": puzzle}), 0), number)
    return tuple(CommaInstance.model_validate(instance.data) for instance in found)


def start(puzzle: str, index: int = 0) -> tuple[AnyPuzzle, Any]:
    found = load_puzzle(puzzle)
    return found, found.start(found.configure(initialisations(puzzle)[index].setup), rules_of(found))


def random_play(puzzle: str, index: int, steps: int = 30) -> Iterator[Any]:
    """Go from state to state by valid actions, each as likely as the others, up to success."""
    found, state = start(puzzle, index)
    dice = Dice("a walk", puzzle, index)
    yield state
    for _ in range(steps):
        if found.solved(state):
            return
        state = found.act(state, dice.pick(found.actions(state))).state
        yield state


def states(puzzle: str) -> Iterator[Any]:
    for index in range(SIGHTS):
        yield from random_play(puzzle, index)


def test_it_introduces_itself(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    assert found.name == ("safe" if puzzle == EXAMPLE else puzzle)
    assert found.title
    assert set(found.skills) <= SKILLS
    assert found.skills
    assert own_manual(found).text.startswith("# ")


def test_its_first_hundred_initialisations_can_be_played_and_differ(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    begun = [start(puzzle, index)[1] for index in range(100)]
    assert not any(found.solved(state) for state in begun)
    assert {found.progress(state) for state in begun} == {0.0}
    assert len(set(begun)) > (30 if puzzle == EXAMPLE else 90)


def test_it_can_be_played_from_plain_json_and_other_fields_are_refused(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    setup = initialisations(puzzle)[0].setup
    assert isinstance(setup, dict)
    assert found.configure(setup).model_dump(mode="json") == setup
    with pytest.raises(InstanceError, match=f"comma {found.name} instance: there is no field 'nonsense'"):
        found.configure({**setup, "nonsense": 1})
    for field in setup:
        wrongs: tuple[JsonValue, ...] = ({}, ["?"], -1.5)
        for wrong in wrongs:
            with pytest.raises(InstanceError) as raised:
                found.start(found.configure({**setup, field: wrong}), rules_of(found))
            assert field.split("_")[0] in str(raised.value).replace(" ", "_")
            assert "\n" not in str(raised.value)


def test_its_actions_are_plain_names_and_the_same_throughout(puzzle: str) -> None:
    found, state = start(puzzle)
    actions = found.actions(state)
    assert len(set(actions)) == len(actions) > 1
    assert all(action.replace("_", "").isalnum() and action == action.lower() for action in actions)
    assert {found.actions(later) for later in random_play(puzzle, 0)} == {actions}
    assert valid_actions(solver_task(actions, found.briefing(state)).text) == actions


def test_its_states_are_values(puzzle: str) -> None:
    found, state = start(puzzle)
    again = start(puzzle)[1]
    assert (state, hash(state)) == (again, hash(again))
    for action in found.actions(state):
        found.act(state, action)
        assert found.act(state, action) == found.act(again, action)
    assert (state, hash(state)) == (again, hash(again)), "acting has changed what was there before"


def test_its_progress_is_a_share_that_is_whole_just_when_it_is_solved(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    for state in states(puzzle):
        assert 0.0 <= found.progress(state) <= 1.0
        assert (found.progress(state) == 1.0) == found.solved(state)


def test_its_text_holds_all_that_there_is_to_be_seen(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    for state in states(puzzle):
        scene = found.scene(state)
        assert found.read(found.write(scene)) == scene
        assert orders(found.write(scene), found.actions(state)) == ()


@pytest.mark.parametrize("text", ["", "Hello.", "1. red", "\x00", "# \n|||\n", "stage 99 of 5"])
def test_what_is_no_text_of_it_is_refused(puzzle: str, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - what it says is the puzzle's own affair
        load_puzzle(puzzle).read(text)


def test_its_picture_shows_the_scene_and_nothing_else(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    seen = list(dict.fromkeys(found.scene(state) for state in islice(random_play(puzzle, 1), 8)))
    drawn = [png(found.draw(scene)) for scene in seen]
    assert len(set(drawn)) == len(seen), "two scenes look the same"
    assert [png(found.draw(found.read(found.write(scene)))) for scene in seen] == drawn
    picture = Image.from_bytes(drawn[0])
    assert 600 <= min(picture.width, picture.height) <= max(picture.width, picture.height) <= 1400
    assert max(map(len, drawn)) < 1_000_000


def test_its_answer_is_told_in_every_state(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    for state in states(puzzle):
        assert found.answer(state).strip()


def test_its_scripts_describe_what_they_see_without_acting(puzzle: str) -> None:
    found = load_puzzle(puzzle)
    assert found.talk is not None
    for state in states(puzzle):
        if not found.solved(state):
            actions = found.actions(state)
            task = solver_task(actions, found.briefing(state)).text
            said = found.talk.describe(Sight(found.scene(state), task, actions, Heard(())))
            assert said.strip()
            assert orders(said, actions) == ()


@pytest.mark.parametrize("said", ["", "?", "I do not know.", "Cut the first wire.", "press", "1", "\x00", "no " * 999])
def test_its_scripts_answer_whatever_they_are_told(puzzle: str, said: str) -> None:
    found, state = start(puzzle)
    assert found.talk is not None
    task = solver_task(found.actions(state), found.briefing(state)).text
    told = Heard((Line("solver", said), Line("environment", said), Line("expert", said)))
    assert found.talk.solve(Sight(found.scene(state), task, found.actions(state), told)).strip()
    assert found.talk.advise(rules_of(found), Heard((Line("solver", said),))).strip()


@lru_cache(maxsize=16)
def played_by(agent: str, puzzle: str) -> tuple[Episode, ...]:
    return tuple(run(agent, puzzle=puzzle, episodes=100))


def test_its_scripts_solve_it_by_talking(puzzle: str) -> None:
    episodes = played_by("scripted", puzzle)
    assert sum(episode.outcome == "solved" for episode in episodes) >= 99
    assert sum(episode.scores["mistakes"] or 0 for episode in episodes) == 0
    assert sum(episode.scores.get("leaks") or 0 for episode in episodes) == 0


def test_its_expert_is_told_what_there_is_to_be_seen_before_anything_is_done(puzzle: str) -> None:
    for episode in played_by("scripted", puzzle):
        assert orders(episode.state.dialogue[0].text, episode.state.actions) == ()


def test_random_play_keeps_within_the_limits(puzzle: str) -> None:
    for episode in played_by("random", puzzle):
        scores = episode.scores
        assert 0 <= (scores["mistakes"] or 0) <= 3
        assert 0 <= (scores["length"] or 0) <= 10
        assert 0.0 <= (scores["partial_success"] or 0.0) <= 1.0
        assert (scores["success"] == 1.0) == (episode.outcome == "solved")
        assert ((scores["length"] or 0) < 10) == (episode.outcome == "solved" or scores["mistakes"] == 3)


def test_what_there_is_to_keep_secret_is_scored(puzzle: str) -> None:
    found, state = start(puzzle)
    scores = played_by("random", puzzle)[0].scores
    assert bool(found.secrets(state)) == ("private information" in found.skills)
    assert {"leaks", "leaked"} & {*scores} == ({"leaks", "leaked"} if found.secrets(state) else set())
