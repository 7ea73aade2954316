"""Reference games that are played by functions, without a bus."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.clembench.reference import GAME, TEXT
from palaver_gamemasters.clembench.reference.game import ReferenceGame, ReferenceState
from palaver_gamemasters.game import Reply
from palaver_protocols.messages import Player, TurnRequest
from tests.support import a_request

TEXTS = st.text() | st.lists(
    st.sampled_from(
        [
            *("row", "rows", "column", "first", "2", "3rd", "top", "left", "corner", "diagonal", "from", "to", "and"),
            *(",", ";", "all", "but", "except", "only", "filled", "empty", "X", "▢", "letter", "'E'", "shape", "arrow"),
            *("(", ")", "nothing", "9", "cells", "are", "not", "with", "middle", "expression:", "question:", "12"),
        ]
    )
).map(" ".join)
"""Any text, and such as nearly says something."""

State = Play[ReferenceState]
GAMES: dict[str, ReferenceGame] = {"image": GAME, "text": TEXT}
MAIN = ("Main Score", "Aborted", "Success", "Lose")


def own(game: ReferenceGame, experiment: str, count: int, seed: int = 0) -> Iterator[ClemInstance]:
    """Yield instances of our own."""
    options = game.configure({"experiment": experiment})
    for each in islice(game.instances(options, seed), count):
        yield ClemInstance.model_validate(each.data)


def an_instance(game: ReferenceGame, **fields: Any) -> ClemInstance:
    """Make an instance in which player 2 sees the target second; None leaves a field out."""
    made = next(islice(own(game, "letter_grids", 2), 1, None))
    kept = {name: value for name, value in {**made.instance, **fields}.items() if value is not None}
    return made.model_copy(update={"instance": kept})


def played(game: ReferenceGame, instance: ClemInstance, *texts: str, **options: str) -> State:
    """Answer in turn."""
    state = game.start(instance.model_dump(mode="json"), game.configure(options))
    for text in texts:
        (seat,) = game.pending(state)
        state = game.apply(state, {seat: Reply.of(text)})
    return state


def asked(game: ReferenceGame, state: State, turn: int = 0, seed: int = 0) -> TurnRequest:
    """Put the question to whose turn it is."""
    (seat,) = game.pending(state)
    return a_request(game=game.name, turn=turn, seat=seat, seed=seed, view=game.view(state, seat))


def acted(game: ReferenceGame, instance: ClemInstance, script: Player, seed: int = 0, **options: str) -> State:
    """Let a script play both seats."""
    state = game.start(instance.model_dump(mode="json"), game.configure(options))
    for turn in range(2):
        request = asked(game, state, turn, seed)
        state = game.apply(state, {request.seat: Reply.of(script(request))})
    return state


def main_scores(game: ReferenceGame, state: State) -> tuple[float | None, ...]:
    """Return Main Score, Aborted, Success and Lose."""
    scores = game.score(state)
    return tuple(scores[name] for name in MAIN)
