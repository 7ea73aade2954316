"""kill -9 any service at any moment: no episode is lost, no turn is taken twice, no answered call is paid twice.

Each test plays a run on a fleet of real processes in a storm, and compares what came of it with the same run in one
undisturbed process, and with the provider's bill. ``make chaos`` plays the full matrix.
"""

import asyncio
from pathlib import Path

import pytest

from tests.chaos.fleet import Size
from tests.chaos.power import compiler
from tests.chaos.provider import Provider
from tests.chaos.storm import Storm
from tests.chaos.trial import Trial, attempt, undisturbed
from tests.chaos.verdict import Run

pytestmark = pytest.mark.timeout(180)

MANY, FEW = 100, 30
TOKENS = 165
"""What the provider says that each answer took."""
QUICK = (0.05, 0.3)
PAID_AGAIN = 2
"""Answers a kill, at most, that had arrived and were not written down yet; that is a matter of milliseconds."""
CALM = Storm(most=0)
NOT_PAID_ONCE = frozenset({"paid_again", "lost_in_flight", "unlike"})
"""What a provider without keys cannot promise; and answers that are paid again are other answers."""


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run as it should be. Its first episodes are those of a shorter run, too."""
    return asyncio.run(undisturbed(Size(MANY), tmp_path_factory.mktemp("calm")))


def assert_unharmed(trial: Trial) -> None:
    """Nothing broken, nothing left over, and the books are right."""
    assert trial.verdict.broken() == {}
    assert trial.verdict.calls == trial.verdict.ideal
    assert_settled(trial)


def assert_settled(trial: Trial) -> None:
    """The run is over, its tokens are counted once, nobody died unasked, everybody ended when asked to."""
    assert not trial.aftermath.stalled
    assert (trial.status["state"], trial.status["archived"]) == ("done", trial.status["total"])
    assert trial.status["tokens"] == trial.verdict.ideal * TOKENS
    assert trial.aftermath.deaths == {}
    assert trial.ill_ends == {}


async def test_everything_is_killed_and_nothing_is_lost_or_paid_twice(tmp_path: Path, calm: Run) -> None:
    async with Provider(idempotent=True) as provider:
        trial = await attempt(Size(MANY), Storm(seed=1, pace=110, most=12, gap=(0.4, 1.0)), provider, tmp_path, calm)

    assert_unharmed(trial)
    assert trial.verdict.ideal == MANY * 20
    assert trial.aftermath.struck.total() >= 8
    assert trial.aftermath.struck["redis"] >= 1


@pytest.mark.skipif(compiler() is None, reason="power cuts need a C compiler (gcc)")
@pytest.mark.usefixtures("redis_7")
async def test_the_power_fails_with_a_second_unsynced(tmp_path: Path, calm: Run) -> None:
    storm = Storm(seed=11, strikes={"power": 2, "agent": 1, "gamemaster": 1}, pace=80, most=4)
    async with Provider(idempotent=True, latency=QUICK) as provider:
        trial = await attempt(Size(FEW, replicas=1, fsync="everysec", power=True), storm, provider, tmp_path, calm)

    # Leases are gone with what was not synced: two workers may be on one call, which this provider does not bill twice.
    assert trial.verdict.broken(but={"at_once"}) == {}
    assert trial.verdict.calls == trial.verdict.ideal
    assert_settled(trial)
    assert trial.unsynced > 0


async def test_without_a_providers_help_hardly_an_answer_is_paid_twice(tmp_path: Path, calm: Run) -> None:
    async with Provider(idempotent=False, latency=QUICK) as provider:
        trial = await attempt(Size(FEW), Storm(seed=3, pace=60, most=7), provider, tmp_path, calm)

    verdict = trial.verdict
    assert verdict.broken(but=NOT_PAID_ONCE) == {}
    assert verdict.calls - verdict.ideal <= trial.told_lost, "more was paid for nothing than the agents tell"
    assert verdict.paid_again <= PAID_AGAIN * trial.aftermath.struck["agent"]
    assert_settled(trial)


async def test_a_game_master_sleeps_beyond_its_lease(tmp_path: Path, calm: Run) -> None:
    storm = Storm(seed=4, strikes={"pause": 1}, gap=(0.1, 0.2), pace=100, most=3)
    async with Provider(idempotent=True, latency=QUICK) as provider:
        trial = await attempt(Size(FEW, replicas=1, lease_s=1.0), storm, provider, tmp_path, calm)

    assert_unharmed(trial)
    assert trial.leases_lost > 0


async def test_the_line_breaks_between_request_and_reply(tmp_path: Path, calm: Run) -> None:
    async with Provider(idempotent=False, latency=QUICK) as provider:
        size = Size(FEW, replicas=1, patience_s=600.0, replies_lost=0.01)
        trial = await attempt(size, CALM, provider, tmp_path, calm)

    assert_unharmed(trial)
    assert trial.lines_broken > 0


async def test_a_slow_model_is_not_a_dead_worker(tmp_path: Path) -> None:
    size = Size(FEW, turns=3, patience_s=0.5)
    async with Provider(idempotent=False, latency=(1.0, 1.5)) as provider:
        trial = await attempt(size, CALM, provider, tmp_path, await undisturbed(size, tmp_path))

    assert_unharmed(trial)
