"""What spans say, in the words of OpenTelemetry's GenAI conventions; what these have no word for is ``palaver.*``.

Nothing that was said in a game is among it, unless somebody has asked for that
(``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT``).
"""

import json
from typing import Any

from palaver_protocols.content import Part, Text
from palaver_protocols.messages import EpisodeStarted, TurnFailure, TurnReply, TurnRequest

from ..genai_metrics import provider_name
from ..metrics import HUMAN, parts_of

__all__ = ["Attributes", "answered", "asked", "call", "content", "episode"]

Attributes = dict[str, Any]


def episode(started: EpisodeStarted) -> Attributes:
    """Describe an episode."""
    return {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": started.game,
        "palaver.variant": started.variant,
        "palaver.instance": started.instance_id,
        "palaver.agents": [fillers[-1].agent for fillers in started.seats.values()],
        **_where(started.run_id, started.episode_id, started.game),
    }


def asked(request: TurnRequest) -> Attributes:
    """Describe a question to a seat."""
    return {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": request.agent, **_question(request)}


def call(request: TurnRequest) -> Attributes:
    """Describe a call of a provider."""
    sampling = {
        "gen_ai.request.temperature": request.sampling.temperature,
        "gen_ai.request.top_p": request.sampling.top_p,
        "gen_ai.request.max_tokens": request.sampling.max_tokens,
    }
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.agent.name": request.agent,
        **_question(request),
        **{name: value for name, value in sampling.items() if value is not None},
        "palaver.attempt": request.attempt,
    }


def answered(reply: TurnReply) -> Attributes:
    """Describe an answer: what it has used, not what it says."""
    usage = reply.usage
    said: Attributes = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.response.finish_reasons": [reply.finish_reason],
        "palaver.latency_s": reply.latency_s,
    }
    said |= {"gen_ai.provider.name": provider_name(reply.provider)} if reply.provider else {}
    if reply.model and reply.provider != HUMAN:  # a pseudonym is nobody's business where traces go
        said["gen_ai.response.model"] = reply.model
    said |= {"gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens} if usage.reasoning_tokens else {}
    said |= {"gen_ai.usage.cache_read.input_tokens": usage.cached_tokens} if usage.cached_tokens else {}
    said |= {"palaver.cost_usd": reply.cost_usd} if reply.cost_usd is not None else {}
    said |= {"palaver.from_cache": True} if reply.cached else {}
    return said


def content(request: TurnRequest, answer: TurnReply | TurnFailure) -> Attributes:
    """Return what was said, for those who have asked for it; a picture is named by its SHA-256."""
    asked_with = [
        {"role": "assistant" if message.speaker == request.seat else "user", "parts": _parts(message.parts)}
        for message in request.view
    ]
    said: Attributes = {"gen_ai.input.messages": json.dumps(asked_with)}
    if isinstance(answer, TurnReply):
        reply = {"role": "assistant", "parts": _parts(answer.parts), "finish_reason": answer.finish_reason}
        said["gen_ai.output.messages"] = json.dumps([reply])
    return said


def _where(run_id: str, episode_id: str, game: str) -> Attributes:
    return {
        "gen_ai.conversation.id": f"{run_id}/{episode_id}",
        "palaver.run": run_id,
        "palaver.episode": episode_id,
        "palaver.game": game,
    }


def _question(request: TurnRequest) -> Attributes:
    provider, model = parts_of(request.agent)
    return {
        "gen_ai.provider.name": provider_name(provider),
        "gen_ai.request.model": model,
        "palaver.seat": request.seat,
        "palaver.turn": request.turn,
        "palaver.role": request.role,
        **_where(request.run_id, request.episode_id, request.game),
    }


def _parts(parts: tuple[Part, ...]) -> list[dict[str, str]]:
    return [
        {"type": "text", "content": part.text}
        if isinstance(part, Text)
        else {"type": "uri", "modality": "image", "uri": f"sha256:{part.sha256}"}
        for part in parts
    ]
