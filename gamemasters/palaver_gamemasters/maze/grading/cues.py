"""The wordings by which people and models propose moves and report them, as tables; :mod:`.consent` has the answers.

A cue is looked for in one clause of annotated text in small letters: ``⟦n⟧`` is a cell, ``⟪n⟫`` a direction (see
:mod:`.cells`). To teach the grader another wording, add a line here and a dialogue to the tests.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "LABEL",
    "PROPOSE",
    "REPORT",
    "SAME",
    "UNDER_WAY",
    "VERB",
    "WE_ARE",
    "Cue",
    "Cues",
]


class Cue(NamedTuple):
    """One wording: a name, a regular expression, and why it stands in its table."""

    name: str
    pattern: str
    why: str


class Cues:
    """A table of cues, searched as one."""

    def __init__(self, *cues: Cue) -> None:
        self.table: Mapping[str, Cue] = {cue.name: cue for cue in cues}
        self._any = re.compile("|".join(f"(?P<{cue.name}>{cue.pattern})" for cue in cues))

    def search(self, clause: str) -> re.Match[str] | None:
        """Find the first cue of the clause; ``lastgroup`` of the match is its name."""
        return self._any.search(clause)

    def cut(self, clause: str, instead: str = " ") -> str:
        """Take every cue out of the clause."""
        return self._any.sub(instead, clause)

    def __contains__(self, clause: str) -> bool:
        """Whether the clause holds a cue of this table."""
        return self._any.search(clause) is not None


MOVE_VERB = (
    r"(?:mov(?:e|es|ing)|go(?:ing)?|step(?:ping)?|head(?:ing)?|proceed(?:ing)?|continu(?:e|ing)|advanc(?:e|ing)"
    r"|tak(?:e|ing)"
    r"|travel(?:l?ing)?|try(?:ing)?|turn(?:ing)?|shift(?:ing)?|walk(?:ing)?|back(?:track(?:ing)?)?|return(?:ing)?"
    r"|retreat(?:ing)?|execut(?:e|ing)|keep(?:ing)?|(?:start(?:ing)?|begin(?:ning)?) (?:by|with|off)"
    r"|mak(?:e|ing)|do(?:ing)?|com(?:e|ing)|choos(?:e|ing)|pick(?:ing)?|drop(?:ping)?|follow(?:ing)?)"
)
BARE_VERB = (
    r"(?:move|go|step|head|proceed|continue|advance|take|travel|try|turn|shift|walk|back(?:track)?|return"
    r"|retreat|execute|keep"
    r"|drop)"
)
MOVED = r"(?:moved|gone|went|stepped|proceeded|advanced|arrived|reached|returned|backtracked|executed|landed|made it)"
VERB = Cues(
    Cue(
        "verb",
        rf"\b(?:{MOVE_VERB}|moved|went|stepped)\b",
        "a verb of motion, without which a direction is mere description",
    )
)

PROPOSE = Cues(
    Cue(
        "propose",
        r"\b(?:propos(?:e|ing)|suggest(?:ing)?|recommend|vote(?: for)?|any objections? (?:to|against)|(?:my|our"
        r"|the|a) (?:next "
        r"|first )?(?:proposal|suggestion|proposed (?:next )?move))\b",
        "I propose",
    ),
    Cue("lets", r"\blet'?s\b|\blet us\b", "let's"),
    Cue(
        "shall",
        r"\b(?:shall|should|can|could|may|do) we\b(?! (?:get|reach)\b)|\bcould you\b|\bcan you\b|\bwould you"
        r" (?:like|agree|be (?:ok"
        r"|okay|willing|happy))",
        "shall we",
    ),
    Cue(
        "how_about",
        r"\b(?:how|what) about\b|\bwhat if we\b|\bwould you mind (?:if we|us)?|\bhow do you feel about\b"
        r"|\bwhat do you say to\b",
        "how about",
    ),
    Cue(
        "do_you",
        r"\bdo you (?:agree|want|accept|approve|confirm)\b|\b(?:are you|is it|would it be) (?:ok|okay|fine|good"
        r"|ready|happy|alright)\b"
        r"|\bready to\b|\bif you agree\b|^agree to\b",
        "do you agree to",
    ),
    Cue(
        "should",
        r"\b(?:we|both) (?:should|need to|have to|must|ought to)\b|\bwe(?:'ll| will) (?:now "
        r"|then )?(?:need to )?\b",
        "we should",
    ),
    Cue(
        "want",
        r"\bi(?:'d| would) (?:now |then |rather )?(?:go|move|head|step|say|take)\b"
        r"|\bi(?:'d| would)? (?:like|want|prefer|love|advise)(?: us)?(?: to)?\b|\bi (?:think|believe"
        r"|say)\b(?=.{0,80}\bwe\b)",
        "I'd like us to",
    ),
    Cue(
        "label",
        r"\b(?:proposal|proposed|suggest(?:ed|ion)|next|first|my|our|best|only|recommended|action)(?: (?:next"
        r"|first|best"
        r"|safe|immediate|new|promising|sensible|possible|open|legal))?(?: (?:move|step|action|way|option|choice))?"
        r"(?: (?:on|forward|ahead|out))?(?: (?:is|would be|should be|could be|will be)(?: to)?)\b",
        "our next move is",
    ),
    Cue(
        "best_bet",
        r"(?<=[⟧⟫]) (?:is|would be|seems|looks|sounds) (?:like |to be )?(?:our |the |my )?(?:(?:best|safest"
        r"|only|next|obvious"
        r"|natural|most [a-z]+) )+(?:bet|move|option|choice|way|step)\b",
        "down is our best bet",
    ),
    Cue(
        "imperative",
        rf"^(?:please |now |so |then |next |first |and |therefore |thus |just )*{BARE_VERB}\b",
        "move right",
    ),
)
LABEL = (
    r"^(?!(?:my|our)(?! (?:next|first|proposed|suggested))\b[\w ]*\b(?:cells?|maps?|view|maze|grid|walls?|information"
    r"|notes?|positions?)\b)(?:(?:propose|proposal|proposed|suggest(?:ed|ion)?|next|first|final|last|my|our|best|better|second|third"
    r"|fourth|fifth|sixth|recommended|action|move|step"
    r"|direction|decision)[\w ]*)$"
)
"""What may stand before a colon: "Proposed first move: down"."""

UNDER_WAY = Cues(
    Cue(
        "gerund",
        r"^(?:(?:now|so|then|next|and|ok|okay|great|therefore|thus|i'm|i am|we're|we are|also|just|now i'm"
        r"|now we're) )*(?:mov|go|stepp|head|proceed|execut|tak|continu|backtrack|return|advanc|dropp|mak)ing\b",
        "moving right",
    ),
    Cue(
        "we_move",
        r"\b(?:we|i|i'll|i will|we'll) (?:now |then |also |both |next |therefore |will )?(?:move|go|step|head"
        r"|proceed|continue|take|backtrack|return|advance)\b",
        "we move right",
    ),
    Cue("i_moved", r"\b(?:i|i've|i have)(?: have| just| now| also)? (?:moved|gone|went|stepped)\b", "I moved right"),
)
"""A move on its way. It agrees to the partner's proposal where it is the same; else it is a proposal by doing."""

REPORT = Cues(
    Cue(
        "we_moved",
        rf"\b(?:we|we've|we have|we're|both)(?: have| both| now| just| already| successfully| then)* {MOVED}\b",
        "we have moved",
    ),
    Cue("puts_us", r"\b(?:puts?|brings?|takes?|lands?|gets?|leaves?) us (?:at|in|on|to|into|onto)\b", "puts us at"),
    Cue(
        "now_at",
        r"\b(?:now|currently both|both now) (?:we're |we are |both |standing |located )?(?:at|in|on)\b|\b(?:we're"
        r"|we are|we)(?: \w+)? (?:there|here) now\b|(?:\bwe(?:'re| are)|^) (?:at|on|in) ⟦\d+⟧ now\b",
        "now at",
    ),
    Cue(
        "new_position",
        r"\b(?:new|updated) (?:current )?position\b|^(?:move|action) (?:executed|done|made|complete)",
        "new position",
    ),
)
SAME = Cues(
    Cue(
        "same",
        r"\bsame (?:direction|way|move|step|thing)\b|^(?:and |then |now |ok |yes )*(?:again|once more|once"
        r" again|one more"
        r"(?: time)?|another(?: one)?|(?:let'?s |shall we )?(?:keep going|continue|go on)(?: straight)?(?:"
        r" (?:again|on))?)$",
        "the last move once more",
    ),
)
"""A move that is only named as being the last one again."""
WE_ARE = Cues(
    Cue(
        "we_start",
        r"\b(?:we|i)(?: both| all)? (?:start|begin)(?: both)? (?:at|in|on)\b"
        r"|\b(?:our |my |the |your |^)start(?:ing)? position\b",
        "where it all began, which is no news of a move",
    ),
    Cue(
        "we_are",
        r"\b(?:we(?:'re| are| stand)|i(?:'m| am)|our|my|the|your) (?:both |currently |still "
        r"|current )*(?:at|in|on|position)\b|^(?:current )?position\b|^at ⟦|\bwe stand\b",
        "we are at",
    ),
)
"""Moves that have been made, and places that are merely stated."""
