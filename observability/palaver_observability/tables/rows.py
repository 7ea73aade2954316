"""Rows of the four tables, as plain values: texts, numbers, lists, dictionaries, times. Pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from palaver_protocols.content import Image, text_of
from palaver_protocols.messages import Aside, LogEntry, TurnTaken, Usage
from palaver_protocols.runs import EpisodeRecord, RunConfig
from palaver_protocols.seating import relay_of
from palaver_protocols.transcript import Message

__all__ = ["Row", "episode_row", "message_rows", "run_row", "score_names", "turn_rows"]

Row = dict[str, Any]
"""Values by column, in the order of the columns."""


def run_row(
    config: RunConfig,
    written: Mapping[str, Any],
    episodes: int,
    *,
    study: str | None = None,
    experiment: str | None = None,
    labels: Mapping[str, Any] | None = None,
) -> Row:
    """Make the row of a run.

    Args:
        config: what it was asked to do.
        written: all that its ``config.yaml`` holds: when it began, and what it was made with.
        episodes: how many of its episodes are in the tables.
        study: of a study, its name.
        experiment: of a study, the experiment.
        labels: of a study, the place of the run in it.
    """
    made_with = written.get("made_with")
    made = made_with if isinstance(made_with, Mapping) else {}
    return {
        "run_id": config.run_id,
        "game": config.game,
        "study": study,
        "experiment": experiment,
        "labels": dict(labels or {}),
        "agents": list(config.agents),
        "options": config.options,
        "seed": config.seed,
        "protocol": config.protocol,
        "temperature": config.sampling.temperature,
        "top_p": config.sampling.top_p,
        "max_tokens": config.sampling.max_tokens,
        "reasoning_effort": config.sampling.reasoning_effort,
        "handoff": config.handoff,
        "prefix_run_id": config.prefix.run_id if config.prefix else None,
        "prefix_turns": config.prefix.turns if config.prefix else None,
        "planned": config.episodes,
        "episodes": episodes,
        "started": _time(written.get("started")),
        "palaver": _text(made.get("palaver")),
        "git_commit": _text(made.get("git_commit")),
        "instances_sha256": config.instances_sha256,
        "instances_revision": config.instances_revision,
    }


def episode_row(record: EpisodeRecord) -> Row:
    """Make the row of an episode that has ended: a line of ``episodes.jsonl``, flat."""
    plain = record.model_dump(mode="json")
    usage = sum(record.usage.values(), Usage())
    return {
        "run_id": record.run_id,
        "episode_id": record.episode_id,
        "game": record.game,
        "variant": record.variant,
        "instance_id": record.instance_id,
        "labels": {name: list(values) for name, values in record.labels.items()},
        "seed": record.seed,
        "agents": [relay_of(fillers) for fillers in record.seats.values()],
        "seats": plain["seats"],
        "protocol": record.protocol,
        "outcome": record.outcome,
        "scores": dict(record.scores),
        "turns": record.turns,
        "asides": record.asides,
        "frozen": record.frozen,
        "prefix_sha256": record.prefix_sha256,
        **_tokens(usage),
        "latency_s": record.latency_s,
        "cost_usd": record.cost_usd,
        "started": record.started,
        "ended": record.ended,
        "duration_s": (record.ended - record.started).total_seconds(),
        "error": record.error,
        **{name: plain[name] for name in ("usage", "message_tokens", "finish_reasons", "segments", "gradings")},
    }


def turn_rows(record: EpisodeRecord, entries: Sequence[LogEntry]) -> Iterator[Row]:
    """Yield the rows of an episode's answers: its turns, and what was said behind its seats."""
    for n, entry in enumerate(entries):
        if not isinstance(entry, TurnTaken | Aside):
            continue
        reply = entry.reply
        yield {
            "run_id": record.run_id,
            "episode_id": record.episode_id,
            "n": n,
            "kind": "aside" if isinstance(entry, Aside) else "turn",
            "aside_kind": entry.kind if isinstance(entry, Aside) else None,
            "turn": reply.turn,
            "seat": _seat(entry),
            "voice": reply.seat,
            "agent": reply.agent,
            "provider": reply.provider,
            "model": reply.model,
            "text": reply.text,
            "pictures": _pictures(reply.parts),
            "finish_reason": reply.finish_reason,
            **_tokens(reply.usage),
            "latency_s": reply.latency_s,
            "cost_usd": reply.cost_usd,
            "cached": reply.cached,
            "copied_from": entry.copied_from,
            "unverified": reply.unverified,
            "sent": reply.sent,
            "key": entry.key,
            "at": entry.at,
        }


def message_rows(record: EpisodeRecord, entries: Sequence[LogEntry]) -> Iterator[Row]:
    """Yield the rows of all that seats were shown and said, in order; what a seat is shown again is not repeated."""
    m = 0
    for n, entry in enumerate(entries):
        if not isinstance(entry, TurnTaken | Aside):
            continue
        aside = isinstance(entry, Aside)
        said = Message(
            speaker=entry.reply.seat,
            parts=entry.reply.parts,
            audience=entry.audience if isinstance(entry, Aside) else None,
        )
        shown = [("shown", prompt) for prompt in entry.prompts]
        for kind, message in (*shown, ("aside" if aside else "said", said)):
            yield {
                "run_id": record.run_id,
                "episode_id": record.episode_id,
                "m": m,
                "n": n,
                "turn": entry.reply.turn,
                "kind": kind,
                "seat": _seat(entry),
                "voice": entry.reply.seat,
                "speaker": message.speaker,
                "audience": None if message.audience is None else list(message.audience),
                "text": text_of(message.parts),
                "pictures": _pictures(message.parts),
            }
            m += 1


def score_names(records: Sequence[EpisodeRecord]) -> tuple[str, ...]:
    """Name all scores that some episodes have, in the order in which they come first."""
    return tuple(dict.fromkeys(name for record in records for name in record.scores))


def _seat(entry: TurnTaken | Aside) -> str:
    return entry.seat if isinstance(entry, Aside) else entry.reply.seat


def _tokens(usage: Usage) -> Row:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cached_tokens": usage.cached_tokens,
    }


def _pictures(parts: Sequence[Any]) -> list[str]:
    return [part.sha256 for part in parts if isinstance(part, Image)]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _time(value: Any) -> datetime | None:
    """Read when a run began, as ``config.yaml`` has it: a text, or what YAML makes of one."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)
