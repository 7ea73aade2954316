"""``palaver admin``: who may come to a bus from outside."""

from typing import Any

import click

from palaver_broker.strangers import DOORS, Door

from ..options import as_json, bus_option, check_shared

__all__ = ["admin"]

EPILOG = """\b
Doors:
  redis     Redis itself: nothing to install between, and the server is open to it. For agents of people you know.
  gateway   WebSocket and HTTP, through `palaver serve gateway`: held to size, rate and connections. For anybody's.
  mqtt      MQTT 5, through `palaver serve mqtt`: for the edge and for browsers. Give --mqtt, too.
"""

mqtt_option = click.option(
    "--mqtt",
    "mqtt_url",
    metavar="URL",
    help=(
        "The MQTT broker, as its dynamic-security administrator: mqtt[s]://ADMIN@HOST[:PORT], "
        "with the password in PALAVER_MQTT_ADMIN_PASSWORD."
    ),
)
name_argument = click.argument("name", metavar="NAME")


@click.group(invoke_without_command=True)
@click.pass_context
def admin(ctx: click.Context) -> None:
    """Let strangers' agents onto a bus, and turn them out.

    An agent that is let in under NAME sits down at any seat as bus/NAME. It has a token, which is shown once, and can
    read what it is asked, write its answers, and nothing else.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@admin.command("add-agent", epilog=EPILOG)
@name_argument
@click.option(
    "--door",
    "doors",
    type=click.Choice(DOORS),
    multiple=True,
    help="By which way it may come; give several times.  [default: all that can be opened: mqtt with --mqtt]",
)
@mqtt_option
@bus_option
@as_json
def add_agent(*, name: str, doors: tuple[Door, ...], mqtt_url: str | None, url: str, as_json: bool) -> int:
    """Let an agent in as bus/NAME, and print its token, once."""
    from palaver_protocols.errors import UsageError

    check_shared(url)
    chosen: tuple[Door, ...] = doors or tuple(door for door in DOORS if door != "mqtt" or mqtt_url)
    if "mqtt" in chosen and not mqtt_url:
        raise UsageError("an agent's user at the MQTT broker is made here", mend="add --mqtt mqtt://ADMIN@HOST")
    if mqtt_url and "mqtt" not in chosen:
        raise UsageError("--mqtt is for agents that come by MQTT", mend="add --door mqtt, or leave --mqtt out")
    from .admission import let_in

    return let_in(url, name, chosen, mqtt_url, as_json=as_json)


@admin.command("rotate-agent", short_help="Give an agent another token.")
@name_argument
@mqtt_option
@bus_option
@as_json
def rotate_agent(*, name: str, mqtt_url: str | None, url: str, as_json: bool) -> int:
    """Give an agent another token, and print it, once.

    The old token opens no door any more, and what is connected with it is cut off. What is asked of it stays.
    """
    check_shared(url)
    from .admission import give_new_token

    return give_new_token(url, name, mqtt_url, as_json=as_json)


@admin.command("remove-agent", short_help="Turn an agent out.")
@name_argument
@mqtt_option
@click.option("--without-mqtt", is_flag=True, help="Leave its login at the MQTT broker; a later --mqtt removes it.")
@bus_option
def remove_agent(*, name: str, mqtt_url: str | None, without_mqtt: bool, url: str) -> int:
    """Turn an agent out: it is cut off at once, and what is asked of it has failed.

    With --mqtt, its login at the MQTT broker goes, too; also one that was left by an agent that is out already.
    """
    from palaver_protocols.errors import UsageError

    check_shared(url)
    if mqtt_url and without_mqtt:
        raise UsageError("--mqtt and --without-mqtt exclude each other", mend="leave one of them out")
    from .admission import show_out

    return show_out(url, name, mqtt_url, without_mqtt=without_mqtt)


@admin.command("list-agents", short_help="Show who may come in, and who is there.")
@bus_option
@as_json
def list_agents(**given: Any) -> int:
    """Show who may come in, who is there, and what is asked of them."""
    check_shared(given["url"])
    from .admission import show_agents

    return show_agents(given["url"], as_json=given["as_json"])
