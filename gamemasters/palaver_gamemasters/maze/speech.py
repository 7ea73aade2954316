"""One turn of a dialogue as a sequence of acts: proposing, agreeing, refusing, reporting, and what moves they are about.

A turn is read line by line, sentence by sentence, clause by clause. Most of what is said in a maze game describes maps;
a clause makes an act only if one of the :mod:`.cues` is in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from . import cues
from .cells import CELL, STEP, Annotated, Mention, annotate
from .extraction import Spoken
from .plain import plain

__all__ = ["Act", "Kind", "Step", "Turn", "read_turn", "steps_of"]

Kind = Literal["agree", "affirm", "filler", "refuse", "doubt", "propose", "under way", "report", "we are", "consider"]


class Step(NamedTuple):
    """One move as it was said: by its direction, by the cell it leads to, or by both."""

    direction: Spoken | None
    cell: Spoken | None


@dataclass(frozen=True, slots=True)
class Act:
    """Something done by a clause. ``cue`` names the wording, ``further`` whether it speaks of a step beyond the last.

    ``fact`` marks a yes that is, or may be, about the contents of the maps.
    """

    kind: Kind
    steps: tuple[Step, ...] = ()
    cue: str = ""
    further: bool = False
    fact: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """All acts of a turn, and what it asks of the partner."""

    acts: tuple[Act, ...]
    asks_agreement: bool
    asks_facts: bool


_BULLET = re.compile(r"^\s*(?:[-*•+·>]|\(?\d{1,2}[.)](?!\d)|step \d+[:.])\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[.!?])$|(?<=acti!)\s*")
_CLAUSE_END = re.compile(r"\s*(?:[,;:()\[\]\"!.?]+(?=\s|$|[⟦⟪(a-z])|—|(?<=\s)--?(?=\s)|\s(?=so (?:we|i|let)\b)|\s(?=but (?:i|we|let|\w+ir)\b)"
                         r"|\s(?=and (?:i|let's|we) (?:propose|suggest|agree|move|should|can|could)\b))\s*")  # fmt: skip
_MENTION = re.compile(r"[⟦⟪](\d+)[⟧⟫]")
_CELL_OF_STEP = re.compile(rf"({STEP}) ?\(({CELL})\)|({CELL}) ?\((?:to the |moving |going |move )?({STEP})\)")
_ORIGIN = re.compile(rf"(?:from|leaving|out of) (?:[\w']+ ){{0,5}}@?\(?{CELL}\)?,?")
_ASIDE = re.compile(rf"{STEP} (?:of|from|side)\b(?: {CELL})?|(?:the|a|no|any) {STEP} (?:cell|path|neighbou?r|one|is)\b")
_STATED = re.compile(r"\s*(?:is|are|was|were|=|being|has|shows?|looks|seems|remains|and ⟦\d+⟧ are)\b|\s*=")
_LINK = re.compile(
    r"(?:\s|,|:|-|—|→|@|\(|\b(?:to|into|onto|in|at|on|the|cell|position|square|coordinates?|again|now|next|once|one|more|step|space"
    r"|spot|goal|reach|reaching|and|get|so|we|are|arrive|arriving|will|be|is|row|i\.?e\.?|which|putting|puts|bringing|us|landing"
    r"|point|location|end|up|here)\b)*"
)
_BY = re.compile(r"\s(?:by |via |which is |just |one )*(?:(?:moving|going|stepping|heading) )?(?:to )?(?:the )?")
_PURE = re.compile(r"(?:[\s,→@*]|[⟦⟪]\d+[⟧⟫]|\b(?:and|then|to|now|finally|again|next|after that|followed by|at|in|the|please|with|"
                   r"into|onto|cell|position|once|more|first|move|go|is|a|symbol)\b)*")  # fmt: skip
_NOT_AGREE = re.compile(
    r"\b(?:if|once|when|until|unless|whether|as soon as|after|before|do|would|will|should|can|could|that|must|need to|have to|to)"
    r"(?: both of)?(?: you| we| they| i| us)?(?: both| all| two| also| agents)? agree(?:d|s)?\b|\byou(?:'ve| have)?(?: also| both)? agreed?\b"
    r"|\bagree (?:to|with|on) (?:this|that|the|it|my)?[^,]*\?|\bboth (?:agents|players|of us) (?:must )?agree\b|\bagree to (?:use|call|avoid)\b"
)


def steps_of(text: str, mentions: Sequence[Mention]) -> tuple[Step, ...]:
    """Return the moves that a clause names, in order; "right to (0, 1)" is one move, "right, down" are two."""
    text = _ASIDE.sub(" ", _ORIGIN.sub(" ", text))
    steps: list[Step] = []
    end, last = 0, ""
    for found in _MENTION.finditer(text):
        mention, gap = mentions[int(found[1])], text[end : found.start()]
        end = found.end()
        if mention.is_cell:
            if _STATED.match(text, end):
                last = ""
                continue
            if last == "direction" and _LINK.fullmatch(gap):
                steps[-1] = steps[-1]._replace(cell=mention.spoken[0])
            else:
                steps.append(Step(None, mention.spoken[0]))
            last = "cell" if steps[-1].direction is None else ""
        elif last == "cell" and len(mention.spoken) == 1 and _BY.fullmatch(gap):
            steps[-1] = steps[-1]._replace(direction=mention.spoken[0])
            last = ""
        else:
            steps.extend(Step(word, None) for word in mention.spoken)
            last = "direction"
    return tuple(steps)


def read_turn(text: str, letters: int) -> Turn:
    """Read the acts of a turn. ``letters`` is the size of the maze, see :func:`.cells.annotate`."""
    said = annotate(plain(text), letters)
    said = Annotated(_CELL_OF_STEP.sub(_direction_first, said.text.lower()), said.mentions)
    acts = tuple(_acts(said))
    questions = [part for part in re.findall(r"[^.!?\n]*\?|[^.!?\n]*\bconfirm\b[^.!?\n]*", said.text)]
    return Turn(
        acts,
        asks_agreement=any(question in cues.ASKS_AGREEMENT for question in questions),
        asks_facts=any(question in cues.ASKS_FACTS for question in questions),
    )


def _direction_first(match: re.Match[str]) -> str:
    step, cell = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f"{step} to {cell}"


def _acts(said: Annotated) -> Iterator[Act]:
    heading = ""
    for line in said.text.split("\n"):
        if not line.strip():
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() :] if bullet else line
        reader = _Line(said.mentions, heading=heading, bullet=bool(bullet))
        for sentence in _SENTENCE_END.split(body):
            if sentence and sentence.strip():
                yield from reader.sentence(sentence.strip())
        if body.rstrip().endswith(":"):
            heading = _SENTENCE_END.split(body)[-1]
        elif not bullet:
            heading = ""


class _Line:
    """Reads the sentences of one line, under the heading it stands in."""

    def __init__(self, mentions: Sequence[Mention], *, heading: str, bullet: bool) -> None:
        self._mentions = mentions
        self._bullet = bullet
        self._planned = bullet and heading != "" and heading in cues.PLAN
        self._labelled = heading != "" and not self._planned and (
            bool(re.match(cues.LABEL, heading.strip(" :"))) or heading in cues.PROPOSE
        )  # fmt: skip

    def sentence(self, sentence: str) -> Iterator[Act]:
        """Yield the acts of one sentence."""
        if self._planned:
            return
        clauses = [clause for part in _CLAUSE_END.split(sentence) if (clause := part.strip(" *@"))]
        conditional, labelled = False, self._labelled
        acts: list[tuple[Act, str]] = []
        for place, clause in enumerate(clauses):
            if acts and acts[-1][0].kind in _OPEN and _MENTION.search(clause) and _PURE.fullmatch(clause):
                act, text = acts.pop()
                text = f"{text}, {clause}"
                acts.append((replace(act, steps=steps_of(text, self._mentions)), text))
                continue
            asked = place == len(clauses) - 1 and sentence.endswith("?")
            if clause in cues.CONDITION:
                conditional = True
            acts.extend(self._clause(clause, asked=asked, conditional=conditional, labelled=labelled, alone=not acts))
            labelled = labelled or bool(re.match(cues.LABEL, clause)) or clause.startswith("if you")
        if sentence in cues.DOUBT:
            cells = tuple(step for step in steps_of(sentence.replace(" is ", " "), self._mentions) if step.cell)
            yield Act("doubt", cells)
        fact = any(clause in cues.FACT for clause in clauses) and not any(
            act.steps for act, _ in acts if act.kind not in ("consider", "we are")
        )
        for act, _ in acts:
            yield replace(act, fact=act.fact or (fact and act.kind in ("affirm", "filler")))

    def _clause(
        self, clause: str, *, asked: bool, conditional: bool, labelled: bool, alone: bool
    ) -> Iterator[tuple[Act, str]]:
        """Yield the acts of a clause, each with the text that its moves are named in."""
        if clause in cues.REFUSE:
            yield self._act("refuse", clause)
            return
        if not asked:
            agreeing = _NOT_AGREE.sub(" ", clause)
            if found := cues.AGREE.search(agreeing):
                if found.lastgroup == "sounds":
                    agreeing = _SEEMS.sub(" ", agreeing)
                fact = agreeing in _AGREES_ON_FACT
                yield self._act("agree", self._core(agreeing), fact=fact, cue=found.lastgroup or "")
                return
            for kind, table in (("affirm", cues.AFFIRM), ("filler", cues.FILLER)):
                if found := table.search(clause):
                    yield Act(kind, cue=found.lastgroup or ""), ""  # type: ignore[arg-type]  # both are kinds
                    clause = clause[: found.start()] + clause[found.end() :]
                    break
        yield from self._motion(clause.strip(), conditional=conditional, labelled=labelled, alone=alone, asked=asked)

    def _motion(
        self, clause: str, *, conditional: bool, labelled: bool, alone: bool, asked: bool
    ) -> Iterator[tuple[Act, str]]:
        """Yield the act of a clause that moves, proposes a move, or says where one is."""
        if not clause or clause in cues.NOT_OURS:
            return
        proposing = cues.PROPOSE.search(clause)
        weak = proposing is not None and proposing.lastgroup in _WEAK
        if (conditional or self._bullet) and weak and not labelled:
            proposing = None
        if clause in cues.CONDITION and proposing is None:
            return
        core = self._core(clause[proposing.start() :] if proposing and clause in cues.CONDITION else clause)
        if core in cues.NEGATION:
            return
        if (found := cues.REPORT.search(core)) and not conditional and not asked:
            yield self._act("report", core, cue=found.lastgroup or "")
            return
        moves = bool(_MENTION.search(core)) and (core in cues.VERB or bool(_DIRECT.search(core)))
        if proposing and moves and not re.search(cues.CHOICE, core) and not self._talks(core):
            yield self._act("propose", core, cue="label" if labelled or conditional else proposing.lastgroup or "")
        elif (found := cues.UNDER_WAY.search(core)) and not conditional and not self._bullet and core not in cues.HEDGE:
            yield self._act("under way", core, cue=found.lastgroup or "")
        elif found := cues.WE_ARE.search(core):
            yield self._act("we are", core, cue=found.lastgroup or "")
        elif (labelled or (alone and not self._bullet and not conditional)) and _MENTION.search(core) and _PURE.fullmatch(core):
            steps = steps_of(core, self._mentions)
            if labelled or (STEP_FIRST.search(core) or len(steps) == 1):
                yield self._act("propose", core, cue="bare")
        elif moves and core in cues.VERB:
            yield self._act("consider", core)

    def _core(self, clause: str) -> str:
        """Cut a clause's tails: why, and what else."""
        return cues.REASON.cut(clause).strip()

    def _talks(self, core: str) -> bool:
        """Whether the proposal is to talk or to look, not to move."""
        first = _MENTION.search(core)
        before = core[: first.start()] if first else core
        return before in cues.OTHER_BUSINESS and not re.search(r"\b(?:mov|go|goi|stepp|head)(?:e|ing|ng)?\b", before)

    def _act(self, kind: Kind, text: str, *, cue: str = "", fact: bool = False) -> tuple[Act, str]:
        steps = steps_of(text, self._mentions)
        return Act(kind, steps, cue=cue, further=text in cues.NEXT, fact=fact), text


_OPEN = ("agree", "propose", "under way", "report", "we are", "affirm")
_WEAK = ("imperative", "should", "shall", "want", "label")
_AGREES_ON_FACT = cues.Cues(cues.FACT.table["agree_fact"])
_SEEMS = re.compile(r"\b(?:sounds?|looks?|seems?)\b")
_DIRECT = re.compile(r"(?:propos\w+|suggest\w*|recommend|about|let'?s|vote for|is|be|to|want|prefer|agree)(?: the| a| on| to| that| we)* (?=[⟦⟪])")
STEP_FIRST = re.compile(r"^\W*(?:then |and |now |next )*⟪")
