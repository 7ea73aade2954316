"""What is remarked of a run before it begins: it can be played, and will not go as one would like. Asks nobody."""

from collections.abc import Iterable, Iterator, Mapping

from palaver_agents.names import parse_agent
from palaver_agents.providers import facts, is_blind
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_protocols.content import Image
from palaver_protocols.messages import EpisodeStarted, Sampling
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import team_of

from .exits import complain

__all__ = ["cut_off", "idle_protocol", "in_words", "remarks_on", "tell"]

ENOUGH = 1000
"""Tokens below which thoughts leave no room for an answer."""
BETTER = 4000
UNTHINKING = "none"


def remarks_on(
    game: AnyGame, config: RunConfig, planned: Plan, environ: Mapping[str, str], protocol: str | None
) -> tuple[str, ...]:
    """Return all that is to be said of a run.

    Args:
        game: the rules.
        config: the run.
        planned: the run worked out.
        environ: the environment, with what ``.env`` adds to it: it may name a file of providers.
        protocol: what the command line says; None if it says nothing.

    Raises:
        UsageError: the user's file of providers makes no sense.
    """
    return (
        *game.remarks([opening.instance for opening in planned.openings]),
        *cut_off(config, planned, environ),
        *in_words(game, planned, environ),
        *idle_protocol(game, planned, protocol),
    )


def in_words(game: AnyGame, planned: Plan, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Say of each model that takes no pictures that it plays in words, where the first to be asked are shown some.

    Raises:
        UsageError: the user's file of providers makes no sense.
    """
    for opening in planned.openings[:1]:
        try:
            pictured = _pictured(game, opening)
        except Exception:
            return ()
        speakers = _speakers(filler.agent for seat in pictured for filler in opening.seats[seat])
        blind = dict.fromkeys(each for each in speakers if is_blind(parse_agent(each), environ))
        return tuple(
            f"{agent} takes no pictures: it plays {opening.variant} in words, and is no measure of seeing"
            for agent in blind
        )
    return ()


def _pictured(game: AnyGame, opening: EpisodeStarted) -> list[str]:
    """Name the seats that are asked first, and are shown pictures that say what they show."""
    state = game.start(opening.instance, game.configure(opening.options))
    views = {seat: game.view(state, seat) for seat in game.pending(state)}
    return [
        seat
        for seat, view in views.items()
        if any(isinstance(part, Image) and part.alt for message in view for part in message.parts)
    ]


def cut_off(config: RunConfig, planned: Plan, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Say of each model that is known to think that its answers will be cut off before it has said anything.

    Args:
        config: the run, whose ``max_tokens`` bounds answers; those of a team's members and summaries are not bounded.
        planned: the run worked out.
        environ: the environment, with what ``.env`` adds to it: it may name a file of providers.

    Raises:
        UsageError: the user's file of providers makes no sense.
    """
    bound = config.sampling.max_tokens
    if bound is None or bound >= ENOUGH:
        return ()
    return tuple(
        f"{agent} thinks before it answers; {bound} tokens will cut it off: --max-tokens {BETTER}"
        for agent in dict.fromkeys(_speakers(_fillers(planned)))
        if _thinks(agent, config.sampling, environ)
    )


def idle_protocol(game: AnyGame, planned: Plan, protocol: str | None) -> tuple[str, ...]:
    """Say that a role protocol makes no difference, where nobody talks with anybody but the game.

    Args:
        game: the rules.
        planned: the run worked out.
        protocol: what the command line says; None if it says nothing.
    """
    if protocol is None or any(team_of(agent) for agent in _fillers(planned)):
        return ()
    for opening in planned.openings[:1]:
        options = game.configure(opening.options)
        if any(game.partners(options, seat) for seat in opening.seats):
            return ()
    return (f"--protocol {protocol} makes no difference in {game.name}: its players talk with the game master alone",)


def tell(remarks: Iterable[str], *, quiet: bool) -> None:
    """Say each remark once, in a line of its own on stderr; nothing if nobody wants to hear."""
    for remark in () if quiet else dict.fromkeys(remarks):
        complain(remark, 0)


def _fillers(planned: Plan) -> Iterator[str]:
    for opening in planned.openings[:1]:
        for seat in opening.seats.values():
            yield from (filler.agent for filler in seat)


def _speakers(agents: Iterable[str]) -> Iterator[str]:
    """Yield the agents that speak for a seat or a team: of a team its lead, and the leads of teams within it."""
    for agent in agents:
        team = team_of(agent)
        if team is None:
            yield agent
        else:
            yield team.lead
            yield from _speakers(member for member in team.members if team_of(member))


def _thinks(agent: str, sampling: Sampling, environ: Mapping[str, str]) -> bool:
    """Whether a model will think: because it is told to, or because it does."""
    known = facts(parse_agent(agent), environ)
    effort = sampling.reasoning_effort
    if effort is None or "reasoning_effort" in known.refuses or parse_agent(agent).kind != "model":
        return known.thinks
    return effort != UNTHINKING
