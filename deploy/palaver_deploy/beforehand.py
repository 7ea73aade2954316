"""What is made sure of before anybody is asked, wherever a run is played: by one process, by a bus, in a study."""

import asyncio
from collections.abc import Mapping

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_protocols.runs import RunConfig

from .first_questions import check_first_questions
from .models import check_agents, check_prices, check_scripts

__all__ = ["check_run"]


def check_run(
    game: AnyGame,
    config: RunConfig,
    planned: Plan,
    environ: Mapping[str, str],
    *,
    embedded: bool,
    people: bool = False,
) -> None:
    """Make sure that whoever is to be asked can answer, and that what it costs can be counted where it is bounded.

    Args:
        game: the rules.
        config: the run.
        planned: the run worked out.
        environ: the environment, with what ``.env`` adds to it.
        embedded: whether this process asks the agents; those on a bus are others' business, but for scripts.
        people: whether people can sit down here: at pages of this process, or at its terminal.

    Raises:
        UsageError: somebody cannot answer; says who and why.
    """
    check_prices(config, planned.agents, environ)
    if embedded:
        asyncio.run(check_agents(game, planned.agents, environ, people=people))
    else:
        check_scripts(game, planned.agents)
    if config.prefix is None:
        check_first_questions(game, planned, environ if embedded else None)
