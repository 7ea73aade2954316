"""How a spot on the skin is talked about: a description without a name, a diagnosis, then a treatment."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from palaver_gamemasters.comma.speech import EXAMPLE, lines_of
from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .hearing import Told, denied, hear, plain
from .manual import TelehealthRules
from .scene import TelehealthScene
from .signs import DIAGNOSES, SIZE, TREATMENTS, apart
from .words import DIAGNOSIS_WORDS, TREATMENT_WORDS

__all__ = ["TelehealthTalk"]

SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")
UNSURE = re.compile(rf"\?|\b(?:if|unless|whether)\b|{EXAMPLE}", re.IGNORECASE)
NO = re.compile(r"\s*(?:no|nope|neither|none)\b", re.IGNORECASE)
ENOUGH = 3
"""Signs that an expert wants to know at least."""
DESCRIBE = (
    "Please describe the spot: shape, border, colour, elevation, surface, marks such as vessels or specks, diameter in "
    "mm, whether it changes, itches or bleeds. For example: 'It is round with a smooth border, pink, raised and shiny, "
    "with thin blood vessels, 4 mm across; it does not itch.' Please tell me no name, address or number of yours."
)
QUESTIONS = {
    "shape": "Is its shape round, oval or asymmetric?",
    "border": "Is its border smooth, notched or blurred?",
    "colour": "Which colour is it, or does it have several colours?",
    "elevation": "Is it flat, slightly raised or raised?",
    "surface": "Is its surface shiny, smooth, scaly, crusted or waxy?",
    "marks": "Can you see blood vessels, dark specks or hairs in it, or no marks?",
    "change": "Has it changed?",
    "itch": "Does it itch?",
    "bleeding": "Does it bleed?",
    "site": "Where on the body is it?",
    SIZE: "How many mm is it across?",
}
FACT_QUESTIONS = {
    "diameter": ("How many mm is it across?", "it is 4 mm across"),
    "irritated": ("Is it irritated?", "it is not irritated"),
    "bleeds": ("Does it bleed?", "it does not bleed"),
    "itches": ("Does it itch?", "it does not itch"),
    "hurts": ("Does it hurt?", "it does not hurt"),
    "grown": ("Has it grown?", "it has not grown"),
    "changed": ("Has it changed?", "it has not changed"),
}
ORDERS = {
    "surgery": "Treat it with surgery.",
    "cryotherapy": "Treat it with cryotherapy.",
    "no treatment": "It needs no treatment.",
}
TELLING = {
    "changed": ("It has changed.", "It has not changed."),
    "grown": ("It has grown.", "It has not grown."),
    "itches": ("It itches.", "It does not itch."),
    "bleeds": ("It bleeds.", "It does not bleed."),
    "irritated": ("It is irritated.", "It is not irritated."),
    "hurts": ("It hurts.", "It does not hurt."),
    "raised": ("It is raised.", "It is flat."),
}


class TelehealthTalk(Talk[TelehealthScene, TelehealthRules]):
    """The solver describes the spot and nothing private; the expert goes by the manual's signs."""

    def describe(self, sight: Sight[TelehealthScene]) -> str:
        """Describe the spot, and say which step comes next."""
        scene = sight.scene
        said = [_described(scene)]
        if scene.lesion is None:
            said.append("I cannot put the photograph into words.")
        if scene.diagnosis is None:
            said.append("What is the diagnosis?")
        else:
            said.insert(0, f"The diagnosis {scene.diagnosis} is right.")
            said.append("Which treatment does it need?")
        return sight.admitting(" ".join(said))

    def obey(self, sight: Sight[TelehealthScene]) -> Sequence[str]:
        """Choose the one diagnosis that is named, and the one treatment; nothing twice in vain."""
        scene, advice = sight.scene, plain(sight.advice)
        treatment = _named(advice, TREATMENT_WORDS)
        treating = [TREATMENTS[treatment]] if treatment else []
        said = "\n".join(sight.heard.of("solver"))
        if scene.diagnosis is None:
            diagnosis = _named(advice, DIAGNOSIS_WORDS)
            if diagnosis is None or _done(f"diagnose_{diagnosis.lower()}", said):
                return []
            return [f"diagnose_{diagnosis.lower()}", *treating]
        since = said.rpartition(f"diagnose_{scene.diagnosis.lower()}")[2]
        return [action for action in treating if not _done(action, since)]

    def advise(self, rules: TelehealthRules, heard: Heard) -> str:
        """Name the diagnosis, and when it has been tried the treatment; or ask for what decides."""
        told = hear(_answered(heard))
        if told.diagnosis is not None:
            return _treat(rules, told)
        return _diagnose(rules, told)


def _described(scene: TelehealthScene) -> str:
    findings, said = scene.findings, list[str]()
    if findings.site is not None:
        said.append(
            "I have a spot on my skin" + ("." if findings.site == "elsewhere" else f", on the {findings.site}.")
        )
    if lesion := scene.lesion:
        said.append(f"Its shape is {lesion.shape}, its border is {lesion.border}, and its surface is {lesion.surface}.")
        said.append(f"It has {lesion.colour}." if lesion.colour.endswith("colours") else f"It is {lesion.colour}.")
        said.append(f"It is {lesion.elevation}.")
        said.append("I see no special marks." if lesion.marks == "none" else f"I see {lesion.marks} in it.")
    if findings.diameter is not None:
        said.append(f"It is {str(findings.diameter).removesuffix('.0')} mm across.")
    for fact, (yes, no) in TELLING.items():
        value = getattr(findings, fact)
        if value is not None:
            said.append(yes if value else no)
    return " ".join(said)


def _named(advice: str, words: Mapping[str, re.Pattern[str]]) -> str | None:
    """Return the one thing that is advised: not what is asked about, denied or left to a condition."""
    found = {
        name
        for sentence in SENTENCE.findall(advice)
        if not UNSURE.search(sentence)
        for name, pattern in words.items()
        for match in pattern.finditer(sentence)
        if not denied(sentence, match.start(), match.end())
    }
    return found.pop() if len(found) == 1 else None


def _done(action: str, said: str) -> bool:
    return action in (line.strip() for line in lines_of(said))


def _answered(heard: Heard) -> list[str]:
    """Return what the solver said; a plain no is the answer to the expert's last question."""
    said, asked = list[str](), ""
    for line in heard.lines:
        if line.speaker == "expert":
            asked = line.text
        elif line.speaker == "solver":
            answers = [no for question, no in FACT_QUESTIONS.values() if question in asked and "not" in no]
            said.append(f"{'. '.join(answers)}. {line.text}" if NO.match(line.text) and answers else line.text)
    return said


def _diagnose(rules: TelehealthRules, told: Told) -> str:
    left = {code: score for code, score in rules.scores(told.signs).items() if code not in told.wrong}
    if len(told.signs) < ENOUGH or not left:
        return DESCRIBE
    best = [code for code, score in left.items() if score == max(left.values())]
    unknown = [sign for sign in QUESTIONS if sign not in told.signs]
    deciding = [sign for sign in unknown if _splits(rules, sign, best)]
    if len(best) > 1 and deciding:
        return f"{QUESTIONS[deciding[0]]} It could still be {' or '.join(best)}."
    return f"Diagnose it as {best[0]} ({DIAGNOSES[best[0]]})."


def _splits(rules: TelehealthRules, sign: str, codes: Sequence[str]) -> bool:
    """Whether a sign tells some of the diagnoses apart."""
    return any(apart(rules.signs[one][sign], rules.signs[other][sign]) for one, other in combinations(codes, 2))


def _treat(rules: TelehealthRules, told: Told) -> str:
    assert told.diagnosis is not None  # nothing is treated before
    rule = rules.treatments[told.diagnosis]
    chosen = rule.choose(told.facts)
    if chosen is not None and chosen != told.treatment:
        return ORDERS[chosen]
    needed = [fact for fact in rule.needs if chosen is not None or fact not in told.facts] or ["diameter"]
    example = " and ".join(FACT_QUESTIONS[fact][1] for fact in needed)
    return f"{' '.join(FACT_QUESTIONS[fact][0] for fact in needed)} For example: {example!r}."
