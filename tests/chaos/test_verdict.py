"""The judge, on runs made by hand: an even count is praised, and each thing that can go wrong is seen by its name."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.provider import NOBODY, Call, Said
from tests.chaos.verdict import Run, Story, Turn, judge, read_run

SOLVED = 'solved {"reached": 3.0}'
CHAIN = (NOBODY, "aaaaaaaa.1", "bbbbbbbb.1", "cccccccc.1")


def turn(number: int, *, name: str = "", after: str = "") -> Turn:
    name = name or CHAIN[number + 1]
    said = Said(number + 1, name, after or CHAIN[number])
    return Turn(number, ("first", "second")[number % 2], CHAIN[number + 1].partition(".")[0] * 4, str(said))


def call(number: int, begun: float = 0.0, generation: int | None = None, **over: float) -> Call:
    over = over or {"answered": begun + 1}
    return Call(turn(number).key, number if generation is None else generation, begun, 0, **over)


TURNS = (turn(0), turn(1), turn(2))
IDEAL = Run((("e", SOLVED),), {"e": Story(TURNS, (SOLVED,))})
CALLS = (call(0, 0), call(1, 1), call(2, 2))


def broken(
    turns: Sequence[Turn] = TURNS,
    *,
    ends: tuple[str, ...] = (SOLVED,),
    lines: tuple[tuple[str, str], ...] = IDEAL.lines,
    calls: Sequence[Call] = CALLS,
) -> dict[str, int]:
    return judge(Run(lines, {"e": Story(tuple(turns), ends)}), IDEAL, calls).broken()


def test_nothing_is_wrong_with_a_run_like_the_undisturbed_one() -> None:
    verdict = judge(IDEAL, IDEAL, CALLS)
    assert verdict.broken() == {}
    assert (verdict.calls, verdict.ideal) == (3, 3)


def test_what_was_not_promised_is_not_broken() -> None:
    verdict = judge(IDEAL, IDEAL, [call(0, lost=0.5), call(0, 1, 3), *CALLS[1:]])
    assert verdict.broken() == {"lost_in_flight": 1}
    assert verdict.broken(but={"lost_in_flight"}) == {}


def test_an_episode_without_a_line_is_lost() -> None:
    assert broken(lines=()) == {"lost_episodes": 1}


def test_an_episode_that_nobody_wrote_down_is_lost() -> None:
    assert judge(Run((), {}), IDEAL, ()).broken() == {"lost_episodes": 1, "unlike": 1}


def test_an_episode_that_ended_as_an_error_is_lost() -> None:
    assert broken(TURNS[:2], ends=("error {}",), lines=(("e", "error {}"),))["lost_episodes"] == 1


def test_an_episode_that_was_scored_otherwise_than_its_transcript_says_is_lost() -> None:
    assert broken(lines=(("e", 'solved {"reached": 4.0}'),)) == {"lost_episodes": 1}


def test_a_turn_that_is_there_twice() -> None:
    assert broken((*TURNS[:2], turn(1), turn(2))) == {"double_turns": 1, "forks": 1, "unlike": 1}


def test_a_hole() -> None:
    assert broken((turn(0), turn(2))) == {"holes": 1, "forks": 1, "unlike": 1, "other_histories": 1}


def test_a_fork() -> None:
    assert broken((turn(0), turn(1), turn(2, after="bbbbbbbb.2"))) == {"forks": 1, "unlike": 1}


def test_an_answer_to_another_question() -> None:
    assert broken((turn(0), turn(1), turn(2, name="dddddddd.1"))) == {"strays": 1, "unlike": 1}


@pytest.mark.parametrize("text", ["", "I am thinking of something else."])
def test_an_answer_that_is_none(text: str) -> None:
    assert broken((*TURNS[:2], TURNS[2]._replace(text=text))) == {"strays": 1, "forks": 1, "unlike": 1}


def test_two_lines_for_one_episode() -> None:
    assert broken(lines=IDEAL.lines * 2) == {"double_scores": 1}


def test_two_ends_of_one_transcript() -> None:
    assert broken(ends=(SOLVED, SOLVED)) == {"double_scores": 1, "unlike": 1}


def test_an_answered_call_is_paid_again() -> None:
    again = [*CALLS, call(1, 5, generation=9)]
    assert broken(calls=again) == {"paid_again": 1}
    assert judge(IDEAL, IDEAL, again).calls == 4


def test_a_call_whose_asker_died_is_lost_and_asked_again() -> None:
    assert broken(calls=[call(0, lost=0.5), call(0, 1, 9), *CALLS[1:]]) == {"lost_in_flight": 1}


def test_a_call_that_nobody_ended_is_lost() -> None:
    unanswered = replace(CALLS[2], answered=None)
    assert broken(calls=[*CALLS[:2], unanswered]) == {"lost_in_flight": 1}


def test_a_call_that_joins_the_lost_one_is_paid_once() -> None:
    joined = [call(0, lost=0.5), call(0, 1), *CALLS[1:]]
    assert broken(calls=joined) == {}
    assert judge(IDEAL, IDEAL, joined).calls == 3


def test_two_workers_on_one_call() -> None:
    longest = call(0, answered=9.0)
    assert broken(calls=[longest, call(0, 1, lost=2.0), call(0, 3, lost=4.0), *CALLS[1:]]) == {"at_once": 2}


def test_a_question_of_a_history_that_was_given_up() -> None:
    other = replace(call(2, 3, 9), key="9" * 32)
    assert broken(calls=[*CALLS, other]) == {"other_histories": 1}


def test_a_folder_is_read_as_it_lies_there(tmp_path: Path) -> None:
    def write(name: str, *lines: dict[str, Any]) -> None:
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))

    (tmp_path / "transcripts").mkdir()
    end = {"outcome": "solved", "scores": {"reached": 3.0}}
    replies = [{"turn": t.number, "seat": t.seat, "parts": [{"text": t.text}]} for t in TURNS]
    taken = [{"type": "turn.taken", "key": t.key, "reply": reply} for t, reply in zip(TURNS, replies, strict=True)]
    write("transcripts/e.jsonl", {"type": "episode.started"}, *taken, {"type": "episode.ended", **end})
    write("episodes.jsonl", {"episode_id": "e", **end})

    assert read_run(tmp_path) == IDEAL
