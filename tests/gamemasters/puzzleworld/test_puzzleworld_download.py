"""Datasets from the Hugging Face hub, without the hub."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.download import PUBLISHED, downloaded
from palaver_protocols.errors import UsageError
from tests.gamemasters.puzzleworld.puzzle_folders import make_puzzle

COMMIT = "0123456789" * 4


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    downloaded.cache_clear()
    yield
    downloaded.cache_clear()


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """Stand in for the hub: return what was asked of it, repository and revision."""
    make_puzzle(tmp_path / "snapshots" / COMMIT / "puzzles" / "Going_Round")
    found: list[tuple[str, str | None]] = []

    def snapshot_download(repo_id: str, *, repo_type: str, revision: str | None, allow_patterns: list[str]) -> str:
        assert repo_type == "dataset"
        assert "*.png" in allow_patterns
        found.append((repo_id, revision))
        return str(tmp_path / "snapshots" / COMMIT)

    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(snapshot_download=snapshot_download))
    return found


def read(dataset: str) -> list[Any]:
    return [instance.data for instance in GAME.instances(GAME.configure({"dataset": dataset}), 0)]


@pytest.mark.parametrize(
    ("dataset", "wanted"),
    [
        ("hf", (PUBLISHED, None)),
        ("hf:", (PUBLISHED, None)),
        ("hf:me/mine", ("me/mine", None)),
        ("hf:me/mine@v2", ("me/mine", "v2")),
        ("hf:@v2", (PUBLISHED, "v2")),
    ],
)
def test_a_name_says_what_is_downloaded(
    asked: list[tuple[str, str | None]], dataset: str, wanted: tuple[str, str | None]
) -> None:
    assert [data["title"] for data in read(dataset)] == ["Going Round"]
    assert asked == [wanted]


@pytest.mark.usefixtures("asked")
def test_the_commit_is_recorded() -> None:
    assert [data["revision"] for data in read("hf:me/mine@main")] == [COMMIT]


def test_the_hub_is_asked_once(asked: list[tuple[str, str | None]]) -> None:
    assert read("hf") == read("hf")
    assert len(asked) == 1


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UsageError, match="need huggingface_hub") as raised:
        read("hf")
    assert raised.value.mend == "pip install 'palaver[puzzleworld]'"


def test_what_the_hub_says_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot_download(*_: Any, **__: Any) -> str:
        raise OSError("404:\n\n  no such dataset\n")

    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(snapshot_download=snapshot_download))
    with pytest.raises(UsageError) as raised:
        read("hf:me/mine@v9")
    assert str(raised.value) == (
        "the dataset me/mine at v9 cannot be downloaded: 404: no such dataset "
        "(see the name and the network, or give a folder with dataset=DIR)"
    )


def test_a_revision_beside_the_name_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the revision of hf:me/mine is a part of its name \(give hf:OWNER/NAME@REV"):
        GAME.configure({"dataset": "hf:me/mine", "revision": "v2"})
