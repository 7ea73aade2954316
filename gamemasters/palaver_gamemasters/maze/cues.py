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
    "ASKS_AGREEMENT",
    "ASKS_FACTS",
    "CHOICE",
    "CONDITION",
    "DOUBT",
    "FACT",
    "FILLER",
    "HEDGE",
    "LABEL",
    "NEGATION",
    "NEXT",
    "NOT_OURS",
    "OTHER_BUSINESS",
    "PLAN",
    "PROPOSE",
    "REASON",
    "REFUSE",
    "REPORT",
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
    r"(?:mov(?:e|es|ing)|go(?:ing)?|step(?:ping)?|head(?:ing)?|proceed(?:ing)?|continu(?:e|ing)|advanc(?:e|ing)|tak(?:e|ing)"
    r"|travel(?:l?ing)?|try(?:ing)?|turn(?:ing)?|shift(?:ing)?|walk(?:ing)?|back(?:track(?:ing)?)?|return(?:ing)?"
    r"|retreat(?:ing)?|execut(?:e|ing)|keep(?:ing)?|start(?:ing)?|begin(?:ning)?|mak(?:e|ing)|do(?:ing)?|com(?:e|ing)|choos(?:e|ing)|pick(?:ing)?|drop(?:ping)?)"
)
BARE_VERB = (
    r"(?:move|go|step|head|proceed|continue|advance|take|travel|try|turn|shift|walk|back(?:track)?|return|retreat|execute|keep"
    r"|drop)"
)
MOVED = r"(?:moved|gone|went|stepped|proceeded|advanced|arrived|reached|returned|backtracked|executed|landed|made it)"
VERB = Cues(Cue("verb", rf"\b{MOVE_VERB}\b", "a verb of motion, without which a direction is mere description"))

AGREE = Cues(
    Cue("agree", r"\bagree(?:d|s)?\b|\bin (?:full |complete |total )?agreement\b|\bconcur\b", "the plain word"),
    Cue("do_it", r"\blet'?s (?:do (?:it|that|this)|go for it|make (?:it|that move|the move|this move))\b", "let's do it"),
    Cue("go_ahead", r"\bgo(?:ing)? (?:ahead|for it)\b|\blet'?s (?:proceed|execute|go)(?: with (?:it|that|this|your)\b|[ .!]*$)", "let's go"),
    Cue("sounds", r"(?:^|\b(?:that|this|it|your|(?:plan|move|idea|suggestion|proposal))\b[^⟦⟪]*|[⟧⟫][^⟦⟪]*)\b(?:sounds?|looks?|seems?) (?:to be |to me )?(?:like )?(?:an? |the )?(?:very |really )?(?:good|great|perfect|fine|reasonable|right|safe|solid|viable|sensible|plan|best)\b", "sounds good"),
    Cue("idea", r"\b(?:good|great|excellent|nice|smart|sensible|perfect|solid) (?:idea|plan|move|call|choice|suggestion|proposal|thinking)\b", "good idea"),
    Cue("works", r"\b(?:that )?works for me\b|\b(?:fine|good|ok|okay) (?:with|by|for) me\b|\bmakes sense\b", "works for me"),
    Cue("accept", r"\bi(?:'m| am)? ?(?:also |fully |happily )?(?:accept|approve|support|second|in\b|on board|happy (?:to|with)|good with|fine with|ok(?:ay)? with)", "I accept"),
    Cue("passive", r"\b(?:move|proposal|suggestion|action|step) (?:is )?(?:accepted|approved|confirmed|agreed)\b", "move confirmed"),
    Cue("confirm_move", r"\bconfirm(?:ed|ing)?,? (?:the|this|that|your|our|to|on)? ?(?:move|moving|action|step|proposal|execut\w+)\b", "I confirm the move"),
    Cue("sign", r"👍|🤝|💯", "the sign"),
)
"""Agreement in so many words."""

AFFIRM = Cues(
    Cue("yes", r"^(?:and |oh |ah |so |well )?(?:yes|yep|yeah|yup|aye|sure(?: thing)?|of course|absolutely|definitely|certainly|indeed)\b", "may answer a question of fact as well"),
    Cue("ok", r"^(?:ok|okay|alright|all right|very well|fine|deal|done)\b", "may be a mere start of talk"),
    Cue("confirmed", r"^(?:confirm(?:ed|ing)?|i(?: can)?(?: also)? confirm|affirmative|roger|copy(?: that)?|acknowledged|approved|accepted|granted)\b", "may confirm a cell's contents"),
    Cue("no_objection", r"\bno (?:objections?|problem(?:s)?(?: with that)?|issues? with that)\b", "no objection"),
    Cue("acti", r"\bacti\b", "the completion phrase: the last move must have been made"),
    Cue("check", r"^(?:✅|✔|👌)", "the sign"),
)
"""A yes that may be about something else; it counts where the rest of the turn is about the move."""

FILLER = Cues(
    Cue("praise", r"^(?:great|perfect|excellent|good|nice|awesome|wonderful|fantastic|brilliant|super|cool)\b", "pleased"),
    Cue("right", r"^(?:right|correct|exactly|true|understood|got it|i see|noted)\b", "follows"),
)
"""Words that merely keep a talk going. Agreement only where the speaker goes on from there."""

REFUSE = Cues(
    Cue("disagree", r"\bdisagree\b|\b(?:do not|don't|can't|cannot|not|won't|unable to) (?:quite |fully |really )?agree\b", "the plain word"),
    Cue("no", r"^(?:no|nope|nah|negative)\b(?! (?:objections?|problems?|issues?|worries|doubt|conflicts?|walls?|need))", "no"),
    Cue("wait", r"^(?:(?:but|no|oh|ah|hmm+|actually)[ ,]*)?(?:wait|hold on|hold off|stop|not so fast|careful|hang on)\b", "wait"),
    Cue("do_not", r"\b(?:do not|don't|shouldn't|should not|must not|mustn't|let'?s not|let us not|rather not|better not|cannot|can't) (?:want to |be able to )?(?:move|go|proceed|step|do that|jump|head|take)\b", "do not move"),
    Cue("reject", r"\b(?:i |we )?(?:must |have to |need to )?(?:object|reject|refuse|decline)\b", "I reject"),
)
DOUBT = Cues(
    Cue("but", r"^(?:however|but|unfortunately|actually|instead|hmm+|although)\b|\b(?:however|instead|unfortunately)\b", "turns"),
    Cue("trouble", r"\b(?:blocked|invalid|impossible|conflict|confusion|mistake|mistaken|discrepancy|contradict\w*|illegal)\b", "names trouble"),
    Cue("not_possible", r"\b(?:not|isn't|n't|no longer) (?:a )?(?:possible|valid|safe|open|passable|adjacent|allowed|legal|viable|path|clear)\b", "not possible"),
    Cue("wall", r"⟦\d+⟧[^⟦]*\b(?:walls?|#)|\b(?:into|hits?|is|as) (?:also )?(?:a |the )?(?:walls?|#)", "that is a wall"),
)
"""Refusal in so many words, and mere trouble, which undoes a vague yes."""

PROPOSE = Cues(
    Cue("propose", r"\b(?:propos(?:e|ing)|suggest(?:ing)?|recommend|vote(?: for)?|(?:my|our|the|a) (?:next |first )?(?:proposal|suggestion|proposed (?:next )?move))\b", "I propose"),
    Cue("lets", r"\blet'?s\b|\blet us\b", "let's"),
    Cue("shall", r"\b(?:shall|should|can|could|may|do) we\b|\bcould you\b|\bcan you\b|\bwould you (?:like|agree|be (?:ok|okay|willing|happy))", "shall we"),
    Cue("how_about", r"\b(?:how|what) about\b|\bwhat if we\b", "how about"),
    Cue("do_you", r"\bdo you (?:agree|want|accept|approve|confirm)\b|\b(?:are you|is it) (?:ok|okay|fine|good|ready|happy)\b|\bready to\b|\bif you agree\b|^agree to\b", "do you agree to"),
    Cue("should", r"\b(?:we|both) (?:should|need to|have to|must|ought to)\b|\bwe(?:'ll| will) (?:now |then )?(?:need to )?\b", "we should"),
    Cue("want", r"\bi(?:'d| would)? (?:like|want|prefer|love|advise)(?: us)?(?: to)?\b|\bi (?:think|believe|say)\b(?=.*\bwe\b)", "I'd like us to"),
    Cue("label", r"\b(?:proposal|proposed|suggest(?:ed|ion)|next|first|my|our|best|recommended|action)(?: (?:next|first|best|safe|immediate))?(?: (?:move|step|action))?(?: (?:is|would be|should be|could be|will be)(?: to)?)\b", "our next move is"),
    Cue("imperative", rf"^(?:please |now |so |then |next |first |and |therefore |thus |just )*{BARE_VERB}\b", "move right"),
)
LABEL = r"^(?:(?:proposal|proposed|suggest(?:ed|ion)|next|first|my|our|best|recommended|action|move|step|decision)[\w ]*)$"
"""What may stand before a colon: "Proposed first move: down"."""

UNDER_WAY = Cues(
    Cue("gerund", r"^(?:(?:now|so|then|next|and|ok|okay|great|therefore|thus|i'm|i am|we're|we are|also|just|now i'm|now we're) )*(?:mov|go|stepp|head|proceed|execut|tak|continu|backtrack|return|advanc|dropp|mak)ing\b", "moving right"),
    Cue("we_move", r"\b(?:we|i|i'll|i will|we'll) (?:now |then |also |both |next |therefore |will )?(?:move|go|step|head|proceed|continue|take|backtrack|return|advance)\b", "we move right"),
    Cue("i_moved", r"\b(?:i|i've|i have)(?: have| just| now| also)? (?:moved|gone|went|stepped)\b", "I moved right"),
)
"""A move on its way. It agrees to the partner's proposal where it is the same; else it is a proposal by doing."""

REPORT = Cues(
    Cue("we_moved", rf"\b(?:we|we've|we have|we're|both)(?: have| both| now| just| already| successfully| then)* {MOVED}\b", "we have moved"),
    Cue("puts_us", r"\b(?:puts?|brings?|takes?|lands?|gets?|leaves?) us (?:at|in|on|to|into|onto)\b", "puts us at"),
    Cue("now_at", r"\b(?:now|currently both|both now) (?:we're |we are |both |standing |located )?(?:at|in|on)\b|\b(?:we're|we are|we)(?: \w+)? (?:there|here) now\b|(?:\bwe(?:'re| are)|^) (?:at|on|in) ⟦\d+⟧ now\b", "now at"),
    Cue("new_position", r"\b(?:new|updated) (?:current )?position\b|^(?:move|action) (?:executed|done|made|complete)", "new position"),
)
WE_ARE = Cues(
    Cue("we_are", r"\b(?:we(?:'re| are| stand| start| begin)|i(?:'m| am)|our|my|the|your) (?:both |currently |still |current |starting |start )*(?:at|in|on|position)\b|^(?:current |starting )?position\b|\bwe stand\b", "we are at"),
)
"""Moves that have been made, and places that are merely stated."""

CONDITION = Cues(
    Cue("if", r"^(?:and |but |so |then |now |also )*(?:if|when|once|unless|assuming|suppose|supposing|in case|provided|depending|whether|should (?:that|it|this|you)|as soon as|after|before|until|while|even if|since|because|given|although|though|as)\b(?! you (?:agree|confirm|are ok|approve|accept|like|are ready))", "a case, a time or a reason"),
)
HEDGE = Cues(
    Cue("might", r"\b(?:if|could|might|may|would|can|can't|cannot|possib\w+|potential\w*|alternativ\w+|eventually|later|option\w*|plan\w*|or|either|consider\w*|adjacent|hidden|available)\b", "considered, not proposed"),
)
CHOICE = r"\b(?:or|either)\b"
NEGATION = Cues(
    Cue("not", r"\b(?:not|never|cannot|avoid\w*|unable|without|instead of|rather than)\b|n't\b", "what is not done"),
)
REASON = Cues(
    Cue("reason", r"\b(?:since|because|which|whose|so that|in order to|towards?|leading|leads|avoiding|instead of|rather than|due to|given|where|unless|until|before|after|but|while|whereas|although|though|and (?:see|check|then see|explore|look)|as (?:it|that|this|we|my|both|the|i|your)|from there|from here we|except|to (?:get closer|approach|progress|make|work|bring|continue|see|check|explore|avoid|find out|reveal|stay|keep|verify|test))\b.*$", "why, and what else: not part of the move"),
)
"""Tails of a clause that name cells without going there."""

OTHER_BUSINESS = Cues(
    Cue("talk", r"\b(?:let'?s|let us|we|to|i'd like to|you|also|first|should|could|can|propose|suggest|recommend) (?:both |also |first |now |please |quickly |just |start by |begin by )*(?:shar\w+|compar\w+|check\w*|verif\w+|confirm\w*|discuss\w*|clarif\w+|sync\w*|establish\w*|use|using|us(?:e|ing)|defin\w+|review\w*|re-?evaluat\w+|analy[sz]\w+|plan\w*|map\w*|combin\w*|note|assum\w+|avoid\w*|agree on|refer\w*|nam(?:e|ing)|call\w*|label\w*|tell\w*|see|describ\w+|look|double-check\w*|number\w*|adopt\w*|treat\w*|figure|keep in mind|focus\w*|remember|know|communicat\w+|set|identify|determine|work (?:out|together)|re-?check\w*)\b", "talk about talk and maps"),
)
NOT_OURS = Cues(
    Cue("you_moved", r"\byou(?:'ve| have|'re| are| were| had)?(?: now| just| already| also)* (?:moved|gone|went|mov(?:e|ing)|at|stepped|in|on)\b", "what the other did alone"),
)
NEXT = Cues(
    Cue("next", r"\b(?:again|next|further|another|once more|one more|then|continue|continuing|keep|follow\w*|after that|from (?:there|here)|now)\b", "a step beyond the last"),
)
PLAN = Cues(
    Cue("plan", r"\b(?:path|route|plan|options?|map|see|know|cells?|summary|sequence|might|could|possib\w+|adjacent|neighbou?rs?|information|follow\w*|status\w*|moves)\b", "heads a list"),
)
FACT = Cues(
    Cue("agree_fact", r"\bagree(?:d|s)?,? (?:that |on |about |with )*(?:⟦\d+⟧ |⟦\d+⟧$|we(?:'re| are) |(?:the|your|our) (?:start\w*|goal|wall|current|position|coordinate\w*|notation|convention|map\w*|format|cell|description|numbering|system)|using|to use|it(?:'s| is) (?:a |the )?(?:wall|path|open|symbol|hidden))", "agrees on a fact"),
    Cue("state", r"\b(?:open|clear|path|walls?|hidden|passable|free|unknown|symbol|see|map|shows?|blocked|visible|safe|thanks|thank you)\b|⟦\d+⟧ (?:is|was|=)", "states a fact"),
)
ASKS_AGREEMENT = Cues(
    Cue("agree", r"\bagree\w*\b|sounds? (?:good|ok)|\bok(?:ay)?\b *\?|what do you think|\b(?:shall|should|can) we (?!be)|\bready\b|thoughts|(?:^|please |you )confirm(?: (?:the|this|that|to|our|your) (?:move|execut|agree|proceed)\w*)? *[?.!]*$|works? for you|\bproceed\b", "asks to agree"),
)
ASKS_FACTS = Cues(
    Cue("facts", r"\b(?:is|are|was|does|do) (?:it|that|this|there|⟦\d+⟧|you see|you have|you know|your map|the (?:cell|path|way))|\bwhat(?:'s| is| are| do| does| can)\b|\b(?:can|could|would) you (?:please )?(?:confirm|check|tell|share|see|verify|describe|let)|\bplease (?:confirm|share|tell|check|let)\b|\bwhich\b", "asks for facts"),
)
