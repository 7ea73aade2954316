"""The study's own instances of the reference game: their texts are ours, and scripts can play them."""

from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.reference import GAME, TEXT, prompts
from palaver_gamemasters.clembench.reference.players import PLAYERS
from tests.gamemasters.clembench.recordings import beside, instances
from tests.gamemasters.clembench.reference_play import acted

pytestmark = beside


def test_the_published_texts_about_grids_are_ours() -> None:
    for each in instances(TEXT.name).values():
        fields = each["instance"]
        guide = [Grid.read(fields[f"player_1_{name}_grid"]) for name in ("target", "second", "third")]
        follower = [Grid.read(fields[f"player_2_{name}_grid"]) for name in prompts.ORDINALS]
        assert fields["player_1_prompt_header"] == prompts.text_guide(guide)
        assert fields["player_2_prompt_header"] == prompts.text_follower(follower)


def test_the_published_texts_about_pictures_are_ours() -> None:
    found = [each["instance"] for each in instances(GAME.name).values()]
    assert {each["player_1_prompt_header"] for each in found} == {prompts.image_guide(at) for at in range(3)}
    assert {each["player_2_prompt_header"] for each in found} == {prompts.image_follower()}


def test_the_scripts_solve_the_published_grids() -> None:
    outcomes = [
        TEXT.outcome(acted(TEXT, ClemInstance.model_validate(each), PLAYERS["scripted"]))
        for each in instances(TEXT.name).values()
    ]
    assert outcomes.count("solved") >= 0.98 * len(outcomes)


def test_the_scripts_guess_in_the_right_form_where_pictures_have_no_words() -> None:
    instance = ClemInstance.model_validate(instances(GAME.name)["ADE_images", 0])
    drawn = {
        name: {"draw": {"kind": "grid", "rows": ["X"]}}
        for name in map(str, instance.instance.values())
        if name.endswith(".jpg")
    }
    shown = ClemInstance.model_validate({**instance.model_dump(), "pictures": drawn})
    state = acted(GAME, shown, PLAYERS["scripted"], modality="image")
    assert GAME.score(state)["Aborted"] == 0.0
