"""What a judge is shown: definitions, facts, the manual, and the conversation with the puzzle as it was (COMMA, 5.2).

The study gave its judge "the ground truth conversations"; how that is laid out here, and the wording, are ours. Every
line of the conversation that is not a label is indented, so that nobody can put words into another's mouth.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from palaver_gamemasters.texts import filled, prompt_of
from palaver_protocols.transcript import USER, Message

from ..repetition import repetitions
from ..state import SOLVER, CommaState, Deed

__all__ = ["FACTS", "INDENT", "TURN", "grading_view", "named"]

INDENT = "    "
TURN = "=== Turn "
FACTS = {
    "puzzle": "Puzzle: {}",
    "experts": "Experts: {}",
    "solved": "Solved: {}",
    "mistakes": "Mistakes: {}",
    "turns": "Turns taken: {}",
    "repeated": "Mistakes that had been made before, in the same state: {}",
    "memory": "What players remember: {}",
}
"""The facts, one a line."""


class Moment(NamedTuple):
    """A turn of the solver: the puzzle's state when it spoke, and what it did."""

    before: Any
    deeds: tuple[Deed, ...]


def grading_view(state: CommaState) -> tuple[Message, ...]:
    """Return what a judge is shown of a finished episode: one message."""
    told = {
        "facts": "\n".join(_facts(state)),
        "solver": state.tasks[SOLVER].text,
        "manual": state.manual.strip(),
        "dialogue": "\n\n".join(_turns(state)),
    }
    return (Message.text_from(USER, filled(prompt_of(__package__, "judge").strip(), told)),)


def named(speaker: str) -> str:
    """Return a speaker's label: ``Solver``, ``Expert``, ``Expert 2``, ``Environment``."""
    return speaker.replace("_", " ").capitalize()


def _facts(state: CommaState) -> Iterator[str]:
    said = {
        "puzzle": state.puzzle.name,
        "experts": str(len(state.seats) - 1),
        "solved": "yes" if state.solved else "no",
        "mistakes": f"{state.mistakes} (an episode ends with {state.options.mistakes})",
        "turns": f"{state.turn} (of {state.options.turns})",
        "repeated": str(repetitions(state.deeds)),
        "memory": "the whole conversation" if state.options.memory == "full" else "the latest message only",
    }
    for name, text in FACTS.items():
        yield text.format(said[name])


def _turns(state: CommaState) -> Iterator[str]:
    """Yield a block for each turn: the puzzle, what would have been right if that has changed, and what was said."""
    moments = iter(_moments(state))
    right = ""
    blocks: list[list[str]] = []
    for message in state.dialogue:
        if message.speaker == SOLVER:
            moment = next(moments)
            scene = state.puzzle.write(state.puzzle.scene(moment.before))
            blocks.append([f"{TURN}{len(blocks) + 1}", _labelled("Puzzle", scene)])
            answers = list(_answers(state, moment, right))
            if answers:
                right = answers[-1][1]
                blocks[-1].append(_labelled("Right", "\n".join(f"{when}{answer}" for when, answer in answers)))
        blocks[-1].append(_labelled(named(message.speaker), message.text))
    return ("\n".join(block) for block in blocks)


def _moments(state: CommaState) -> tuple[Moment, ...]:
    """Return the solver's turns; the state between two of them is that which its last action led to."""
    by_turn = {turn: tuple(deeds) for turn, deeds in groupby(state.deeds, key=lambda deed: deed.turn)}
    now = state.deeds[0].before if state.deeds else state.now
    moments = []
    for turn in range(state.turn):
        deeds = by_turn.get(turn, ())
        moments.append(Moment(now, deeds))
        if deeds:
            now = state.puzzle.act(deeds[-1].before, deeds[-1].action).state
    return tuple(moments)


def _answers(state: CommaState, moment: Moment, right: str) -> Iterator[tuple[str, str]]:
    """Yield what would have been right when the solver spoke and after each of its actions, where that is new."""
    whens = [("", moment.before)]
    whens += [
        (f"(after {done.action}) ", following.before)
        for done, following in zip(moment.deeds, moment.deeds[1:], strict=False)
    ]
    for when, before in whens:
        if (now := state.puzzle.answer(before)) != right:
            right = now
            yield when, now


def _labelled(label: str, text: str) -> str:
    first, *rest = f"{label}: {text}".split("\n")
    return "\n".join([first, *(f"{INDENT}{line}" for line in rest)])
