"""``palaver serve a2a``: an agent of ours, or a seat of a running game, behind an A2A server."""

from typing import Any

import click

from palaver_protocols.errors import UsageError

from ..options import grace_option, http_option, level_option

__all__ = ["a2a"]


@click.command()
@click.option("--agent", metavar="A", help="Which agent to serve (`palaver list agents`).")
@click.option("--seat", metavar="NAME", help="Or: let an A2A client play as bus/NAME; needs --broker.")
@click.option(
    "--listen",
    envvar="PALAVER_LISTEN",
    show_envvar=True,
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Where A2A is spoken; port 0 is any free one, and is logged.",
)
@click.option("--url", metavar="URL", help="Where clients reach it, if that is not HOST:PORT; it is in the card.")
@click.option("--broker", envvar="PALAVER_BROKER", show_envvar=True, metavar="URL", help="The bus of the seat.")
@click.option("--concurrency", "-c", type=click.IntRange(1), default=64, show_default=True, help="Questions at a time.")
@click.option(
    "--idle",
    "idle_s",
    type=click.FloatRange(0.1),
    default=60.0,
    show_default=True,
    metavar="S",
    help="How long a client of a seat waits for a question before its task ends.",
)
@http_option
@grace_option
@level_option
def a2a(*, agent: str | None, seat: str | None, broker: str | None, **settings: Any) -> int:
    """Let others talk to an agent of ours, or sit down themselves, by A2A.

    Clients show the token in PALAVER_A2A_TOKEN, which is needed where others than this machine can call; those of a
    seat may show the token that `palaver admin add-agent NAME` gave out instead.
    """
    if (agent is None) == (seat is None):
        raise UsageError("say what to serve: one of --agent and --seat", mend="such as --agent openai/gpt-5")
    from .a2a_serving import Place, serve_agent, serve_seat

    if agent is not None:
        return serve_agent(agent, Place(**settings))
    assert seat is not None
    if not broker:
        raise UsageError("a seat is on a bus", mend="name the bus that it is on: --broker redis://...")
    return serve_seat(seat, broker, Place(**settings))
