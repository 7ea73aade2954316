"""The curve of a relay over K."""

import pytest

from palaver_observability.statistics import difference, mean_ci, relay_curve


def test_points_rise_in_k_and_gain_over_the_same_mazes() -> None:
    weak = [0.1, 0.2, 0.3, None]
    late, early = [1.0, 1.0, 0.7, 1.0], [0.5, None, 0.2, 0.9]
    curve = relay_curve({8: late, 2: early}, weak)
    assert [point.k for point in curve] == [2, 8]
    # K = 2: mean (0.5 + 0.2 + 0.9) / 3; on the mazes that both played 0.4 and -0.1 better
    assert curve[0].estimate.estimate == pytest.approx(1.6 / 3)
    assert curve[0].gain.estimate == pytest.approx(0.15)
    # K = 8: 0.9, 0.8 and 0.4 better
    assert curve[1].gain.estimate == pytest.approx(0.7)
    assert [(point.estimate.n, point.gain.n) for point in curve] == [(3, 2), (4, 3)]


def test_a_point_is_estimated_and_compared_as_elsewhere() -> None:
    relay, weak = [0.5, 0.7, 0.2], [0.1, 0.2, 0.3]
    [point] = relay_curve({4: relay}, weak)
    assert point.estimate == mean_ci(relay)
    assert point.gain == difference(relay, weak, paired=True)


def test_without_a_baseline_there_is_no_gain() -> None:
    [point] = relay_curve({2: [0.5, 0.7]}, [])
    assert point.estimate.estimate == pytest.approx(0.6)
    assert (point.gain.n, point.gain.estimate) == (0, None)
    assert "no baseline" in point.gain.method


def test_a_baseline_over_other_mazes_is_refused() -> None:
    with pytest.raises(ValueError, match="same order of instances"):
        relay_curve({2: [0.5, 0.7]}, [0.5])
