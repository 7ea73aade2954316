"""Means and their uncertainty, against numbers worked out by hand."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_observability.records import record_of
from palaver_observability.stats import Estimate, estimate, is_ungraded, overall, pooled, summarize
from palaver_protocols.messages import EpisodeEnded, SeatFiller, Usage
from palaver_protocols.runs import EpisodeRecord, Grading
from tests.support import NOON, a_start


def episode(agents: tuple[str, ...] = ("x", "y"), **changes: Any) -> EpisodeRecord:
    seats = {seat: (SeatFiller(agent=agent),) for seat, agent in zip("ab", agents, strict=False)}
    ended = EpisodeEnded(key="end", outcome="solved", at=NOON)
    return record_of([a_start(seats=seats), ended]).model_copy(update=changes)


def test_mean_error_and_interval_by_hand() -> None:
    # 1, 2, 3, 4: mean 2.5, squares of deviations 5, sd = sqrt(5/3) = 1.29099, SE = sd/2 = 0.645497, 1.96 SE = 1.265175
    found = estimate([1, 2, 3, 4])
    assert (found.n, found.mean) == (4, 2.5)
    assert found.standard_error == pytest.approx(0.645497, abs=1e-6)
    assert (found.ci_low, found.ci_high) == pytest.approx((1.234825, 3.765175), abs=1e-6)


def test_a_share_by_hand() -> None:
    # 88 of 100: variance 0.88 * 0.12 * 100 / 99 = 0.1066667, SE = sqrt(that / 100) = 0.0326599
    found = estimate([1] * 88 + [0] * 12)
    assert found.mean == pytest.approx(0.88)
    assert found.standard_error == pytest.approx(0.0326599, abs=1e-7)


def test_one_value_has_no_spread_and_none_has_nothing() -> None:
    assert estimate([3.0]) == Estimate(n=1, mean=3.0)
    assert estimate([]) == Estimate(n=0)


def test_what_is_not_defined_is_skipped_and_n_says_so() -> None:
    assert estimate([1.0, None, math.nan, 3.0, math.inf]).n == 2
    assert estimate([1.0, None, math.nan, 3.0]).mean == 2.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=2), st.floats(-1e3, 1e3))
def test_moving_all_values_moves_the_mean_and_leaves_the_error(values: list[float], by: float) -> None:
    plain, moved = estimate(values), estimate([value + by for value in values])
    assert plain.mean is not None
    assert moved.mean == pytest.approx(plain.mean + by, abs=1e-6)
    assert moved.standard_error == pytest.approx(plain.standard_error, abs=1e-6)


def test_pairings_are_ordered_and_kept_apart() -> None:
    rows = summarize([episode(("x", "y")), episode(("y", "x")), episode(("x", "y")), episode(variant="other")])
    assert [(row.variant, row.agents, row.n) for row in rows] == [
        ("plain", ("x", "y"), 2),
        ("plain", ("y", "x"), 1),
        ("other", ("x", "y"), 1),
    ]


def test_rows_are_in_the_order_of_their_episodes_whichever_ended_first() -> None:
    ended = [
        episode(variant=name, episode_id=f"toy-{name}-{number:05}") for number, name in ((2, "c"), (10, "d"), (1, "b"))
    ]
    assert [row.variant for row in summarize(ended)] == ["b", "c", "d"]


def test_a_relay_is_written_as_on_the_command_line() -> None:
    relay = {"a": (SeatFiller(agent="x"), SeatFiller(agent="y", from_turn=4), SeatFiller(agent="z", from_turn=6))}
    assert summarize([episode(seats=relay)])[0].agents == ("x@4>y@6>z",)


def test_error_and_budget_are_shown_and_count_in_no_mean() -> None:
    usage = {"a": Usage(input_tokens=10, output_tokens=4), "b": Usage(input_tokens=1, output_tokens=2)}
    played = [
        episode(scores={"success": 1.0, "moves": 4.0}, turns=4, usage=usage, latency_s=2.0),
        episode(scores={"success": 0.0, "moves": None}, turns=6, usage=usage, latency_s=4.0, outcome="failed"),
    ]
    owed = [episode(scores={"success": 9.0}, turns=99, outcome=outcome) for outcome in ("error", "budget")]
    [row] = summarize([*owed, *played])
    assert row.n == 2
    assert row.outcomes == {"error": 1, "budget": 1, "solved": 1, "failed": 1}
    assert (row.scores["success"].mean, row.scores["success"].n) == (0.5, 2)
    assert (row.scores["moves"].mean, row.scores["moves"].n) == (4.0, 1)
    assert (row.turns, row.latency_s) == (5.0, 3.0)
    assert row.tokens == {"input": 11.0, "output": 6.0, "reasoning": 0.0}


RULES = Grading(grader="rules", scores={"success": 1.0, "messages": 4.0})
UNREADABLE = Grading(grader="x/y", ungraded=1, reason="it holds no YAML")


def test_ungraded_episodes_are_counted_apart_and_their_turns_are_kept() -> None:
    graded = episode(scores={"success": 0.0, "messages": 2.0}, turns=2, outcome="failed")
    ungraded = episode(scores={"success": None, "messages": 4.0}, turns=4, gradings=(RULES, UNREADABLE))
    [row] = summarize([graded, ungraded])
    assert (row.n, row.ungraded, row.outcomes) == (1, 1, {"failed": 1})
    assert (row.scores["success"].n, row.scores["messages"].n) == (1, 2)
    assert row.turns == 3.0


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"gradings": (RULES, UNREADABLE)}, True, id="its grader could not be read"),
        pytest.param({"gradings": ()}, False, id="nobody has graded it: the game has no such score"),
        pytest.param(
            {"gradings": (RULES, UNREADABLE), "scores": dict(RULES.scores)}, False, id="the rules count again"
        ),
        pytest.param(
            {"gradings": (RULES, UNREADABLE, Grading(grader="z", scores={"success": None}))},
            False,
            id="a later grader could be read",
        ),
        pytest.param({"gradings": (RULES, UNREADABLE), "outcome": "error"}, False, id="it was not played to an end"),
    ],
)
def test_an_episode_is_ungraded_if(changes: dict[str, Any], expected: bool) -> None:
    assert is_ungraded(episode(**{"scores": {"success": None, "messages": 4.0}, **changes})) is expected


def test_nothing_played_has_no_means() -> None:
    [row] = summarize([episode(outcome="error")])
    assert (row.n, row.turns, row.latency_s, row.scores) == (0, None, None, {})


def test_overall_each_variant_counts_the_same() -> None:
    # wire 1, 1, 1, 0 (mean 0.75) and who 0, 0 (mean 0): (0.75 + 0) / 2
    assert pooled([estimate([1, 1, 1, 0]), estimate([0, 0])]).mean == pytest.approx(0.375)


@given(st.lists(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), min_size=1, max_size=5))
def test_the_error_of_overall_is_that_of_all_episodes_together(kinds: list[list[float]]) -> None:
    together, found = estimate([value for kind in kinds for value in kind]), pooled(map(estimate, kinds))
    assert found.n == together.n
    if together.n > 1:
        assert found.standard_error == pytest.approx(together.standard_error, abs=1e-6)


def test_nothing_known_has_no_overall() -> None:
    assert pooled([estimate([]), estimate([])]) == Estimate(n=0)
    assert pooled([estimate([]), estimate([2.0])]) == Estimate(n=1, mean=2.0)


def test_overall_is_for_agents_that_played_several_variants() -> None:
    usage = {"a": Usage(input_tokens=10, output_tokens=4)}
    rows = summarize(
        [
            episode(variant="one", scores={"success": 1.0, "leaked": 1.0}, turns=2, usage=usage, cost_usd=0.5),
            episode(variant="two", scores={"success": 0.0}, turns=4, outcome="failed", usage=usage, cost_usd=0.25),
            episode(variant="two", outcome="error", usage=usage, cost_usd=0.25),
            episode(("y", "x"), variant="one", scores={"success": 1.0}),
        ]
    )
    [row] = overall(rows)
    assert (row.variant, row.agents, row.n) == ("overall", ("x", "y"), 2)
    assert row.outcomes == {"solved": 1, "failed": 1, "error": 1}
    assert (row.scores["success"].mean, row.scores["leaked"].n) == (0.5, 1)
    assert (row.turns, row.tokens["input"], row.cost_usd) == (3.0, 10.0, 1.0)


def test_overall_costs_nothing_known_where_a_price_is_missing() -> None:
    usage = {"a": Usage(input_tokens=10)}
    rows = summarize([episode(variant="one", usage=usage, cost_usd=0.5), episode(variant="two", usage=usage)])
    assert [row.cost_usd for row in overall(rows)] == [None]
