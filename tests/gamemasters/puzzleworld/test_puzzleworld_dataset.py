"""A dataset in a folder: where puzzles are found, and what is said of broken ones."""

import hashlib
import json
import re
import struct
import unicodedata
import zlib
from pathlib import Path
from typing import Any

import pytest

from palaver_protocols.errors import InstanceError, UsageError
from tests.gamemasters.puzzleworld.puzzle_folders import METADATA, instances, make_puzzle, paint, write_metadata


def loaded(place: Path, **options: Any) -> Any:
    (instance,) = instances(place, **options)
    return instance.data


def refusal(place: Path, **options: Any) -> str:
    with pytest.raises(UsageError) as raised:
        instances(place, **options)
    said = str(raised.value)
    assert "\n" not in said
    return said


def lines(root: Path, *puzzles: dict[str, Any]) -> None:
    written = [json.dumps({**METADATA, "reasoning": [], **puzzle}) for puzzle in puzzles]
    (root / "all_metadata.jsonl").write_text("\n".join(written), encoding="utf-8")


def blank_png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


# ---- where puzzles are found


@pytest.mark.parametrize("above", ["", "puzzles", "data/ref_puzzles", "data/puzzles/2014/may"])
def test_puzzles_are_found_at_any_depth(tmp_path: Path, above: str) -> None:
    make_puzzle(tmp_path / above / "Going_Round")
    make_puzzle(tmp_path / above / "Second", title="Second")
    assert {instance.id for instance in instances(tmp_path)} == {"Going_Round", "Second"}


def test_one_puzzle_or_its_metadata_will_do(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round")
    assert loaded(folder) == loaded(folder / "metadata.json")


def test_a_puzzle_is_read_whole(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round")
    data = loaded(tmp_path)
    digest = hashlib.sha256((folder / "content.png").read_bytes()).hexdigest()
    assert data["pages"] == [{"file": str(folder / "content.png"), "sha256": digest, "words": None}]
    assert data["figures"]["figure.png"]["file"] == str(folder / "figure.png")
    kept = ("title", "flavor_text", "difficulty", "solution", "reasoning", "modality", "skills", "source")
    assert {name: data[name] for name in kept} == METADATA
    assert json.loads(json.dumps(data)) == data


def test_labels_are_what_reports_group_by(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    (instance,) = instances(tmp_path)
    assert instance.labels == {"difficulty": ("easy",), "modality": ("text", "visual"), "skills": ("wordplay",)}


def test_the_revision_is_a_label_so_that_records_say_it(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    (instance,) = instances(tmp_path, revision="v7")
    assert instance.labels["revision"] == ("v7",)


@pytest.mark.parametrize("key", ["flavor_text", "flavor text"])
def test_the_flavour_text_has_two_keys(tmp_path: Path, key: str) -> None:
    folder = make_puzzle(tmp_path / "Going_Round")
    write_metadata(folder, without=("flavor_text",))
    metadata = json.loads((folder / "metadata.json").read_text())
    (folder / "metadata.json").write_text(json.dumps({**metadata, key: "Round and round."}))
    assert loaded(tmp_path)["flavor_text"] == "Round and round."


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_flavour_text_does_not_hide_another(tmp_path: Path, empty: str | None) -> None:
    fields: dict[str, Any] = {"flavor_text": empty, "flavor text": "Round and round."}
    make_puzzle(tmp_path / "Going_Round", **fields)
    assert loaded(tmp_path)["flavor_text"] == "Round and round."


@pytest.mark.parametrize("empty", ["", None])
def test_a_flavour_text_may_be_empty(tmp_path: Path, empty: str | None) -> None:
    make_puzzle(tmp_path / "Going_Round", flavor_text=empty)
    assert loaded(tmp_path)["flavor_text"] == ""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("text", ["text"]),
        ("Text, visual", ["text", "visual"]),
        ("['text', 'visual']", ["text", "visual"]),
        ('["text"]', ["text"]),
        ("[text, visual]", ["text", "visual"]),
        ("[]", []),
        (["structured", "structured"], ["structured"]),
        (["Olfactory"], ["Olfactory"]),
        ([], []),
        (None, []),
    ],
)
def test_labels_are_a_list_or_a_text_and_unknown_ones_are_kept(tmp_path: Path, written: Any, read: list[str]) -> None:
    make_puzzle(tmp_path / "Going_Round", modality=written)
    assert loaded(tmp_path)["modality"] == read


def test_labels_are_spelt_as_the_study_spells_them(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round", skills=["Tool use", "LOGIC"], difficulty="Hard")
    data = loaded(tmp_path)
    assert (data["skills"], data["difficulty"]) == (["tool_use", "logic"], "hard")


def test_pages_come_in_their_natural_order(tmp_path: Path) -> None:
    pages = ("content_10.png", "content_b.png", "content.png", "content_2.png", "content_a.png")
    make_puzzle(tmp_path / "Going_Round", pages)
    found = [Path(page["file"]).name for page in loaded(tmp_path)["pages"]]
    assert found == ["content.png", "content_2.png", "content_10.png", "content_a.png", "content_b.png"]


def test_words_beside_a_page_are_read(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round", ("content_1.png", "content_2.png"))
    (folder / "content_2.txt").write_text("Six rolls.\n")
    assert [page["words"] for page in loaded(tmp_path)["pages"]] == [None, "Six rolls.\n"]


def test_a_number_is_a_solution(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round", solution=42)
    assert loaded(tmp_path)["solution"] == "42"


def test_a_puzzle_without_steps_can_be_played(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round", reasoning=[])
    assert loaded(tmp_path)["reasoning"] == []


def test_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    make_puzzle(tmp_path / ".cache" / "Going_Round")
    assert len(instances(tmp_path)) == 1


# ---- the revision


def test_the_revision_is_what_the_option_or_a_file_or_the_cache_says(tmp_path: Path) -> None:
    commit = "0a8fbcb" + "0" * 33
    folder = make_puzzle(tmp_path / commit / "puzzles" / "Going_Round")
    assert loaded(folder.parent)["revision"] == commit
    (folder.parent / "REVISION").write_text("v2\n")
    assert loaded(folder.parent)["revision"] == "v2"
    assert loaded(folder.parent, revision="v3")["revision"] == "v3"


def test_a_folder_without_a_revision_has_none(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    assert loaded(tmp_path)["revision"] is None


# ---- all puzzles in one file


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"title": "Round?", "id": "Going_Round"},
        {"title": "Round?", "path": "puzzles/Going_Round"},
        {"title": "Round?", "path": "puzzles/Going_Round/content.png"},
        {"title": "Round?", "images": ["puzzles/Going_Round/content.png"]},
        {"title": "Round?", "image": {"path": "puzzles/Going_Round/content.png"}},
        {"title": "Going: round!"},
    ],
)
def test_a_line_names_its_folder_or_its_pages(tmp_path: Path, line: dict[str, Any]) -> None:
    page = paint(tmp_path / "puzzles" / "Going_Round" / "content.png")
    lines(tmp_path, line)
    (found,) = loaded(tmp_path)["pages"]
    assert found["file"] == str(page)


def test_the_file_may_be_named_itself(tmp_path: Path) -> None:
    paint(tmp_path / "Going_Round" / "content.png")
    lines(tmp_path, {})
    assert loaded(tmp_path / "all_metadata.jsonl") == loaded(tmp_path)


def test_figures_are_found_from_the_dataset_too(tmp_path: Path) -> None:
    paint(tmp_path / "Going_Round" / "content.png")
    figure = paint(tmp_path / "figures" / "figure_1.png")
    lines(tmp_path, {"reasoning": [{"explanation": "Look.", "figure": "figures/figure_1.png"}]})
    assert loaded(tmp_path)["figures"]["figures/figure_1.png"]["file"] == str(figure)


def test_a_line_without_a_folder_is_named(tmp_path: Path) -> None:
    paint(tmp_path / "Other" / "content.png")
    lines(tmp_path, {})
    assert refusal(tmp_path).startswith(f"Going Round: no folder of {tmp_path} with its pages is called Going_Round (")


def test_two_folders_for_one_line_are_named(tmp_path: Path) -> None:
    for above in ("a", "b"):
        paint(tmp_path / above / "Going_Round" / "content.png")
    lines(tmp_path, {})
    assert "there are the folders a/Going_Round and b/Going_Round" in refusal(tmp_path)


def test_a_line_that_is_no_json_is_named_and_can_be_left_out(tmp_path: Path) -> None:
    paint(tmp_path / "Going_Round" / "content.png")
    lines(tmp_path, {})
    with (tmp_path / "all_metadata.jsonl").open("a") as file:
        file.write('\n\n{"title"\n')
    said = refusal(tmp_path)
    assert said.startswith("all_metadata.jsonl, line 3: it is no JSON: ")
    assert said.endswith("(mend it, or leave it out: --set skip=line-3)")
    assert [instance.id for instance in instances(tmp_path, skip="line-3")] == ["Going_Round"]


@pytest.mark.parametrize(("here", "there"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_accents_may_be_written_in_two_ways(tmp_path: Path, here: Any, there: Any) -> None:
    name = "Caf\u00e9"
    page = paint(tmp_path / unicodedata.normalize(there, name) / "content.png")
    lines(tmp_path, {"title": unicodedata.normalize(here, name)})
    assert loaded(tmp_path)["pages"][0]["file"] == str(page)
    assert len(instances(tmp_path, puzzles=unicodedata.normalize(there, name))) == 1


def test_pages_that_a_line_lists_stay_in_its_order(tmp_path: Path) -> None:
    listed = ["content_2.png", "content_10.png", "content_1.png"]
    for name in listed:
        paint(tmp_path / "Going_Round" / name)
    lines(tmp_path, {"images": listed})
    assert [Path(page["file"]).name for page in loaded(tmp_path)["pages"]] == listed


# ---- what is said of broken ones


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": None}, "title: it is empty"),
        ({"solution": " "}, "solution: it is empty"),
        ({"reasoning": "think"}, "reasoning: it should be a list of steps"),
        ({"reasoning": [{"figure": None}]}, "reasoning: step 1 has no explanation"),
        ({"reasoning": ["Look.", {"explanation": " "}]}, "reasoning: step 2 has no explanation"),
        ({"reasoning": ["Look.", 3]}, "reasoning: step 2 is no step"),
        ({"reasoning": [{"explanation": 3}]}, "reasoning: step 1: its explanation should be text"),
        (
            {"reasoning": [{"explanation": "Look.", "figure": 3}]},
            "reasoning: step 1: its figure should be the name of a file",
        ),
        ({"title": "Going\0Round"}, "title: it has the control character U+0000"),
        ({"title": "Going\nRound"}, "title: it should be one line"),
        ({"flavor_text": "\x1b[31mred"}, "flavor_text: it has the control character U+001B"),
        ({"modality": 3}, "modality: it should be a list of words"),
        ({"skills": ["logic", 1]}, "skills: it should be a list of words"),
        ({"flavor_text": ["a"]}, "flavor_text: it should be text"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    make_puzzle(tmp_path / "Going_Round", **fields)
    mend = "(mend it, or leave it out: --set skip=Going_Round)"
    assert refusal(tmp_path) == f"Going_Round, metadata.json: {said} {mend}"


@pytest.mark.parametrize("field", ["title", "solution"])
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    write_metadata(make_puzzle(tmp_path / "Going_Round"), without=(field,))
    assert refusal(tmp_path).startswith(f"Going_Round, metadata.json: it has no {field} (")


def test_metadata_that_is_no_json_is_named(tmp_path: Path) -> None:
    (make_puzzle(tmp_path / "Going_Round") / "metadata.json").write_text("{")
    assert refusal(tmp_path).startswith("Going_Round, metadata.json: it is no JSON: ")


def test_pages_without_metadata_are_named(tmp_path: Path) -> None:
    (make_puzzle(tmp_path / "Going_Round") / "metadata.json").unlink()
    assert refusal(tmp_path).startswith(f"{tmp_path / 'Going_Round'} has pages, and no metadata.json (")


def test_a_puzzle_without_pages_is_named(tmp_path: Path) -> None:
    (make_puzzle(tmp_path / "Going_Round") / "content.png").unlink()
    assert refusal(tmp_path).startswith(f"Going_Round: {tmp_path / 'Going_Round'} has no page content.png (")


def test_a_figure_that_is_not_there_is_named_with_its_step(tmp_path: Path) -> None:
    (make_puzzle(tmp_path / "Going_Round") / "figure.png").unlink()
    assert refusal(tmp_path).startswith("Going_Round, reasoning: there is no figure.png (figure of step 2) in ")


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.png", "a/../../secret.png", "..\\secret.png"])
def test_a_figure_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    paint(tmp_path / "secret.png")
    make_puzzle(tmp_path / "set" / "Going_Round", reasoning=[{"explanation": "Look.", "figure": name}])
    assert f"figure of step 1 {name!r} leads out of its folder" in refusal(tmp_path / "set")


def test_a_page_outside_the_dataset_is_refused(tmp_path: Path) -> None:
    paint(tmp_path / "secret.png")
    (tmp_path / "set").mkdir()
    lines(tmp_path / "set", {"images": ["../secret.png"]})
    assert "page '../secret.png' leads out of its folder" in refusal(tmp_path / "set")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no PNG, JPEG, GIF or WebP picture (mend it, or leave it out: --set skip=Going_Round)"),
        (b"hello", "is no PNG, JPEG, GIF or WebP picture (mend it, or leave it out: --set skip=Going_Round)"),
        (blank_png(40, 40)[:-20], "is damaged: "),
        (blank_png(40, 40), "is damaged: "),
        (blank_png(50_000, 50_000), "has 50000 x 50000 pixels, and 50 million are the most (make it smaller, or leave"),
        (blank_png(10_000, 9_000), "has 10000 x 9000 pixels, and 50 million are the most (make it smaller, or leave"),
        (bytes(20_500_000), "has 20.5 MB, and 20 are the most (make it smaller, or leave it out"),
    ],
    ids=["empty", "text", "truncated", "short", "bomb", "large", "heavy"],
)
def test_a_page_that_cannot_be_shown_is_named(tmp_path: Path, data: bytes, said: str) -> None:
    page = make_puzzle(tmp_path / "Going_Round") / "content.png"
    page.write_bytes(data)
    assert refusal(tmp_path).startswith(f"Going_Round: {page} {said}")


def test_a_truncated_photograph_is_named(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round", ())
    page = paint(folder / "content.jpg", (200, 200))
    page.write_bytes(page.read_bytes()[:-200])
    assert refusal(tmp_path).startswith(f"Going_Round: {page} is damaged: ")


@pytest.mark.parametrize(("one", "other"), [("First", "Second"), ("a/First", "b/First")])
def test_two_puzzles_that_cannot_be_told_apart_are_named(tmp_path: Path, one: str, other: str) -> None:
    make_puzzle(tmp_path / one)
    make_puzzle(tmp_path / other)
    assert re.match(
        rf"two puzzles have the (title|folder) .*: {tmp_path / one} and {tmp_path / other} ", refusal(tmp_path)
    )


def test_broken_puzzles_can_be_left_out_as_the_error_says(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    for name in ("Broken", "Empty"):
        make_puzzle(tmp_path / name, title=name, solution="")
    said = refusal(tmp_path)
    assert said.startswith("Broken, metadata.json: solution: it is empty; 1 more is broken (")
    (names,) = re.findall(r"--set skip=([^)]+)\)", said)
    assert [instance.id for instance in instances(tmp_path, skip=names)] == ["Going_Round"]


def test_all_pictures_that_cannot_be_shown_are_named_at_once(tmp_path: Path) -> None:
    for name in ("One", "Two", "Three"):
        make_puzzle(tmp_path / name, title=name)
    for name in ("One", "Three"):
        (tmp_path / name / "content.png").write_bytes(b"hello")
    said = refusal(tmp_path)
    assert "is no PNG, JPEG, GIF or WebP picture; 1 more is broken (" in said
    (names,) = re.findall(r"--set skip=([^)]+)\)", said)
    assert set(names.split(",")) == {"One", "Three"}
    assert [instance.id for instance in instances(tmp_path, skip=names)] == ["Two"]


def test_a_folder_without_puzzles_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path).startswith(f"{tmp_path} holds no puzzle (it should hold all_metadata.jsonl, or folders")
    assert refusal(tmp_path / "nowhere").startswith(f"there is no dataset {tmp_path / 'nowhere'} (")


def test_errors_of_puzzles_are_errors_of_instances(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round", solution="")
    with pytest.raises(InstanceError):
        instances(tmp_path)
