"""Three games each with pictures and in words share a format; an instance is played by the rules of its own game."""

from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import (
    MULTIMODAL,
    MULTIMODAL_GRAPHS,
    MULTIMODAL_ROOM,
    TEXT,
    TEXT_GRAPHS,
    TEXT_ROOM,
)
from palaver_gamemasters.clembench.mapworld.game import MapWorldGame
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench import mapworld_pictured, mapworld_texts
from tests.gamemasters.clembench.recordings import beside, instances

PICTURED: list[MapWorldGame[Any]] = [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM]
TEXTUAL: list[MapWorldGame[Any]] = [TEXT, TEXT_GRAPHS, TEXT_ROOM]
SISTERS = [(one, other) for games in (PICTURED, TEXTUAL) for one in games for other in games if one is not other]
IDS = [f"{one.name} of {other.name}" for one, other in SISTERS]


def by_hand(game: MapWorldGame[Any]) -> dict[str, Any]:
    if isinstance(game, MultimodalMapWorld):
        return mapworld_pictured.instance(game)
    return mapworld_texts.instance(game.task)


def refusal(game: MapWorldGame[Any], given: dict[str, Any]) -> str:
    with pytest.raises(InstanceError) as caught:
        game.start(given, game.configure({}))
    return str(caught.value)


@pytest.mark.parametrize(("game", "sister"), SISTERS, ids=IDS)
def test_an_instance_of_a_sister_game_is_refused_in_one_line(
    game: MapWorldGame[Any], sister: MapWorldGame[Any]
) -> None:
    said = f"this is an instance of {sister.name}, not of {game.name} (play {sister.name} with it)"
    assert refusal(game, by_hand(sister)) == said


@beside
@pytest.mark.parametrize(("game", "sister"), SISTERS, ids=IDS)
def test_so_are_all_published_instances(game: MapWorldGame[Any], sister: MapWorldGame[Any]) -> None:
    said = {refusal(game, {**each}) for each in instances(sister.name).values()}
    assert said == {f"this is an instance of {sister.name}, not of {game.name} (play {sister.name} with it)"}


@beside
@pytest.mark.parametrize("game", [*PICTURED, *TEXTUAL], ids=lambda game: game.name)
def test_each_game_takes_its_own_published_instances(game: MapWorldGame[Any]) -> None:
    options = game.configure({})
    assert all(game.pending(game.start({**each}, options)) for each in instances(game.name).values())


@pytest.mark.parametrize("game", [*PICTURED, *TEXTUAL], ids=lambda game: game.name)
def test_the_games_name_themselves_by_their_tasks(game: MapWorldGame[Any]) -> None:
    assert game.games[game.task] == game.name
