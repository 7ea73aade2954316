"""Wordings around a move that settle what is meant by it: conditions, reasons, doubts, plans, facts and questions.

Tables like those of :mod:`.cues`; together they keep descriptions of maps and thoughts about later moves apart from
moves.
"""

from .cues import Cue, Cues

__all__ = [
    "ASKS_AGREEMENT",
    "ASKS_FACTS",
    "ASKS_WHOLE",
    "CHOICE",
    "CONDITION",
    "FACT",
    "HEDGE",
    "NEGATION",
    "NEXT",
    "NOT_OURS",
    "OPTIONS",
    "OTHER_BUSINESS",
    "OWN_LABEL",
    "PLAN",
    "REASON",
    "SPLIT",
]

CONDITION = Cues(
    Cue(
        "if",
        r"^(?:and |but |so |then |now |also )*(?:if|when|once(?! more| again)|unless|assuming|suppose|supposing"
        r"|in case|provided"
        r"|depending|whether|should (?:that|it|this|you)|as soon as|after(?! (?:that|this))|before|until"
        r"|while|even if|since|because|given|although|though|as)\b"
        r"(?! you (?:agree|confirm|are ok|approve|accept|like|are ready))",
        "a case, a time or a reason",
    ),
)
HEDGE = Cues(
    Cue(
        "might",
        r"\b(?:if|could|might|may|would|can|can't|cannot|possib\w+|potential\w*|alternativ\w+|eventually|later"
        r"|option\w*|plan\w*|or|either|consider\w*|adjacent|hidden|available)\b",
        "considered, not proposed",
    ),
)
CHOICE = r"\b(?:or|either)\b"
NEGATION = Cues(
    Cue("not", r"\b(?:not|never|cannot|avoid\w*|unable|without|instead of|rather than)\b|n't\b", "what is not done"),
)
REASON = Cues(
    Cue(
        "reason",
        r"\b(?:since|because|which|whose|so that|in order to|towards?|leading|leads|avoiding|instead of"
        r"|rather than|due to|given|where|unless|until|before|after(?! (?:that|this))|but|while|whereas|although"
        r"|though|and (?:see"
        r"|check|then see|explore|look)|as (?:it|that|this|we|my|both|the|i|your)|except"
        r"|to (?:get closer|approach|progress|make|work|bring|continue|see|check|explore|avoid|find out|reveal"
        r"|stay|keep|verify|test))\b.*$",
        "why, and what else: not part of the move",
    ),
    Cue(
        "consent",
        r"(?<=\S )if (?:you(?:'re| are)? (?:agree|ok|okay|fine|happy|good|do not mind|don't mind)|(?:that|it"
        r"|this)(?:'s| is)"
        r" (?:ok|okay|fine|alright|good)|(?:that|it|this) works)\b.*$",
        "asks for consent",
    ),
)
"""Tails of a clause that name cells without going there."""

OTHER_BUSINESS = Cues(
    Cue(
        "talk",
        r"\b(?:let'?s|let us|we|to|i'd like to|you|also|first|should|could|can|propose|suggest|recommend) (?:both "
        r"|also |first |now |please |quickly |just |start by |begin by )*(?:shar\w+|compar\w+|check\w*|verif\w+"
        r"|confirm\w*|discuss\w*|clarif\w+|sync\w*|establish\w*|use|using|us(?:e|ing)|defin\w+|review\w*"
        r"|re-?evaluat\w+|analy[sz]\w+|plan\w*|map\w*|combin\w*|note|assum\w+|avoid\w*|agree on|refer\w*|nam(?:e"
        r"|ing)|call\w*|label\w*|tell\w*|see|describ\w+|look|double-check\w*|number\w*|adopt\w*|treat\w*|figure"
        r"|keep in mind|focus\w*|remember|know|communicat\w+|set|identify|determine|work (?:out|together)"
        r"|re-?check\w*)\b",
        "talk about talk and maps",
    ),
)
NOT_OURS = Cues(
    Cue(
        "you_moved",
        r"\byou(?:'ve| have|'re| are| were| had)?(?: now| just| already| also)* (?:moved|gone|went|mov(?:e|ing)|at"
        r"|stepped|in|on)\b",
        "what the other did alone",
    ),
)
SPLIT = Cues(
    Cue(
        "split",
        r"\bsplit(?:ting)? up\b|\bon (?:my|your|our) own\b(?! map)|\bown (?:way|token)\b|\bseparately\b",
        "each alone",
    ),
)
NEXT = Cues(
    Cue(
        "next",
        r"\b(?:again|next|further|another|once more|one more|then|continue|continuing|keep|follow\w*|after that"
        r"|from (?:there|here)|now)\b",
        "a step beyond the last",
    ),
)
PLAN = Cues(
    Cue(
        "plan",
        r"\b(?:path|route|plan|options?|map|see|know|cells?|summary|sequence|might|could|possib\w+|adjacent"
        r"|neighbou?rs?|information|follow\w*|status\w*|moves)\b",
        "heads a list",
    ),
)
OWN_LABEL = Cues(
    Cue(
        "own_label",
        r"^(?:(?:my|our|the) )?(?:proposal|proposed[\w ]*|suggest(?:ed|ion)[\w ]*|recommend\w*|next (?:move"
        r"|step|action"
        r"|proposal)) ?:",
        "says itself that it proposes, whatever the list is about",
    ),
)
OPTIONS = Cues(
    Cue(
        "options",
        r"(?<!only )(?<!best )\b(?:possible|potential|available) (?:\w+ )?(?:moves?|steps?|cells|ways"
        r"|directions|options"
        r"|choices|neighbou?rs)\b|(?<!only )(?<!best )\b(?:options|choices|alternatives)\b",
        "introduces what could be done",
    ),
)
FACT = Cues(
    Cue(
        "agree_fact",
        r"\bagree(?:d|s)?,? (?:that |on |about |with )*(?:[⟦⟪]\d+[⟧⟫] (?:is|are|was|has|and|must|remains|looks)\b"
        r"|we(?:'re| are) |(?:the|your|our) (?:start\w*|goal|wall|current|position|coordinate\w*|notation|convention"
        r"|map\w*|format|cell|description|numbering|system)|using|to use|(?:on )?coordinates?\b"
        r"|it(?:'s| is) (?:a |the )?(?:wall|path|open|symbol|hidden))",
        "agrees on a fact",
    ),
    Cue(
        "state",
        r"\b(?:open|clear|path|walls?|hidden|passable|free|unknown|symbol|see|map|shows?|blocked|visible|safe"
        r"|thanks|thank you)\b|⟦\d+⟧ (?:is|was|=)",
        "states a fact",
    ),
)
ASKS_AGREEMENT = Cues(
    Cue(
        "agree",
        r"\bagree\w*\b|sounds? (?:good|ok)|\bok(?:ay)?\b *\?|what do you think|\b(?:shall|should|can) we (?!be)"
        r"|\bready\b|thoughts|(?:^|please |you )confirm(?: (?:the|this|that|to|our|your) (?:move|execut|agree"
        r"|proceed)\w*)? *[?.!]*$|works? for you|\bproceed\b",
        "asks to agree",
    ),
)
ASKS_WHOLE = Cues(
    Cue(
        "whole",
        r"\b(?:shall we|let's|do we) (?:all |both )?(?:follow|take) (?:it|that)\b|\b(?:agree|shall|follow|ok"
        r"|good|execute|think|do)\b.*\b(?:plan|path|route|sequence|moves|steps|those|these|whole)\b",
        "asks to agree to all of it",
    ),
)
ASKS_FACTS = Cues(
    Cue(
        "facts",
        r"\b(?:is|are|was|does|do) (?:it|that|this|there|⟦\d+⟧|⟪\d+⟫ (?:open|clear|free|passable|blocked|an?)\b|you see"
        r"|you have|you know|your map|the (?:cell|path|way))|\bwhat(?:'s| is| are| do| does| can)\b"
        r"|\b(?:can|could|may|do) (?:we|i|you|one) (?:get|reach|see)\b|\bplease (?:confirm|share|tell|check|let)\b"
        r"|\b(?:can|could|would) you (?:please )?(?:confirm|check|tell|share|see|verify|describe|let)|\bwhich\b",
        "asks for facts",
    ),
)
