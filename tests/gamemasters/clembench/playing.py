"""Episodes of clembench's games without a bus: scripts that answer what the game asks."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.game import Instance, Reply
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import Message
from tests.support import a_request

__all__ = ["Played", "asked", "episodes", "events", "play"]


class Played(NamedTuple):
    """What came of an episode."""

    instance: Instance
    outcome: str
    scores: Mapping[str, float | None]
    answers: tuple[str, ...]
    state: Play[Any]


def asked(game: ClemGame[Any, Any], seat: str, view: tuple[Message, ...], turn: int = 0, seed: int = 0) -> TurnRequest:
    """Put a question to a script."""
    return a_request(game=game.name, seat=seat, view=view, turn=turn, seed=seed)


def events(state: Play[Any]) -> list[tuple[str, Any]]:
    """Return what the game master has noted for itself."""
    return [(each.kind, each.content) for turn in state.minutes for each in turn if each.sender == each.receiver]


def play(
    game: ClemGame[Any, Any], players: Mapping[str, Player] | Player, instance: Instance, **options: Any
) -> Played:
    """Play an episode; one player sits everywhere, or each at its seat."""
    state = game.start(instance.data, game.configure(options))
    answers: list[str] = []
    while game.outcome(state) is None:
        (seat,) = game.pending(state)
        player = players[seat] if isinstance(players, Mapping) else players
        answers.append(player(asked(game, seat, game.view(state, seat), len(answers))))
        state = game.apply(state, {seat: Reply.of(answers[-1])})
    return Played(instance, str(game.outcome(state)), game.score(state), tuple(answers), state)


def episodes(game: ClemGame[Any, Any], player: str, count: int, seed: int = 0, **options: Any) -> Iterator[Played]:
    """Let a script of the game's own play so many instances of ours."""
    for instance in islice(game.instances(game.configure(options), seed), count):
        yield play(game, game.players()[player], instance, **options)
