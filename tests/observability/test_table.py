"""The results table as people see it."""

import io

import pytest

from palaver_observability.stats import Row, estimate
from palaver_observability.table import PLAIN_WIDTH, print_results

MAZE = Row(
    game="maze",
    variant="pair-6x6",
    agents=("openai/gpt-4.1-mini", "anthropic/claude-sonnet-4-20250514"),
    n=100,
    outcomes={"failed": 12, "solved": 88, "error": 3},
    scores={
        "success": estimate([1.0] * 88 + [0.0] * 12),
        "weighted_outcome": estimate([1.0] * 88 + [-0.5] * 12),
        "moves": estimate([10.0, 12.0, 13.0]),
        "messages": estimate([8.0]),
    },
    turns=12.34,
    tokens={"input": 40_000.0, "output": 5_200.0, "reasoning": 900.0},
    latency_s=33.0,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def plain(*rows: Row, main: list[str] | None = None) -> str:
    stream = io.StringIO()
    print_results(rows, stream, main=main)
    return stream.getvalue()


def test_the_maze_fits_a_page() -> None:
    text = plain(MAZE)
    assert max(len(line) for line in text.splitlines()) <= PLAIN_WIDTH
    lines = text.splitlines()
    for fact in ("maze", "100", "success", "0.88", "0.033", "[0.82, 0.94]", "88 solved", "12.3", "45.2k"):
        assert fact in lines[1]
    for fact in ("pair-6x6", "weighted_outcome", "0.82", "[0.72, 0.92]", "12 failed"):
        assert fact in lines[2]
    assert "3 error" in lines[3]


def test_ungraded_episodes_stand_below_the_outcomes() -> None:
    text = plain(MAZE.model_copy(update={"ungraded": 4}))
    assert max(len(line) for line in text.splitlines()) <= PLAIN_WIDTH
    assert "4 ungraded" in text.splitlines()[4]
    assert "ungraded" not in plain(MAZE)


def test_a_row_of_ungraded_episodes_still_tells_its_tokens() -> None:
    assert "45.2k" in plain(MAZE.model_copy(update={"n": 0, "ungraded": 4}))


def test_only_the_main_scores_have_their_interval() -> None:
    assert plain(MAZE).count("[") == 2
    lines = plain(MAZE, main=["moves"]).splitlines()
    assert "moves" in lines[1]
    assert sum("[" in line for line in lines) == 1


def test_what_is_not_known_is_a_dash() -> None:
    row = MAZE.model_copy(update={"n": 0, "scores": {"success": estimate([])}, "turns": None, "outcomes": {"error": 2}})
    assert plain(row).splitlines()[1].split().count("-") == 5


def test_brackets_in_a_name_stay() -> None:
    assert "[red]me" in plain(MAZE.model_copy(update={"agents": ("[red]me",)}))


def test_no_episodes_is_said() -> None:
    assert plain() == "no episodes yet\n"


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in plain(MAZE)
    stream = Terminal()
    print_results([MAZE], stream)
    assert "\x1b" in stream.getvalue()


def test_a_narrow_terminal_shows_all_that_it_shows_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    stream = Terminal()
    print_results([MAZE], stream)
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["game", "agents", "n", "score", "mean", "SE", "95", "%", "CI", "outcomes"]
    assert lines[1].split()[0] == MAZE.game


def test_an_interval_is_shown_no_farther_than_the_score_can_go() -> None:
    scores = {"Main Score": estimate([100.0, 0.0]), "moves": estimate([100.0, 0.0])}  # both 50 [-48, 148]
    row = MAZE.model_copy(update={"scores": scores})
    assert "[0.00, 100.0]" in plain(row, main=["Main Score"])
    assert "[-48.0, 148.0]" in plain(row, main=["moves"])
