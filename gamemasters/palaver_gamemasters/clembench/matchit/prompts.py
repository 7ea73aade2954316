"""The game master's words, to the letter: those of the study's own instances (Hakimov et al., v1.6.5).

The study's Figure 13 prints some of them otherwise; this is what was played.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pydantic import JsonValue

__all__ = ["FLAGS", "Thing", "texts"]

Thing = Literal["image", "grid"]
"""What the players see."""

FLAGS: Mapping[str, str] = MappingProxyType(
    {"description": "DESCRIPTION:", "question": "QUESTION:", "answer": "ANSWER:", "decision": "DECISION:"}
)

BEGIN = """\
You are participating in a collaborative guessing game.
The goal is to find out whether this {shown} and another picture only I can see, are the same.
Please describe your {thing} first. Then, I will provide my description and we can ask each other questions about the \
{thing}s to figure out whether they are the same. {info}Now start your short {thing} description with "DESCRIPTION:" \
followed by the description. Do not add anything else."""
GRID = " This is your grid:\n$GRID$"
INFO = "Each of us can ask {count} question{s}. "
ASK = """\
Now ask a question in order to find out new aspects of my {thing} that may be different to your {thing}. \
Start with "QUESTION:" and do not add anything else."""
DECIDE = """\
Now come to a decision. What do you think: are your {shown} and the other {shown} described the same{picture}?  \
Write "DECISION: {same}" if you think they are the same {shown} or "DECISION: {different}" if you think they are \
different {shown}s. Do not add anything else.
"""
ANSWER = ' Start your answer with "ANSWER:" and do not add anything else.'
INTRODUCTION = "This is my "


def texts(thing: Thing, *, alike: bool, questions: int, info: bool) -> dict[str, JsonValue]:
    """Return the fields of an experiment, but for its name.

    Args:
        thing: what the players see.
        alike: whether both see the same.
        questions: how many questions each player asks.
        info: whether they are told so at the beginning.
    """
    shown = "picture" if thing == "image" else thing
    told = INFO.format(count=questions, s="" if questions == 1 else "s") if info else ""
    begin = BEGIN.format(shown=shown, thing=thing, info=told)
    same, different = f"same {thing}", f"different {thing}s"
    decide = DECIDE.format(shown=shown, picture=" picture" if thing == "image" else "", same=same, different=different)
    return {
        "initial_prompt": begin + (GRID if thing == "grid" else ""),
        "q_reprompt": ASK.format(thing=thing),
        "d_reprompt": decide,
        "a_request": ANSWER,
        "desc_intro": INTRODUCTION,
        "flags": dict(FLAGS),
        "solution": same if alike else different,
        "wrong_solution": different if alike else same,
    }
