"""Options that contradict each other are refused in one line, and photographs are told by nobody."""

import json
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.matchit import ASCII, GAME
from palaver_gamemasters.drawing import Canvas, png
from palaver_gamemasters.registry import load_game
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.transcript import IN_WORDS

IDLE: list[tuple[str, dict[str, Any]]] = [
    ("matchit", {"questions": 4}),
    ("matchit_ascii", {"info": True}),
    ("mm_mapworld", {"rooms": 5}),
    ("textmapworld", {"connections": "4-5"}),
    ("textmapworld", {"cycle": False}),
    ("mm_mapworld_specificroom", {"distance": 2}),
    ("textmapworld_graphreasoning", {"ambiguity": 2}),
]


@pytest.mark.parametrize(("game", "given"), IDLE, ids=[f"{game}-{next(iter(given))}" for game, given in IDLE])
def test_an_option_of_our_own_instances_makes_no_sense_for_those_of_a_file(game: str, given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(UsageError) as raised:
        load_game(game).configure({**given, "instances": "/there/x.json"})
    assert str(raised.value) == (
        f"option {name} is for instances of our own, and those of /there/x.json are as they are "
        f"(leave out {name} or instances)"
    )


def test_options_that_are_as_they_always_are_contradict_nothing() -> None:
    given = {"questions": 3, "info": False, "experiment": "x", "profile": "clean", "modality": "text", "images": "/p"}
    options = GAME.configure({**given, "instances": "/there/x.json"})
    assert GAME.configure(options.model_dump(mode="json")) == options


@pytest.mark.parametrize("game", ["matchit", "multimodal_referencegame", "mm_mapworld"])
def test_a_folder_of_pictures_that_nobody_names_is_refused(game: str) -> None:
    with pytest.raises(UsageError, match=r"^option images is for .* \(give the file too: --set instances=FILE\)$"):
        load_game(game).configure({"images": "/pictures"})


def a_checkout(folder: Path, image: str = "a.png") -> Path:
    own = data_of(GAME)
    fields = {key: value for key, value in own["instance"].items() if key not in ("image_a", "image_b")}
    instance = {**fields, "image_a": image, "image_b": image}
    file = folder / "instances.json"
    file.write_text(json.dumps({"experiments": [{**own["experiment"], "game_instances": [instance]}]}))
    (folder / "a.png").write_bytes(png(Canvas(40, 30, "#336699").picture))
    return file


def data_of(game: ClemGame[Any, Any], **options: Any) -> Any:
    return next(game.instances(game.configure(options), 0)).data


def test_photographs_are_not_played_in_words(tmp_path: Path) -> None:
    file = a_checkout(tmp_path)
    with pytest.raises(InstanceError) as raised:
        data_of(GAME, instances=str(file), modality="text")
    assert str(raised.value) == (
        f"{file}, experiment same_image, game_id 0: the photograph a.png has no words "
        "(use modality=auto or modality=image)"
    )


def test_a_photograph_is_shown_to_nobody_under_text_though_the_game_has_begun(tmp_path: Path) -> None:
    data = data_of(GAME, instances=str(a_checkout(tmp_path)))
    state = GAME.start(data, GAME.configure({"modality": "text"}))
    with pytest.raises(InstanceError, match=r"^the photograph a\.png has no words \(use modality=auto"):
        GAME.view(state, "player_1")


def test_drawings_are_told_in_words() -> None:
    data = data_of(GAME, modality="text")
    view = GAME.view(GAME.start(data, GAME.configure({"modality": "text"})), "player_1")
    assert all(part.type == "text" for part in view[0].parts)
    assert IN_WORDS in view[0].text


def test_the_instances_of_another_game_are_known_by_their_fields_before_their_pictures(tmp_path: Path) -> None:
    file = a_checkout(tmp_path, "https://example.org/nowhere.jpg")
    walk: ClemGame[Any, Any] = load_game("mm_mapworld")  # type: ignore[assignment]  # one of ours
    with pytest.raises(InstanceError) as raised:
        data_of(walk, instances=str(file))
    assert "there is no picture" not in str(raised.value)
    assert "mm_mapworld" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", " holds no instances of clembench: it is empty (give "),
        ("[]", " holds no instances of clembench: it is empty (give "),
        ("[1, 2]", " holds no instances of clembench: it is a list (give "),
        ('{"experiments": []}', " has no experiments (give "),
        ('{"experiments": [{"name": "a", "game_instances": []}]}', ": there are no instances in a (give "),
        ('{"experiments": {}}', " holds no instances of clembench: experiments: Input should be a valid list (give "),
    ],
)
def test_a_file_without_instances_says_what_it_lacks(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(UsageError) as raised:
        data_of(ASCII, instances=str(file))
    assert str(raised.value).startswith(f"{file}{said}")


def test_where_there_is_no_file_a_checkout_would_do_too(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No such file or directory \(give a clembench checkout, or an instances"):
        data_of(ASCII, instances=str(tmp_path / "x.json"))
