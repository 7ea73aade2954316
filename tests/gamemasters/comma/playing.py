"""Episodes of COMMA without a bus: hand-made messages, or scripts, told to the game one after the other."""

from collections.abc import Iterator, Mapping
from typing import Any

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.state import CommaState
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import Reply
from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import EpisodeStarted
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message
from tests.support import NOON, a_reply

WIRES: Mapping[str, Any] = {"wires": ["red", "blue", "blue", "white"], "serial": "ABC124"}
"""Four wires of which the second is to be cut."""


def an_episode(setup: Mapping[str, Any] = WIRES, puzzle: str = "wire", **options: Any) -> CommaState:
    """Set an episode up."""
    return GAME.start({"puzzle": puzzle, "setup": dict(setup)}, GAME.configure({"modality": "text", **options}))


def after(state: CommaState, *messages: str, expert: str = "I see.") -> CommaState:
    """Let the solver say messages, and each expert the same after each of them, as long as the episode goes on."""
    for message in messages:
        assert GAME.pending(state) == ("solver",)
        state = GAME.apply(state, {"solver": Reply.of(message)})
        while GAME.pending(state) not in ((), ("solver",)):
            state = GAME.apply(state, {GAME.pending(state)[0]: Reply.of(expert)})
    return state


def seen(state: CommaState, seat: str) -> list[tuple[str, str]]:
    """Return who says what in a seat's view."""
    return [(message.speaker, message.text) for message in GAME.view(state, seat)]


def feedback(state: CommaState) -> list[str]:
    """Return what the environment has said about actions, a line each."""
    return [line for message in state.dialogue if message.speaker == "environment" for line in message.text.split("\n")]


def shown(state: CommaState) -> Message:
    """Return the solver's last message of the view: the puzzle as it is now."""
    return GAME.view(state, "solver")[-1]


def openings(
    *agents: str, episodes: int = 10, seed: int = 0, handoff: str = "all", **options: Any
) -> tuple[EpisodeStarted, ...]:
    """Plan a run of scripts, by text."""
    given = {"modality": "text", **options}
    config = RunConfig(
        run_id="run", game="comma", agents=agents, options=given, episodes=episodes, seed=seed, handoff=handoff
    )
    return plan(GAME, config).openings


def played(opening: EpisodeStarted) -> Episode:
    """Play an episode to its end; whoever is asked is the game's script of that name."""
    scripts = GAME.players()
    episode = Episode(GAME, opening)
    while episode.outcome is None:
        for request in list(episode.requests(timeout_s=1.0)):
            episode.take(episode.step(request, a_reply(request, scripts[request.agent](request)), NOON))
    return episode


def run(*agents: str, **how: Any) -> Iterator[Episode]:
    """Play a run; see :func:`openings`."""
    return map(played, openings(*agents, **how))
