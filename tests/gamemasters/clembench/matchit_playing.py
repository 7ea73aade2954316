"""Episodes of MatchIt without a bus: hand-made answers told to the game one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palaver_gamemasters.clembench.matchit import ASCII, GAME
from palaver_gamemasters.clembench.matchit.game import MatchIt, MatchItState
from palaver_gamemasters.clembench.matchit.prompts import texts
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import Reply
from palaver_gamemasters.rollout import plan
from palaver_protocols.runs import RunConfig
from tests.support import NOON, a_reply

PICTURES = GAME
"""The game with pictures."""

GRID_A = "X X X X X\nX ▢ ▢ ▢ ▢\nX X X ▢ ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢"
GRID_B = "X X X X X\nX ▢ ▢ ▢ ▢\nX X X ▢ ▢\nX ▢ ▢ ▢ ▢\nX X X X X"

PLAYED = (
    "DESCRIPTION: a",
    "DESCRIPTION: b",
    "QUESTION: b0?",
    "ANSWER: a1",
    "QUESTION: a1?",
    "ANSWER: b1",
    "QUESTION: b1?",
    "ANSWER: a2",
    "QUESTION: a2?",
    "ANSWER: b2",
    "QUESTION: b2?",
    "ANSWER: a3",
    "QUESTION: a3?",
    "ANSWER: b3",
    "DECISION: same grid",
    "DECISION: same grid",
)
"""An episode of three questions each, by what is said; the digit is the turn."""

State = Play[MatchItState]


def an_instance(game: MatchIt = ASCII, *, alike: bool = True, questions: int = 3, **changes: Any) -> dict[str, Any]:
    """Make an instance by hand; ``changes`` are fields of the instance, or of the experiment."""
    thing = game.shown
    seen = (GRID_A, GRID_B) if thing == "grid" else ("images/a.png", "images/b.png")
    about = {"name": "by hand", **texts(thing, alike=alike, questions=questions, info=False)}
    fields = {"game_id": 0, f"{thing}_a": seen[0], f"{thing}_b": seen[1], "decision_turn": questions}
    changed = {key: changes.pop(key) for key in list(changes) if key in about}
    return {"experiment": about | changed, "instance": fields | changes}


def started(game: MatchIt = ASCII, profile: str = "published", **instance: Any) -> State:
    """Set an episode up."""
    return game.start(an_instance(game, **instance), game.configure({"profile": profile}))


def after(state: State, answers: Sequence[str]) -> State:
    """Let whoever is asked give the answers in turn; the episode must go on for as long."""
    for answer in answers:
        (seat,) = state.game.pending(state)
        state = state.game.apply(state, {seat: Reply.of(answer)})
    return state


def played(answers: Sequence[str] = PLAYED, game: MatchIt = ASCII, **how: Any) -> State:
    """Play hand-made answers."""
    return after(started(game, **how), answers)


def instead(place: int, answer: str) -> tuple[str, ...]:
    """Return the answers up to one that is given instead of the usual."""
    return (*PLAYED[:place], answer)


def scores(state: State) -> Mapping[str, float | None]:
    """Return the measures that the study has, too."""
    return {name: value for name, value in state.verdict.scores.items() if name != "success"}


def run(game: MatchIt, *agents: str, episodes: int = 4, seed: int = 0, **options: Any) -> Iterator[Episode]:
    """Play a run of scripts."""
    config = RunConfig(run_id="run", game=game.name, agents=agents, options=options, episodes=episodes, seed=seed)
    players = game.players()
    for opening in plan(game, config).openings:
        episode = Episode(game, opening)
        while episode.outcome is None:
            for request in list(episode.requests(timeout_s=1.0)):
                episode.take(episode.step(request, a_reply(request, players[request.agent](request)), NOON))
        yield episode
