"""clembench's measures, against numbers worked out by hand and against pandas, with which clembench takes them."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_observability.statistics import (
    clemscore,
    clemscore_ci,
    clemscore_difference,
    episodes_of,
    game_score,
    played_difference,
    wilson,
)
from palaver_observability.statistics.clemscore import Episode, GameScore


def played(*mains: float, aborted: int = 0) -> list[Episode]:
    return [Episode(True, main) for main in mains] + [Episode(False, None)] * aborted


NOTHING_PLAYED = played(aborted=7)


def test_played_and_quality_by_hand() -> None:
    # 15 episodes, 1 aborted: 14/15 = 93.333 %; 10 of 14 at 100: 71.4286; squares 14 * (10/14)(4/14) * 1e4 = 28571.43,
    # / 13 = 2197.80, root 46.88
    found = game_score(played(*[100.0] * 10, *[0.0] * 4, aborted=1))
    assert (found.n, found.played) == (15, 14)
    assert found.named == {"% Played": 93.33, "Quality Score": 71.43, "Quality Score (std)": 46.88}


def test_the_clemscore_goes_on_with_what_was_rounded() -> None:
    # 93.33 * 71.43 / 100 = 66.6656; not rounded in between it is 66.6667
    game = game_score(played(*[100.0] * 10, *[0.0] * 4, aborted=1))
    assert clemscore([game]).clemscore == 66.67
    # three games of a third each: 33.33, not 33.33333
    third = game_score(played(100.0, 0.0, 0.0))
    assert clemscore([third] * 3).average_quality == 33.33


def test_experiments_are_pooled_and_an_average_is_over_games() -> None:
    games = [game_score(played(*[100.0] * 9, 0.0)), game_score(played(50.0, aborted=3))]
    found = clemscore(games)
    assert found.named == {"Average % Played": 62.5, "Average Quality Score": 70.0, "clemscore": 43.75}


def test_a_game_of_which_nothing_was_played_counts_for_played_and_not_for_quality() -> None:
    found = clemscore([game_score(played(80.0, 80.0)), game_score(NOTHING_PLAYED)])
    assert found.named == {"Average % Played": 50.0, "Average Quality Score": 80.0, "clemscore": 40.0}


def test_a_game_without_a_scored_episode_counts_for_neither() -> None:
    found = clemscore([game_score(played(80.0, 80.0)), game_score([])])
    assert found.named == {"Average % Played": 100.0, "Average Quality Score": 80.0, "clemscore": 80.0}


def test_where_nothing_at_all_was_played_there_is_no_clemscore() -> None:
    assert clemscore([game_score(NOTHING_PLAYED)]).named == {
        "Average % Played": 0.0,
        "Average Quality Score": None,
        "clemscore": None,
    }
    assert clemscore([]).average_played is None


def test_episodes_that_crashed_have_no_scores_and_are_absent() -> None:
    scores: list[dict[str, float | None]] = [
        {"Aborted": 0.0, "Main Score": 50.0},
        {"Aborted": 1.0, "Main Score": None},
        {"Aborted": 1.0, "Main Score": math.nan},
        {},
        {"Aborted": None, "Main Score": 100.0},
    ]
    assert episodes_of(scores) == played(50.0, aborted=2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.125, 0.12, id="half to even"),
        pytest.param(0.375, 0.38, id="half to even, upwards"),
        pytest.param(2.675, 2.68, id="2.675 is below it in binary, and its hundredfold is not"),
        pytest.param(1.005, 1.0, id="1.005 is below it, and so is its hundredfold"),
    ],
)
def test_rounding_is_that_of_pandas_on_binary_floats(value: float, expected: float) -> None:
    assert game_score(played(value)).quality == expected


EPISODES = st.lists(
    st.one_of(st.just(Episode(False, None)), st.floats(0, 100).map(lambda main: Episode(True, round(main, 4)))),
    min_size=1,
    max_size=30,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(EPISODES, min_size=1, max_size=4))
def test_all_is_as_pandas_has_it(games: list[list[Episode]]) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [
        {"game": at, "Played": float(episode.played), "Main Score": episode.main}
        for at, game in enumerate(games)
        for episode in game
    ]
    frame = pandas.DataFrame(rows).astype({"Main Score": float}).groupby("game")
    shares = (frame["Played"].mean() * 100).round(2)
    quality = frame["Main Score"].mean().round(2)
    found = [game_score(game) for game in games]
    assert [game.percent_played for game in found] == list(shares)
    assert [game.quality for game in found] == [None if math.isnan(each) else each for each in quality]
    averages = pandas.DataFrame({"played": shares, "quality": quality}).mean().round(2)
    together = pandas.Series([averages["played"] / 100 * averages["quality"]]).round(2)[0]
    ours = clemscore(found)
    assert ours.average_played == averages["played"]
    if math.isnan(together):
        assert ours.clemscore is None
    else:
        assert ours.clemscore == together


@settings(deadline=None)
@given(EPISODES)
def test_a_score_lies_within_its_scale_and_within_its_interval(game: list[Episode]) -> None:
    found = game_score(game)
    assert found.percent_played is not None
    assert 0 <= found.percent_played <= 100
    assert found.played_low is not None
    assert found.played_high is not None
    assert 0 <= found.played_low <= found.percent_played + 0.005
    assert found.percent_played - 0.005 <= found.played_high <= 100


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (27, 30), (1, 390)])
def test_the_interval_of_the_share_is_wilsons(successes: int, n: int) -> None:
    found = game_score(played(*[1.0] * successes, aborted=n - successes))
    theirs = wilson(successes, n)
    assert theirs.ci_low is not None
    assert theirs.ci_high is not None
    assert (found.played_low, found.played_high) == pytest.approx((100 * theirs.ci_low, 100 * theirs.ci_high), abs=1e-3)


GAMES = [played(*[100.0] * 20, *[0.0] * 5, aborted=5), played(*[50.0] * 28, 100.0, aborted=1)]


def test_the_same_seed_gives_the_same_interval_around_the_clemscore() -> None:
    found = clemscore_ci(GAMES)
    assert found == clemscore_ci(GAMES)
    assert found.estimate == clemscore(map(game_score, GAMES)).clemscore
    assert found.estimate is not None
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert found.ci_low < found.estimate < found.ci_high
    assert "2,000 draws, seed 0" in found.method


def test_the_interval_is_that_of_episodes_drawn_one_by_one() -> None:
    # 100 for half of 100 episodes: the standard error of the mean is 5, and 1.96 of it 9.8
    found = clemscore_ci([played(*[100.0] * 50, *[0.0] * 50)], draws=20_000)
    assert (found.ci_low, found.ci_high) == pytest.approx((40.2, 59.8), abs=0.9)


def test_a_draw_in_which_nothing_was_played_counts_nothing() -> None:
    assert clemscore_ci([played(100.0, aborted=2)]).ci_low == 0.0
    assert clemscore_ci([NOTHING_PLAYED, played(100.0, aborted=2)]).ci_low == 0.0


def test_where_nothing_was_played_there_is_neither_a_clemscore_nor_an_interval() -> None:
    found = clemscore_ci([NOTHING_PLAYED])
    assert (found.estimate, found.ci_low, found.ci_high) == (None, None, None)
    assert "nothing was played" in found.method


def test_averages_at_a_half_are_rounded_as_pandas_sums_them() -> None:
    # 0, 66.67, 75, 16.67: exactly 39.585, which would be rounded to 39.58; pandas sums up to a little more
    shares = [played(aborted=1), played(0.0, 0.0, aborted=1), played(0.0, 0.0, 0.0, aborted=1), played(0.0, aborted=5)]
    assert clemscore(map(game_score, shares)).average_played == 39.59


@settings(deadline=None, max_examples=30)
@given(st.lists(EPISODES, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_episodes_and_games_changes_no_interval(games: list[list[Episode]], random: Random) -> None:
    shuffled = [random.sample(game, len(game)) for game in random.sample(games, len(games))]
    assert clemscore_ci(shuffled, draws=50) == clemscore_ci(games, draws=50)


def test_the_interval_of_quality_ends_where_the_main_score_does() -> None:
    found = game_score(played(100.0, 0.0))  # standard error 50: -48 to 148
    assert (found.quality, found.quality_low, found.quality_high) == (50.0, 0.0, 100.0)


@pytest.mark.parametrize("games", [[], [[]], [played(100.0)]])
def test_too_few_episodes_have_no_interval(games: Sequence[Sequence[Episode]]) -> None:
    found = clemscore_ci(games)
    assert (found.ci_low, found.ci_high) == (None, None)


def test_a_difference_of_clemscores_is_first_minus_second() -> None:
    weak = [played(*[100.0] * 5, *[0.0] * 25)]
    found = clemscore_difference(GAMES[:1], weak)
    assert found.estimate == pytest.approx(66.66 - 16.67)
    assert found.ci_low is not None
    assert found.ci_low > 0
    assert clemscore_difference(weak, weak).estimate == 0.0
    assert clemscore_difference(weak, [[]]).estimate is None
    assert clemscore_difference(weak, [NOTHING_PLAYED]).estimate == 16.67


def test_a_difference_of_shares_is_newcombes() -> None:
    # Newcombe (1998), table II, example (a): 56/70 and 48/80 differ by 0.20, 95 % CI 0.0524 to 0.3339
    found = played_difference(played(*[1.0] * 56, aborted=14), played(*[1.0] * 48, aborted=32))
    assert found.estimate == pytest.approx(20.0)
    assert (found.ci_low, found.ci_high) == pytest.approx((5.24, 33.39), abs=0.01)
    assert played_difference([], played(1.0)).estimate is None


def test_a_game_without_episodes_has_nothing() -> None:
    assert game_score([]) == GameScore(n=0, played=0)
