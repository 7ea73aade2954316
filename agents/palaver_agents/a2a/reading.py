"""Reading what an A2A client says: a message from anybody becomes a question, or is refused in one line."""

import warnings
from collections.abc import Iterable, Mapping

from a2a.types import Message, Part
from PIL import Image as Pillow

from palaver_protocols.codec import decode
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import ProtocolError, one_line
from palaver_protocols.keys import key_prefix, request_key
from palaver_protocols.messages import TurnRequest, make_request
from palaver_protocols.transcript import USER
from palaver_protocols.transcript import Message as Said

from .extension import DATA_TYPE

__all__ = ["BODY_BYTES", "GAME", "MESSAGE_BYTES", "PICTURE_BYTES", "PIXELS", "read_question", "read_text"]

MESSAGE_BYTES = 1024 * 1024
"""Of text in a message; and again of a whole question, where there is one."""
PICTURE_BYTES = 20_000_000
"""Of all pictures of a message together."""
PIXELS = 40_000_000
"""Of one picture, as its header says. Whoever unpacks it needs some bytes for each."""
BODY_BYTES = 2 * MESSAGE_BYTES + PICTURE_BYTES * 4 // 3 + 64 * 1024
"""Of what comes over HTTP: pictures are in base64 there."""
GAME = "a2a"
"""What a plain message plays."""
LONGEST_S = 3600.0


def read_question(message: Message, agent: str) -> TurnRequest:
    """Read a message as a question to an agent: the whole question that it carries, or the message as one.

    Its pictures carry their bytes along.

    Raises:
        ProtocolError: it cannot be taken; one line that says why.
    """
    whole = [part for part in message.parts if part.media_type == DATA_TYPE]
    parts = _parts(part for part in message.parts if part.media_type != DATA_TYPE)
    if whole:
        return _whole(whole, {part.sha256: part for part in parts if isinstance(part, Image)})
    if not parts:
        raise ProtocolError("the message is empty")
    view = (Said(speaker=USER, parts=tuple(parts)),)
    named = key_prefix({"game": GAME, "agent": agent, "message": message.message_id})
    fields = {
        "key": request_key(named, 0, view),
        "run_id": GAME,
        "episode_id": one_line(message.context_id, 100) or GAME,
        "game": GAME,
        "variant": "plain",
        "turn": 0,
        "seat": "agent",
        "agent": agent,
        "view": view,
    }
    return make_request(fields)


def read_text(message: Message) -> str:
    """Read a message that may hold nothing but text.

    Raises:
        ProtocolError: it holds something else, or too much.
    """
    parts = _parts(message.parts)
    if not all(isinstance(part, Text) for part in parts):
        raise ProtocolError("an answer is text; pictures are not taken")
    return "\n".join(part.text for part in parts if isinstance(part, Text))


def _parts(parts: Iterable[Part]) -> list[Text | Image]:
    """Read texts and pictures, in order."""
    read: list[Text | Image] = []
    letters = size = 0
    for part in parts:
        match part.WhichOneof("content"):
            case "text":
                letters += len(part.text.encode())
                read.append(Text(text=part.text))
            case "raw":
                size += len(part.raw)
                if size > PICTURE_BYTES:
                    raise ProtocolError(f"the pictures have more than {PICTURE_BYTES:,} bytes")
                read.append(_picture(part.raw))
            case "url":
                raise ProtocolError("files by URL are not fetched: send the bytes of the picture")
            case _:
                raise ProtocolError("only text and pictures are taken")
        if letters > MESSAGE_BYTES:
            raise ProtocolError(f"the message has more than {MESSAGE_BYTES:,} bytes of text")
    return read


def _picture(data: bytes) -> Image:
    """Read a picture's header, and no more of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)  # what is too large is refused below
        try:
            image = Image.from_bytes(data)
        except ValueError as error:
            raise ProtocolError("a file is no PNG, JPEG, GIF or WebP picture") from error
    if image.width * image.height > PIXELS:
        raise ProtocolError(f"a picture of {image.width} x {image.height} pixels is too large: at most {PIXELS:,}")
    return image


def _whole(parts: list[Part], pictures: Mapping[str, Image]) -> TurnRequest:
    """Read a whole question, and put its pictures in."""
    text = parts[0].data.string_value
    if len(parts) > 1 or not text:
        raise ProtocolError(f"a part of type {DATA_TYPE} is one text, once")
    if len(text.encode()) > MESSAGE_BYTES:
        raise ProtocolError(f"the question has more than {MESSAGE_BYTES:,} bytes")
    request = decode(text)
    if not isinstance(request, TurnRequest):
        raise ProtocolError(f"the message carries a {request.type}, and only a turn.request is taken")
    view = tuple(
        said.model_copy(update={"parts": tuple(_shown(part, pictures) for part in said.parts)})
        if any(isinstance(part, Image) for part in said.parts)
        else said
        for said in request.view
    )
    return request.model_copy(update={"view": view, "timeout_s": min(max(request.timeout_s, 0.001), LONGEST_S)})


def _shown(part: Text | Image, pictures: Mapping[str, Image]) -> Text | Image:
    if isinstance(part, Text):
        return part
    if (sent := pictures.get(part.sha256)) is None:
        raise ProtocolError(f"the picture {part.sha256[:12]} that the question shows was not sent along")
    assert sent.data is not None
    return Image.from_bytes(sent.data, part.alt)
