"""Our own instances of MapWorld with pictures: the experiments' numbers, the options, the format."""

import re
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld
from palaver_gamemasters.clembench.mapworld.multimodal.making import TEXTS, prompt_of
from palaver_gamemasters.clembench.mapworld.multimodal.setup import MultimodalSetup
from palaver_gamemasters.clembench.pictures import words
from palaver_protocols.content import Image
from palaver_protocols.errors import UsageError

GAMES = pytest.mark.parametrize(
    "game", [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM], ids=["explore", "graphs", "find"]
)


def made(game: MultimodalMapWorld, count: int, seed: int = 0, **options: Any) -> list[ClemInstance]:
    found = islice(game.instances(game.configure(options), seed), count)
    return [ClemInstance.model_validate(each.data) for each in found]


def setup(instance: ClemInstance) -> MultimodalSetup:
    return MultimodalSetup.model_validate(instance.fields)


NUMBERS = {
    "small": (4, {3}),
    "medium": (6, {5}),
    "large": (8, {7}),
    "medium_cycle": (6, {6}),
    "large_cycle": (8, {8, 9}),
}


@pytest.mark.parametrize("game", [MULTIMODAL, MULTIMODAL_GRAPHS], ids=["explore", "graphs"])
def test_experiments_differ_in_the_number_of_rooms_and_connections(game: MultimodalMapWorld) -> None:
    names = game.experiments(game.configure({}))
    for each in made(game, 4 * len(names)):
        rooms, connections = NUMBERS[each.name]
        assert len(setup(each).nodes) == rooms
        assert len(setup(each).edges) // 2 in connections
    assert names == tuple(NUMBERS) if game is MULTIMODAL else ("small", "medium", "large")


def moves_between(there: MultimodalSetup) -> int:
    reached, far = {there.start}, 0
    while there.target not in reached:
        reached |= {beyond for room in reached for beyond in there.beside(room)}
        far += 1
    return far


def test_targets_are_as_far_as_the_experiment_says_and_alone_of_their_category() -> None:
    far = {"on": {0}, "close": {1, 2}, "far": {3, 4}}
    for each in made(MULTIMODAL_ROOM, 18):
        there = setup(each)
        assert (len(there.nodes), moves_between(there)) == (8, there.dist)
        assert there.dist in far[each.name]
        cats = each.instance["cats"]
        assert isinstance(cats, dict)
        assert cats[str(there.target)] == there.target_cat
        assert list(cats.values()).count(there.target_cat) == 1


@GAMES
def test_every_room_has_a_picture_of_its_own_that_shows_its_category(game: MultimodalMapWorld) -> None:
    for each in made(game, 6):
        cats, imgs = each.instance["cats"], each.instance["imgs"]
        assert isinstance(cats, dict)
        assert isinstance(imgs, dict)
        assert len(set(imgs.values())) == len(imgs) == len(each.pictures)
        for place, name in imgs.items():
            recipe = each.pictures[str(name)].draw
            assert recipe is not None
            assert recipe["category"] == cats[place]
            assert words(recipe).startswith("kind: room")
            assert re.fullmatch(rf"games/{game.name}/resources/images/room-[0-9a-f]{{12}}\.png", str(name))


@GAMES
def test_instances_are_the_same_for_the_same_seed_and_differ_else(game: MultimodalMapWorld) -> None:
    assert made(game, 3, seed=1) == made(game, 3, seed=1) != made(game, 3, seed=2)


@GAMES
def test_edges_hold_each_connection_once_and_then_each_turned_round(game: MultimodalMapWorld) -> None:
    for each in made(game, 4):
        edges = setup(each).edges
        half = len(edges) // 2
        assert edges[half:] == tuple((b, a) for a, b in edges[:half])


@GAMES
def test_instances_can_be_played_and_their_pictures_seen(game: MultimodalMapWorld) -> None:
    options = game.configure({})
    state = game.start(next(game.instances(options, 0)).data, options)
    (message,) = game.view(state, "walker")
    assert any(isinstance(part, Image) for part in message.parts)
    assert "$" not in message.text


def test_some_maps_have_rooms_of_the_same_category_unless_somebody_says_otherwise() -> None:
    def shared(instance: ClemInstance) -> int:
        cats = instance.instance["cats"]
        assert isinstance(cats, dict)
        names = list(cats.values())
        return sum(names.count(name) > 1 for name in names)

    assert {shared(each) for each in made(MULTIMODAL, 20)} == {0, 2}
    assert {shared(each) for each in made(MULTIMODAL, 8, ambiguity=3)} == {3}


def test_options_override_the_experiments_numbers() -> None:
    (each,) = made(MULTIMODAL_ROOM, 1, rooms=5, connections="4", distance="3", experiment="on")
    there = setup(each)
    assert (len(there.nodes), len(there.edges), there.dist) == (5, 8, 3)


@pytest.mark.parametrize("experiment", ["on", "close", "far"])
def test_who_looks_for_a_room_begins_in_a_dead_end(experiment: str) -> None:
    for each in made(MULTIMODAL_ROOM, 30, experiment=experiment):
        there = setup(each)
        assert len(there.beside(there.start)) == 1


def test_a_distance_needs_a_target() -> None:
    with pytest.raises(UsageError, match="mm_mapworld has no target; leave the option distance out"):
        made(MULTIMODAL, 1, distance="2")


def test_the_published_prompts_ask_for_the_forms_that_are_read() -> None:
    for kind in ("explore", "graphs", "find"):
        prompt = prompt_of(kind)
        assert "$INITIAL_DIRECTIONS$" in prompt
        assert ("$GOAL$" in prompt) == (kind == "find")
        assert ('"graph"' in prompt) == (TEXTS[kind]["response_regex"].count('"graph"') == 1)
