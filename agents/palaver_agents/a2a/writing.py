"""Writing a question as an A2A message: one message, all parts in order, speakers told apart by labels."""

from collections.abc import Awaitable, Callable, Iterable

from a2a.types import Message, Part, Role, SendMessageConfiguration, SendMessageRequest

from palaver_protocols.codec import encode
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.quirks import ChatMessage, wrong_pictures
from palaver_protocols.roles import chat_of

from .card import Server
from .extension import DATA_TYPE, EXTENSION

__all__ = ["Fetch", "message_for", "parts_of", "question", "text_part", "told_apart", "whole"]

Fetch = Callable[[Image], Awaitable[bytes]]
"""How the bytes of a picture are had."""

LABELS = {"user": "User:", "assistant": "You:"}
"""How messages begin where there are several: A2A has roles for messages, and this is one message."""
CUE = "The next message is yours. Write what you say, without a label."


async def question(request: TurnRequest, server: Server, fetch: Fetch) -> SendMessageRequest:
    """Write a request as the message that a server is sent, in a context of its own.

    Raises:
        AgentError: it has pictures that the server does not take, and that come without words.
    """
    chat = chat_of(request, server.quirks)
    if wrong := wrong_pictures(chat, server.quirks.pictures):
        raise AgentError(
            f"the pictures cannot be sent: {wrong[0]}",
            code="pictures",
            retryable=False,
            mend="seat an agent whose card takes image/png, or play with --set modality=text where the game has it",
        )
    parts = await parts_of(told_apart(chat), fetch)
    if server.knows_us:
        parts.append(whole(request))
    return message_for(parts, f"{request.key}.{request.attempt}", extended=server.knows_us)


def message_for(parts: Iterable[Part], message_id: str, *, extended: bool = False) -> SendMessageRequest:
    """Make a message of parts; no history is wanted back, and nobody waits for a slow task on one connection."""
    message = Message(
        message_id=message_id, role=Role.ROLE_USER, parts=parts, extensions=[EXTENSION] if extended else []
    )
    settings = SendMessageConfiguration(history_length=0, return_immediately=True)
    return SendMessageRequest(message=message, configuration=settings)


async def parts_of(parts: Iterable[Text | Image], fetch: Fetch) -> list[Part]:
    """Write parts in A2A's words, in order: texts, and the bytes of pictures."""
    return [
        text_part(part.text) if isinstance(part, Text) else Part(raw=await fetch(part), media_type=part.media_type)
        for part in parts
    ]


def text_part(text: str) -> Part:
    """Write a text."""
    return Part(text=text, media_type="text/plain")


def whole(request: TurnRequest) -> Part:
    """Write a whole question, for whoever knows us."""
    part = Part(media_type=DATA_TYPE)
    part.data.string_value = encode(request).decode()
    return part


def told_apart(chat: tuple[ChatMessage, ...]) -> list[Text | Image]:
    """Write a chat as the parts of one message: with labels, if more than one message was said in it."""
    several = sum(message.role != "system" for message in chat) > 1
    parts: list[Text | Image] = []
    for message in chat:
        label = LABELS.get(message.role, "") if several else ""
        parts.extend(_labelled(message, label) if label else message.parts)
    return [*parts, Text(text=CUE)] if several else parts


def _labelled(message: ChatMessage, label: str) -> list[Text | Image]:
    first, *rest = message.parts
    if isinstance(first, Text):
        return [Text(text=f"{label} {first.text}"), *rest]
    return [Text(text=label), first, *rest]
