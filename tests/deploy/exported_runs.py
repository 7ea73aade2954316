"""Run folders written by hand, for exports: tokens, dollars, people, teams, errors, without playing."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.content import Text
from palaver_protocols.messages import Aside, EpisodeEnded, LogEntry, SeatFiller, TurnTaken, Usage
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message
from tests.support import NOON, a_reply, a_request, a_start

SEATS = {"guide": (SeatFiller(agent="openai/o3"),), "finder": (SeatFiller(agent="human"),)}


def start(run_id: str, episode_id: str, **changes: Any) -> LogEntry:
    return a_start(run_id=run_id, episode_id=episode_id, seats=SEATS, **{"instance_id": episode_id, **changes})


def said(number: int, seat: str, text: str, *prompts: str, copied_from: str | None = None, **changes: Any) -> TurnTaken:
    usage = Usage(input_tokens=10 * (number + 1), output_tokens=number + 1, reasoning_tokens=1, cached_tokens=4)
    fields = {"usage": usage, "cost_usd": 0.25, "latency_s": 2.0, "agent": SEATS[seat][0].agent, **changes}
    reply = a_reply(a_request(f"k{number}", seat=seat, turn=number), text, **fields)
    told = tuple(Message(speaker="user", parts=(Text(text=prompt),), audience=(seat,)) for prompt in prompts)
    at = NOON + timedelta(seconds=10 * (number + 1))
    return TurnTaken(key=f"k{number}", prompts=told, reply=reply, copied_from=copied_from, at=at)


def person(number: int, text: str, pseudonym: str = "mild-otter-7", **changes: Any) -> TurnTaken:
    return said(number, "finder", text, "Which one?", provider="human", model=pseudonym, **changes)


def aside(number: int, seat: str, voice: str, text: str, to: Sequence[str] = ()) -> Aside:
    reply = said(number, seat, text).reply.model_copy(update={"seat": voice})
    return Aside(key=f"a{number}", seat=seat, kind="answer", audience=tuple(to), reply=reply, at=NOON)


def end(outcome: str = "solved", error: str | None = None, **scores: float | None) -> LogEntry:
    at = NOON + timedelta(minutes=1)
    fields = {"key": "end", "outcome": outcome, "scores": scores, "error": error, "at": at}
    return EpisodeEnded.model_validate(fields)


def a_log(run_id: str, episode_id: str, *steps: LogEntry) -> list[LogEntry]:
    """Begin a log with the start of its episode, and give its answers the names that belong to it."""
    own = {"run_id": run_id, "episode_id": episode_id}
    named = [
        step.model_copy(update={"reply": step.reply.model_copy(update=own)})
        if isinstance(step, TurnTaken | Aside)
        else step
        for step in steps
    ]
    return [start(run_id, episode_id), *named]


def a_run(path: Path, logs: Iterable[Sequence[LogEntry]], **changes: Any) -> Path:
    """Write a run folder of logs; those that have ended have their line in ``episodes.jsonl``."""
    found = list(logs)
    fields = {"run_id": path.name, "game": "toy", "agents": ("openai/o3", "human"), "episodes": len(found) or 1}
    config = RunConfig.model_validate({**fields, **changes})

    async def write() -> None:
        async with RunFolder.create(path, config) as folder:
            for log in found:
                assert log[0].type == "episode.started"
                await folder.write_log(log[0].episode_id, log)
                if isinstance(log[-1], EpisodeEnded):
                    await folder.add(record_of(log))

    asyncio.run(write())
    return path


def usual_run(path: Path) -> Path:
    """Write a run of four episodes: solved, failed with a frozen turn, ended by an error, not ended."""
    name = path.name
    return a_run(
        path,
        [
            a_log(
                name,
                "toy-0",
                said(0, "guide", "Left <b>or</b> right?", "Guide them."),
                aside(1, "finder", "member_1", "Right, I think.", ("finder",)),
                person(1, "Right."),
                end(success=1.0, speed=0.5),
            ),
            a_log(
                name,
                "toy-1",
                said(0, "guide", "Left.", "Guide them.", copied_from="old/toy-1"),
                person(1, "No.", "brave-wren-2"),
                end("failed", success=0.0, speed=None),
            ),
            a_log(name, "toy-2", said(0, "guide", "Hm.", "Guide them."), end("error", "the provider is gone")),
            a_log(name, "toy-3", said(0, "guide", "And?", "Guide them.")),
        ],
    )
