"""Answers to questions that are with nobody here: they lie with another gateway, or with one that has died.

An agent that was cut off sends its answer again to whichever gateway it finds. On Redis the bus itself knows whether
the question is open to this very agent, and then it makes no difference where it was handed out.
"""

from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import Notice, RefusedError, vetted

from ..redis.broker import BOX_MS, RedisBroker
from ..redis.scripts import OPEN_QUESTION, SETTLE
from ..topics import episode_log, inbox

__all__ = ["settle_late"]


async def settle_late(broker: RedisBroker, said: TurnReply | TurnFailure) -> Notice:
    """Settle the question that this answers, wherever it lies; return what the agent is to be told.

    Raises:
        RefusedError: it answers none that is open to this agent.
        BrokerError: the bus failed; the question is still open.
    """
    prefix, log = broker.link.prefix, episode_log(said.run_id, said.episode_id)
    calls, box = f"{prefix}calls:{log.removeprefix('log:')}", prefix + inbox(said.agent)
    found = await broker.link.run(OPEN_QUESTION, [calls, box], [said.key])
    if found == [b"answered"]:
        return Notice(key=said.key, agent=said.agent, code="duplicate")
    if not found:
        raise RefusedError("closed", "no such question is open to you", said.key)
    id_, text, age_ms = found
    request: TurnRequest = decode(text)
    answer = vetted(said, request, max(0.0, age_ms / 1000))
    is_reply = int(isinstance(answer, TurnReply))
    words = [prefix, BOX_MS, answer.key, is_reply, encode(answer), "agents", id_]
    await broker.link.run(SETTLE, [prefix + log, calls, box], words)
    return Notice(key=said.key, agent=said.agent, code="accepted")
