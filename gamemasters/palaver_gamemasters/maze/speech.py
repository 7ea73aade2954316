"""One turn of a dialogue as a sequence of acts: read line by line, sentence by sentence, clause by clause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from . import asides, cues
from .clauses import Act, Context, announces, read_clause
from .notations import CELL, Alphabet, Annotated, Mention, annotate
from .plain import plain
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
_THERE = re.compile(r"\b((?:move|moving|go|going|step|head|proceed) )there\b")
_LINKS = re.compile(r"(?:\b(?:and|so|then|now|next|finally|after that|first|therefore|only|the|last|one|step)\b| )*")
_GOES_ON = ("agree", "propose", "under way", "report", "we are", "consider")
"""Acts whose moves may go on in the next clause: "let's go right", "right", "then down"."""


def read_turn(text: str, alphabet: Alphabet) -> Turn:
    """Read the acts of a turn of a transcript in which letters can mean this."""
    said = annotate(plain(text), alphabet)
    said = Annotated(direction_first(said.text.lower()), said.mentions)
    sentences = re.split(r"(?<=[.!?\n])", said.text)
    questions = [sentence for sentence in sentences if sentence.endswith("?") or "confirm" in sentence]
    return Turn(
        tuple(_acts(said)),
        asks_agreement=any(question in asides.ASKS_AGREEMENT for question in questions),
        asks_facts=any(question in asides.ASKS_FACTS for question in questions),
        plan=_plan(said) if any(question in asides.ASKS_WHOLE for question in questions) else (),
    )


def _plan(said: Annotated) -> tuple[Step, ...]:
    """Return the moves of the plan that a turn sets out."""
    run = likeliest(list(runs(said)))
    return run.steps if run else ()


def _acts(said: Annotated) -> Iterator[Act]:
    """Yield the acts of a text, minding what stands under which heading."""
    heading = place = ""
    listed = len(_NUMBERED.findall(said.text)) > 1
    for line in filter(str.strip, said.text.split("\n")):
        bullet = _BULLET.match(line) or (listed and _NUMBERED.match(line)) or None
        body = line[bullet.end() :] if bullet else line
        if not (bullet and _heads_thoughts(heading)):
            context = Context(bullet=bool(bullet), labelled=_heads_proposal(heading))
            for sentence in filter(None, map(str.strip, _SENTENCE_END.split(body))):
                here = _THERE.sub(rf"\1to {place}", sentence) if place and not MENTION.search(sentence) else sentence
                yield from _sentence(here, said.mentions, context)
                place = next(iter(re.findall(CELL, sentence)[-1:]), place)
        if body.rstrip().endswith(":"):
            heading = _SENTENCE_END.split(body)[-1]
        elif not bullet:
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
    if sentence in cues.DOUBT:
        named = steps_of(sentence.replace(" is ", " "), mentions)
        yield Act("doubt", tuple(step for step in named if step.cell))
    acts = _clauses(clauses, sentence.endswith("?"), mentions, context)
    moved = any(act.steps for act in acts if act.kind not in ("consider", "we are"))
    for act in acts:
        vague = act.kind in ("affirm", "filler") and not moved
        yield replace(act, fact=True) if vague and any(clause in asides.FACT for clause in clauses) else act


def _goes_on(found: Sequence[tuple[Act, str]], clause: str, asked: bool) -> bool:
    """Whether a clause merely goes on with the moves of the act before it; a question after a yes does not."""
    if not found or found[-1][0].kind not in _GOES_ON or not MENTION.search(clause):
        return False
    return not (asked and found[-1][0].kind == "agree") and bool(PURE.fullmatch(without_origin(clause)))


def _is_yes(act: Act, text: str) -> bool:
    return act.kind == "agree" or (act.kind in ("affirm", "filler") and not text)


def _clauses(clauses: Sequence[str], question: bool, mentions: Sequence[Mention], context: Context) -> list[Act]:
    """Read the clauses of a sentence one after the other; one that only names moves goes on with the act before."""
    found: list[tuple[Act, str]] = []
    alone = True
    for place, clause in enumerate(clauses, start=1):
        asked = question and place == len(clauses)
        if _goes_on(found, clause, asked):
            act, text = found.pop()
            text = f"{text}, {clause}"
            found.append((replace(act, steps=steps_of(text, mentions)), text))
            continue
        if clause in asides.CONDITION:
            context = replace(context, conditional=True)
        here = replace(context, asked=asked, alone=alone)
        acts = list(read_clause(clause, mentions, here))
        yes = any(act.kind in ("agree", "affirm", "filler") for act, _ in found)
        found.extend((replace(act, joined=yes or len(acts) > 1), text) for act, text in acts)
        alone = alone and (all(_is_yes(act, text) for act, text in acts) if acts else bool(_LINKS.fullmatch(clause)))
        if re.match(cues.LABEL, clause) or clause.startswith("if you") or announces(clause):
            context = replace(context, labelled=True)
    return [act for act, _ in found]
