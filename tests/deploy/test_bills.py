"""What has been spent, in words."""

from typing import Any

import pytest

from palaver_deploy.bills import grading_bill, overspent
from palaver_observability.records import record_of
from palaver_protocols.messages import EpisodeEnded, Usage
from palaver_protocols.runs import EpisodeRecord, RunConfig
from tests.support import NOON, a_start

GPT = "openai/gpt-4.1"


def paid(cost_usd: float | None, tokens: int = 0, turns: int = 1) -> EpisodeRecord:
    ended = EpisodeEnded(key="end", outcome="solved", at=NOON)
    changes: dict[str, Any] = {
        "cost_usd": cost_usd,
        "turns": turns,
        "usage": {"grader_1": Usage(input_tokens=tokens - tokens // 3, output_tokens=tokens // 3)},
    }
    return record_of([a_start(), ended]).model_copy(update=changes)


def budget(**bounds: Any) -> RunConfig:
    return RunConfig(run_id="run", game="toy", agents=("x",), **bounds)


@pytest.mark.parametrize(
    ("grader", "records", "said"),
    [
        (GPT, [paid(0.5, turns=299), paid(0.21)], f"grading: 300 answers of {GPT}, $0.71"),
        (GPT, [paid(1.25), paid(1234.0, turns=1999)], f"grading: 2,000 answers of {GPT}, $1,235.25"),
        (GPT, [paid(0.000504)], f"grading: 1 answer of {GPT}, $0.000504"),
        (GPT, [paid(0.0)], f"grading: 1 answer of {GPT}, $0.00"),
        (GPT, [paid(0.99999)], f"grading: 1 answer of {GPT}, $1.00"),
        (GPT, [paid(0.5), paid(None, turns=0)], f"grading: 1 answer of {GPT}, $0.50"),
        (GPT, [paid(0.5), paid(None)], f"grading: 2 answers of {GPT}, cost unknown, since not every answer tells it"),
        ("vllm/x", [paid(None)], "grading: 1 answer of vllm/x, cost unknown, since no price is known for vllm/x"),
        ("vllm/x", [paid(None, turns=0)], ""),
        ("random", [paid(0.0)], ""),
        (GPT, [], ""),
    ],
)
def test_a_bill_says(grader: str, records: list[EpisodeRecord], said: str) -> None:
    assert grading_bill(grader, records, {}) == said


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (budget(budget_usd=0.01), "spent $0.036 of $0.01: what was in flight is paid too"),
        (budget(budget_usd=0.036), "spent $0.036 of $0.036: what was in flight is paid too"),
        (budget(budget_tokens=1000), "spent 1,200 of 1,000 tokens: what was in flight is paid too"),
        (
            budget(budget_usd=0.0125, budget_tokens=1),
            "spent $0.036 of $0.0125 and 1,200 of 1 tokens: what was in flight is paid too",
        ),
        (budget(budget_usd=0.01, budget_tokens=1201), "spent $0.036 of $0.01: what was in flight is paid too"),
        (budget(budget_usd=0.037), ""),
        (budget(), ""),
    ],
)
def test_a_budget_that_is_used_up_says(config: RunConfig, said: str) -> None:
    assert overspent(config, [paid(0.03, 900), paid(0.006, 300), paid(None)]) == said
