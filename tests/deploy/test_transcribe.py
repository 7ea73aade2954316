"""`palaver transcribe`: which pages are written, and where to."""

from pathlib import Path

import pytest

from tests.deploy.conftest import Palaver


@pytest.fixture
def run(palaver: Palaver) -> Path:
    """A run of three episodes."""
    palaver("run", "matchit", "-a", "scripted,random", "-n", 3, "-q", "--out", "run")
    return Path("run")


def page(name: str, below: str = "run/pages") -> str:
    return Path(below, f"{name}.html").read_text(encoding="utf-8")


def test_every_episode_has_a_page_in_the_run_folder_and_knows_its_neighbours(palaver: Palaver, run: Path) -> None:
    said = palaver("transcribe", run)
    assert (said.code, said.out) == (0, "3 pages: run/pages/index.html\n")
    names = ["matchit-same_image-00000", "matchit-similar_image-00001", "matchit-different_image-00002"]
    index = page("index")
    assert [index.count(f'href="{name}.html"') for name in names] == [1, 1, 1]
    middle = page(names[1])
    assert [f'href="{link}.html"' in middle for link in (names[0], names[2], "index")] == [True, True, True]


def test_a_game_with_minutes_shows_notes_and_pictures(palaver: Palaver, run: Path) -> None:
    palaver("transcribe", run)
    text = page("matchit-same_image-00000")
    assert "<b>Player 1</b> <span>scripted</span>" in text
    assert '<span class="label">Decision Player B</span>' in text
    assert text.count('src="data:image/png;base64,') == 2
    assert 'alt="kind: ' in text


@pytest.mark.parametrize("game", ["maze", "comma"])
def test_games_without_minutes_are_told_from_their_logs(palaver: Palaver, game: str) -> None:
    palaver("run", game, "-a", "random", "-n", 1, "-q", "--out", "run")
    assert palaver("transcribe", "run").out == "1 page: run/pages/index.html\n"
    (file,) = [each for each in Path("run/pages").iterdir() if each.name != "index.html"]
    assert '<li class="told gm"' in file.read_text(encoding="utf-8")


def test_episodes_can_be_named_by_their_beginning(palaver: Palaver, run: Path) -> None:
    document = palaver("transcribe", run, "matchit-same", "matchit-different", "--out", "there", "--json").document
    assert document["index"] == "there/index.html"
    assert [Path(each).name for each in document["pages"]] == [
        "matchit-same_image-00000.html",
        "matchit-different_image-00002.html",
    ]


def test_a_study_has_one_index_for_all_of_its_runs(palaver: Palaver, run: Path) -> None:
    palaver("run", "matchit_ascii", "-a", "random", "-n", 1, "-q", "--out", "other")
    palaver("export", "clembench", run, "other", "--out", "results")
    palaver("import", "clembench", "results", "--out", "study", "-q")
    palaver("transcribe", "study")
    below = "scripted-t0.0--random-t0.0--matchit"
    assert f'href="{below}/matchit-same_image-00000.html"' in page("index", "study/pages")
    assert 'href="../index.html"' in page("matchit-same_image-00000", f"study/pages/{below}")


def test_an_episode_that_goes_on_can_be_read(palaver: Palaver, run: Path) -> None:
    log = run / "transcripts" / "matchit-same_image-00000.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:5]))
    palaver("transcribe", run)
    assert "not ended yet" in page("matchit-same_image-00000")


def test_a_picture_that_is_lost_is_told(palaver: Palaver, run: Path) -> None:
    for blob in (run / "blobs").iterdir():
        blob.unlink()
    assert palaver("transcribe", run).code == 0
    assert "the run folder has no picture" in page("matchit-same_image-00000")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("nowhere",), "nowhere is no run folder"),
        (("run", "matchit-same", "nope"), "run has no episode 'nope' (a name, or the beginning of one)"),
    ],
)
def test_what_is_not_there_is_named(palaver: Palaver, run: Path, words: tuple[str, ...], complaint: str) -> None:
    said = palaver("transcribe", *words)
    assert (said.code, said.complaint[: len(complaint)]) == (2, complaint)


def test_pages_open_where_they_are_asked_to(palaver: Palaver, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    palaver("transcribe", run, "matchit-same", "--open")
    palaver("transcribe", run, "--open")
    assert [Path(each).name for each in opened] == ["matchit-same_image-00000.html", "index.html"]
