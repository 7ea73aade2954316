"""Cards in the place of pictures that are not at hand."""

from pathlib import Path

import pytest

from palaver_gamemasters.clembench.checkout import Album, experiments_in
from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.pictures import Picture, load, missing, words
from palaver_protocols.errors import InstanceError, UsageError


def test_a_card_carries_the_name_of_what_it_stands_for() -> None:
    recipe = missing.of("games/matchit/1.jpg")
    assert words(recipe) == "kind: picture not at hand\nname: games/matchit/1.jpg"
    assert features_of(words(recipe))["name"] == "games/matchit/1.jpg"
    cards = [load("x", Picture(draw=missing.of(name)), told=True).sha256 for name in ("1.jpg", "2.jpg", "1.jpg")]
    assert cards[0] != cards[1]
    assert cards[0] == cards[2]


@pytest.mark.parametrize("name", ["", "x", "https://example.org/" + "long/" * 90 + "1.jpg", "two\nlines.png"])
def test_any_name_has_its_card(name: str) -> None:
    card = load(name, Picture(draw=missing.of(name)), told=False)
    assert (card.width, card.height, card.alt) == (480, 300, None)


def test_an_album_gives_cards_to_those_who_ask_for_them(tmp_path: Path) -> None:
    fields = {"image_a": "nowhere/1.png"}
    with pytest.raises(InstanceError, match=r"there is no picture nowhere/1\.png"):
        Album(tmp_path / "file", None).named_in(fields)
    found = Album(tmp_path / "file", None, cards=True).named_in(fields)
    assert found == {"nowhere/1.png": Picture(draw={"kind": "missing", "name": "nowhere/1.png"})}


def test_experiments_of_a_checkout_are_read_with_their_own_fields_and_their_instances(tmp_path: Path) -> None:
    file = tmp_path / "games" / "toy" / "in" / "instances.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"experiments": [{"name": "one", "solution": "same", "game_instances": [{"game_id": 7}]}]}')
    assert experiments_in(tmp_path, "toy") == {"one": ({"name": "one", "solution": "same"}, [{"game_id": 7}])}
    with pytest.raises(UsageError, match="holds no instances of other"):
        experiments_in(tmp_path, "other")
