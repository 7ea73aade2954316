"""Results of games that tell what was played from how well: how they are pooled, and what the terminal shows."""

import io
from collections.abc import Sequence

import pytest

from palaver_observability.standings import standings
from palaver_observability.stats import OVERALL, estimate, overall, pooled, summarize
from palaver_observability.table import PLAIN_WIDTH, print_results
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.dialogues import a_crash, a_dialogue

# same: 100, 0, aborted; other: 100 three times: 5 of 6 played (83.33 %), Main Score 80; by experiment it would be 75.
PLAYED = [
    a_dialogue("show", "same", 0, 100.0),
    a_dialogue("show", "same", 1, 0.0),
    a_dialogue("show", "same", 2, None),
    *(a_dialogue("show", "other", number, 100.0) for number in (3, 4, 5)),
]


def printed(records: Sequence[EpisodeRecord], main: Sequence[str] = ("Main Score", "success")) -> list[str]:
    stream = io.StringIO()
    print_results(summarize(records), stream, main=main, by_episode=True)
    return stream.getvalue().splitlines()


def test_a_game_says_whether_experiments_or_episodes_count_the_same() -> None:
    rows = summarize(PLAYED)
    assert [row.scores["Main Score"].mean for row in rows] == [50.0, 100.0]
    assert overall(rows)[0].scores["Main Score"].mean == 75.0
    assert overall(rows, by_episode=True)[0].scores["Main Score"].mean == 80.0


@pytest.mark.parametrize("kinds", [[[1.0, 0.0, 0.0], [1.0]], [[], [2.0, 4.0]], [[3.0], []]])
def test_pooled_by_episode_is_the_estimate_of_all_together(kinds: list[list[float]]) -> None:
    found, together = pooled(map(estimate, kinds), by_episode=True), estimate([each for kind in kinds for each in kind])
    assert found.n == together.n
    assert found.mean == pytest.approx(together.mean)
    assert found.standard_error == pytest.approx(together.standard_error)


def test_a_crashed_episode_is_counted_and_is_in_no_mean() -> None:
    crash = a_crash("show", "same", 9).model_copy(update={"turns": 99})
    same, _ = summarize([*PLAYED, crash])
    assert (same.n, same.outcomes["crashed"], same.turns) == (3, 1, 10.0)
    assert same.scores["Main Score"].n == 2


def test_there_is_a_line_an_experiment_and_one_for_all() -> None:
    lines = printed(PLAYED)
    assert lines[0] == "show: x/tall-2024-01-01"
    assert lines[1].split("  ")[0] == ""
    assert lines[1].split()[:6] == ["n", "%", "played", "Main", "Score", "success"]
    assert lines[2].split()[:5] == ["same", "3", "66.67", "50.0", "±50.0"]
    assert lines[3].split()[:4] == ["other", "3", "100.00", "100.0"]
    assert lines[4].split()[:5] == [OVERALL, "6", "83.33", "80.0", "±20.0"]
    assert max(map(len, lines)) <= PLAIN_WIDTH


def test_what_has_no_room_is_told_of_all_experiments_together() -> None:
    long = {f"a measure with a long name, number {number}": float(number) for number in range(4)}
    records = [one.model_copy(update={"scores": {**one.scores, **long}}) for one in PLAYED]
    lines = printed(records)
    said = next(line for line in lines if line.startswith("over all: "))
    assert "number 3 3.00" in " ".join(lines[lines.index(said) :])
    assert "Main Score" not in said


def test_what_does_not_count_has_a_column() -> None:
    lines = printed([*PLAYED, a_crash("show", "same", 9)])
    assert lines[1].split()[:3] == ["n", "not", "counted"]
    assert lines[2].split()[:3] == ["same", "3", "1"]
    assert "1 crashed" in lines[-1]


def test_an_experiment_of_which_nothing_was_played_has_no_score() -> None:
    lines = printed([*PLAYED[3:], a_dialogue("show", "same", 6, None)])
    assert lines[3].split()[:4] == ["same", "1", "0.00", "-"]


def test_standings_are_by_agents_and_leave_out_games_without_such_measures() -> None:
    pair = ("x/a", "y/b")
    records = [
        *PLAYED,
        a_dialogue("walk", "small", 0, 50.0),
        a_dialogue("show", "same", 0, 100.0, pair),
        a_dialogue("maze", "all", 0, 1.0, scores={"weighted_outcome": 1.0}),
        a_crash("show", "same", 7),
    ]
    tall, both = standings(records)
    assert (tall.name, list(tall.games)) == ("x/tall-2024-01-01", ["show", "walk"])
    assert (both.name, list(both.games)) == ("x/a, y/b", ["show"])
    assert tall.of("show").n == 6
    assert tall.of("maze").n == 0
    # 83.33 and 100: 91.66 (the hundredfold of 91.665 is below it); 80 and 50: 65
    assert tall.over(["show", "walk"]).average_quality == 65.0
    assert standings([a_dialogue("maze", "all", 0, 1.0, scores={"weighted_outcome": 1.0})]) == []


def test_standings_count_what_crashed_and_name_those_of_whom_all_did() -> None:
    records = [*PLAYED, a_crash("show", "same", 7), a_crash("show", "same", 0, ("x/worse",))]
    tall, worse = standings(records)
    assert (tall.of("show").n, tall.crashed) == (6, {"show": 1})
    assert (worse.of("show").n, worse.crashed) == (0, {"show": 1})


def test_a_measure_that_tells_what_ours_tells_is_not_shown_beside_it() -> None:
    twice = [one.model_copy(update={"scores": {**one.scores, "Success": one.scores["success"]}}) for one in PLAYED]
    assert printed(twice) == printed(PLAYED)
