"""Words that several commands understand, and how they print JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

__all__ = [
    "CACHE_HELP",
    "LEVELS",
    "Service",
    "as_json",
    "broker_option",
    "bus_is_chosen",
    "bus_option",
    "cache_option",
    "check_cache",
    "check_shared",
    "grace_option",
    "grader_options",
    "http_option",
    "is_embedded",
    "level_option",
    "parse_settings",
    "print_json",
    "run_folder",
    "state_folder",
    "state_option",
]

SHARED = ("redis", "rediss", "unix", "redis+sentinel")
"""The schemes of buses that processes share."""

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")

broker_option = click.option(
    "--broker",
    envvar="PALAVER_BROKER",
    default="memory://",
    show_default=True,
    show_envvar=True,
    metavar="URL",
    help="The bus; memory:// lives in this process.",
)

bus_option = click.option(
    "--broker",
    "url",
    envvar="PALAVER_BROKER",
    show_envvar=True,
    required=True,
    metavar="URL",
    help="The bus: redis://[:PASSWORD@]HOST[:PORT][/DB][?bus=NAME]",
)

CACHE_HELP = (
    "Take answers that a provider has given to the very same question, and keep new ones, with the bytes that "
    "were sent, in PALAVER_CACHE (~/.cache/palaver). Answers that a provider has filtered are not kept."
)
cache_option = click.option("--cache", is_flag=True, help=CACHE_HELP)

grace_option = click.option(
    "--grace",
    "grace_s",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds to finish what is under way when asked to stop (SIGTERM).",
)
http_option = click.option(
    "--http",
    envvar="PALAVER_HTTP",
    show_envvar=True,
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Where /healthz, /readyz and /metrics are; port 0 is any free one, and is logged.",
)
LEVELS = click.Choice(["debug", "info", "warning", "error"])
level_option = click.option(
    "--log-level", default="info", show_default=True, type=LEVELS, help="What is logged, as JSON lines on stderr."
)

_GRADER = (
    click.option(
        "--votes", type=click.IntRange(1), metavar="N", help="Graders that vote, an odd number.  [default: 1]"
    ),
    click.option(
        "--reasks",
        type=click.IntRange(0),
        metavar="N",
        help="How often an answer that cannot be read is asked for again.  [default: 2]",
    ),
    click.option("--temperature", type=float, metavar="T", help="Of the grader; left to its provider if not given."),
)


def grader_options(command: Command) -> Command:
    """Add the options that say how a grader is asked: ``votes``, ``reasks`` and ``temperature``."""
    for option in reversed(_GRADER):
        command = option(command)
    return command


run_folder = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@dataclass(frozen=True, slots=True)
class Service:
    """What every service is told. ``http`` is HOST:PORT, ``lease_s`` and ``grace_s`` are seconds."""

    url: str
    http: str
    lease_s: float
    grace_s: float
    log_level: str
    otlp: str | None = None


def print_json(document: Any) -> None:
    """Print one JSON document, on one line, in ASCII: whatever names and terminals hold, it can be written and read.

    Args:
        document: plain values; numbers are finite.
    """
    click.echo(json.dumps(document, allow_nan=False))


def parse_settings(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Read ``key=value`` pairs; values are YAML: ``3``, ``0.3``, ``true``, ``[1, 2]`` are what they look like.

    Raises:
        UsageError: one of them is no such pair; names it.
    """
    import yaml

    from palaver_protocols.errors import UsageError

    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set {pair!r} is no key=value", mend="write, for example, --set size=8")
        try:
            read = yaml.safe_load(value) if value.strip() else value
            # YAML takes what begins with # for a comment: a colour is none
            settings[key.strip()] = value if read is None and value.lstrip().startswith("#") else read
        except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date that does not exist
            settings[key.strip()] = value
    return settings


def is_embedded(url: str) -> bool:
    """Whether a bus lives in one process; else it is one that processes share.

    Raises:
        UsageError: there is no such bus, or not in this version.
    """
    from palaver_protocols.errors import UsageError

    scheme = url.partition("://")[0]
    if scheme in SHARED:
        return False
    if scheme in ("mqtt", "mqtts"):
        raise UsageError(
            f"a bus is not at {scheme}://", mend="use redis://; agents that speak MQTT come in by `palaver serve mqtt`"
        )
    if url != "memory://":
        raise UsageError(f"there is no bus {scheme!r}", mend="use memory:// or redis://HOST:PORT")
    return True


def bus_is_chosen() -> bool:
    """Whether whoever called the present command has said on which bus, if only in the environment."""
    return click.get_current_context().get_parameter_source("broker") is not ParameterSource.DEFAULT


def check_cache(*, cache: bool, embedded: bool) -> None:
    """Refuse a cache where others ask the providers.

    Raises:
        UsageError: the run is to be played on a bus that processes share.
    """
    from palaver_protocols.errors import UsageError

    if cache and not embedded:
        raise UsageError(
            "on a bus, the agents keep the cache: palaver serve agent --cache", mend="here, leave it out, or --no-cache"
        )


def check_shared(url: str) -> None:
    """Accept the buses that processes share.

    Raises:
        UsageError: it is none of them.
    """
    from palaver_protocols.errors import BrokerError, UsageError

    if is_embedded(url):
        raise UsageError("memory:// lives in one process: nobody else could be reached there", mend="use redis://HOST")
    from palaver_broker.redis.address import Address

    try:
        Address.of(url)
    except BrokerError as error:
        raise UsageError(error.message, mend=error.mend) from error


def state_option(what: str) -> Callable[[Command], Command]:
    """Add ``--state DIR``: where a service keeps what has to outlive it, which is ``what``."""
    return click.option(
        "--state",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="PALAVER_STATE",
        show_envvar=True,
        metavar="DIR",
        help=f"{what}  [default: ~/.local/state/palaver]",
    )


def state_folder(state: Path | None, environ: Mapping[str, str]) -> Path:
    """Return where this machine keeps what outlives a process: as told, or the user's state folder."""
    if state is None and (told := environ.get("PALAVER_STATE")):
        state = Path(told)
    return state or Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "palaver"
