"""``palaver serve``: agents and game masters as services of their own."""

import click

from .options import check_broker

__all__ = ["serve"]

MEMORY_IS_HERE = "memory:// lives in one process: nobody else could reach this service"


@click.command()
@click.argument("what", type=click.Choice(["agent", "gamemaster"]))
@click.option("--agent", metavar="A", help="Which agent to serve (`palaver list agents`).")
@click.option("--broker", required=True, metavar="URL", help="The bus to serve on.")
def serve(what: str, agent: str | None, broker: str) -> None:
    """Run an agent or a game master as a service of its own, on a bus that others can reach."""
    from palaver_protocols.errors import UsageError

    if what == "agent" and not agent:
        raise UsageError("which agent?", mend="for example --agent openai/gpt-4.1")
    check_broker(broker)
    raise UsageError(MEMORY_IS_HERE, mend="play in one process with `palaver run`")
