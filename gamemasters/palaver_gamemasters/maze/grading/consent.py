"""The wordings by which people and models agree, say yes, refuse and doubt, as tables like those of :mod:`.cues`."""

from .cues import Cue, Cues

__all__ = ["AFFIRM", "AGREE", "DOUBT", "FILLER", "REFUSE"]

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
