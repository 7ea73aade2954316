"""The metrics that OpenTelemetry's GenAI conventions prescribe, under the names that its exporter gives them.

They stand beside ours, for boards and tools that know no others. Names, attributes and buckets are those of the
conventions (opentelemetry/semantic-conventions-genai, in development, as of 2026).
"""

from prometheus_client import CollectorRegistry, Histogram

from palaver_protocols.messages import TurnReply

__all__ = ["CallHistograms", "invoke_agent", "provider_name", "workflow"]

OPERATION_BUCKETS = tuple(0.01 * 2**power for power in range(14))
TOKEN_BUCKETS = tuple(float(4**power) for power in range(14))
INVOKE_BUCKETS = tuple(0.1 * 2**power for power in range(13))
WORKFLOW_BUCKETS = (1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0)

_PROVIDERS = {"google": "gcp.gemini", "mistral": "mistral_ai", "xai": "x_ai"}


def provider_name(provider: str) -> str:
    """Return what the conventions call a provider: ``google`` is ``gcp.gemini``."""
    return _PROVIDERS.get(provider, provider)


def invoke_agent(registry: CollectorRegistry) -> Histogram:
    """Register how long agents take for a turn, as their game master sees it: waits and retries included."""
    return Histogram(
        "gen_ai_invoke_agent_duration_seconds",
        "Time from when a game master asks an agent until its answer is durable.",
        ("gen_ai_agent_name", "gen_ai_provider_name", "error_type"),
        buckets=INVOKE_BUCKETS,
        registry=registry,
    )


def workflow(registry: CollectorRegistry) -> Histogram:
    """Register how long episodes take."""
    return Histogram(
        "gen_ai_workflow_duration_seconds",
        "Time from when this game master took up an episode until it ended.",
        ("gen_ai_workflow_name", "error_type"),
        buckets=WORKFLOW_BUCKETS,
        registry=registry,
    )


class _Call:
    """The children of one kind of answer, so that a call looks them up once."""

    __slots__ = ("duration", "input", "output")

    def __init__(self, histograms: "CallHistograms", who: tuple[str, str, str]) -> None:
        self.duration = histograms.duration.labels("chat", *who, "")
        self.input = histograms.tokens.labels("chat", *who, "input")
        self.output = histograms.tokens.labels("chat", *who, "output")


class CallHistograms:
    """How long calls of providers take, and how many tokens they use. An answer from a cache is no call.

    Args:
        registry: where the metrics live; one registry takes one of these.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        who = ("gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_response_model")
        self.duration = Histogram(
            "gen_ai_client_operation_duration_seconds",
            "Time that a call of a provider took, be it that it failed.",
            (*who, "error_type"),
            buckets=OPERATION_BUCKETS,
            registry=registry,
        )
        self.tokens = Histogram(
            "gen_ai_client_token_usage",
            "Tokens of a call, as the provider bills them; output includes reasoning.",
            (*who, "gen_ai_token_type"),
            buckets=TOKEN_BUCKETS,
            registry=registry,
        )
        self._calls: dict[tuple[str, str, str], _Call] = {}

    def answered(self, provider: str, asked: str, answer: TurnReply, *, model: str) -> None:
        """Count an answer of a provider that was asked for a model; ``model`` is the one that it says it is, if any."""
        if answer.cached:
            return
        key = (provider_name(provider), asked, model)
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = _Call(self, key)
        call.duration.observe(answer.latency_s)
        call.input.observe(answer.usage.input_tokens)
        call.output.observe(answer.usage.output_tokens)

    def failed(self, provider: str, asked: str, code: str, seconds: float) -> None:
        """Count a call that came to nothing after so many seconds; 0: nobody knows."""
        if seconds:
            self.duration.labels("chat", provider_name(provider), asked, "", code).observe(seconds)
