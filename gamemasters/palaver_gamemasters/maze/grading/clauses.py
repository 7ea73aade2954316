"""One clause as an act: proposing, agreeing, refusing, reporting, and the moves that it is about.

Most of what is said in a maze game describes maps; a clause makes an act only if one of the :mod:`.cues` is in it,
and the :mod:`.asides` around it do not make it a condition, a reason or a thought.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from . import asides, consent, cues
from .notations import NUMBER
from .readings import Mention, number_of
from .steps import CHAIN, MENTION, PURE, Step, steps_of, without_origin

__all__ = ["Act", "Context", "Kind", "announces", "read_clause"]

Kind = Literal["agree", "affirm", "filler", "refuse", "doubt", "propose", "under way", "report", "we are", "consider"]


@dataclass(frozen=True, slots=True)
class Act:
    """Something done by a clause. ``cue`` names its wording.

    ``further`` says that it speaks of a step beyond the last one ("next", "again"), ``again`` that it is the same step
    once more. ``count`` is to how many moves an agreement is, 0 if it does not say. ``joined`` says that a yes comes
    before it in its sentence. ``fact`` marks a yes that is, or may be, about the contents of the maps.
    """

    kind: Kind
    steps: tuple[Step, ...] = ()
    cue: str = ""
    further: bool = False
    again: bool = False
    count: int = 0
    joined: bool = False
    fact: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a clause.

    ``asked``: it ends a question; ``conditional``: its sentence has an "if" or a "since" before; ``labelled``: it
    stands after words like "Next move:"; ``alone``: nothing was done in its sentence yet; ``bullet``: it is an item
    of a list.
    """

    asked: bool = False
    conditional: bool = False
    labelled: bool = False
    alone: bool = False
    bullet: bool = False


_NOT_AGREE = re.compile(
    r"\b(?:if|once|when|until|unless|whether|as soon as|after|before|do|would|will|should|can|could|that|must"
    r"|need to|have to|to)(?: both of| all of)?(?: you| we| they| i| us| everyone| everybody| the others?| the rest)?"
    r"(?: both| all| two| three| four| also| have)?(?: of us| of you| agents?)? agree(?:d|s)?\b"
    r"|\byou(?:'ve| have)?(?: also| both| all)? agreed?\b|\bagree (?:to|with|on) (?:this|that|the|it|my)?[^,]{0,80}\?"
    r"|\b(?:both|all)(?: three| four| five)? (?:agents|players|of us|of you) (?:must )?agree\b"
    r"|\bagree to (?:use|call|avoid)\b"
)
"""Agreement that is asked for, or of somebody else."""
_AGREES_ON_FACT = cues.Cues(asides.FACT.table["agree_fact"])
_WEAK = ("imperative", "should", "shall", "want", "label")
"""Proposals that are mere thoughts in a list or after an "if"."""
_AGAIN = re.compile(r"\b(?:again|once more|one more|another)\b")
_WITH = re.compile(r"\bagreed? (?:with|to|on) (?:your|you|that|this|the|it)\b")
_FIRST = re.compile(rf"\bthe first (?:({NUMBER}) )?(?:moves?|steps?|ones?)\b")
_SEEMS = re.compile(r"\b(?:sounds?|looks?|seems?)\b")
_DIRECT = re.compile(
    r"(?:propos\w+|suggest\w*|recommend|about|let'?s|objections? to|vote(?: for)?|say|is|be|to|want|prefer"
    r"|agree)(?: the| a| on| to| that| we"
    r"| goal| cell| square)* (?=[⟦⟪])"
)
"""A proposal that names its move without a verb of motion."""
_MOTION_BEFORE = re.compile(r"\b(?:move|moving|go|going|step|stepping|head|heading)\b")
_ELLIPTIC = re.compile(r"and\b|what about\b")
"""How a question begins that leaves its verb to the question before it: "And from there to (1, 2)?"."""
_THEREFORE = re.compile(r"(?:so|then|hence|therefore|thus)\b")
_AND_ELSE = re.compile(r"\b(?:and|while|with) (?:the|our|my|your)\b.*")
"""What is said of something else than where one is: "we are at (1, 2) and the goal is at (5, 5)"."""
_STEP_FIRST = re.compile(r"^\W*(?:then |and |now |next )*⟪")

_Found = tuple[Act, str]
"""An act, and the text that its moves are named in; of a mere yes, what else its clause says."""


def read_clause(clause: str, mentions: Sequence[Mention], context: Context) -> Iterator[_Found]:
    """Yield the acts of a clause of annotated text, at most a yes and something else."""
    if refusal := consent.REFUSE.search(clause):
        yield _act("refuse", clause, mentions, cue=refusal.lastgroup)
        return
    yes = None
    if not context.asked:
        if agreement := _agreement(clause, mentions):
            yield agreement
            return
        if yes := _yes(clause):
            clause = yes[1]
    found = _motion(clause, mentions, context) if MENTION.search(clause) else _without_move(clause, context)
    if yes:
        yield yes[0], "" if found else clause
    if found:
        yield found


def _act(kind: Kind, text: str, mentions: Sequence[Mention], *, cue: str | None = "", fact: bool = False) -> _Found:
    return Act(
        kind,
        steps_of(text, mentions),
        cue=cue or "",
        further=text in asides.NEXT,
        again=bool(_AGAIN.search(text)),
        fact=fact,
    ), text


def _agreement(clause: str, mentions: Sequence[Mention]) -> _Found | None:
    """Read an agreement in so many words."""
    clause = _NOT_AGREE.sub(" ", clause)
    found = consent.AGREE.search(clause)
    if found is None:
        return None
    cue = "agree_with" if found.lastgroup == "agree" and _WITH.search(clause) else found.lastgroup
    core = _core(_SEEMS.sub(" ", clause) if found.lastgroup == "sounds" else clause)
    act, text = _act("agree", core, mentions, cue=cue, fact=clause in _AGREES_ON_FACT)
    first = _FIRST.search(clause)
    return replace(act, count=number_of(first[1] or "one") if first else 0), text


def _yes(clause: str) -> tuple[Act, str] | None:
    """Read a yes at the start of a clause; returns it and the rest of the clause."""
    kinds: tuple[tuple[Kind, cues.Cues], ...] = (("affirm", consent.AFFIRM), ("filler", consent.FILLER))
    for kind, table in kinds:
        if found := table.search(clause):
            return Act(kind, cue=found.lastgroup or ""), f"{clause[: found.start()]}{clause[found.end() :]}".strip()
    return None


def _without_move(clause: str, context: Context) -> _Found | None:
    """Read a clause that names no move: "move executed", or "position" before a colon."""
    if not context.conditional and not context.asked and clause in cues.REPORT:
        return Act("report"), ""
    if clause in cues.SAME and (context.asked or clause in cues.PROPOSE):
        return Act("propose", cue="same", again=True), ""
    return (Act("we are"), "") if clause in cues.WE_ARE else None


def _motion(clause: str, mentions: Sequence[Mention], context: Context) -> _Found | None:
    """Read a clause that names a move: one that was made, is proposed or under way, or was only thought of."""
    proposing = _proposal(clause, context)
    condition = clause in asides.CONDITION
    if clause in asides.NOT_OURS or (condition and proposing is None):
        return None
    core = _core(clause[proposing.start() :] if proposing and condition else clause)
    if core in asides.NEGATION:
        return None
    firm = not context.conditional and not context.asked
    if firm and (found := cues.REPORT.search(core)):
        return _act("report", core, mentions, cue=found.lastgroup)
    if proposing and proposing.lastgroup == "best_bet":
        core = clause[: proposing.start()]
    if (
        proposing
        and (proposing.lastgroup == "best_bet" or _names_move(core))
        and not re.search(asides.CHOICE, core)
        and not _talks(core)
    ):
        asking = context.labelled or context.conditional
        cue = "elliptic" if _ELLIPTIC.match(core) and core not in cues.VERB else proposing.lastgroup
        return _act("propose", core, mentions, cue="label" if asking else cue)
    return _underway(core, mentions, context) or _bare(core, mentions, context) or _thought(core, mentions)


def _proposal(clause: str, context: Context) -> re.Match[str] | None:
    found = cues.PROPOSE.search(clause)
    if found and found.lastgroup in _WEAK and (context.conditional or context.bullet) and not context.labelled:
        return None
    return found


def _names_move(core: str) -> bool:
    return bool(MENTION.search(core)) and (core in cues.VERB or bool(_DIRECT.search(core)))


def _talks(core: str) -> bool:
    """Whether the proposal is to talk or to look, not to move."""
    first = MENTION.search(core)
    before = core[: first.start()] if first else core
    return before in asides.OTHER_BUSINESS and not _MOTION_BEFORE.search(before)


def _underway(core: str, mentions: Sequence[Mention], context: Context) -> _Found | None:
    """Read a move on its way, or a statement of where one is."""
    found = cues.UNDER_WAY.search(core)
    if found and not context.conditional and not context.bullet and core not in asides.HEDGE:
        return _act("under way", core, mentions, cue=found.lastgroup)
    found = cues.WE_ARE.search(core)
    return _act("we are", _AND_ELSE.sub("", core), mentions, cue=found.lastgroup) if found else None


def announces(clause: str) -> bool:
    """Whether a clause proposes a move that it leaves to the next to name: "Shall we go there instead:"."""
    found = cues.PROPOSE.search(clause)
    ordered = found is None or found.lastgroup == "imperative"
    return not ordered and not MENTION.search(clause) and clause in cues.VERB and not _talks(clause)


def _bare(core: str, mentions: Sequence[Mention], context: Context) -> _Found | None:
    """Read a proposal that is nothing but a move: "Right again?", "Next move: down"."""
    alone = context.alone or (context.asked and _THEREFORE.match(core))
    stands = context.labelled or (alone and not context.bullet and not context.conditional)
    if not stands or not MENTION.search(core) or not PURE.fullmatch(without_origin(core)):
        return None
    found = _act("propose", core, mentions, cue="elliptic" if context.asked and _ELLIPTIC.match(core) else "bare")
    chained = context.asked and CHAIN.search(core)
    return found if context.labelled or chained or _STEP_FIRST.search(core) or len(found[0].steps) == 1 else None


def _thought(core: str, mentions: Sequence[Mention]) -> _Found | None:
    return _act("consider", core, mentions) if MENTION.search(core) and core in cues.VERB else None


def _core(clause: str) -> str:
    """Cut a clause's tails: why, and what else."""
    return asides.REASON.cut(clause).strip()
