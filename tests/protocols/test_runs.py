"""Run configurations and episode records."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from palaver_protocols.messages import SeatFiller, Usage
from palaver_protocols.runs import RECORD_SCHEMA, EpisodeRecord, RunConfig

RECORD = EpisodeRecord(
    run_id="r",
    episode_id="e",
    game="maze",
    variant="pair",
    instance_id="6x6-0",
    seed=0,
    seats={"agent_1": (SeatFiller(agent="a"), SeatFiller(agent="b", from_turn=4))},
    protocol="prefixes",
    outcome="failed",
    scores={"success": 0, "grade": None},
    turns=50,
    usage={"agent_1": Usage(input_tokens=1)},
    latency_s=1.5,
    cost_usd=None,
    started=datetime(2025, 1, 1, tzinfo=UTC),
    ended=datetime(2025, 1, 2, tzinfo=UTC),
    error=None,
)


def test_a_record_has_the_fields_of_the_file_format() -> None:
    assert set(json.loads(RECORD.model_dump_json())) == {
        *("schema", "run_id", "episode_id", "game", "variant", "instance_id", "seed", "seats", "protocol", "outcome"),
        *("scores", "turns", "usage", "latency_s", "cost_usd", "started", "ended", "error"),
        *("asides", "frozen", "prefix_sha256", "segments", "message_tokens", "finish_reasons", "gradings"),
    }


def test_a_record_names_its_schema() -> None:
    assert json.loads(RECORD.model_dump_json())["schema"] == RECORD_SCHEMA


def test_a_record_survives_the_file() -> None:
    assert EpisodeRecord.model_validate_json(RECORD.model_dump_json()) == RECORD


def test_a_record_of_another_schema_is_refused() -> None:
    with pytest.raises(ValidationError, match="schema"):
        EpisodeRecord.model_validate({**RECORD.model_dump(), "schema": "palaver.episode/2.0"})


def test_a_run_survives_its_file() -> None:
    config = RunConfig(run_id="r", game="maze", agents=("random",), options={"size": 6})
    assert RunConfig.model_validate_json(config.model_dump_json()) == config


@pytest.mark.parametrize(
    "change",
    [{"agents": ()}, {"episodes": 0}, {"tries": 0}, {"timeout_s": 0}, {"timeout_s": float("inf")}, {"run_id": ""}],
)
def test_a_run_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(change))):
        RunConfig.model_validate({"run_id": "r", "game": "maze", "agents": ("random",), **change})
