"""Examples to try a judge on, made by code: scripted players, one of whom errs in a known way.

The study calibrated its judge on ten conversations of each kind that people had picked and labelled (COMMA, section
5.2); these are not at hand. Ours are plainer, and a high accuracy on them says that a judge understands the task and
its own prompt, not that it sees what people see.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.episode import seed_for
from palaver_gamemasters.game import AnyGame, Instance, Reply
from palaver_protocols.messages import Player, TurnRequest

from ..options import CommaOptions
from ..repetition import repetitions
from ..state import CommaState
from .labels import ERRORS, NONE

__all__ = ["examples"]

CASTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "roleplay": (("scripted", "scripted/roleplaying"), ("scripted/roleplaying", "scripted")),
    "misinterpretation": (("scripted/misreading", "scripted"),),
    "repetition": (("scripted/repeating", "scripted"),),
    "miscommunication": (("scripted/disobedient", "scripted"), ("scripted/hasty", "scripted")),
    "other": (("scripted/mumbling", "scripted"),),
    NONE: (("scripted", "scripted"),),
}
"""Solver and expert, in turns."""
MOST_TRIED = 400
"""Initialisations that are tried for one kind before it is given up."""


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation whose main error is known."""

    label: str
    cast: tuple[str, str]
    instance: Instance
    replies: tuple[tuple[str, str], ...]

    def as_json(self, game: str) -> dict[str, JsonValue]:
        """Return it as a line of a calibration file."""
        return {
            "game": game,
            "variant": self.instance.variant,
            "instance": self.instance.data,
            "options": {"modality": "text"},
            "replies": [{"seat": seat, "text": text} for seat, text in self.replies],
            "label": self.label,
            "made_by": ", ".join(self.cast),
        }


def examples(game: AnyGame, seed: int = 0, each: int = 10) -> Iterator[dict[str, JsonValue]]:
    """Yield examples of each kind, and normal conversations last, over all ten puzzles in turns.

    Args:
        game: COMMA.
        seed: of the initialisations.
        each: how many of each kind; fewer where the faults do not come to so many.
    """
    for label in (*ERRORS, NONE):
        for example in islice(_of_kind(game, label, seed), each):
            yield example.as_json(game.name)


def _of_kind(game: AnyGame, label: str, seed: int) -> Iterator[Example]:
    options = CommaOptions(modality="text")
    players = game.players()
    casts = CASTS[label]
    found = 0
    for instance in islice(game.instances(options, seed), MOST_TRIED):
        cast = casts[found % len(casts)]
        state, replies = _played(game, options, instance, [players[name] for name in cast])
        if _is_plain(label, state):
            found += 1
            yield Example(label, cast, instance, replies)


def _is_plain(label: str, state: CommaState) -> bool:
    """Whether the fault came to what it stands for, and to nothing else that the rules can tell."""
    repeated, mistakes = repetitions(state.deeds), state.mistakes
    match label:
        case "repetition":
            return repeated > 0
        case "misinterpretation" | "miscommunication":
            return mistakes > 0 and not repeated
        case "other":
            return not state.solved
        case "none":
            return state.solved and not mistakes
        case _:
            return not repeated


def _played(
    game: AnyGame, options: CommaOptions, instance: Instance, players: list[Player]
) -> tuple[Any, tuple[tuple[str, str], ...]]:
    """Play an episode by functions; return its final state and what was said."""
    by_seat = dict(zip(game.seats(options), players, strict=True))
    state = game.start(instance.data, options)
    said: list[tuple[str, str]] = []
    while pending := game.pending(state):
        (seat,) = pending
        request = TurnRequest(
            key=f"{instance.id}/{len(said)}",
            run_id="examples",
            episode_id=instance.id,
            game=game.name,
            variant=instance.variant or game.variant(options),
            turn=len(said),
            seat=seat,
            agent="scripted",
            partners=game.partners(options, seat),
            seed=seed_for(0, instance.id),
            view=game.view(state, seat),
        )
        text = by_seat[seat](request)
        said.append((seat, text))
        state = game.apply(state, {seat: Reply.of(text)})
    return state, tuple(said)
