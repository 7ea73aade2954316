"""What has been agreed: the players' position as it follows from a dialogue, and the proposal that is on the table.

A move counts once everybody has agreed to it (The Collaboration Gap, appendix A.4). The state is a fold over messages,
whose quotation marks are plain ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..grid import MOVES, WALL, Cell, Maze
from .styles import Style, mentions
from .understanding import learned

__all__ = ["Talk", "affirms", "direction", "hear", "target"]

ASKING = re.compile(
    r"\b(?:do|would|can|could|shall|should|are|is|will|may|what) (?:you|we|i|it|that|this|about)\b[^.?!\n]{0,200}\?"
    r"|\b(?:agreed?|ok(?:ay)?|deal|sounds good|all right|alright|fine|yes)\s*(?:with you|for you|by you)?\s*\?",
    re.IGNORECASE,
)
AGREEING = re.compile(
    r"\b(?:agreed?|yes|yep|yeah|yup|ok(?:ay)?|sure|confirm(?:ed)?|sounds (?:good|great)|works for me"
    r"|go ahead|deal|perfect|absolutely|certainly|of course|do it|(?:good|great) (?:idea|plan|move)|alright|all right"
    r"|exactly|correct|aye)\b|^\s*(?:y|fine|good|great)\s*(?:[.,!:]|$)",
    re.IGNORECASE,
)
OBJECTING = re.compile(
    r"\b(?:disagree|(?:don't|cannot|can't|won't|not) (?:quite )?(?:agree|move|go|possible|step|a good)"
    r"|rather not|not possible|impossible|nope|wait|hold on|stop|would (?:hit|be) (?:a|into a) wall|blocked"
    r"|however|but that|into a wall)\b|(?:^|[.!\n])\s*no\b(?! (?:problem|worries|doubt|objection))",
    re.IGNORECASE,
)
PROPOSING = re.compile(
    r"\b(?:propos(?:e|al|ed)|suggest|let's|lets|let us|how about|what about|shall we|should we|next move"
    r"|next step|could we|can we|i (?:would|want to|wish to) (?:move|go|like))\b|^\W*(?:moving|i move|move|go|step)\b",
    re.IGNORECASE,
)
MOVING = re.compile(r"\b(?:mov(?:e|ed|ing)|go|going|step|stepp?ing|head(?:ing)?|next)\b", re.IGNORECASE)
ONWARDS = re.compile(r"\b(?:next|then|again|now|after)\b", re.IGNORECASE)
FRESH = re.compile(rf"\b(?:propos(?:e|al)|suggest)\b|\?\s*$|{ONWARDS.pattern}", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|\s+(?=(?:[Ll]et'?s|(?:and )?then)\b)")

WAYS = {
    "up": r"up(?:wards?)?|north(?:wards?)?|[↑⬆]",
    "down": r"down(?:wards?)?|south(?:wards?)?|[↓⬇]",
    "left": r"left(?:wards?)?|west(?:wards?)?|[←⬅]",
    "right": r"right(?:wards?)?|east(?:wards?)?|[➡]",
}
WAY = re.compile("|".join(rf"(?P<{way}>(?<!\w)(?:{words})(?!\w))" for way, words in WAYS.items()), re.IGNORECASE)
NO_WAY = re.compile(
    r"\b(?:top|bottom|upper|lower)[- ](?:left|right)\b|\b(?:all|you(?:'re| are)|that's|is) (?:absolutely )?right\b"
    r"|\bright (?:now|away)\b|\bleft (?:to|of)\b|\b(?:moves|steps|turns|cells) left\b"
    r"|\b(?:end|set|look) up\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Talk:
    """Where a dialogue stands.

    ``track`` is the cells the players stood on, the present one last; ``proposal`` the cell that the seats ``agreed``
    want to move to, and ``age`` the number of messages since; ``refused`` the cells that a seat did not want.
    """

    track: tuple[Cell, ...]
    proposal: Cell | None = None
    agreed: frozenset[str] = frozenset()
    age: int = 0
    refused: frozenset[Cell] = frozenset()

    @property
    def position(self) -> Cell:
        """Where the players are."""
        return self.track[-1]


def hear(talk: Talk, speaker: str, text: str, *, seats: frozenset[str], style: Style | None, own: Maze) -> Talk:
    """Return the state after one more message.

    Args:
        talk: the state before it.
        speaker: the seat that spoke.
        text: what it said.
        seats: all who must agree on a move.
        style: how this speaker names cells.
        own: a map of the maze, for its size.
    """
    before = talk.track
    if talk.proposal is not None and speaker not in talk.agreed:
        if _objects(talk.proposal, text, style, own):
            talk = replace(talk, proposal=None, agreed=frozenset(), refused=talk.refused | {talk.proposal})
        elif _agrees(talk, text, style, own):
            talk = _with_consent(talk, speaker, seats)
    proposed = _proposed(talk, text, style, own, made=talk.track != before)
    if proposed is None or proposed == talk.proposal:
        return replace(talk, age=talk.age + 1)
    return replace(talk, proposal=proposed, agreed=frozenset({speaker}), age=0)


def direction(origin: Cell, cell: Cell) -> str | None:
    """Return the word for the move from one cell to the next, or None if it is not one move."""
    step = (cell[0] - origin[0], cell[1] - origin[1])
    return next((way for way, move in MOVES.items() if move == step), None)


def target(sentence: str, position: Cell, style: Style | None, own: Maze) -> Cell | None:
    """Return the cell that a sentence wants to move to: a neighbour it names, else a direction, else a jump."""
    readable = [m for m in mentions(sentence) if style and (m.form == "letter") == (style.form == "letter")]
    cells = [style.read(mention, own) for mention in readable] if style else []
    for cell in cells:
        if direction(position, cell):
            return cell
    for found in WAY.finditer(NO_WAY.sub("", sentence)):
        down, right = MOVES[found.lastgroup or "up"]
        return position[0] + down, position[1] + right
    return next((cell for cell in cells if cell != position and MOVING.search(sentence)), None)


def affirms(text: str) -> bool:
    """Whether a text says yes, or that a way is open."""
    return bool(
        AGREEING.search(ASKING.sub("", text)) or re.search(r"\b(?:open|clear|free|path)\b", text, re.IGNORECASE)
    )


def _objects(proposal: Cell, text: str, style: Style | None, own: Maze) -> bool:
    """Whether a text speaks against the proposal."""
    return bool(OBJECTING.search(text)) or learned(text, style, own).get(proposal) == WALL


def _agrees(talk: Talk, text: str, style: Style | None, own: Maze) -> bool:
    """Whether a text speaks for the proposal, in so many words or by saying the same."""
    if AGREEING.search(ASKING.sub("", text)):
        return True
    return any(
        target(sentence, talk.position, style, own) == talk.proposal
        for sentence in _sentences(text)
        if PROPOSING.search(sentence) or MOVING.search(sentence)
    )


def _with_consent(talk: Talk, speaker: str, seats: frozenset[str]) -> Talk:
    """Add a seat to those who agree; the move is made once all do."""
    agreed = talk.agreed | {speaker}
    if talk.proposal is None or not seats <= agreed:
        return replace(talk, agreed=agreed)
    return replace(talk, track=(*talk.track, talk.proposal), proposal=None, agreed=frozenset())


def _proposed(talk: Talk, text: str, style: Style | None, own: Maze, made: bool) -> Cell | None:
    """Return the cell that a text proposes to move to, seen from where the players are now.

    A text by which a move has been ``made`` may also say that move again, which proposes nothing.
    """
    for sentence in _sentences(text):
        if not PROPOSING.search(sentence) or (made and _restates(talk, sentence, text, style, own)):
            continue
        if (cell := target(sentence, talk.position, style, own)) is not None:
            return cell
    return None


def _restates(talk: Talk, sentence: str, text: str, style: Style | None, own: Maze) -> bool:
    """Whether a sentence of a text only says again which move that text has just made.

    After an agreement in so many words, what is proposed is something new; without one, it was the agreement itself.
    """
    new = FRESH if AGREEING.search(ASKING.sub("", text)) else ONWARDS
    if AGREEING.search(ASKING.sub("", sentence)) and not FRESH.search(sentence):
        return True
    named = [style.read(mention, own) for mention in mentions(sentence)] if style else []
    if named:
        return named[-1] == talk.position
    return target(sentence, talk.track[-2], style, own) == talk.position and not new.search(sentence)


def _sentences(text: str) -> Iterator[str]:
    """Split a text into sentences, roughly."""
    return (sentence for sentence in SENTENCE.split(text) if sentence.strip())
