"""Manuals: as the game reads them, as users swap them, and as several experts share them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import BEGINS, ENDS, Manual, assembled, divided, is_part
from palaver_gamemasters.comma.puzzles import load_puzzle, puzzle_names
from palaver_gamemasters.game import Instance
from palaver_protocols.errors import InstanceError, UsageError
from tests.deploy.conftest import Palaver, home, palaver
from tests.gamemasters.comma.playing import openings, played, run

__all__ = ["home", "palaver"]

WIRE = load_puzzle("wire")
TEXT = own_manual(WIRE).text

# Read as rules.

PAGE = Manual(
    "page.md",
    """Before all.

# The page

Some prose
in two lines.

## A list ##

- One,
  and its second line.
1. Two.

   More of it.
* Three.

## A table

| a | b |
| --- | :-: |
| 1 | 2 |
| x |  |
""",
)


def test_sections_are_found_by_title_in_any_case() -> None:
    assert [*PAGE.sections] == ["", "the page", "a list", "a table"]
    assert PAGE.section("A LIST").line == 8
    assert PAGE.section("the page").prose == "Some prose in two lines."
    assert PAGE.sections[""].prose == "Before all."


def test_items_keep_their_line_and_what_is_indented_below_them() -> None:
    assert [(item.line, item.text) for item in PAGE.section("a list").items] == [
        (10, "One, and its second line."),
        (12, "Two. More of it."),
        (15, "Three."),
    ]


def test_a_table_has_a_head_and_rows_with_their_lines() -> None:
    table = PAGE.section("a table").table
    assert table.head == ("a", "b")
    assert table.rows == ((21, ("1", "2")), (22, ("x", "")))


@pytest.mark.parametrize(
    ("text", "title", "problem"),
    [
        ("# One\n# Two", "three", "my.md: there is no section 'three'; it has 'One', 'Two'"),
        ("no heading", "three", "my.md: there is no section 'three'; it has none"),
        ("# One\n\ntext", "one", "my.md, line 1: section 'One' has no table"),
        ("\n# One\n| a |\n| b |", "one", "my.md, line 2: section 'One' has no table"),
        ("# One\n| a | b |\n|---|---|\n| 1 |", "one", "my.md, line 4: the row has 1 cells, the table's head 2"),
    ],
)
def test_what_is_missing_in_a_page_is_named_with_its_place(text: str, title: str, problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        _ = Manual("my.md", text).section(title).table
    assert str(raised.value) == problem


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## 4 wires", "## Four wires", r"my\.md: there is no section '4 wires'; it has 'Wire puzzle', '3 wires', .*"),
        ("- Otherwise, cut the second wire.\n", "", r"my\.md, line \d+: the last rule of '4 wires' must be without .*"),
        ("cut the third wire", "cut it", r"my\.md, line \d+: 'If there are no yellow wires .* is no rule, such as .*"),
        ("there are no black wires", "it rains", r"my\.md, line \d+: 'it rains' is no condition that wires can meet"),
        ("cut the second wire", "cut the sixth wire", r"my\.md, line 7: there is no sixth of 3 wires"),
        ("last blue wire", "last green wire", r"my\.md, line 9: no condition says that there is such a green wire"),
    ],
)
def test_a_malformed_wire_manual_is_one_line_that_names_file_and_line(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    assert old in TEXT
    (tmp_path / "my.md").write_text(TEXT.replace(old, new, 1))
    with pytest.raises(UsageError) as raised:
        first_of(puzzle="wire", manuals=tmp_path / "my.md")
    assert re.fullmatch(problem, str(raised.value).removeprefix(f"{tmp_path}/"))


# Swapped by a user.


def first_of(**options: object) -> Instance:
    return next(iter(GAME.instances(GAME.configure(options), 0)))


def swapped() -> str:
    """Return a manual by which always the first wire is to be cut."""
    rules = "\n\n".join(f"## {count} wires\n\n- Cut the first wire." for count in (3, 4, 5, 6))
    return f"# Wire puzzle\n\nIt is a simple device.\n\n{rules}\n"


def test_a_swapped_manual_changes_the_rules_and_is_what_the_expert_is_given(tmp_path: Path) -> None:
    (tmp_path / "simple.md").write_text(swapped())
    episodes = [*run("scripted", puzzle="wire", manuals=str(tmp_path / "simple.md"))]
    assert [episode.scores["success"] for episode in episodes] == [1.0] * 10
    assert {episode.scores["mistakes"] for episode in episodes} == {0.0}
    assert {deed.action for episode in episodes for deed in episode.state.deeds} == {"cut_wire_1"}
    assert "It is a simple device." in GAME.view(episodes[0].state, "expert")[0].text


def test_a_swapped_manual_travels_with_the_initialisation(tmp_path: Path) -> None:
    (tmp_path / "simple.md").write_text(swapped())
    instance = first_of(puzzle="wire", manuals=tmp_path / "simple.md")
    (tmp_path / "simple.md").unlink()
    assert GAME.start(instance.data, GAME.configure({})).now.right == 0


def test_only_a_manual_of_a_user_s_own_is_written_into_the_initialisation() -> None:
    data = first_of(puzzle="wire").data
    assert isinstance(data, dict)
    assert data["manual"] is None


def test_a_folder_of_manuals_is_looked_through_by_name(tmp_path: Path) -> None:
    (tmp_path / "wire.md").write_text(swapped())
    (tmp_path / "notes.txt").write_text("mine")
    data = first_of(puzzle="wire", manuals=tmp_path).data
    assert isinstance(data, dict)
    assert data["manual"] == swapped()


def test_a_byte_order_mark_does_not_hide_the_first_heading(tmp_path: Path) -> None:
    (tmp_path / "wire.md").write_text(swapped()[swapped().index("## 3 wires") :], encoding="utf-8-sig")
    assert GAME.start(first_of(puzzle="wire", manuals=tmp_path).data, GAME.configure({})).now.right == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"puzzle": "wire", "manuals": "no.md"}, "cannot read {}/no.md: No such file or directory (name a text file)"),
        ({"puzzle": "all", "manuals": "no.md"}, "cannot read {}/no.md: No such file or directory (name a text file)"),
        ({"puzzle": "wire", "manuals": "binary.md"}, "cannot read {}/binary.md: it is no UTF-8 text"),
        ({"puzzle": "wire", "manuals": "folder"}, "{}/folder holds no manual of what is played (name it wire.md)"),
        ({"puzzle": "all", "manuals": "wire.md"}, "{}/wire.md is one manual, and all puzzles are played (name its"),
        ({"puzzle": "wire", "manuals": "empty.md"}, "{}/empty.md: there is no section '3 wires'; it has none"),
        ({"puzzle": "wires"}, "there is no puzzle 'wires' (did you mean wire?)"),
        ({"puzzle": "nowhere:PUZZLE"}, "the puzzle 'nowhere:PUZZLE' cannot be loaded: ModuleNotFoundError"),
        ({"puzzle": "json:loads"}, "json:loads is no puzzle (name an instance of a Puzzle subclass)"),
        ({"puzzle": "json:PUZZLE"}, "the puzzle 'json:PUZZLE' cannot be loaded: AttributeError"),
    ],
)
def test_what_is_wrong_with_the_files_of_a_run_is_one_line(
    options: dict[str, object], problem: str, *, palaver: Palaver, home: Path
) -> None:
    (home / "wire.md").write_text(TEXT)
    (home / "binary.md").write_bytes(b"\xff\xfe\x00")
    (home / "empty.md").write_text("")
    (home / "folder").mkdir()
    (home / "folder" / "Wires.md").write_text(TEXT)
    words = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    said = palaver("run", "comma", "--agents", "random", "-n", 1, *words)
    assert said.code == 2
    assert said.complaint.startswith(problem.format(home))


# Shared by several experts.

MARKDOWN = st.lists(
    st.sampled_from(["# One", "## Two ##", "- an item", "  more of it", "| a | b |", "|---|---|", "| 1 | 2 |", "", " "])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=30).filter(
        lambda line: line.rstrip() not in (BEGINS, ENDS)  # hypothesis takes constants out of the source
    ),
    max_size=30,
).map("\n".join)


@given(MARKDOWN, st.integers(2, 6))
def test_the_parts_of_any_text_together_are_the_text(text: str, count: int) -> None:
    if sum(bool(line.strip()) for line in text.split("\n")) < count:
        with pytest.raises(InstanceError, match="cannot be divided among"):
            divided(text, count)
        return
    parts = divided(text, count)
    assert len(parts) == count
    assert all(is_part(part) for part in parts)
    assert assembled(reversed(parts)) == text


@given(MARKDOWN.filter(lambda text: sum(bool(line.strip()) for line in text.split("\n")) >= 6), st.integers(2, 6))
def test_every_expert_holds_a_line_with_something_on_it(text: str, count: int) -> None:
    for part in divided(text, count):
        held = part.partition(f"\n{BEGINS}\n")[2].rpartition(f"\n{ENDS}")[0]
        assert held.strip()


@pytest.mark.parametrize("name", puzzle_names())
@pytest.mark.parametrize("count", [2, 3, 6])
def test_the_parts_of_every_manual_together_are_the_manual(name: str, count: int) -> None:
    manual = own_manual(load_puzzle(name)).text
    parts = divided(manual, count)
    assert assembled(f"Here you are:\n{part}\nThat is all." for part in parts) == manual
    assert assembled(["\n\n".join(parts)]) == manual
    assert max(len(part) for part in parts) < 0.9 * len(manual) + 200


def test_a_manual_is_whole_only_with_all_its_parts() -> None:
    one, two, three = divided(TEXT, 3)
    assert assembled([one, three]) is None
    assert assembled([]) is None
    assert assembled([one.replace(BEGINS, "---"), two, three]) is None
    assert assembled([one, two, one, three]) == TEXT


def test_a_part_says_what_it_continues() -> None:
    manual = "# Page\n\n## Table\n\n| word | list |\n| --- | --- |\n" + "\n".join(f"| w{n} | l |" for n in range(9))
    _, two, three = divided(manual, 3)
    head = "of 3 of the manual. It continues the section: Table. It continues a table whose head is: | word | list |."
    assert two.splitlines()[0] == f"Part 2 {head}"
    assert three.splitlines()[0] == f"Part 3 {head}"


def test_a_manual_that_tells_of_parts_is_divided_all_the_same() -> None:
    manual = "Part 1 of 9 of the manual.\nPart 2 of 2 of the manual\nThe end."
    assert not is_part(manual)
    assert assembled(divided(manual, 2)) == manual


def test_a_manual_that_holds_the_mark_of_a_part_says_so() -> None:
    with pytest.raises(InstanceError, match=r"^line 2 of the manual looks like the mark of a part"):
        divided(f"a\n{ENDS}\nb", 2)


# Every manual that there is.


@pytest.mark.parametrize("name", puzzle_names())
def test_a_manual_is_read_from_the_very_text_that_the_expert_is_given(name: str) -> None:
    (opening,) = openings("random", episodes=1, puzzle=name)
    episode = played(opening)
    own = own_manual(load_puzzle(name))
    assert GAME.view(episode.state, "expert")[0].text.endswith(own.text)
    assert rules_of(load_puzzle(name), own.text) == episode.state.rules


@pytest.mark.parametrize("name", puzzle_names())
@pytest.mark.parametrize("text", ["", "# Nothing\n", "| a |\n|---|\n", "\x00", "- \n# \n## #"])
def test_a_manual_that_tells_nothing_is_refused_in_one_line(name: str, text: str) -> None:
    with pytest.raises(InstanceError) as raised:
        load_puzzle(name).read_manual(Manual("mine.md", text))
    assert str(raised.value).startswith("mine.md")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", puzzle_names())
def test_a_manual_from_which_a_line_is_missing_is_read_or_refused_and_breaks_nothing(name: str) -> None:
    puzzle = load_puzzle(name)
    lines = own_manual(puzzle).text.splitlines()
    for missing in range(len(lines)):
        text = "\n".join([*lines[:missing], *lines[missing + 1 :]])
        try:
            puzzle.read_manual(Manual("mine.md", text))
        except InstanceError as error:
            assert str(error).startswith("mine.md")  # noqa: PT017 - many are no error at all
