"""The study's own instances of MapWorld with pictures: their texts and fields are ours."""

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld
from palaver_gamemasters.clembench.mapworld.multimodal.making import TEXTS, prompt_of
from palaver_gamemasters.dice import Dice
from tests.gamemasters.clembench.recordings import beside, instances

GAMES = [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM]

pytestmark = [beside, pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])]


def test_the_published_texts_are_ours(game: MultimodalMapWorld) -> None:
    ours = {"initial_prompt": prompt_of(game.task), **TEXTS[game.task]}
    for each in instances(game.name).values():
        assert {name: each["instance"][name] for name in ours} == ours


def test_our_instances_have_the_published_fields_in_their_order(game: MultimodalMapWorld) -> None:
    published = next(iter(instances(game.name).values()))["instance"]
    ours = game.make(
        game.experiments(game.configure({}))[0], Dice("ours"), game.configure({"ambiguity": 0, "rooms": 4})
    )
    assert list(ours.instance) == [name for name in published if name != "game_id"]
