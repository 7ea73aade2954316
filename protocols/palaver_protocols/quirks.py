"""What a provider accepts: the differences between chat interfaces as one small value, and how to live with them.

Some take a system message anywhere, some one at the start or outside the list, some none; some refuse two messages of
one role in a row, or an assistant's message first (The Collaboration Gap, appendix A.2 and table 1). Three rules hold
for all of them: nothing is empty, pictures are shown by the user, and the last message is the user's (a list that ends
with the assistant's own words asks it to finish a sentence, not to take its turn).

:func:`fit` bends a list of chat messages until a provider accepts it, and :func:`legal` says whether it would.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal, get_args

from .content import Image, MediaType, Part, Text

__all__ = [
    "ANTHROPIC",
    "BEGIN",
    "CONTINUED",
    "GOOGLE",
    "GO_ON",
    "OPENAI",
    "STRICT",
    "ChatMessage",
    "Pictures",
    "Quirks",
    "fit",
    "joined",
    "legal",
    "wrong_pictures",
]

BEGIN = "Please begin."
"""The user's, where there is nothing to answer yet, or where the assistant's message would come first."""
GO_ON = "Please go on."
"""The user's, where the last word would be somebody else's: a seat is asked twice in a row, say."""
CONTINUED = "(The message goes on.)"
"""The assistant's, between two halves of a message that had to be split: the only turn we ever make up for it."""

PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message as chat interfaces know it.

    No two text parts are neighbours, so that text without pictures is one part, unless a game wants them apart.
    """

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Which pictures a provider accepts. None where no limit is known.

    ``most`` is how many one call may show (0: the model cannot see), ``size`` the most bytes of one picture, and
    ``side`` the most pixels of its longer side.
    """

    media_types: tuple[MediaType, ...] = get_args(MediaType)
    most: int | None = None
    size: int | None = None
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Quirks:
    """What a provider accepts. The defaults suit every well-known hosted one.

    ``system``: where system messages may stand: anywhere, one at the start, or nowhere. ``alternate``: whether user and
    assistant must take turns strictly. ``user_first``: whether the first message that is no system message must be the
    user's. ``several_images``: whether one message may hold more than one picture. ``pictures``: which pictures it
    takes at all; no bending helps there, since nothing may be lost: see :func:`wrong_pictures`.
    """

    system: Literal["flexible", "first_only", "none"] = "first_only"
    alternate: bool = True
    user_first: bool = True
    several_images: bool = True
    pictures: Pictures = Pictures()


OPENAI = Quirks(system="flexible", alternate=False, user_first=False)
ANTHROPIC = Quirks()
GOOGLE = Quirks()
STRICT = Quirks(system="none", several_images=False)
"""The chat templates of many open models. Whatever fits here fits everywhere."""


def fit(messages: Iterable[ChatMessage], quirks: Quirks, *, voice: str = "") -> tuple[ChatMessage, ...]:
    """Bend messages until a provider accepts them. No part is lost, doubled or changed; texts may be joined.

    * System messages move to the start and become one (``first_only``), or become the beginning of the first user
      message (``none``). Apart from that, all parts keep their order.
    * Where the assistant comes first and may not, the user says :data:`BEGIN` before it, and :data:`GO_ON` at the end
      where the last message is not the user's. A list in which nobody has spoken is answered by :data:`BEGIN`.
    * ``alternate``: neighbours of one role become one message, texts joined as paragraphs. A system message in between
      two messages of one role is said by the user instead, at its place.
    * Without ``several_images``, a message with more pictures becomes several: each ends with its picture, the last
      one with what follows it. Where roles must alternate, the assistant says :data:`CONTINUED` in between.

    Args:
        messages: as :func:`palaver_protocols.roles.render` writes them: without blank texts, pictures with the user.
        quirks: what the provider accepts.
        voice: how what the user says begins (such as ``"[user]: "``), for what is said here in the user's name.
    """
    fitted = list(messages)
    if quirks.system != "flexible":
        fitted = _system_first(fitted)
    fitted = _user_at_the_ends(fitted, quirks, voice)
    if quirks.system == "none":
        fitted = _system_said_by_user(fitted)
    if quirks.alternate:
        fitted = _alternating(fitted, voice)
    if not quirks.several_images:
        fitted = list(_one_picture_each(fitted, quirks))
    return tuple(fitted)


def joined(parts: Iterable[Part], gap: str = PARAGRAPH) -> tuple[Part, ...]:
    """Join neighbouring texts with ``gap`` in between; pictures stay where they are."""
    kept: list[Part] = []
    for pictures, run in groupby(parts, key=lambda part: isinstance(part, Image)):
        if pictures:
            kept.extend(run)
        else:
            kept.append(Text(text=gap.join(part.text for part in run if isinstance(part, Text))))
    return tuple(kept)


def legal(messages: Sequence[ChatMessage], quirks: Quirks) -> list[str]:
    """Check messages against what a provider accepts.

    Returns:
        One line a violation, which names the message by its position (from 0); none if the provider accepts them.
    """
    return [
        *_wrong_parts(messages, quirks),
        *_wrong_system(messages, quirks),
        *_wrong_turns(messages, quirks),
        *wrong_pictures(messages, quirks.pictures),
    ]


def wrong_pictures(messages: Sequence[ChatMessage], rule: Pictures) -> list[str]:
    """Check pictures against what a provider accepts.

    Returns:
        One line a violation; none if the provider accepts them.
    """
    shown = [
        (index, part) for index, message in enumerate(messages) for part in message.parts if isinstance(part, Image)
    ]
    if rule.most is not None and len(shown) > rule.most:
        return [f"it takes {rule.most} pictures, not {len(shown)}" if rule.most else "it takes no pictures"]
    return [f"message {index} has a picture {said}" for index, picture in shown for said in _wrong_with(picture, rule)]


def _wrong_with(picture: Image, rule: Pictures) -> Iterator[str]:
    if picture.media_type not in rule.media_types:
        yield f"of type {picture.media_type}; it takes {', '.join(rule.media_types)}"
    if rule.size is not None and picture.size > rule.size:
        yield f"of {picture.size} bytes; it takes {rule.size}"
    side = max(picture.width, picture.height)
    if rule.side is not None and side > rule.side:
        yield f"with a side of {side} pixels; it takes {rule.side}"


def _system_first(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Make one system message of all, at the start."""
    system = [message for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    return [_merged(system), *rest] if system else rest


def _system_said_by_user(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Fold a system message at the start into the first user message."""
    if messages[0].role != "system":
        return messages
    told, first, rest = replace(messages[0], role="user"), messages[1], messages[2:]
    return [_merged([told, first]), *rest] if first.role == "user" else [told, first, *rest]


def _user_at_the_ends(messages: list[ChatMessage], quirks: Quirks, voice: str) -> list[ChatMessage]:
    spoken = [index for index, message in enumerate(messages) if message.role != "system"]
    if not spoken:
        return [*messages, _says("user", voice + BEGIN)]
    ended = messages if messages[-1].role == "user" else [*messages, _says("user", voice + GO_ON)]
    if quirks.user_first and messages[spoken[0]].role == "assistant":
        return [*ended[: spoken[0]], _says("user", voice + BEGIN), *ended[spoken[0] :]]
    return ended


def _alternating(messages: list[ChatMessage], voice: str) -> list[ChatMessage]:
    level = list(messages)
    last: int | None = None
    for index, message in enumerate(messages):
        if message.role == "system":
            continue
        if last is not None and messages[last].role == message.role:
            level[last + 1 : index] = [_told_by_user(between, voice) for between in messages[last + 1 : index]]
        last = index
    return [_merged(list(run)) for _, run in groupby(level, key=lambda message: message.role)]


def _told_by_user(message: ChatMessage, voice: str) -> ChatMessage:
    """Turn a system message into the user's."""
    return ChatMessage("user", joined([Text(text=voice), *message.parts], "") if voice else message.parts)


def _one_picture_each(messages: list[ChatMessage], quirks: Quirks) -> Iterator[ChatMessage]:
    for message in messages:
        for number, piece in enumerate(_pieces(message.parts)):
            if number and quirks.alternate:
                yield _says("assistant", CONTINUED)
            yield replace(message, parts=piece)


def _pieces(parts: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Cut after each picture but the last, so that a picture stays with the words that introduce it."""
    cuts = [index + 1 for index, part in enumerate(parts) if isinstance(part, Image)][:-1]
    return [parts[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(parts)], strict=True)]


def _merged(messages: Sequence[ChatMessage]) -> ChatMessage:
    """Make one message of several of one role, in order."""
    if len(messages) == 1:
        return messages[0]
    return replace(messages[0], parts=joined(part for message in messages for part in message.parts))


def _says(role: Literal["user", "assistant"], text: str) -> ChatMessage:
    return ChatMessage(role, (Text(text=text),))


def _wrong_parts(messages: Sequence[ChatMessage], quirks: Quirks) -> Iterator[str]:
    for index, message in enumerate(messages):
        if not message.parts:
            yield f"message {index} is empty"
        if any(isinstance(part, Text) and not part.text.strip() for part in message.parts):
            yield f"message {index} has a blank text"
        pictures = sum(isinstance(part, Image) for part in message.parts)
        if pictures and message.role != "user":
            yield f"message {index} is the {message.role}'s and has a picture"
        if pictures > 1 and not quirks.several_images:
            yield f"message {index} has {pictures} pictures"


def _wrong_system(messages: Sequence[ChatMessage], quirks: Quirks) -> Iterator[str]:
    for index, message in enumerate(messages):
        if message.role != "system":
            continue
        if quirks.system == "none":
            yield f"message {index} is a system message"
        elif quirks.system == "first_only" and index:
            yield f"message {index} is a system message after the start"


def _wrong_turns(messages: Sequence[ChatMessage], quirks: Quirks) -> Iterator[str]:
    spoken = [(index, message.role) for index, message in enumerate(messages) if message.role != "system"]
    if not messages or messages[-1].role != "user":
        yield "the last message is not the user's"
    if quirks.user_first and spoken and spoken[0][1] != "user":
        yield f"message {spoken[0][0]} comes first and is the {spoken[0][1]}'s"
    if quirks.alternate:
        for (_, before), (index, role) in pairwise(spoken):
            if before == role:
                yield f"message {index} is the {role}'s again"
