"""The role protocols: how a dialogue of any number of parties becomes a provider's messages.

Chat interfaces know three roles, and none of them is "another agent". The Collaboration Gap, appendix A.2, names three
ways out, and we offer all of them:

* ``prefixes`` (theirs, our default). A system message explains that the user relays; the task is the first user
  message, ``[user]: ...``; own messages are the assistant's, unmarked; the other agent's are the user's,
  ``[other agent]: ...``.
* ``user``. The other agent's messages arrive as the user's, unmarked.
* ``transcript``. The dialogue is one user message, written as a script in which every line names its speaker.

Ours, beyond the paper: with several partners the mark is the speaker's seat, ``[agent 2]:`` for ``agent_2``, under
``user`` as well, where unmarked messages would be ambiguous; the environment is ``[environment]:`` wherever there are
partners. A mark and its text are joined by one space; before a picture the mark is a text of its own. Texts of one
message that follow one another are joined as lines, unless the message wants them apart; a script joins them all.
A seat without partners plays alone: plain turns, no marks, no system message but the game's own.

What an agent says is relayed as it is: no protocol here stops one that writes ``[user]:`` itself.
"""

from collections.abc import Callable, Iterator
from itertools import groupby, takewhile

from .content import Image, Part, Text
from .messages import RoleProtocol, TurnRequest
from .quirks import ChatMessage, Quirks, fit, joined
from .transcript import ENVIRONMENT, SYSTEM, USER, Message, in_words

__all__ = ["EMPTY", "GO_BETWEEN", "GO_BETWEEN_MANY", "OWN_PICTURE", "ChatMessage", "chat_of", "render", "unlabelled"]

GO_BETWEEN = """\
The user will act as an intermediary between you and another agent.
The user will directly forward your messages to the other agent and vice versa.
The user will not see or modify the messages, but will relay them as is.
Messages coming from the other agent will be prefixed with "[other agent]:".
Messages coming from the user will be prefixed with "[user]:".
Do not add any additional prefixes or suffixes to your own messages."""
"""The system message for two parties, to the letter (Davidson et al., The Collaboration Gap, figure A.1)."""

GO_BETWEEN_MANY = """\
The user will act as an intermediary between you and the other agents.
The user will directly forward your messages to the other agents and vice versa.
The user will not see or modify the messages, but will relay them as is.
Messages coming from the other agents will be prefixed with their names: {partners}.
The other agents see your messages prefixed with "[{seat}]:".
Messages coming from the user will be prefixed with "[user]:".
Do not add any additional prefixes or suffixes to your own messages."""
"""The same for more parties (ours)."""

ALSO = 'Messages coming from {who} will be prefixed with "[{name}]:".'
"""One more line, before the last, for the environment and whoever else speaks (ours)."""

EMPTY = "(empty message)"
"""Stands for a message without a visible character, which providers refuse. A blank system message is left out."""
OWN_PICTURE = "You sent this picture:"
"""Introduces a picture of the seat's own: providers take pictures from the user only."""

SO_FAR = "The dialogue so far:"
CUE = "The next message is yours, {name}. Write what you say, without the label.\n{name}:"

Mark = Callable[[str], str]
"""How what a speaker says begins: ``"[agent 2]:"``, or nothing."""


def render(
    view: tuple[Message, ...], *, seat: str, partners: tuple[str, ...], protocol: RoleProtocol, quirks: Quirks
) -> tuple[ChatMessage, ...]:
    """Write what a seat sees as chat messages that a provider accepts (see :func:`palaver_protocols.quirks.fit`).

    All parts of the view are there, once and in order; only a game's own system messages may move to the start, where
    the provider or the script leaves no other place. One with a picture is said by the user, at its place.

    Args:
        view: what the seat may see, oldest first; may be empty.
        seat: whose turn it is.
        partners: the other seats that it talks with; none if it plays alone.
        protocol: how the dialogue is to be written.
        quirks: what the provider accepts.
    """
    if not partners:
        return fit(_turns(view, seat, _unmarked), quirks)
    if protocol == "transcript":
        return fit(_script(view, seat), quirks)
    mark = _mark(partners, protocol)
    voice = f"{mark(USER)} ".lstrip()
    if protocol == "prefixes":
        told = ChatMessage("system", (Text(text=_go_between(view, seat, partners)),))
        return fit([told, *_turns(view, seat, mark)], quirks, voice=voice)
    return fit(_turns(view, seat, mark), quirks, voice=voice)


def chat_of(request: TurnRequest, quirks: Quirks) -> tuple[ChatMessage, ...]:
    """Write what a request shows as chat messages; a model that takes no pictures is told what they show, if they say.

    Args:
        request: the question.
        quirks: what the provider accepts.
    """
    view = in_words(request.view) if quirks.pictures.most == 0 else request.view
    return render(view, seat=request.seat, partners=request.partners, protocol=request.protocol, quirks=quirks)


def unlabelled(text: str, seat: str, protocol: RoleProtocol) -> str:
    """Take off the label of its own line with which a seat begins, though a script asks it not to.

    Otherwise it would stand there twice for all others, and a game would read it as a part of what was said.
    """
    label = _label(seat)
    said = text.lstrip()
    if protocol != "transcript" or not said.lower().startswith(label.lower()):
        return text
    return said[len(label) :].lstrip()


def _unmarked(_: str) -> str:
    return ""


def _by_name(speaker: str) -> str:
    return f"[{_name(speaker)}]:"


def _name(speaker: str) -> str:
    """Return a seat's name as people write it."""
    return speaker.replace("_", " ")


def _mark(partners: tuple[str, ...], protocol: RoleProtocol) -> Mark:
    """Choose how speakers are told apart."""
    if len(partners) > 1:
        return _by_name
    if protocol == "prefixes":
        return lambda speaker: "[other agent]:" if speaker in partners else _by_name(speaker)
    return lambda speaker: "" if speaker == USER or speaker in partners else _by_name(speaker)


def _go_between(view: tuple[Message, ...], seat: str, partners: tuple[str, ...]) -> str:
    """Write the system message of the ``prefixes`` protocol, which names every mark that occurs."""
    if len(partners) == 1:
        lines = GO_BETWEEN.splitlines()
    else:
        names = ", ".join(f'"{_by_name(partner)}"' for partner in partners)
        lines = GO_BETWEEN_MANY.format(partners=names, seat=_name(seat)).splitlines()
    named = {USER, SYSTEM, seat, *partners}
    others = dict.fromkeys(message.speaker for message in view if message.speaker not in named)
    also = [
        ALSO.format(who="the environment" if other == ENVIRONMENT else _name(other), name=_name(other))
        for other in others
    ]
    return "\n".join([*lines[:-1], *also, lines[-1]])


def _turns(view: tuple[Message, ...], seat: str, mark: Mark) -> Iterator[ChatMessage]:
    """Write the dialogue message by message: own ones are the assistant's, all others the user's."""
    for message in view:
        if _is_system(message):
            yield from _system(message)
        elif message.speaker == seat:
            yield from _own(message, mark)
        else:
            yield ChatMessage("user", _marked(message, mark))


def _label(speaker: str) -> str:
    """Return a line's label in a script: ``Agent 2:`` for ``agent_2`` (COMMA has ``Solver:``, ``Environment:``)."""
    name = _name(speaker)
    return f"{name[:1].upper()}{name[1:]}:"


def _script(view: tuple[Message, ...], seat: str) -> Iterator[ChatMessage]:
    """Write the dialogue as one user message: the task, one line a message, and whose line is next."""
    said = []
    for message in view:
        if _is_system(message):
            yield from _system(message)
        else:
            said.append(message)
    task = list(takewhile(lambda message: message.speaker in (USER, SYSTEM), said))
    parts: list[Part] = [part for message in task for part in _spoken(message)]
    if any(message.speaker not in (USER, SYSTEM, ENVIRONMENT) for message in said):
        parts.append(Text(text=SO_FAR))
    for message in said[len(task) :]:
        parts.extend(_marked(message, _label))
    yield ChatMessage("user", joined([*parts, Text(text=CUE.format(name=_label(seat).removesuffix(":")))]))


def _is_system(message: Message) -> bool:
    return message.speaker == SYSTEM and not any(isinstance(part, Image) for part in message.parts)


def _system(message: Message) -> Iterator[ChatMessage]:
    """Write a game's own system message, unless it is blank."""
    if message.text.strip():
        yield ChatMessage("system", _spoken(message))


def _own(message: Message, mark: Mark) -> Iterator[ChatMessage]:
    """Write a message of the seat's own; the user shows it its pictures."""
    for pictures, run in groupby(_spoken(message), key=lambda part: isinstance(part, Image)):
        if pictures:
            yield ChatMessage("user", (Text(text=f"{mark(USER)} {OWN_PICTURE}".lstrip()), *run))
        else:
            yield ChatMessage("assistant", tuple(run))


def _marked(message: Message, mark: Mark) -> tuple[Part, ...]:
    """Put the speaker's mark in front of what it says."""
    prefix = mark(USER if message.speaker == SYSTEM else message.speaker)
    first, *rest = parts = _spoken(message)
    if not prefix:
        return parts
    if isinstance(first, Text):
        return Text(text=f"{prefix} {first.text}"), *rest
    return Text(text=prefix), *parts


def _spoken(message: Message) -> tuple[Part, ...]:
    """Return what there is to be heard and seen of a message: blank texts left out, neighbouring ones as lines.

    Those of a message whose parts stand apart are left apart.
    """
    parts = [part for part in message.parts if isinstance(part, Image) or part.text.strip()]
    if message.apart and parts:
        return tuple(parts)
    return joined(parts or [Text(text=EMPTY)], "\n")
