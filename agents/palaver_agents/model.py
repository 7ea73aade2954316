"""What stands behind an agent's name: something that answers a turn. Providers, scripts and replays look alike here."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple, Self

from palaver_protocols.content import Image, Text, text_of
from palaver_protocols.messages import FinishReason, TurnRequest, Usage

__all__ = ["Completion", "Model"]


class Completion(NamedTuple):
    """What a model answered, and what it took.

    ``model`` is the name that the provider itself reports, which can be more exact than the one that was asked for.
    ``cost_usd`` is None where neither the provider nor the price table says. ``sent`` is the SHA-256 of the bytes that
    went to the provider, ``cached`` whether its answer came from a cache instead. ``unverified`` marks what somebody
    else's program says of itself: what it has used counts in no budget. ``latency_s`` is the time that the answer took
    (seconds), where that is not the time of the call.
    """

    parts: tuple[Text | Image, ...]
    provider: str = ""
    model: str = ""
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    cost_usd: float | None = None
    sent: str | None = None
    cached: bool = False
    unverified: bool = False
    latency_s: float | None = None

    @property
    def text(self) -> str:
        """The text parts, joined by newlines."""
        return text_of(self.parts)


class Model(ABC):
    """Answers turns, any number at a time, and keeps nothing from one to the next.

    Whoever needs pictures is given the blob store when it is made. Use it as an async context manager, or close it.
    """

    provider: str
    """Who runs it, as metrics group it: ``openai``, ``vllm``, ``script``, ..."""
    keeps_time: ClassVar[bool] = False
    """Whether it says itself when the time of a question is over: a person's begins when the question is seen."""

    @abstractmethod
    async def complete(self, request: TurnRequest) -> Completion:
        """Answer one turn; one try, within ``request.timeout_s`` seconds. Retrying is the asker's business.

        Raises:
            AgentError: there is no answer; says whether asking again may help.
            BrokerError: a picture of the view is not in the blob store.
        """

    @abstractmethod
    async def aclose(self) -> None:
        """Release everything. Idempotent."""

    async def __aenter__(self) -> Self:
        """Open the model."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the model."""
        await self.aclose()
