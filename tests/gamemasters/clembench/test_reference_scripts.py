"""The scripts of the reference game: what a pair of them achieves, and that they answer whatever they are asked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.families import FAMILIES
from palaver_gamemasters.clembench.reference import GAME, TEXT
from palaver_gamemasters.clembench.reference.players import PLAYERS
from palaver_gamemasters.clembench.reference.rules import Setup, read_answer
from palaver_protocols.messages import Player
from palaver_protocols.transcript import Message
from tests.gamemasters.clembench.reference_play import TEXTS, acted, an_instance, asked, own, played
from tests.support import a_request

SCRIPTED, RANDOM = PLAYERS["scripted"], PLAYERS["random"]
SETUP = Setup(player_1_prompt_header="", player_2_prompt_header="")


@pytest.mark.parametrize("experiment", GAME.experiments(GAME.configure({})))
def test_a_scripted_pair_solves_all_experiments(experiment: str) -> None:
    outcomes = [GAME.outcome(acted(GAME, each, SCRIPTED)) for each in own(GAME, experiment, 12, seed=7)]
    assert outcomes.count("solved") >= 0.98 * len(outcomes)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_scripted_pair_solves_the_text_version(family: str) -> None:
    outcomes = [TEXT.outcome(acted(TEXT, each, SCRIPTED)) for each in own(TEXT, family, 30, seed=7)]
    assert outcomes.count("solved") >= 0.98 * len(outcomes)


def test_a_random_pair_is_right_as_often_as_chance() -> None:
    instance = an_instance(TEXT)
    outcomes = [TEXT.outcome(acted(TEXT, instance, RANDOM, seed)) for seed in range(300)]
    assert {*outcomes} == {"solved", "failed"}
    assert 75 <= outcomes.count("solved") <= 125


@pytest.mark.parametrize("modality", ["auto", "text", "image"])
def test_scripts_see_pictures_by_their_words_only(modality: str) -> None:
    outcomes = [GAME.outcome(acted(GAME, each, SCRIPTED, modality=modality)) for each in own(GAME, "room_images", 12)]
    assert (outcomes.count("solved") == 12) == (modality != "image")
    assert {*outcomes} <= {"solved", "failed"}


@pytest.mark.parametrize("script", [SCRIPTED, RANDOM], ids=["scripted", "random"])
def test_a_script_gives_the_same_answer_to_the_same_question(script: Player) -> None:
    for instance in own(GAME, "random_grids", 3):
        request = asked(GAME, played(GAME, instance), seed=3)
        assert script(request) == script(request)
        assert "\n" not in script(request)


@pytest.mark.parametrize("script", [SCRIPTED, RANDOM], ids=["scripted", "random"])
@given(text=TEXTS, seed=st.integers(0, 9))
def test_scripts_answer_any_expression_in_the_right_form(script: Player, text: str, seed: int) -> None:
    state = played(TEXT, INSTANCE, "Expression: foo")
    (message,) = TEXT.view(state, "player_2")
    view = (Message.text_from("user", message.text.replace("foo", text)),)
    answer = read_answer(SETUP, script(a_request(view=view, seed=seed)), clean=False)
    assert answer is not None
    assert answer.valid


@pytest.mark.parametrize("script", [SCRIPTED, RANDOM], ids=["scripted", "random"])
@given(text=TEXTS)
def test_scripts_answer_any_question(script: Player, text: str) -> None:
    for view in ((), (Message.text_from("user", text),)):
        said = script(a_request(view=view))
        assert re.fullmatch(r"Expression: .+|Answer: (first|second|third)", said)


INSTANCE = an_instance(TEXT)
