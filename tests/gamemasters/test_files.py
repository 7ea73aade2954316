"""Files that options name: where they are, whoever writes it down."""

from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.game import Options
from palaver_gamemasters.registry import load_game
from palaver_protocols.errors import UsageError

OPTIONS = [
    ("maze", "instances"),
    ("comma", "instances"),
    ("comma", "manuals"),
    ("comma", "images"),
    ("matchit", "instances"),
]


def told(game: str, option: str, value: str) -> Any:
    options: Options = load_game(game).configure({option: value})
    return getattr(options, option)


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_a_file_may_lie_in_the_home_folder_or_in_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, option: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert told(game, option, "~/x.json") == tmp_path / "home" / "x.json"
    assert told(game, option, "x.json") == tmp_path / "x.json"


def test_a_home_folder_that_there_is_not_is_one_line() -> None:
    with pytest.raises(UsageError) as raised:
        told("maze", "instances", "~nobody-is-called-so/x.json")
    assert str(raised.value) == (
        "maze: option instances cannot be '~nobody-is-called-so/x.json': there is no such home folder"
    )
