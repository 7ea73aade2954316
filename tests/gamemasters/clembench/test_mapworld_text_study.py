"""The study's own instances of textual MapWorld: their texts and fields are ours, and their files can be read."""

import pytest

from palaver_gamemasters.clembench.mapworld import TEXT, TEXT_GRAPHS, TEXT_ROOM
from palaver_gamemasters.clembench.mapworld.text.game import TextMapWorld
from palaver_gamemasters.clembench.mapworld.text.making import prompt_of
from tests.gamemasters.clembench.recordings import DATA, beside, instances

GAMES = [TEXT, TEXT_GRAPHS, TEXT_ROOM]

pytestmark = [beside, pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])]


def test_the_published_prompts_are_ours(game: TextMapWorld) -> None:
    prompts = {each["instance"]["Prompt"] for each in instances(game.name).values()}
    assert prompts == {prompt_of(game.task)}


def test_our_instances_have_the_published_fields(game: TextMapWorld) -> None:
    published = next(iter(instances(game.name).values()))["instance"]
    ours = next(game.instances(game.configure({}), 0)).data
    assert isinstance(ours, dict)
    made = ours["instance"]
    assert isinstance(made, dict)
    assert list(made) == list(published)
    fixed = {"Prompt", "Player2_positive_answer", "Player2_negative_answer", "Move_Construction", "Stop_Construction"}
    fixed |= {"Grid_Dimension", "Game_Type", "Loop_Reminder_Text", "Max_Turns_Reminder_Text"}
    assert {name: made[name] for name in fixed} == {name: published[name] for name in fixed}
    assert made.get("Response_Construction") == published.get("Response_Construction")


def test_all_published_instances_can_be_read_from_their_file(game: TextMapWorld) -> None:
    options = game.configure({"instances": str(DATA / "instances" / f"{game.name}.json")})
    assert len(list(game.instances(options, 0))) == len(instances(game.name))
