"""A model as grader: what it is shown of a maze dialogue, and what its answer says of the route.

It is shown the dialogue alone, no maze: it writes down what was said, and the reading of it under every scheme is ours,
as for the rule-based grader (Davidson et al., The Collaboration Gap, section 2.1; prompts of figures A.5 and A.6). The
prompt for more than two agents is ours, after figure A.6.
"""

import re
from collections.abc import Sequence

from palaver_gamemasters.game import Read
from palaver_protocols.transcript import USER, Message

from ..grid import Maze
from ..options import Setting
from ..render import prompt
from ..scores import measure
from .grader import grade_extraction
from .model_yaml import read_extraction

__all__ = ["GRADED", "INSERT", "grading_view", "read_back", "read_grade"]

GRADED = ("success", "weighted_outcome", "moves")
"""The scores that follow from a route."""

INSERT = "<insert dialogue>"
"""Where the prompts want the dialogue."""


def grading_view(
    setting: Setting, dialogue: Sequence[Message], seats: Sequence[str] = ("agent_1", "agent_2")
) -> tuple[Message, ...]:
    """Return what a grading model is shown: one message, the dialogue in it to the letter.

    Args:
        setting: whose prompt it is.
        dialogue: what the seats said, in order.
        seats: who takes part, in a dialogue; also those who have said nothing.
    """
    return (Message.text_from(USER, _task(setting, seats).replace(INSERT, _told(dialogue))),)


def _task(setting: Setting, seats: Sequence[str]) -> str:
    if setting != "pair":
        return prompt("grader_solo")
    if len(seats) == 2:
        return prompt("grader_pair")
    return prompt("grader_many").replace("<number>", str(len(seats))).replace("<agents>", "|".join(seats))


def _told(dialogue: Sequence[Message]) -> str:
    """Write a dialogue as blocks, one a turn, counted from 1."""
    return "\n\n".join(
        f"turn {number}, {message.speaker}: {message.text}" for number, message in enumerate(dialogue, start=1)
    )


def read_back(told: str) -> list[tuple[str, str]]:
    """Find the turns in a dialogue as :func:`grading_view` has written it: (seat, text), in order.

    A speaker who writes the head of the very next turn into its own can make two of one; nobody else is misread.
    """
    turns: list[tuple[str, str]] = []
    at = 0
    while head := re.compile(rf"turn {len(turns) + 1}, (\w+): ").match(told, at):
        begin = head.end()
        following = re.compile(rf"\n\n(?=turn {len(turns) + 2}, \w+: )").search(told, begin)
        turns.append((head[1], told[begin : following.start() if following else len(told)]))
        at = following.end() if following else len(told)
    return turns


def read_grade(maze: Maze, text: str) -> Read:
    """Read what a grading model answered, try its route under every scheme, and measure it (sections 2 and 2.1).

    Returns:
        ``success``, ``weighted_outcome`` and ``moves``; as detail, what the model wrote down and how it was read.

    Raises:
        UnreadableGradeError: it cannot be used; says what is wrong with it.
    """
    extraction = read_extraction(text)
    grade = grade_extraction(maze, extraction)
    scores = measure(maze, grade, 0)
    read_as = str(grade.scheme) if grade.scheme else None
    return Read(
        outcome="solved" if scores["success"] else "failed",
        scores={name: scores[name] for name in GRADED},
        detail={
            **extraction.model_dump(mode="json"),
            "read_as": read_as,
            "cells": [list(cell) for cell in grade.route],
            "ended": grade.ended,
        },
    )
