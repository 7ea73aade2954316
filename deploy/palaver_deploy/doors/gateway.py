"""``palaver serve gateway``: let agents in that speak WebSocket or plain HTTP."""

from pathlib import Path

import click

from ..options import Service
from ..serve import service_options

__all__ = ["gateway"]

EXAMPLES = """\b
Examples:
  palaver admin add-agent parrot --door gateway --broker redis://localhost
  palaver serve gateway --broker redis://localhost
  palaver run maze --agents bus/parrot,scripted --broker redis://localhost
\b
The agent opens ws://localhost:8400/v1/agent with the header
  Authorization: Bearer TOKEN
Without WebSockets: GET /v1/agent/requests and POST /v1/agent/messages.
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--listen",
    default="127.0.0.1:8400",
    show_default=True,
    envvar="PALAVER_LISTEN",
    show_envvar=True,
    metavar="HOST:PORT",
    help="Where agents come in; port 0 is any free one, and is logged.",
)
@click.option(
    "--tls-cert", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="PEM, with its chain."
)
@click.option("--tls-key", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="PEM, no password.")
@click.option("--behind-proxy", is_flag=True, help="A proxy before it has TLS, and adds who calls to X-Forwarded-For.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Let scripts of this web page in (https://example.org); repeatable.  [default: of none]",
)
@click.option("--name", metavar="NAME", help="What it is called on the bus.  [default: HOST-PORT]")
@click.option("--message-bytes", type=click.IntRange(1024), default=256 * 1024, show_default=True, help="Of a message.")
@click.option(
    "--rate", type=click.FloatRange(0.1), default=50.0, show_default=True, help="Messages a second, an agent."
)
@click.option("--burst", type=click.IntRange(1), default=200, show_default=True, help="Messages at once, an agent.")
@click.option(
    "--byte-rate", type=click.IntRange(1024), default=2**20, show_default=True, help="Bytes a second, an agent."
)
@click.option("--connections", type=click.IntRange(1), default=4, show_default=True, help="Of an agent.")
@click.option("--concurrency", type=click.IntRange(1), default=64, show_default=True, help="Questions with an agent.")
@click.option("--all-connections", type=click.IntRange(1), default=1000, show_default=True, help="Of all agents.")
@service_options
def gateway(
    *,
    listen: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    behind_proxy: bool,
    origins: tuple[str, ...],
    name: str | None,
    message_bytes: int,
    rate: float,
    burst: int,
    byte_rate: int,
    connections: int,
    concurrency: int,
    all_connections: int,
    service: Service,
) -> int:
    """Let agents in that speak WebSocket or plain HTTP, by tokens from `palaver admin add-agent`.

    It is also the door for agents that are not trusted: it bounds what they send, how fast, and on how many
    connections. Start any number; an agent goes on at another when one of them dies. See docs/gateway.md.
    """
    from palaver_broker.gateway import Rules
    from palaver_protocols.strangers import Limits

    from .gateway_service import serve_gateway

    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key go together")
    rules = Rules(
        limits=Limits(message_bytes, rate, burst, connections, concurrency),
        bytes_per_second=byte_rate,
        burst_bytes=4 * byte_rate,
        connections=all_connections,
        origins=frozenset(origins),
        behind_proxy=behind_proxy,
    )
    certificate = None if tls_cert is None or tls_key is None else (tls_cert, tls_key)
    return serve_gateway(service, address=listen, certificate=certificate, rules=rules, name=name)
