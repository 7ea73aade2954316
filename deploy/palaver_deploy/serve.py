"""``palaver serve``: agents and game masters as services of their own."""

import click

from .options import check_broker

__all__ = ["serve"]


@click.command()
@click.argument("what", type=click.Choice(["agent", "gamemaster"]), metavar="agent|gamemaster")
@click.option("--agent", metavar="A", help="Which agent to serve (`palaver list agents`).")
@click.option("--broker", required=True, metavar="URL", help="The bus to serve on.")
def serve(what: str, agent: str | None, broker: str) -> None:
    """Run an agent or a game master as a service of its own, on a bus that others can reach."""
    from palaver_protocols.errors import UsageError

    check_broker(broker)
    who = agent if what == "agent" and agent else f"the {what}"
    raise UsageError(
        f"memory:// lives in one process: nobody else could reach {who} there", mend="play with `palaver run` instead"
    )
