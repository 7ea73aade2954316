# ruff: noqa: RUF001 - typographic quotes and full-width signs are what models write
import pytest

from palaver_gamemasters.maze.grading.plain import plain


@pytest.mark.parametrize(
    ("text", "levelled"),
    [
        ("**Move** to `(0,1)`", "Move to (0,1)"),
        ("（０，１）", "(0,1)"),
        ("Let\N{RIGHT SINGLE QUOTATION MARK}s go", "Let's go"),
        ("(0,0) -> (0,1) => (0,2)", "(0,0) ⟶ (0,1) ⟶ (0,2)"),
        (r"$(0,0) \rightarrow (0,1)$", " (0,0) ⟶ (0,1) "),
        (r"\left(0, 1\right)", "(0, 1)"),
        (r"\boxed{(0,1)}", "(0,1)"),
        (r"\text{right}, \downarrow", "right,  down ".replace("  ", " ")),
        ("➡️ ⬇️", "→ ↓"),
        ("(\N{MINUS SIGN}1, 0)", "(-1, 0)"),
        ("(1,2) is '.' and (2,1) is '#'.", "(1,2) is symbol and (2,1) is symbol."),
        ("Down is open (.) here", "Down is open here"),
        ("Why don't we go up?", "let's go up?"),
        ("## Final path", "Final path"),
    ],
)
def test_typography_and_markup_are_levelled(text: str, levelled: str) -> None:
    assert plain(text) == levelled


def test_rows_of_maps_are_taken_out_and_words_stay() -> None:
    said = "My map:\n```\n@.?#\n? ? . *\n```\nRow 1: . # ? .\nLet's go right."
    assert [line for line in plain(said).split("\n") if line.strip()] == ["My map:", "Let's go right."]


def test_a_line_of_arrows_is_no_map() -> None:
    assert plain("↓ ↓ →") == "↓ ↓ →"
