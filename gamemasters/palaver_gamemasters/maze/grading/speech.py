"""One turn of a dialogue as a sequence of acts: read line by line, sentence by sentence, clause by clause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from . import asides, consent, cues
from .clauses import Act, Context, announces, read_clause
from .listing import stands_alone, with_verbs
from .notations import CELL, Alphabet, Annotated, annotate
from .plain import plain
from .readings import Mention
from .runs import likeliest, runs
from .steps import MENTION, PURE, Step, direction_first, steps_of, without_origin

__all__ = ["Turn", "read_turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """All acts of a turn, what it asks of the partner, and the plan that it asks the partner to agree to as a whole."""

    acts: tuple[Act, ...] = ()
    asks_agreement: bool = False
    asks_facts: bool = False
    plan: tuple[Step, ...] = ()


_BULLET = re.compile(r"^\s*(?:[-*•+·>]|\(?\d{1,2}[.)](?!\d))\s*")
_NUMBERED = re.compile(r"^[^\w\n]*+(?:step|move) \d+[:.]", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[.!?])$|(?<=acti!)\s*")
_CLAUSE_END = re.compile(
    r"\s*(?:[,;:()\[\]!.?]+(?=\s|$|[⟦⟪(a-z])|—|(?<=\s)--?(?=\s)|\s(?=so (?:we|i|let)\b)"
    r"|\s(?=but (?:i|we|let|\w+ir)\b)|(?<=[👍✅👌💯🤝✔])|\s(?=and (?:we|that|it)(?: are|'re| is|'s| puts| brings)\b)"
    r"|\s(?=and (?:i|let's|we) (?:propose|suggest|agree|move|should|can|could)\b))\s*"
)
_OFFERS = re.compile(r"\b(?:propose|suggest)\b.{0,80}\b(?:moves|steps|sequence|path|route|plan)\b")
_NAMES_PLAN = re.compile(
    r"^[^\w\n]*+(?:(?:my|our|the|a|full|whole|complete|proposed|suggested) )*(?:path|route|plan)[^\w\n:]*:",
    re.MULTILINE,
)
_THERE = re.compile(r"\b((?:move|moving|go|going|step|head|proceed) )there\b")
_SHALL_WE = re.compile(r"^(?:so|then|and)?[, ]*shall we(?: (?:go|move|proceed)| (?:take|do|try) (?:it|that|this))?\?$")
_APPOSED = re.compile(rf"\b(goal|target|exit), (?={CELL})")
_TAG = re.compile(r",\s*(?:right|correct)\?", re.IGNORECASE)
_ASSENT = re.compile(r"^\W*(?:(?:exactly|all|quite) )?right\b(?! (?:to|again|then)\b)", re.IGNORECASE)
_LINKS = re.compile(r"(?:\b(?:and|so|then|now|next|finally|after that|first|therefore|only|the|last|one|step)\b| )*")
_GOES_ON = ("agree", "propose", "under way", "report", "we are", "consider")
"""Acts whose moves may go on in the next clause: "let's go right", "right", "then down"."""


def asks_right(text: str) -> bool:
    """Whether a turn asks for assent with a tag: "the goal is at (3, 3), right?"."""
    return bool(_TAG.search(text))


@lru_cache(maxsize=2048)
def read_turn(text: str, alphabet: Alphabet, *, asked_right: bool = False) -> Turn:
    """Read the acts of a turn. Remembered, since a dialogue is graded anew as it grows.

    Args:
        text: what was said.
        alphabet: what letters can mean in this transcript.
        asked_right: the turn before asked for assent with "right?", so that a "right" at the start gives it.
    """
    levelled = plain(text)
    said = annotate(_ASSENT.sub("", levelled) if asked_right else levelled, alphabet)
    said = Annotated(_APPOSED.sub(r"\1 ", direction_first(said.text.lower())), said.mentions)
    sentences = re.split(r"(?<=[.!?\n])", said.text)
    questions = [sentence for sentence in sentences if sentence.endswith("?") or "confirm" in sentence]
    return Turn(
        tuple(_acts(said)),
        asks_agreement=any(question in asides.ASKS_AGREEMENT for question in questions),
        asks_facts=any(question in asides.ASKS_FACTS for question in questions),
        plan=_plan(said, questions),
    )


def _plan(said: Annotated, questions: Sequence[str]) -> tuple[Step, ...]:
    """Return the moves of the plan that a turn asks the partner to agree to, or offers by its name ("Path: ...").

    Where it asks to agree, but not expressly to a plan, cells may be mere facts; a run of directions never is.
    """
    whole = any(question in asides.ASKS_WHOLE for question in questions) or bool(_OFFERS.search(said.text))
    asks = any(question in asides.ASKS_AGREEMENT for question in questions)
    if not (whole or asks or _NAMES_PLAN.search(said.text)):
        return ()
    steps = run.steps if (run := likeliest(list(runs(said)))) else ()
    by_directions = len(steps) > 2 and not any(step.cell for step in steps)
    return steps if whole or by_directions else ()


def _acts(said: Annotated) -> Iterator[Act]:
    """Yield the acts of a text, minding what stands under which heading."""
    heading = place = ""
    proposed = False
    listed = len(_NUMBERED.findall(said.text)) > 1
    lines = [line for line in said.text.split("\n") if line.strip()]
    cells = sum(map(stands_alone, lines)) > 1
    for line in lines:
        bullet = _BULLET.match(line) or (listed and _NUMBERED.match(line)) or None
        item = bool(bullet) or (cells and stands_alone(line))
        body = line[bullet.end() :] if bullet else line
        if not (item and _heads_thoughts(heading)) or body in asides.OWN_LABEL:
            context = Context(bullet=item, labelled=_heads_proposal(heading))
            told = body if context.labelled else with_verbs(body)
            for sentence in filter(None, map(str.strip, _SENTENCE_END.split(told))):
                here = _THERE.sub(rf"\1to {place}", sentence) if place and not MENTION.search(sentence) else sentence
                if place and not proposed and _SHALL_WE.match(sentence):
                    here = f"shall we go to {place}?"
                for act in _sentence(here, said.mentions, context):
                    proposed = proposed or act.kind == "propose"
                    yield act
                place = next(iter(re.findall(CELL, sentence)[-1:]), place)
        if body.rstrip().endswith(":"):
            heading = _SENTENCE_END.split(body)[-1]
        elif not item:
            heading = ""


def _heads_thoughts(heading: str) -> bool:
    return heading in asides.PLAN and not _OFFERS.search(heading)


def _heads_proposal(heading: str) -> bool:
    return bool(re.match(cues.LABEL, heading.strip(" :"))) or heading in cues.PROPOSE


def _sentence(sentence: str, mentions: Sequence[Mention], context: Context) -> Iterator[Act]:
    """Yield the acts of a sentence: the doubts that it raises first, since they colour the rest."""
    if sentence in asides.SPLIT:
        return
    clauses = [clause for part in _CLAUSE_END.split(sentence) if (clause := part.strip(" *@"))]
    if sentence in consent.DOUBT:
        named = steps_of(sentence.replace(" is ", " "), mentions)
        yield Act("doubt", tuple(step for step in named if step.cell))
    acts = _clauses(clauses, sentence.endswith("?"), mentions, context)
    moved = any(act.steps for act in acts if act.kind not in ("consider", "we are"))
    of_facts = not moved and any(clause in asides.FACT for clause in clauses)
    for act in acts:
        yield replace(act, fact=True) if of_facts and act.kind in ("affirm", "filler") else act


def _goes_on(before: Act, clause: str, asked: bool) -> bool:
    """Whether a clause merely goes on with the moves of the act before it; a question after a yes does not."""
    if before.kind not in _GOES_ON or not MENTION.search(clause):
        return False
    return not (asked and before.kind == "agree") and bool(PURE.fullmatch(without_origin(clause)))


def _is_yes(act: Act, text: str) -> bool:
    return act.kind == "agree" or (act.kind in ("affirm", "filler") and not text)


def _clauses(clauses: Sequence[str], question: bool, mentions: Sequence[Mention], context: Context) -> list[Act]:
    """Read the clauses of a sentence one after the other; one that only names moves goes on with the act before."""
    found: list[tuple[Act, list[str]]] = []
    alone, yes, headed = True, False, False
    for place, clause in enumerate(clauses, start=1):
        asked = question and place == len(clauses)
        if found and not headed and _goes_on(found[-1][0], clause, asked):
            found[-1][1].append(clause)
            continue
        if clause in asides.CONDITION or (clause in asides.OPTIONS and not MENTION.search(without_origin(clause))):
            context = replace(context, conditional=True)
        here = replace(context, asked=asked, alone=alone)
        acts = list(read_clause(clause, mentions, here))
        found.extend((replace(act, joined=yes or len(acts) > 1), [text]) for act, text in acts)
        yes = yes or any(act.kind in ("agree", "affirm", "filler") for act, _ in acts)
        alone = alone and (all(_is_yes(act, text) for act, text in acts) if acts else bool(_LINKS.fullmatch(clause)))
        headed = bool(re.match(cues.LABEL, clause))
        if headed or clause.startswith("if you") or announces(clause):
            context = replace(context, labelled=True)
    return [replace(act, steps=steps_of(", ".join(parts), mentions)) if len(parts) > 1 else act for act, parts in found]
