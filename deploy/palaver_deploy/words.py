"""The words that describe a run on a command line: the same for whoever plays it and for whoever hands it over."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from .options import CACHE_HELP

__all__ = ["how_words", "resume_words", "run_words"]

Option = Callable[[Callable[..., int]], Callable[..., int]]
"""What adds an option to a command."""

WHAT = (
    *("agents", "episodes", "seed", "settings", "protocol", "handoff", "prefix"),
    *("temperature", "max_tokens", "reasoning_effort"),
)
HOW = ("concurrency", "timeout_s", "tries", "budget_tokens", "budget_usd", "priority", "cache")
"""What :data:`palaver_protocols.runs.HOW` names; not imported, so that --help stays quick."""

_WHAT = (
    click.option(
        "--agents", "-a", metavar="A[,B...]", help="One agent for all seats, or one for each (`palaver list agents`)."
    ),
    click.option(
        "--episodes", "-n", type=click.IntRange(1), metavar="N", help="How many episodes; the game says if not given."
    ),
    click.option(
        "--seed", type=click.IntRange(0), metavar="S", help="The same seed gives the same instances.  [default: 0]"
    ),
    click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set an option of the game; repeat for more."
    ),
    click.option(
        "--protocol",
        type=click.Choice(["prefixes", "user", "transcript"]),
        help="How a dialogue becomes a provider's messages; as in the game's study if not given.",
    ),
    click.option(
        "--handoff",
        metavar="all|last:M|summary|nothing",
        help="What an agent that takes over a seat (A@4>B) is shown of what was said before.  [default: all]",
    ),
    click.option(
        "--prefix", metavar="DIR@K", help="Begin every episode with its first K turns in the run in DIR, to the letter."
    ),
    click.option("--temperature", type=float, metavar="T", help="As in the game's study if not given."),
    click.option(
        "--max-tokens",
        type=int,
        metavar="N",
        help="The longest answer in the game; as in its study, or left to the provider, if not given.",
    ),
    click.option("--reasoning-effort", metavar="WORD", help="For models that reason: low, medium, high, ..."),
)
_HOW = (
    click.option("--concurrency", "-c", type=click.IntRange(1), metavar="C", help="Episodes at a time.  [default: 64]"),
    click.option(
        "--timeout",
        "timeout_s",
        type=float,
        metavar="S",
        help="Seconds that one try at a turn may take.  [default: 600]",
    ),
    click.option(
        "--tries",
        type=click.IntRange(1),
        metavar="N",
        help="Tries at a turn before its episode ends as `error`.  [default: 5]",
    ),
    click.option(
        "--budget-tokens",
        type=click.IntRange(1),
        metavar="N",
        help="Ask nobody more when so many tokens are used; what is left ends as `budget`.",
    ),
    click.option(
        "--budget-usd",
        type=float,
        metavar="USD",
        help="The same in US dollars, for agents that report what they cost.",
    ),
    click.option(
        "--priority", type=int, metavar="P", help="Where runs share a bus, higher ones go first.  [default: 0]"
    ),
)
_CACHE = click.option("--cache/--no-cache", default=None, help=CACHE_HELP)


def run_words(command: Callable[..., int]) -> Callable[..., int]:
    """Add WHAT and the options that describe a run; the command gets them as ``what`` and ``given``."""

    @wraps(command)
    def with_words(*, what: str, **others: Any) -> int:
        given = {name: others.pop(name) for name in (*WHAT, *HOW)}
        return command(what=what, given=given, **others)

    described = with_words
    for option in reversed((*_WHAT, *_HOW, _CACHE)):
        described = option(described)
    return click.argument("what", metavar="GAME|SUITE")(described)


def how_words(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say how something is played, but for the cache; the command gets them as ``given``."""
    return _given(command, _HOW, [name for name in HOW if name != "cache"])


def resume_words(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that may change when a run is taken up again; the command gets them as ``given``."""
    return _given(command, (*_HOW, _CACHE), HOW)


def _given(command: Callable[..., int], options: Sequence[Option], names: Sequence[str]) -> Callable[..., int]:
    """Add options, and collect those that were given."""

    @wraps(command)
    def with_words(**others: Any) -> int:
        given = {name: others.pop(name) for name in names}
        return command(given={name: value for name, value in given.items() if value is not None}, **others)

    described: Callable[..., int] = with_words
    for option in reversed(options):
        described = option(described)
    return described
