"""What a player's history tells a script: what is asked of it now, what it sees, what the other player said.

Both players' words reach each other through the game master only, each behind its flag. So the history is cut at the
flags, and what the game master itself asks for is taken off the end.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palaver_gamemasters.clembench.matchit.prompts import FLAGS
from palaver_gamemasters.clembench.matchit.rules import Kind
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import in_words

__all__ = ["Dialogue", "Heard", "dialogue_of"]

ASKED = re.compile(r'(?:start|write)\b[^"\n]*"(?P<one>[^"\n]+)"(?:[^"\n]* or "(?P<other>[^"\n]+)")?', re.IGNORECASE)
"""How the game master names the flag that an answer must begin with, or the decisions there are."""
TAIL = re.compile(r'(?:^Now (?:ask|come)\b|[ ]?Start your answer with ")', re.MULTILINE)
SAID = re.compile(rf"^(?:This is my )?({'|'.join(FLAGS.values())})", re.MULTILINE)
MINE = re.compile(r"\b(?:my|mine|I)\b", re.IGNORECASE)
DECISIONS = ("same image", "different images")


@dataclass(frozen=True)
class Heard:
    """Something that the other player said. ``question`` is the own one that it answers."""

    kind: Kind
    text: str
    question: str | None = None

    @property
    def told(self) -> str:
        """What it says of the other's picture: of a question, what it says of that before it asks."""
        if self.kind != "question":
            return self.text
        sentences = re.split(r"(?<=[.!?])\s+|\n", self.text)
        return "\n".join(each for each in sentences if "?" not in each) if MINE.search(self.text) else ""


@dataclass(frozen=True)
class Dialogue:
    """A history, sorted.

    ``asked`` is the kind of answer that is due, ``flag`` what it must begin with, ``decisions`` what can be decided:
    the same, or different. ``shown`` is the first message: the task, and what the player sees. ``heard`` is what the
    other said, ``own`` what the player itself asked.
    """

    asked: Kind
    flag: str
    decisions: tuple[str, str]
    shown: str
    heard: tuple[Heard, ...]
    own: tuple[str, ...]

    @property
    def question(self) -> str:
        """The question that the other player has put last; empty if there is none."""
        return next((each.text for each in reversed(self.heard) if each.kind == "question"), "")


def dialogue_of(request: TurnRequest) -> Dialogue:
    """Sort what a request shows."""
    view = in_words(request.view)
    heard: list[Heard] = []
    own: list[str] = []
    shown = view[0].text if view else ""
    for number, message in enumerate(view):
        if message.speaker == request.seat:
            own += [said for kind, said in _said(message.text) if kind == "question"][:1]
        elif number:
            pending = own[-1] if own else None
            heard += [Heard(kind, said, pending if kind == "answer" else None) for kind, said in _said(message.text)]
    last = view[-1].text if view else ""
    kind, flag, decisions = _due(last, spoke=any(message.speaker == request.seat for message in view))
    return Dialogue(kind, flag, decisions, shown, tuple(heard), tuple(own))


def _said(text: str) -> Iterator[tuple[Kind, str]]:
    """Yield what stands behind each flag, without what the game master wants."""
    tails = list(TAIL.finditer(text))
    _, *pieces = SAID.split(text[: tails[-1].start()] if tails else text)
    kinds: dict[str, Kind] = {flag: _kind(flag) for flag in FLAGS.values()}
    for flag, said in zip(pieces[::2], pieces[1::2], strict=True):
        yield kinds[flag], said.strip()


def _due(text: str, *, spoke: bool) -> tuple[Kind, str, tuple[str, str]]:
    """Return what kind of answer the last message wants, behind which flag, and what can be decided."""
    asked = list(ASKED.finditer(text))
    if not asked:
        kind: Kind = "answer" if spoke else "description"
        return kind, FLAGS[kind], DECISIONS
    flag, _, same = asked[-1]["one"].strip().partition(" ")
    if asked[-1]["other"]:
        return "decision", flag, (same, asked[-1]["other"].strip().partition(" ")[2])
    return _kind(flag), flag, DECISIONS


def _kind(flag: str) -> Kind:
    return next((kind for kind in ("description", "question", "decision") if flag.lower().startswith(kind)), "answer")
