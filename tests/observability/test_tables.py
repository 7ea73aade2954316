"""The four tables: which columns there are, and what stands in a row."""

import re
from pathlib import Path

import pytest

from palaver_observability.records import record_of
from palaver_observability.tables.rows import episode_row, message_rows, run_row, score_names, turn_rows
from palaver_observability.tables.schema import COLUMNS, GRAINS, Grain, columns_of
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import RunConfig
from tests.deploy.exported_runs import a_log, aside, end, person, said

DOCS = Path(__file__).parents[2] / "docs" / "exports.md"

LOG: list[LogEntry] = a_log(
    "run",
    "toy-0",
    said(0, "guide", "Left?", "Guide them.", "Be brief.", copied_from="old/toy-0"),
    aside(1, "finder", "member_1", "Right.", ("finder",)),
    person(1, "Right."),
    end(success=1.0, speed=None),
)
RECORD = record_of(LOG)
CONFIG = RunConfig(run_id="run", game="toy", agents=("a", "b"), episodes=3)


def test_rows_have_the_columns_of_their_table_in_their_order() -> None:
    rows = {
        "runs": run_row(CONFIG, {}, 1),
        "episodes": episode_row(RECORD),
        "turns": next(turn_rows(RECORD, LOG)),
        "messages": next(message_rows(RECORD, LOG)),
    }
    assert {grain: list(row) for grain, row in rows.items()} == {
        grain: [column.name for column in COLUMNS[grain]] for grain in GRAINS
    }


@pytest.mark.parametrize("grain", GRAINS)
def test_every_column_is_documented_with_its_type_and_unit(grain: Grain) -> None:
    section = DOCS.read_text(encoding="utf-8").split(f"### {grain}:")[1].split("\n## ")[0].split("\n### ")[0]
    told = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", section, flags=re.MULTILINE)
    assert told == [(column.name, column.kind, column.about) for column in COLUMNS[grain]]


def test_each_score_can_have_a_column() -> None:
    names = [column.name for column in columns_of("episodes", score_names([RECORD]))]
    at = names.index("outcome")
    assert names[at + 1 : at + 4] == ["score_success", "score_speed", "turns"]


def test_turns_and_asides_have_their_places_in_the_log() -> None:
    rows = list(turn_rows(RECORD, LOG))
    assert [(row["n"], row["kind"], row["aside_kind"], row["turn"], row["seat"], row["voice"]) for row in rows] == [
        (1, "turn", None, 0, "guide", "guide"),
        (2, "aside", "answer", 1, "finder", "member_1"),
        (3, "turn", None, 1, "finder", "finder"),
    ]


def test_tokens_of_an_episode_are_those_of_its_turns_that_were_not_copied() -> None:
    paid = [row for row in turn_rows(RECORD, LOG) if row["copied_from"] is None]
    row = episode_row(RECORD)
    for name in ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens", "latency_s", "cost_usd"):
        assert sum(each[name] for each in paid) == row[name] > 0


def test_messages_are_told_once_and_in_order_with_who_may_see_them() -> None:
    rows = list(message_rows(RECORD, LOG))
    assert [(row["m"], row["n"], row["kind"], row["speaker"], row["audience"], row["text"]) for row in rows] == [
        (0, 1, "shown", "user", ["guide"], "Guide them."),
        (1, 1, "shown", "user", ["guide"], "Be brief."),
        (2, 1, "said", "guide", None, "Left?"),
        (3, 2, "aside", "member_1", ["finder"], "Right."),
        (4, 3, "shown", "user", ["finder"], "Which one?"),
        (5, 3, "said", "finder", None, "Right."),
    ]


@pytest.mark.parametrize("started", ["2026-01-01T12:00:00+00:00", "not a time", None, 7])
def test_a_run_that_does_not_say_when_it_began_has_no_time(started: object) -> None:
    found = run_row(CONFIG, {"started": started}, 1)["started"]
    assert (found is not None) == (isinstance(started, str) and started.startswith("2026"))
