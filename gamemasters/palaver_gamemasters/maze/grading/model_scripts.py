"""Graders that need no model: they read the dialogue out of the prompt, and answer with the study's YAML.

``scripted`` reads as the rule-based grader does. The others are made to differ from it, as models differ from each
other, so that votes, disagreement and bad answers can be shown and tested; they say nothing about models.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest

from ..grid import MOVES
from ..render import prompt
from .consent import AFFIRM, AGREE, DOUBT, REFUSE
from .dialogue import read_dialogue
from .extraction import Entry, Extraction, Scheme
from .ledger import Happening, alike, record
from .model import INSERT, read_back
from .notations import Alphabet
from .plain import plain
from .schemes import symbols_of
from .solo import submitted_route

__all__ = ["GRADERS"]

SIZE = 6
"""The size of maze that a grader supposes, which is not told one: it bounds the letters that can mean a cell."""
SOLO = prompt("grader_solo").partition(INSERT)[0]

Turns = Sequence[tuple[str, str]]


def _scripted(request: TurnRequest) -> str:
    """Read as the rules do, and name moves by their cells."""
    turns = _dialogue(request)
    if _is_solo(request):
        return _answer(turns, submitted_route(turns, _alphabet(turns)))
    return _written(request, turns, _happened(request, turns))


def _strict(request: TurnRequest) -> str:
    """Count a move only where the turn that made it agrees in so many words."""
    if _is_solo(request):
        return _scripted(request)
    turns = _dialogue(request)
    happened = _happened(request, turns)
    counted = [replace(event, made=event.made and _agrees(turns[event.turn - 1][1])) for event in happened]
    return _written(request, turns, counted)


def _lenient(request: TurnRequest) -> str:
    """Count a proposed move as made too where the next turn says nothing against it."""
    if _is_solo(request):
        return _scripted(request)
    turns = _dialogue(request)
    happened = _happened(request, turns)
    counted = [replace(event, made=event.made or _goes_unopposed(event, happened, turns)) for event in happened]
    return _written(request, turns, counted)


def _sloppy(request: TurnRequest) -> str:
    """Answer in a bad form, by the seed: one that can be read, one that is mended when asked again, none at all."""
    yaml, manner = _scripted(request), Dice("sloppy grader", request.seed).below(6)
    asked_again = len(request.view) > 1
    match manner:
        case 0:
            return f"Here is what I found.\n\n{yaml}\n\nThe agents moved with care. Let me know if you need more!"
        case 1:
            return yaml.replace('"', "'").replace("```yaml", "```")
        case 2:
            return yaml.removeprefix("```yaml\n").removesuffix("\n```")
        case 3 | 4 if not asked_again:
            return yaml.replace("route:", "route: [", 1)
        case 5:
            return "The agents talked for a while, and I believe that they reached the goal."
    return yaml


def _random(request: TurnRequest) -> str:
    """Write down a walk of any directions."""
    dice = Dice("random grader", request.seed, request.turn)
    steps = [dice.pick(tuple(MOVES)) for _ in range(dice.below(12))]
    entries = [Entry(turn=number, coordinates=((step,),), agent="both") for number, step in enumerate(steps, start=1)]
    return _answer([], Extraction(route=tuple(entries)))


GRADERS: Mapping[str, Player] = {
    "random": _random,
    "scripted": _scripted,
    "scripted/strict": _strict,
    "scripted/lenient": _lenient,
    "scripted/sloppy": _sloppy,
}
"""The scripts, by the names under which agents are asked for."""


# ---- what they read


def _dialogue(request: TurnRequest) -> Turns:
    """Find the dialogue in the prompt.

    Raises:
        UsageError: it is no prompt for graders.
    """
    _, mark, told = request.view[0].text.partition("\n# Dialogue\n") if request.view else ("", "", "")
    if not mark:
        raise UsageError("the task shows no dialogue to grade", mend="this script grades maze dialogues only")
    return read_back(told)


def _is_solo(request: TurnRequest) -> bool:
    return request.view[0].text.startswith(SOLO)


def _alphabet(turns: Turns) -> Alphabet:
    return Alphabet.of([text for _, text in turns], SIZE)


def _agents(request: TurnRequest) -> int:
    """Return how many must agree on a move."""
    many = re.search(r"a dialogue between (\d+) agents", request.view[0].text)
    return int(many[1]) if many else 2


def _happened(request: TurnRequest, turns: Turns) -> tuple[Happening, ...]:
    return read_dialogue(turns, _alphabet(turns), _agents(request))


def _agrees(text: str) -> bool:
    said = plain(text).lower()
    return any(line.strip() in AGREE or line.strip() in AFFIRM for line in said.replace(".", "\n").split("\n"))


def _goes_unopposed(event: Happening, happened: Sequence[Happening], turns: Turns) -> bool:
    """Whether a proposal is answered by nothing that refuses or doubts it, and was not carried out later."""
    if event.turn >= len(turns):
        return False
    answer = plain(turns[event.turn][1]).lower()
    if any(line.strip() in REFUSE or line.strip() in DOUBT for line in answer.replace(".", "\n").split("\n")):
        return False
    later = [other for other in happened if other.made and event.turn <= other.turn <= event.turn + 2]
    return not any(alike(event.step, other.step) for other in later)


# ---- what they write


def _written(request: TurnRequest, turns: Turns, happened: Sequence[Happening]) -> str:
    return _answer(turns, record(happened, everyone="both" if _agents(request) == 2 else "all"))


def _answer(turns: Turns, extraction: Extraction) -> str:
    """Write an extraction in the study's format."""
    scheme = _guess(turns, extraction)
    lines = ["```yaml", "route_schema:", *(f'  {name}: "{value}"' for name, value in scheme), "route:"]
    if not extraction.route:
        lines[-1] = "route: []"
    for entry in extraction.route:
        lines += [
            f"  - turn: {entry.turn}",
            f"    coordinates: {json.dumps([list(spoken) for spoken in entry.coordinates])}",
            f'    turn_type: "{entry.turn_type}"',
            f'    agent: "{entry.agent}"',
        ]
    return "\n".join([*lines, "```"])


def _guess(turns: Turns, extraction: Extraction) -> Scheme:
    """Guess the scheme from what was said of it; it decides nothing."""
    said = " ".join(text for _, text in turns).lower()
    kinds = [kind for spoken in extraction.moves if (kind := symbols_of(spoken))]
    return Scheme(
        maze_origin="1" if "0" not in said else "0",
        maze_orientation="bottom_left" if "bottom-left" in said or "bottom left" in said else "top_left",
        coordinates_orientation="col_row" if "(x, y)" in said or "(col" in said else "row_col",
        coordinates_symbols=kinds[0] if kinds else "number_number",
    )
