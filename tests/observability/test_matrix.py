"""The table of agents that have played several variants of a game, as people see it."""

import io

import pytest

from palaver_observability.stats import Row, estimate
from palaver_observability.table import PLAIN_WIDTH, print_results

PUZZLES = ("wire", "telehealth", "who", "led", "memory", "keypad", "password", "color", "maze", "atm")


def a_row(variant: str, solved: int, n: int = 10, agents: tuple[str, ...] = ("x/a", "x/b"), **changes: object) -> Row:
    fields = {
        "game": "comma",
        "variant": variant,
        "agents": agents,
        "n": n,
        "outcomes": {"solved": solved, "failed": n - solved},
        "scores": {
            "partial_success": estimate([1.0] * solved + [0.25] * (n - solved)),
            "success": estimate([1.0] * solved + [0.0] * (n - solved)),
            "mistakes": estimate([0.0] * solved + [3.0] * (n - solved)),
        },
        "turns": 5.0,
        "tokens": {"input": 900.0, "output": 100.0, "reasoning": 0.0},
        "latency_s": 1.0,
    }
    return Row.model_validate({**fields, **changes})


TEN = [a_row(name, solved) for solved, name in enumerate(PUZZLES, start=1)]
TEN = [TEN[0].model_copy(update={"outcomes": {"solved": 1, "failed": 9, "error": 2}, "ungraded": 1}), *TEN[1:]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def plain(*rows: Row, main: list[str] | None = None) -> list[str]:
    stream = io.StringIO()
    print_results(rows, stream, main=main)
    return stream.getvalue().splitlines()


def test_ten_puzzles_stand_side_by_side_with_their_mean_last() -> None:
    lines = plain(*TEN, main=["success"])
    assert max(map(len, lines)) <= PLAIN_WIDTH
    assert lines[0] == "comma: x/a, x/b"
    assert lines[1].split() == [*PUZZLES, "overall"]
    assert lines[2].split() == ["n", *["10"] * 10, "100"]
    success = next(line for line in lines if line.startswith("success"))
    assert success.split()[1:4] == ["0.10", "0.20", "0.30"]
    assert success.split()[-1] == "0.55"  # the mean of 0.1, 0.2, ... 1


def test_standard_errors_stand_below_means_and_not_where_nothing_varies() -> None:
    lines = plain(*TEN, main=["success"])
    below = lines[lines.index(next(line for line in lines if line.startswith("success"))) + 1].split()
    assert below[0] == "±.100"  # 0.1 of 10: sqrt(0.1 * 0.9 / 9)
    assert len(below) == 10  # nine puzzles and overall: all ten episodes of the last are solved


def test_the_leading_scores_come_first() -> None:
    order = [line.split()[0] for line in plain(*TEN, main=["mistakes"]) if line[:1].isalpha()]
    assert order[:5] == ["comma:", "n", "not", "mistakes", "partial_success"]


def test_what_counts_in_no_mean_is_counted_apart() -> None:
    lines = plain(*TEN)
    assert next(line for line in lines if line.startswith("not counted")).split()[2:] == ["3", *["0"] * 9, "3"]
    assert lines[-1] == "55 solved, 45 failed, 2 error, 1 ungraded; an episode: 5.00 turns, 1.0k tokens"


def test_a_narrow_terminal_has_the_columns_below_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    stream = Terminal()
    print_results(TEN, stream, main=["success"])
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split() for line in lines if line.startswith(" ") and "±" not in line and line.split()]
    assert [name for head in heads for name in head] == [*PUZZLES, "overall"]


def test_a_score_that_one_puzzle_has_alone_is_a_dash_elsewhere() -> None:
    leaky = a_row("atm", 1, scores={"success": estimate([0.0, 1.0]), "leaked": estimate([0.0, 1.0])})
    lines = plain(TEN[1], leaky, main=["success"])
    assert next(line for line in lines if line.startswith("leaked")).split() == ["leaked", "-", "0.50", "0.50"]


def test_agents_that_played_one_variant_keep_the_usual_table() -> None:
    alone = a_row("wire", 3, agents=("random", "random"))
    lines = plain(alone, *TEN[:2])
    assert lines[0].split()[:4] == ["game", "agents", "n", "score"]
    assert "comma: x/a, x/b" in lines
    assert "comma: random, random" not in lines
    assert plain(alone)[0] == lines[0]
