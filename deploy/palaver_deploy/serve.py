"""``palaver serve``: agents, game masters and recorders as services of their own."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from .lazily import LazyGroup
from .options import (
    Service,
    bus_option,
    cache_option,
    check_shared,
    grace_option,
    http_option,
    level_option,
    state_option,
)
from .tracing import check_otlp, otlp_option

__all__ = ["serve", "service_options"]


def service_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that make up a command's ``service``."""

    @wraps(command)
    def with_service(*, url: str, http: str, lease_s: float, grace_s: float, log_level: str, **others: Any) -> int:
        check_shared(url)
        return command(service=Service(url, http, lease_s, grace_s, log_level), **others)

    lease = click.option(
        "--lease",
        "lease_s",
        type=click.FloatRange(0.5),
        default=30.0,
        show_default=True,
        metavar="S",
        help="Seconds after which the work of a process that has gone silent goes to others.",
    )
    return bus_option(http_option(lease(grace_option(level_option(with_service)))))


ELSEWHERE = {
    "dashboard": ("dashboard:dashboard", "pages that show live what is played, and where people sit down"),
    "gateway": ("doors.gateway:gateway", "let agents in that speak WebSocket or plain HTTP"),
    "mqtt": ("doors.mqtt:mqtt", "let agents in that speak MQTT, through a broker of theirs"),
    "a2a": ("doors.a2a:a2a", "let others talk to an agent of ours, or sit down themselves, by A2A"),
}
"""Services that have a module of their own."""


@click.group(cls=LazyGroup, commands_elsewhere=ELSEWHERE)
def serve() -> None:
    """Serve on a bus that others can reach, until stopped by SIGTERM or Ctrl-C.

    Start any number of each, on any machines. Nothing is lost when one of them dies: others take over its work.
    """


EXAMPLES = """\b
Examples:
  palaver serve agent --agent openai/gpt-4.1 --broker redis://localhost
  palaver serve agent --python my_module:reply --broker redis://localhost
\b
The second is the agent bus/my-module, if there is a my_module.py here that holds:
  def reply(turn):
      return "I see: " + turn.text
\b
Then, wherever the same bus is reached:
  palaver run maze --agents bus/my-module,scripted --broker redis://localhost
"""


@serve.command(epilog=EXAMPLES)
@click.option("--agent", metavar="A", help="Which agent to serve (`palaver list agents`).")
@click.option(
    "--python",
    "target",
    metavar="MODULE:NAME",
    help="Serve a Python callable instead: it is given the turn, and returns the answer.",
)
@click.option("--name", metavar="NAME", help="With --python: it is the agent bus/NAME.  [default: the module's name]")
@click.option("--concurrency", "-c", type=click.IntRange(1), default=64, show_default=True, help="Questions at a time.")
@state_option("Where answers are written down before they are used.")
@click.option("--rpm", type=click.IntRange(1), metavar="N", help="Requests a minute, of all that share the key.")
@click.option("--tpm", type=click.IntRange(1), metavar="N", help="Tokens a minute, of all that share the key.")
@cache_option
@otlp_option
@service_options
def agent(
    *,
    agent: str | None,
    target: str | None,
    name: str | None,
    concurrency: int,
    state: Path | None,
    rpm: int | None,
    tpm: int | None,
    cache: bool,
    otlp: str | None,
    service: Service,
) -> int:
    """Answer for an agent: one that palaver knows, or any Python function of yours.

    Any number of replicas share the agent's inbox. An answer is on disk before anybody hears of it, so that a process
    that is killed pays for no question twice. Where a provider limits a key, give the limits: all replicas on the bus
    keep to them together, and wait together when the provider asks them to.

    A Python callable, sync or async, is found as MODULE:NAME, in the working folder too, and returns a str, or a
    palaver_agents.Completion (docs/add-an-agent.md).
    """
    from .services import serve_agent, serve_python

    check_otlp(otlp)
    service = replace(service, otlp=otlp)
    if target is not None:
        if agent is not None:
            raise click.UsageError("--agent and --python exclude each other: each process serves one agent")
        if rpm is not None or tpm is not None or cache:
            raise click.UsageError("--rpm, --tpm and --cache are for models of providers, and go with --agent")
        return serve_python(target, name, service, concurrency=concurrency, state=state)
    if agent is None:
        raise click.UsageError("Missing option '--agent' or '--python'.")
    if name is not None:
        raise click.UsageError("--name goes with --python; an agent of --agent has its name")
    return serve_agent(agent, service, concurrency=concurrency, state=state, rpm=rpm, tpm=tpm, cache=cache)


@serve.command()
@click.option(
    "--episodes", type=click.IntRange(1), default=1000, show_default=True, metavar="N", help="Episodes at a time."
)
@otlp_option
@service_options
def gamemaster(*, episodes: int, otlp: str | None, service: Service) -> int:
    """Play the episodes of whatever runs are submitted.

    Runs are submitted with `palaver submit`, or with `palaver run --broker`.
    """
    from .services import serve_gamemaster

    check_otlp(otlp)
    return serve_gamemaster(replace(service, otlp=otlp), episodes=episodes)


@serve.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs"),
    show_default=True,
    metavar="DIR",
    help="Where run folders go: DIR/RUN.",
)
@service_options
def recorder(*, out: Path, service: Service) -> int:
    """Write down what has been played: a folder for each run that was handed over with `palaver submit`."""
    from .services import serve_recorder

    return serve_recorder(service, out=out)
