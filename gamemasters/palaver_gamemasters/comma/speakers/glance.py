"""What a request shows a script of COMMA: its task, the puzzle as text, and the dialogue."""

import re
from dataclasses import dataclass
from functools import cached_property

from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message

from ..show import NOW
from ..state import SOLVER
from ..talk import Heard, Line
from ..tasks import ACTIONS, MANUAL, valid_actions

__all__ = ["Glance", "glance", "retold", "told_again"]

TAKING_OVER = "You take over this seat"
"""How the message begins that hands a summary to a newcomer."""
LEAD, MEMBER = "lead", "member_"
"""Who speaks within a team (:mod:`palaver_gamemasters.teams`)."""
SAID = re.compile(r"^(Solver|Expert|Environment): ", re.MULTILINE)


@dataclass(frozen=True)
class Glance:
    """A request's view, sorted. ``task`` and ``scene`` are texts, empty where it shows none.

    ``manual`` is the manual, or a part of it, None for whoever holds none. ``lines`` is the public dialogue;
    ``private`` what was said within a team, by speaker.
    """

    task: str
    manual: str | None
    scene: str
    lines: tuple[Line, ...]
    private: tuple[tuple[str, str], ...]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The valid actions: an expert has none."""
        return valid_actions(self.task) if _has_actions(self.task) else ()

    @property
    def heard(self) -> Heard:
        """The public dialogue."""
        return Heard(self.lines)


def glance(request: TurnRequest) -> Glance:
    """Sort what a request shows."""
    told: list[str] = []
    scene, manual = "", None
    lines: list[Line] = []
    private: list[tuple[str, str]] = []
    solves = any(_has_actions(message.text) for message in request.view if message.speaker == USER)
    for message, following in zip(request.view, [*request.view[1:], None], strict=True):
        if message.speaker in (USER, SYSTEM):
            if message.text.startswith(TAKING_OVER):
                lines = [*told_again(message.text), *lines]
            else:
                told.append(message.text)
                manual = _manual_in(message.text) or manual
        elif message.speaker == ENVIRONMENT:
            if message.text.startswith(NOW):
                scene = _seen(message)
            else:
                lines.append(Line("environment", message.text))
        elif _within_team(message, following, request):
            private.append((message.speaker, message.text))
        else:
            lines.append(Line(_role(message.speaker, request, solves=solves), message.text))
    return Glance("\n\n".join(told).strip(), manual, scene, tuple(lines), tuple(private))


def retold(lines: tuple[Line, ...]) -> str:
    """Write a dialogue down for a successor, who reads it with :func:`told_again`."""
    return "\n".join(f"{line.speaker.capitalize()}: {line.text}" for line in lines)


def told_again(text: str) -> list[Line]:
    """Read a dialogue out of a predecessor's summary; nothing if it holds none."""
    _, *rest = SAID.split(text)
    return [Line(who.lower(), said.strip()) for who, said in zip(rest[::2], rest[1::2], strict=True)]


def _seen(message: Message) -> str:
    texts = [part.alt or "" if isinstance(part, Image) else part.text for part in message.parts]
    return "\n".join(text for text in texts[1:] if text)


def _has_actions(task: str) -> bool:
    """Whether a task is a solver's: in an expert's, such words can stand in the manual only."""
    return ACTIONS in task.partition(f"\n\n{MANUAL}\n\n")[0]


def _manual_in(task: str) -> str | None:
    _, found, manual = task.partition(f"\n\n{MANUAL}\n\n")
    return manual if found else None


def _within_team(message: Message, following: Message | None, request: TurnRequest) -> bool:
    """Whether a message was said within a team.

    A lead has its own questions in view, and its members' answers. A member knows what its seat says to the others as
    words of ``lead``, and what it asks its members too: that is what members answer next.
    """
    if request.seat.startswith(MEMBER):
        return _is_voice(message) and (message.speaker != LEAD or following is None or _is_voice(following))
    asks = bool(request.members) and message.speaker == request.seat and message.text.lstrip().startswith("@")
    return asks or message.speaker in request.members


def _is_voice(message: Message) -> bool:
    return message.speaker == LEAD or message.speaker.startswith(MEMBER)


def _role(speaker: str, request: TurnRequest, *, solves: bool) -> str:
    return SOLVER if speaker == SOLVER or (speaker in (request.seat, LEAD) and solves) else "expert"
