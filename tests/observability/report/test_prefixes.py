"""Frozen beginnings, proven against the dialogues that they were taken from."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from palaver_observability.records import digest_of
from palaver_observability.report.prefixes import shared_prefixes
from palaver_observability.report.study import read_study
from palaver_protocols.codec import encode
from palaver_protocols.content import Text
from palaver_protocols.messages import SeatFiller, TurnReply, TurnTaken
from tests.observability.report.folders import AStudy, a_run, an_episode
from tests.support import NOON, a_start


def turns(number: int, count: int) -> list[TurnTaken]:
    return [
        TurnTaken(
            key=f"k{turn}",
            at=NOON,
            reply=TurnReply(
                key=f"k{turn}",
                run_id="base",
                episode_id=f"toy-{number:05}",
                turn=turn,
                seat=f"agent_{turn % 2 + 1}",
                agent="b",
                parts=(Text(text=f"maze {number}, turn {turn}"),),
            ),
        )
        for turn in range(count)
    ]


def play_base(path: Path) -> Path:
    """Leave a run of two episodes with their transcripts."""
    run = a_run(path, ["b", "b"], [an_episode(number, ["b", "b"], 1.0) for number in range(2)])
    (run / "transcripts").mkdir()
    for number in range(2):
        start = a_start(
            run_id="base",
            episode_id=f"toy-{number:05}",
            instance_id=f"i{number}",
            seed=number,
            seats={"agent_1": (SeatFiller(agent="b"),)},
        )
        lines = [encode(entry) + b"\n" for entry in (start, *turns(number, 6))]
        (run / "transcripts" / f"toy-{number:05}.jsonl").write_bytes(b"".join(lines))
    return run


def a_relay(path: Path, k: int, said: Sequence[Sequence[TurnTaken]], folder: Path) -> None:
    records = [
        an_episode(number, [f"b@{k}>a", "b"], 1.0, frozen=len(each), prefix_sha256=digest_of(each))
        for number, each in enumerate(said)
    ]
    prefix = {"folder": str(folder), "run_id": "0", "turns": k}
    a_run(path, [f"b@{k}>a", "b"], records, prefix=prefix)


@pytest.fixture
def study(tmp_path: Path) -> AStudy:
    made = AStudy(tmp_path / "study")
    play_base(made.plan("homogeneous", {"model": "b"}))
    return made


def test_relays_that_begin_as_their_source_did_are_proven(study: AStudy) -> None:
    for k in (2, 4):
        a_relay(study.plan("relay-recovery", {"k": k}), k, [turns(0, k), turns(1, k)], study.path / "gone")

    two, four = shared_prefixes(read_study([study.path]))

    assert (two.turns, two.episodes, two.proven, two.instances) == (2, 2, 2, 2)
    assert (four.turns, four.proven) == (4, 2)
    assert two.digest != four.digest


def test_a_beginning_that_differs_is_found(study: AStudy) -> None:
    a_relay(study.plan("relay-recovery", {"k": 2}), 2, [turns(0, 2), turns(5, 2)], study.path)
    a_relay(study.plan("relay-primer", {"k": 2}), 2, [turns(0, 2), turns(1, 2)], study.path)

    (found,) = [each for each in shared_prefixes(read_study([study.path])) if each.turns == 2]

    assert (found.episodes, found.proven) == (4, 3)
    assert (found.instances, found.shared) == (2, 1)
    assert len(found.cells) == 2


def test_an_episode_that_was_over_before_k_turns_is_equal_too(study: AStudy) -> None:
    a_relay(study.plan("relay-recovery", {"k": 8}), 8, [turns(0, 6)], study.path)
    (found,) = shared_prefixes(read_study([study.path]))
    assert found.proven == 1


def test_a_source_that_is_not_at_hand_is_no_disproof(tmp_path: Path) -> None:
    a_relay(tmp_path / "relay", 2, [turns(0, 2)], tmp_path / "gone")
    (found,) = shared_prefixes(read_study([tmp_path / "relay"]))
    assert (found.episodes, found.proven) == (1, None)
