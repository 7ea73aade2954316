"""The messages of the peers: pydantic models, as both of their documentations have them, with the floor's fields."""

from typing import Any

from pydantic import BaseModel


class Question(BaseModel):
    """What :func:`workload.question` returns."""

    version: str
    type: str
    key: str
    run_id: str
    episode_id: str
    game: str
    variant: str
    turn: int
    seat: str
    agent: str
    partners: list[str]
    protocol: str
    sampling: dict[str, Any]
    seed: int
    view: list[dict[str, Any]]
    timeout_s: float
    attempt: int


class Answer(BaseModel):
    """What :func:`workload.answer` returns."""

    version: str
    type: str
    key: str
    run_id: str
    episode_id: str
    turn: int
    seat: str
    agent: str
    parts: list[dict[str, Any]]
    provider: str
    model: str
    finish_reason: str
    usage: dict[str, Any]
    latency_s: float
    cost_usd: float | None
