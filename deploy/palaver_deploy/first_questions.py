"""The first questions of a run, tried before anybody is paid: what can never be answered is refused, and not played.

One episode of each variant is begun without a bus. Scripts are asked themselves, which costs nothing; of models, it is
known which pictures they take. Nobody else is judged: who comes in later, members of teams, recordings, people.
"""

from collections.abc import Mapping

from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_agents.providers.failures import check_pictures
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.messages import EpisodeStarted, TurnRequest
from palaver_protocols.roles import chat_of

from .rehearsal import Cast

__all__ = ["check_first_questions"]


def check_first_questions(game: AnyGame, plan: Plan, environ: Mapping[str, str] | None) -> None:
    """Make sure that whoever is asked first at a seat could answer.

    Args:
        game: the rules.
        plan: the run worked out; its first episode of each variant is tried.
        environ: the environment, with what ``.env`` adds to it, in which the models can be reached; None where others
            ask them, who may know more of them than we do.

    Raises:
        UsageError: a script knows nothing to say, or a model takes no such pictures; says who and why.
    """
    cast = Cast(game, {})
    firsts = {opening.variant: opening for opening in reversed(plan.openings)}
    for opening in reversed(firsts.values()):
        try:
            _try(game, opening, cast, environ)
        except UsageError:
            raise
        except Exception:  # noqa: S112 - a game's bug, or nobody to stand in: whoever plays it will say so
            continue


def _try(game: AnyGame, opening: EpisodeStarted, cast: Cast, environ: Mapping[str, str] | None) -> None:
    """Play on until each seat has been asked once."""
    episode = Episode(game, opening)
    unheard = set(opening.seats)
    for _ in range(2 * len(opening.seats)):
        if not unheard or episode.outcome is not None:
            return
        request = next(episode.requests(timeout_s=1.0))
        if request.seat not in opening.seats:  # a voice of a team, which may ask whomever it likes
            return
        if request.seat in unheard:
            unheard.remove(request.seat)
            _check(game, request, environ)
        episode.take(episode.step(request, cast.answer(request, 0.0), opening.at))


def _check(game: AnyGame, request: TurnRequest, environ: Mapping[str, str] | None) -> None:
    name = parse_agent(request.agent)
    try:
        if name.kind == "script" and name.model in (players := game.players()):
            players[name.model](request)
        elif name.kind == "model" and environ is not None:
            _check_pictures(request, environ)
    except PalaverError as error:
        said = error.message
        for already in (request.agent, f"{name.provider}/{name.model}", game.name):
            said = said.removeprefix(f"{already}: ")
        raise UsageError(
            f"{request.agent} cannot be {request.seat} in {game.name} ({request.variant}): {said}", mend=error.mend
        ) from error


def _check_pictures(request: TurnRequest, environ: Mapping[str, str]) -> None:
    """Make sure that a model takes the pictures of its first question, which it gets in words where there are any."""
    endpoint = resolve(parse_agent(request.agent), environ)
    check_pictures(endpoint, chat_of(request, endpoint.quirks))
