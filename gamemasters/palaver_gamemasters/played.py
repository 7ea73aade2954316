"""An episode that was played, as graders are handed it: what was set up, and what was said in it."""

from collections import deque
from collections.abc import Iterable
from typing import Any, Self

from pydantic import JsonValue

from palaver_protocols.content import Frozen, Part
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import EpisodeStarted, FinishReason, TurnTaken

from .game import AnyGame, Reply

__all__ = ["PlayedEpisode", "SaidReply", "final_state"]


class SaidReply(Frozen):
    """What a seat answered, at its turn."""

    seat: str
    parts: tuple[Part, ...]
    finish_reason: FinishReason = "stop"


class PlayedEpisode(Frozen):
    """A finished episode as plain JSON: what was played, and what the seats said, in order."""

    game: str
    variant: str
    instance: JsonValue
    options: dict[str, JsonValue]
    replies: tuple[SaidReply, ...]

    @classmethod
    def from_log(cls, entries: Iterable[object]) -> Self:
        """Take out of a log what the game was told; what was said behind the seats is none of a grader's business.

        Raises:
            ProtocolError: the log does not begin with its start.
        """
        started, *others = [*entries] or [None]
        if not isinstance(started, EpisodeStarted):
            raise ProtocolError("this episode's log does not begin with its start")
        replies = sorted((entry.reply for entry in others if isinstance(entry, TurnTaken)), key=lambda said: said.turn)
        return cls(
            game=started.game,
            variant=started.variant,
            instance=started.instance,
            options=started.options,
            replies=tuple(
                SaidReply(seat=said.seat, parts=said.parts, finish_reason=said.finish_reason) for said in replies
            ),
        )


def final_state(game: AnyGame, played: PlayedEpisode) -> Any:
    """Fold an episode to its end.

    Raises:
        UsageError: options or instance make no game, or the game is not over.
    """
    said: dict[str, deque[Reply]] = {}
    for reply in played.replies:
        said.setdefault(reply.seat, deque()).append(Reply(reply.parts, reply.finish_reason))
    state = game.start(played.instance, game.configure(played.options))
    while pending := game.pending(state):
        if not all(said.get(seat) for seat in pending):
            raise UsageError("the episode is not over by the rules of today", mend="play it to its end")
        state = game.apply(state, {seat: said[seat].popleft() for seat in pending})
    return state
