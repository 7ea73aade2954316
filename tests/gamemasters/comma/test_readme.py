"""What the page on COMMA shows can be used as it stands."""

import re
from pathlib import Path

import pytest

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.puzzles import TEN
from palaver_gamemasters.game import Instance

PAGE = Path(__file__).parents[3] / "gamemasters/palaver_gamemasters/comma/README.md"


@pytest.fixture
def shown(tmp_path: Path) -> list[Instance]:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "mine.jsonl"
    file.write_text(block)
    return list(GAME.instances(GAME.configure({"instances": str(file)}), 0))


def test_the_initialisations_on_the_page_can_be_played(shown: list[Instance]) -> None:
    assert [instance.variant for instance in shown] == list(TEN)
    options = GAME.configure({})
    assert not any(GAME.outcome(GAME.start(instance.data, options)) for instance in shown)


def test_every_option_and_score_is_on_the_page(shown: list[Instance]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    scores = {name for instance in shown for name in GAME.score(GAME.start(instance.data, GAME.configure({})))}
    missing = [name for name in [*GAME.options_type.model_fields, *scores] if f"`{name}`" not in page]
    assert missing == []
