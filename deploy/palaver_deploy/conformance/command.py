"""``palaver check-agent``: whether an agent on the bus speaks the protocol."""

import sys
from importlib.resources import files

import click

from ..options import as_json, check_shared, print_json

__all__ = ["check_agent"]

EPILOG = """\b
Examples:
  palaver check-agent my-agent --broker redis://localhost
  palaver check-agent my-agent --broker redis://localhost --only pictures --only unicode
  palaver check-agent a2a/http://127.0.0.1:9999 --broker redis://localhost
  palaver check-agent --golden > conversations.jsonl
"""


@click.command("check-agent", epilog=EPILOG)
@click.argument("name", metavar="[NAME]", required=False)
@click.option(
    "--broker",
    "url",
    envvar="PALAVER_BROKER",
    show_envvar=True,
    metavar="URL",
    help="The bus: redis://[:PASSWORD@]HOST[:PORT][/DB][?bus=NAME]",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(0.1, 3600),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds that an answer is waited for.",
)
@click.option("--only", multiple=True, metavar="POINT", help="Look at this point alone; repeat for more.")
@click.option("--golden", is_flag=True, help="Print conversations as they should be, as JSON lines; asks nobody.")
@as_json
def check_agent(
    *, name: str | None, url: str | None, timeout_s: float, only: tuple[str, ...], golden: bool, as_json: bool
) -> int:
    """Find out whether the agent bus/NAME speaks the protocol, whatever door it has come in by.

    NAME may also be that of any agent that `palaver serve agent` serves there, such as a2a/URL.

    It plays a short game with the agent, about twenty questions, and says of each point of docs/protocol.md whether it
    is met. The exit code is 0 if all that are required are met, 1 if not, 2 where nobody could be asked.
    """
    if golden:
        for file in sorted(
            files("palaver_deploy.conformance").joinpath("golden").iterdir(), key=lambda each: each.name
        ):
            click.echo(file.read_text(encoding="utf-8"), nl=False)
        return 0
    if name is None:
        raise click.UsageError("whom to check is missing: give NAME, as in bus/NAME")
    if url is None:
        raise click.UsageError("where the agent is is missing: give --broker URL, or set PALAVER_BROKER")
    check_shared(url)
    return _check(name, url, timeout_s, only, as_json=as_json)


def _check(name: str, url: str, timeout_s: float, only: tuple[str, ...], *, as_json: bool) -> int:
    """Check an agent, and print what came of it; return the exit code.

    Raises:
        UsageError: there is no such agent or point, or the bus cannot be used.
    """
    from palaver_agents.names import parse_agent
    from palaver_observability.logs import logging_to
    from palaver_protocols.errors import BrokerError, UsageError
    from palaver_protocols.strangers import NAME_MEND, PREFIX, is_stranger, stranger

    from ..exits import FAILED, after_signal, complain
    from ..stopping import run_until_stopped
    from .checking import check
    from .points import POINTS
    from .report import Report, as_dict, print_report
    from .seen import Played

    if "/" in name and not name.startswith(PREFIX):
        parse_agent(name)  # raises, where it is no name at all
    elif not is_stranger(stranger(name.removeprefix(PREFIX))):
        raise UsageError(f"{name!r} is no name for an agent on the bus", mend=NAME_MEND)
    if unknown := [point for point in only if point not in POINTS]:
        raise UsageError(f"there is no point {unknown[0]!r}", mend=f"there are: {', '.join(POINTS)}")
    reports: list[Report] = []

    def tell(played: Played) -> None:
        if sys.stderr.isatty() and not as_json:
            click.echo(f"\r\x1b[Kasked about: {played.step.point}", nl=False, err=True)

    async def trial() -> None:
        try:
            reports.append(await check(url, name, timeout_s=timeout_s, points=only, on_step=tell))
        except* BrokerError as errors:
            error = errors.exceptions[0]
            raise UsageError(f"the bus cannot be used: {error}") from error

    with logging_to(sys.stderr, "error"):
        stopped = run_until_stopped(trial())
    if sys.stderr.isatty() and not as_json:
        click.echo("\r\x1b[K", nl=False, err=True)
    if stopped:
        return complain("stopped; nothing of it is left on the bus", after_signal(stopped))
    (report,) = reports
    if as_json:
        print_json(as_dict(report))
    else:
        print_report(report, sys.stdout)
    return 0 if report.passed else FAILED
