"""The statistics of the studies, as pure functions over plain numbers.

What comes out says how it was found: ``method`` is a sentence for people, ``n`` counts what it rests on, and what is
not defined is None with the reason in ``method``. Most of it needs scipy and statsmodels, which
``pip install 'palaver[report]'`` brings; a call without them says so in one line.
"""

from .agreement import correlations, exact_agreement, fleiss_kappa, icc
from .clemscore import (
    ClemScore,
    GameScore,
    clemscore,
    clemscore_ci,
    clemscore_difference,
    episodes_of,
    game_score,
    played_difference,
)
from .comparisons import fisher, holm, mcnemar, paired_test
from .conditional import Conditional, Group, conditional
from .efficiency import RANGES, RangeRow, by_range, outcome_range
from .intervals import clopper_pearson, cluster_bootstrap, difference, mean_ci, mean_t_ci, wilson
from .relay import RelayPoint, relay_curve
from .results import Comparison, Correlation, Interval

__all__ = [
    "RANGES",
    "ClemScore",
    "Comparison",
    "Conditional",
    "Correlation",
    "GameScore",
    "Group",
    "Interval",
    "RangeRow",
    "RelayPoint",
    "by_range",
    "clemscore",
    "clemscore_ci",
    "clemscore_difference",
    "clopper_pearson",
    "cluster_bootstrap",
    "conditional",
    "correlations",
    "difference",
    "episodes_of",
    "exact_agreement",
    "fisher",
    "fleiss_kappa",
    "game_score",
    "holm",
    "icc",
    "mcnemar",
    "mean_ci",
    "mean_t_ci",
    "outcome_range",
    "paired_test",
    "played_difference",
    "relay_curve",
    "wilson",
]
