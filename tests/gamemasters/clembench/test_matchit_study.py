"""The study's own instances: their texts are ours, their grids are paired as ours are, and scripts can play them."""

from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.matchit import ASCII, GAME
from palaver_gamemasters.clembench.matchit.instances import GRIDS
from palaver_gamemasters.clembench.matchit.prompts import texts
from tests.gamemasters.clembench.matchit_playing import run
from tests.gamemasters.clembench.recordings import DATA, beside, instances

pytestmark = beside


def test_our_texts_are_those_of_the_study() -> None:
    for game in (GAME, ASCII):
        for (name, _), given in instances(game.name).items():
            ours = {"name": name, **texts(game.shown, alike=name.startswith("same"), questions=3, info=False)}
            assert list(given["experiment"].items()) == list(ours.items())


def test_the_studys_grids_are_paired_as_ours_are() -> None:
    apart: dict[str, set[int]] = {}
    for (name, _), given in instances("matchit_ascii").items():
        one, other = (Grid.read(given["instance"][f"grid_{player}"]) for player in "ab")
        apart.setdefault(name, set()).add(one.distance(other))
    assert tuple(apart) == GRIDS
    assert (apart["same_grid"], apart["similar_grid_2"], min(apart["different_grid"])) == ({0}, {2}, 9)


def test_scripted_players_tell_the_studys_grids_apart() -> None:
    file = str(DATA / "instances" / "matchit_ascii.json")
    assert [episode.outcome for episode in run(ASCII, "scripted", episodes=40, instances=file)] == ["solved"] * 40
