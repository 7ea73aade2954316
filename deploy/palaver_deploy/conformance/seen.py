"""What is seen of an agent in a trial: questions, what came of each, and what the agent was told meanwhile."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from palaver_protocols.errors import one_line
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import Notice

from .script import FIRST, Step

__all__ = ["Door", "Heard", "Played", "Seen", "Way", "is_over", "refused_in_words", "seconds"]

SHOWN = 60
"""Letters of an answer that are shown."""

Door = Literal["redis", "gateway", "mqtt", "python", "model", "script", "a2a", "unknown"]
"""By what an agent is there: a door of the bus, or a service of ours that asks what answers for it."""


class Way(NamedTuple):
    """How an agent is there, as far as the bus can tell.

    ``is_there`` is whether it has said so of late. ``games`` are what a script plays.
    """

    door: Door = "unknown"
    is_there: bool = True
    games: tuple[str, ...] = ()


UNKNOWN = Way()


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a question that was asked once.

    ``after_s`` is how long the answer took, or how long it was waited for. ``refused`` is what was refused meanwhile
    that may have been its answer. ``stray`` is what the agent was told meanwhile about earlier questions of ours.
    """

    request: TurnRequest
    answer: TurnReply | TurnFailure | None
    after_s: float
    refused: tuple[Notice, ...] = ()
    stray: tuple[Notice, ...] = ()

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer that is no failure."""
        return isinstance(self.answer, TurnReply)

    @property
    def in_words(self) -> str:
        """What came, in one line."""
        match self.answer:
            case TurnReply() as reply:
                said = one_line(reply.text.strip(), SHOWN)
                return f'answered in {seconds(self.after_s)}: "{said}"'
            case TurnFailure() as failure:
                return f"it says that it cannot: {one_line(failure.code, 40)}: {one_line(failure.message, 200)}"
        if self.refused:
            return refused_in_words(self.refused[0])
        return f"no answer within {self.after_s:.3g} s"


@dataclass(frozen=True, slots=True)
class Played:
    """A step that was gone through. ``afterwards`` is a plain question, where one was asked to see who is still there.

    ``may_answer_s`` is how long an answer may take to the first question.
    """

    step: Step
    heard: tuple[Heard, ...]
    afterwards: Heard | None = None
    may_answer_s: float = float("inf")


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was seen.

    ``known`` says how the bus knows the agent, ``hello`` what it has said of itself (empty: nothing). ``fetched`` is
    whether the picture was taken from the bus; None where that cannot be seen.
    """

    played: tuple[Played, ...]
    notices: tuple[Notice, ...]
    known: str
    hello: str
    fetched: bool | None = None
    way: Way = UNKNOWN


def is_over(played: Played) -> bool:
    """Whether there is no point in going on: nothing came that could be used, or the agent answers no more."""
    if played.step.point == FIRST:
        heard = played.heard[0]
        return not heard.is_answered or heard.after_s > played.may_answer_s
    return played.afterwards is not None and not played.afterwards.is_answered


def refused_in_words(notice: Notice) -> str:
    """Say what was refused, in one line."""
    return f"refused ({notice.reason}): {one_line(notice.message, 200)}"


def seconds(number: float) -> str:
    """Write seconds as they are shown everywhere here."""
    return f"{number:.2f} s"
