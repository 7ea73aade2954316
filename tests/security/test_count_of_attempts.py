"""How many things are tried, by theme: what docs/security.md says is what there is."""

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from tests.security import (
    test_attempts_at_mqtt,
    test_attempts_at_the_gateway,
    test_attempts_in_messages,
    test_attempts_on_redis,
    test_attempts_over_a2a,
    test_attempts_to_be_shown,
    test_attempts_to_flood_redis,
)

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
THEMES: dict[str, Collection[str]] = {
    module.__name__.rpartition(".")[2]: module.ATTEMPTS
    for module in (
        test_attempts_on_redis,
        test_attempts_to_flood_redis,
        test_attempts_in_messages,
        test_attempts_at_the_gateway,
        test_attempts_at_mqtt,
        test_attempts_over_a2a,
        test_attempts_to_be_shown,
    )
}


def test_more_than_a_hundred_different_things_are_tried() -> None:
    different = {f"{theme}: {attempt}" for theme, attempts in THEMES.items() for attempt in attempts}
    assert len(different) == sum(map(len, THEMES.values()))
    assert len(different) - len(test_attempts_in_messages.ATTEMPTS) + len(test_attempts_in_messages.FORGED) >= 100


@pytest.mark.parametrize("theme", THEMES)
def test_the_page_says_how_many(theme: str) -> None:
    found = re.search(rf"`{theme}\.py`[^|]*\| (\d+) \|", PAGE)
    assert found, f"docs/security.md has no row for {theme}"
    assert int(found[1]) == len(THEMES[theme])


def test_the_page_says_how_many_in_all() -> None:
    assert f"| {sum(map(len, THEMES.values())):,} |" in PAGE
