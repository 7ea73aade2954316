"""What a step of an episode comes to in a few words: enough to watch a thousand games without reading what is said.

The bus tells a gist of every commit (:meth:`palaver_broker.base.Broker.watch`); whoever comes late makes the same ones
of the logs.
"""

from collections.abc import Iterable

from pydantic import JsonValue

from .messages import Aside, EpisodeEnded, EpisodeStarted, SeatChanged, TurnRequest, TurnTaken, Wire
from .seating import relay_of

__all__ = ["Gist", "gist_of"]

Gist = dict[str, JsonValue]
"""Plain JSON; times are seconds since 1970, money is US dollars.

``type``, ``at``, ``asked`` ([seat, agent] of each question that this step asks) always, and of

    episode.started   game, variant, instance, seats (seat: who fills it, as the command line writes it)
    turn.taken        turn, seat, voice (who spoke behind the seat), agent, model, input, output, reasoning (tokens),
    aside             latency, usd (null where nobody says), finish, copied (a frozen turn, paid for elsewhere)
    seat.changed      seat, agent
    episode.ended     outcome, scores, error
"""


def gist_of(entry: Wire, asked: Iterable[TurnRequest] = ()) -> Gist:
    """Return the gist of a log entry.

    Args:
        entry: any entry of an episode's log; of anything else there is a type and nothing more.
        asked: the questions that were asked with it.
    """
    at = getattr(entry, "at", None)
    return {
        "type": getattr(entry, "type", ""),
        "at": 0.0 if at is None else at.timestamp(),
        "asked": [[request.seat, request.agent] for request in asked],
        **_about(entry),
    }


def _about(entry: Wire) -> Gist:
    match entry:
        case TurnTaken() | Aside():
            reply, usage = entry.reply, entry.reply.usage
            return {
                "turn": reply.turn,
                "seat": entry.seat if isinstance(entry, Aside) else reply.seat,
                "voice": reply.seat,
                "agent": reply.agent,
                "model": reply.model,
                "input": usage.input_tokens,
                "output": usage.output_tokens,
                "reasoning": usage.reasoning_tokens,
                "latency": reply.latency_s,
                "usd": reply.cost_usd,
                "finish": reply.finish_reason,
                "copied": entry.copied_from is not None,
            }
        case EpisodeStarted():
            return {
                "game": entry.game,
                "variant": entry.variant,
                "instance": entry.instance_id,
                "seats": {seat: relay_of(fillers) for seat, fillers in entry.seats.items()},
            }
        case SeatChanged():
            return {"seat": entry.seat, "agent": entry.agent}
        case EpisodeEnded():
            return {"outcome": entry.outcome, "scores": dict(entry.scores), "error": entry.error}
    return {}
