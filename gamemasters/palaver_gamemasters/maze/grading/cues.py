"""The wordings by which people and models propose, agree, refuse and report, as tables.

A cue is looked for in one clause of annotated text in small letters: ``⟦n⟧`` is a cell, ``⟪n⟫`` a direction (see
:mod:`.cells`). To teach the grader another wording, add a line here and a dialogue to the tests.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "AFFIRM",
    "AGREE",
    "DOUBT",
    "FILLER",
    "LABEL",
    "PROPOSE",
    "REFUSE",
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

AGREE = Cues(
    Cue("agree", r"\bagree(?:d|s)?\b|\bin (?:full |complete |total )?agreement\b|\bconcur\b", "the plain word"),
    Cue(
        "do_it",
        r"\blet'?s (?:do (?:it|that|this)|go for it|make (?:it|that move|the move|this move))\b",
        "let's do it",
    ),
    Cue(
        "go_ahead",
        r"\bgo(?:ing)? (?:ahead|for it)\b|\blet'?s (?:proceed|execute|go)(?: with (?:it|that|this|your)\b|[ .!]*$)",
        "let's go",
    ),
    Cue(
        "sounds",
        r"(?:^|\b(?:that|this|it|your|(?:plan|move|idea|suggestion|proposal))\b[^⟦⟪]{0,60}"
        r"|[⟧⟫][^⟦⟪]{0,60})\b(?:sounds?"
        r"|looks?|seems?) (?:to be |to me )?(?:like )?(?:an? |the )?(?:very |really )?(?:good|great|perfect|fine"
        r"|reasonable|right|safe|solid|viable|sensible|plan|best)\b",
        "sounds good",
    ),
    Cue(
        "idea",
        r"\b(?:good|great|excellent|nice|smart|sensible|perfect|solid) (?:idea|plan|move|call|choice|suggestion"
        r"|proposal|thinking)\b",
        "good idea",
    ),
    Cue(
        "works",
        r"\b(?:that )?works for me\b|\bi feel good about (?:it|that|this)\b|\b(?:fine|good|ok|okay) (?:with|by"
        r"|for) me\b|\bmakes sense\b",
        "works for me",
    ),
    Cue(
        "accept",
        r"\bi(?:'m| am)? ?(?:also |fully |happily )?(?:accept|approve|support|second|in\b|on board|happy (?:to"
        r"|with)|good with|fine with|ok(?:ay)? with)",
        "I accept",
    ),
    Cue(
        "passive",
        r"\b(?:move|proposal|suggestion|action|step) (?:is )?(?:accepted|approved|confirmed|agreed)\b",
        "move confirmed",
    ),
    Cue(
        "confirm_move",
        r"\bconfirm(?:ed|ing)?,? (?:the|this|that|your|our|to|on)? ?(?:move|moving|action|step|proposal"
        r"|execut\w+)\b",
        "I confirm the move",
    ),
    Cue("that", r"[⟧⟫] (?:works|it is|is (?:fine|ok|okay|good)|then it is)\b", "east it is"),
    Cue("sign", r"👍|🤝|💯", "the sign"),
    Cue(
        "likewise",
        r"\bditto\b|\blgtm\b|^\+1\b|\bseconded\b|^(?:same here|me too|likewise|so would i)\b|\bcould(?:n't|"
        r" not) agree more\b"
        r"|\bmy thoughts exactly\b|\bi was (?:just )?(?:going|about) to (?:suggest|say|propose) (?:the same"
        r"|that|it|exactly)\b",
        "the same opinion",
    ),
    Cue(
        "order",
        r"^(?:please |yes |so |then |ok )*(?:do|do (?:it|that|so)|go|go on|execute(?: it)?|carry on|by all means"
        r"|with pleasure|gladly|if you insist)$",
        "do it",
    ),
)
"""Agreement in so many words."""

AFFIRM = Cues(
    Cue(
        "yes",
        r"^(?:and |oh |ah |so |well )?(?:yes|yep|yeah|yup|aye|sure(?: thing)?|of course|absolutely|definitely"
        r"|certainly(?! not)|indeed|i say yes)\b|^y(?![\w/'])",
        "may answer a question of fact as well",
    ),
    Cue("ok", r"^(?:ok|okay|alright|all right|very well|fine|deal|done)\b", "may be a mere start of talk"),
    Cue(
        "confirmed",
        r"^(?:confirm(?:ed|ing)?|i(?: can)?(?: also)? confirm|affirmative|roger|copy(?: that)?|acknowledged"
        r"|approved|accepted|granted)\b",
        "may confirm a cell's contents",
    ),
    Cue(
        "no_objection",
        r"\bno (?:objections?|problem(?:s)?(?: with that)?|issues? with that)\b|^(?:not a problem|not at all|no"
        r" doubt|no questions?"
        r"|no reason not to|no complaints?)\b|^none(?: at all| from me| here)?$",
        "no objection",
    ),
    Cue("acti", r"\bacti\b", "the completion phrase: the last move must have been made"),
    Cue("check", r"^(?:✅|✔|👌)", "the sign"),
)
"""A yes that may be about something else; it counts where the rest of the turn is about the move."""

FILLER = Cues(
    Cue(
        "praise",
        r"^(?:great|perfect|excellent|good|nice|awesome|wonderful|fantastic|brilliant|super|cool)\b",
        "pleased",
    ),
    Cue("right", r"^(?:right|correct|exactly|true|understood|got it|i see|noted)\b", "follows"),
)
"""Words that merely keep a talk going. Agreement only where the speaker goes on from there."""

REFUSE = Cues(
    Cue(
        "disagree",
        r"\bdisagree\b|\b(?:do not|don't|can't|cannot|not|won't|unable to|did not|didn't|haven't|never)"
        r" (?:quite |fully |really |yet )?agreed?\b(?! more\b)",
        "the plain word",
    ),
    Cue(
        "no",
        r"^(?:no|nope|nah|negative)\b(?! (?:objections?|problems?|issues?|worries|doubt|conflicts?|walls?|need"
        r"|questions?"
        r"|complaints?|reason))",
        "no",
    ),
    Cue(
        "wait",
        r"^(?:(?:but|no|oh|ah|hmm+|actually)[ ,]*)?(?:wait|hold on|hold off|stop|not so fast|careful|hang on)\b",
        "wait",
    ),
    Cue(
        "do_not",
        r"\b(?:do not|don't|shouldn't|should not|must not|mustn't|let'?s not|let us not|rather not|better not"
        r"|cannot|can't) (?:want to |be able to )?(?:move|go|proceed|step|do that|jump|head|take)\b",
        "do not move",
    ),
    Cue("reject", r"\b(?:i |we )?(?:must |have to |need to )?(?:object|reject|refuse|decline)\b", "I reject"),
)
DOUBT = Cues(
    Cue(
        "but",
        r"^(?:however|but|unfortunately|actually|instead|hmm+|although)\b|\b(?:however|instead|unfortunately)\b",
        "turns",
    ),
    Cue(
        "trouble",
        r"\b(?:blocked|invalid|impossible|conflict|confusion|mistake|mistaken|discrepancy|contradict\w*|illegal)\b",
        "names trouble",
    ),
    Cue(
        "not_possible",
        r"\b(?:not|isn't|n't|no longer) (?:a )?(?:possible|valid|safe|open|passable|adjacent|allowed|legal|viable"
        r"|path|clear)\b",
        "not possible",
    ),
    Cue(
        "wall",
        r"⟦\d+⟧[^⟦]*\b(?:walls?|#)|\b(?:into|hits?|is|as) (?:also )?(?:a |the )?(?:walls?|#)",
        "that is a wall",
    ),
)
"""Refusal in so many words, and mere trouble, which undoes a vague yes."""

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
    r"^(?:(?:propose|proposal|proposed|suggest(?:ed|ion)?|next|first|final|last|my|our|best|better|second|third"
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
        "we_are",
        r"\b(?:we(?:'re| are| stand| start| begin)|i(?:'m| am)|our|my|the|your) (?:both |currently |still "
        r"|current |starting |start )*(?:at|in|on|position)\b|^(?:current |starting )?position\b|^at ⟦|\bwe stand\b",
        "we are at",
    ),
)
"""Moves that have been made, and places that are merely stated."""
