"""An episode as a sample of Inspect's: the dialogue, the calls, the scores."""

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

from inspect_ai.event import InfoEvent, ModelEvent, ScoreEvent
from inspect_ai.log import EvalError, EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score

from palaver_gamemasters.game import AnyGame
from palaver_observability.stats import NOT_COUNTED
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.messages import OWED, Aside, FinishReason, LogEntry, SeatChanged, TurnReply, TurnTaken, Usage
from palaver_protocols.quirks import OPENAI
from palaver_protocols.roles import chat_of
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.transcript import SYSTEM

from .folding import asked_in, folded

__all__ = ["Pictures", "sample_of", "usage_of"]

Pictures = Mapping[str, str]
"""Data URLs by SHA-256."""

STOPPED: dict[FinishReason, Literal["stop", "max_tokens", "content_filter", "unknown"]] = {
    "stop": "stop",
    "length": "max_tokens",
    "refusal": "content_filter",
    "content_filter": "content_filter",
    "other": "unknown",
}
CLASSES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


def data_url(image: Image, data: bytes) -> str:
    """Write a picture as a URL that holds it."""
    return f"data:{image.media_type};base64,{base64.b64encode(data).decode()}"


def sample_of(
    record: EpisodeRecord,
    entries: Sequence[LogEntry],
    *,
    id_: str,
    epoch: int,
    game: AnyGame | None,
    pictures: Pictures,
) -> EvalSample:
    """Make the sample of an episode that has ended.

    Args:
        record: its line in ``episodes.jsonl``.
        entries: its log.
        id_: of its instance, unique in the log of the run.
        epoch: how often the instance was played by then, this time included.
        game: its rules; without them a call shows only what was new to the seat.
        pictures: those that it shows, as data URLs.
    """
    writer = _Writer(record, pictures)
    steps = [entry for entry in entries if isinstance(entry, TurnTaken | Aside)]
    messages = [message for step in steps for message in writer.dialogue(step)]
    spoken = [step for step in steps if isinstance(step, TurnTaken)]
    scores = _scores(record)
    events: list[Any] = [*writer.events(entries, game)]
    for name, score in (scores or {}).items():
        events.append(ScoreEvent(score=score, scorer=name, timestamp=record.ended, uuid=writer.id("score", name)))
    return EvalSample(
        id=id_,
        epoch=epoch,
        input=writer.task(steps),
        target="",
        messages=messages,
        output=writer.output(spoken[-1].reply) if spoken else ModelOutput(),
        scores=scores,
        metadata=_metadata(record),
        events=events,
        model_usage=_by((entry.reply.agent, entry.reply) for entry in _paid(steps)),
        role_usage={seat: usage_of(usage, None) for seat, usage in record.usage.items()},
        started_at=record.started.isoformat(),
        completed_at=record.ended.isoformat(),
        total_time=(record.ended - record.started).total_seconds(),
        working_time=record.latency_s,
        uuid=writer.id("sample"),
        error=_error(record),
        turn_count=record.turns,
    )


def usage_of(usage: Usage, cost_usd: float | None) -> ModelUsage:
    """Count tokens as Inspect does, for which input leaves out what was cached."""
    return ModelUsage(
        input_tokens=max(0, usage.input_tokens - usage.cached_tokens),
        input_tokens_cache_read=usage.cached_tokens or None,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens or None,
        total_tokens=usage.tokens,
        total_cost=cost_usd,
    )


class _Writer:
    """Writes the messages of one episode; one that is shown again and again is one object, and has one id."""

    def __init__(self, record: EpisodeRecord, pictures: Pictures) -> None:
        self._place = f"{record.run_id}/{record.episode_id}"
        self._pictures = pictures
        self._known: dict[tuple[Any, ...], ChatMessage] = {}

    def id(self, *words: object) -> str:
        """Name something in this episode: the same name in every export."""
        return hashlib.sha256("/".join([self._place, *map(str, words)]).encode()).hexdigest()[:22]

    def dialogue(self, step: TurnTaken | Aside) -> Iterator[ChatMessage]:
        """Yield what a turn was the first to show, and what was answered, each with a line that says who and to whom.

        The line is a part of its own; ``metadata`` says the same.
        """
        reply = step.reply
        for at, prompt in enumerate(step.prompts):
            told = {"speaker": prompt.speaker, "to": reply.seat, "turn": reply.turn}
            made = ChatMessageSystem if prompt.speaker == SYSTEM else ChatMessageUser
            yield made(
                id=self.id("prompt", step.key, at),
                content=[_heading(f"to {reply.seat}"), *self._content(prompt.parts)],
                metadata=told,
            )
        said: dict[str, Any] = {"speaker": reply.seat, "agent": reply.agent, "turn": reply.turn}
        heading = reply.seat
        if isinstance(step, Aside):
            heading += f" to {', '.join(step.audience) or 'its successor'}, behind the seat {step.seat}"
            said["behind"] = step.seat
        yield ChatMessageAssistant(
            id=self.id("said", step.key),
            content=[_heading(heading), *self._content(reply.parts)],
            model=reply.model or reply.agent,
            metadata=said,
            source="generate",
        )

    def task(self, steps: Sequence[TurnTaken | Aside]) -> list[ChatMessage]:
        """Return what each seat was told before it spoke first, be it to its team."""
        first: dict[str, TurnTaken | Aside] = {}
        for step in steps:
            if isinstance(step, TurnTaken) or step.reply.seat == step.seat:
                first.setdefault(step.reply.seat, step)
        return [message for step in first.values() for message in list(self.dialogue(step))[:-1]]

    def events(self, entries: Sequence[LogEntry], game: AnyGame | None) -> Iterator[InfoEvent | ModelEvent]:
        """Yield a call for each answer, with all that was shown for it, and what else happened."""
        views = {
            step.n: self._view(asked.seat, chat_of(asked, OPENAI))
            for step in folded(game, entries)
            if (asked := asked_in(step)) is not None
        }
        for n, entry in enumerate(entries):
            if isinstance(entry, SeatChanged):
                said = {"seat": entry.seat, "agent": entry.agent, "how": "taken over by hand"}
                yield InfoEvent(source="palaver", data=said, timestamp=entry.at, uuid=self.id("changed", n))
            if isinstance(entry, TurnTaken | Aside):
                yield self._call(n, entry, views.get(n) or list(self.dialogue(entry))[:-1])

    def _call(self, n: int, entry: TurnTaken | Aside, view: list[ChatMessage]) -> ModelEvent:
        reply = entry.reply
        began = entry.at - timedelta(seconds=reply.latency_s)
        about: dict[str, Any] = {"seat": reply.seat, "turn": reply.turn, "key": entry.key}
        if isinstance(entry, Aside):
            about |= {"behind": entry.seat, "kind": entry.kind}
        if entry.copied_from:
            about["copied_from"] = entry.copied_from
        return ModelEvent(
            uuid=self.id("call", n),
            timestamp=began,
            completed=entry.at,
            working_start=0.0,
            working_time=reply.latency_s,
            model=reply.agent,
            role=reply.seat,
            input=view,
            tools=[],
            tool_choice="none",
            config=GenerateConfig(),
            output=self.output(reply),
            cache="read" if reply.cached else None,
            metadata=about,
        )

    def output(self, reply: TurnReply) -> ModelOutput:
        """Write an answer, to the letter."""
        message = ChatMessageAssistant(
            id=self.id("answer", reply.key),
            content=self._content(reply.parts),
            model=reply.model or reply.agent,
            source="generate",
        )
        return ModelOutput(
            model=reply.model or reply.agent,
            choices=[ChatCompletionChoice(message=message, stop_reason=STOPPED[reply.finish_reason])],
            usage=usage_of(reply.usage, reply.cost_usd),
            time=reply.latency_s,
        )

    def _view(self, seat: str, view: Iterable[Any]) -> list[ChatMessage]:
        times: Counter[tuple[Any, ...]] = Counter()
        found = []
        for message in view:
            said = (seat, message.role, message.parts)
            times[said] += 1
            place = (*said, times[said])
            if place not in self._known:
                made = CLASSES[message.role]
                self._known[place] = made(id=self.id("view", len(self._known)), content=self._content(message.parts))
            found.append(self._known[place])
        return found

    def _content(self, parts: Iterable[Part]) -> list[Any]:
        return [ContentText(text=part.text) if isinstance(part, Text) else self._picture(part) for part in parts]

    def _picture(self, image: Image) -> ContentImage | ContentText:
        url = self._pictures.get(image.sha256)
        if url is None:
            return ContentText(text=f"[the run folder has no picture {image.sha256[:12]}]")
        return ContentImage(image=url)


def _heading(words: str) -> ContentText:
    """Write the line that stands above what is said; the viewer joins the parts of a message, so it ends itself."""
    return ContentText(text=f"[{words}]\n\n")


def _paid(steps: Iterable[TurnTaken | Aside]) -> Iterator[TurnTaken | Aside]:
    return (step for step in steps if step.copied_from is None)


def _by(replies: Iterable[tuple[str, TurnReply]]) -> dict[str, ModelUsage]:
    found: dict[str, ModelUsage] = {}
    for name, reply in replies:
        found[name] = found.get(name, ModelUsage()) + usage_of(reply.usage, reply.cost_usd)
    return found


def _scores(record: EpisodeRecord) -> dict[str, Score] | None:
    """Return the measures of an episode that counts; those that are not defined are left out."""
    if record.outcome in NOT_COUNTED:
        return None
    last = record.gradings[-1] if record.gradings else None
    found = {}
    for name, value in record.scores.items():
        if value is None or not math.isfinite(value):
            continue
        graded = last is not None and name in last.scores
        found[name] = Score(
            value=value,
            explanation=last.reason if graded and last is not None else None,
            metadata={"grader": last.grader} if graded and last is not None else None,
        )
    return found


def _error(record: EpisodeRecord) -> EvalError | None:
    if record.outcome not in OWED:
        return None
    said = record.error or ("the budget was spent" if record.outcome == "budget" else "no reason is known")
    return EvalError(message=f"{record.outcome}: {said}", traceback="", traceback_ansi="")


def _metadata(record: EpisodeRecord) -> dict[str, Any]:
    plain = record.model_dump(mode="json")
    names = ("episode_id", "variant", "instance_id", "outcome", "turns", "asides", "frozen", "protocol", "seed")
    more = ("seats", "labels", "segments", "gradings", "finish_reasons", "scores", "cost_usd", "error")
    return {name: plain[name] for name in (*names, *more) if plain.get(name) not in (None, [], {})}
