"""The two places of a pairing: the order of seats that are alike, the names of seats that are not."""

from dataclasses import replace
from pathlib import Path

import pytest

from palaver_observability.report.findings import Contrast, order_findings
from palaver_observability.report.parts.order import order
from palaver_observability.report.parts.pairings import pairings
from palaver_observability.report.places import TURNS, Places, places_of
from palaver_observability.report.study import Facts, Study, read_study
from palaver_observability.statistics import Comparison
from tests.observability.report.folders import a_run, an_episode

SEATS = Places("solver", "expert", "as ")


def study_of(folder: Path, *seats: str) -> Study:
    """A study of two agents in both orders, four episodes each; the first one is the better solver."""
    runs = []
    for agents, scores in ((("a", "b"), (1.0, 1.0, 0.5, 1.0)), (("b", "a"), (0.0, 0.5, 0.5, 0.5))):
        records = [an_episode(number, agents, score) for number, score in enumerate(scores)]
        renamed = [
            record.model_copy(update={"seats": dict(zip(seats, record.seats.values(), strict=True))})
            for record in records
        ]
        runs.append(a_run(folder / "".join(agents), agents, renamed))
    return replace(read_study(runs), facts={"toy": Facts("weighted_outcome")})


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (("agent_1", "agent_2"), TURNS),
        (("solver", "expert"), SEATS),
        (("player_a", "player_b"), Places("player a", "player b", "as ")),
    ],
)
def test_seats_that_are_but_numbered_are_told_by_their_order(
    tmp_path: Path, seats: tuple[str, ...], expected: Places
) -> None:
    assert places_of(study_of(tmp_path, *seats).cells) == expected


def test_a_report_on_a_solver_and_an_expert_calls_them_so(tmp_path: Path) -> None:
    study = study_of(tmp_path, "solver", "expert")
    found = [section for part in (pairings, order) if (section := part(study)) is not None]
    assert len(found) == 2
    text = str(found)
    assert "The row is the solver, the column the expert." in text
    assert "a as solver, b as expert" in text
    assert "A as solver minus B as solver" in text
    assert "start" not in text.replace("text-anchor", "").lower()


def test_an_order_effect_says_who_had_better_be_the_solver() -> None:
    found = Contrast("a with b", Comparison(n=20, estimate=-0.2, p=0.01, method="paired t-test"), 0.01)
    assert order_findings([("a", "b", found)], SEATS) == (
        "The order matters for a with b: +0.20 with b as solver, p (Holm) 0.010.",
    )
