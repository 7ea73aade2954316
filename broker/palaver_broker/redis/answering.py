"""What strangers answer, settled by the question's key: wherever the question lies, and whoever has it on loan.

The bus itself knows whether a question is open to this very agent: so the porter needs no loan, and an agent that was
cut off may send its answer to whichever gateway it finds.
"""

from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import Notice, RefusedError, vetted

from ..topics import episode_log, inbox
from .broker import BOX_MS, RedisBroker
from .scripts import OPEN_QUESTION, SETTLE

__all__ = ["settle_by_key"]


async def settle_by_key(broker: RedisBroker, said: TurnReply | TurnFailure) -> Notice:
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
