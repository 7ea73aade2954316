"""``palaver serve dashboard``: what a bus plays, live, as pages."""

from pathlib import Path

import click

from .options import Service, state_option
from .serve import service_options
from .watching import PAGES_AT, TOKEN_VARIABLE

__all__ = ["dashboard"]

EXAMPLES = """\b
Examples:
  palaver serve dashboard --broker redis://localhost
  palaver serve dashboard --broker redis://localhost --runs /data/runs --listen 0.0.0.0:8700 --host arena.example.org
  palaver serve dashboard --broker redis://localhost --study pilot=maze-1,comma-2 --consent consent.md
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--listen",
    default=PAGES_AT,
    show_default=True,
    envvar="PALAVER_DASHBOARD_LISTEN",
    show_envvar=True,
    metavar="HOST:PORT",
    help="Where the pages are; port 0 is any free one.",
)
@click.option(
    "--runs",
    "folders",
    type=click.Path(path_type=Path, file_okay=False),
    multiple=True,
    default=(Path("runs"),),
    metavar="DIR",
    help="Where recorders put run folders: what has left the bus is read there; repeatable.  [default: runs]",
)
@click.option(
    "--token",
    envvar=TOKEN_VARIABLE,
    show_envvar=True,
    metavar="T",
    help="Who has it sees all and controls runs; it is a part of the printed address.  [default: a random one]",
)
@click.option("--visitors", is_flag=True, help="Show others how things stand, too; nothing that is said or hidden.")
@click.option(
    "--host",
    "names",
    multiple=True,
    metavar="NAME",
    help="By which name browsers reach it, behind a proxy; repeatable.",
)
@state_option("Where it is remembered which person has which seat.")
@click.option(
    "--study",
    "studies",
    multiple=True,
    metavar="NAME=RUN[,RUN...]",
    help="Hand the seats for people in these runs to whoever comes by one link; repeatable.",
)
@click.option(
    "--consent",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What the people of a study agree to: a text.",
)
@click.option("--each", type=click.IntRange(1), metavar="K", help="Episodes that a person of a study plays at most.")
@service_options
def dashboard(
    *,
    listen: str,
    folders: tuple[Path, ...],
    token: str | None,
    visitors: bool,
    names: tuple[str, ...],
    state: Path | None,
    studies: tuple[str, ...],
    consent: Path | None,
    each: int | None,
    service: Service,
) -> int:
    """Show live what is played on a bus: episodes, boards, dialogues, runs, results, agents.

    The address that is printed carries the token of an operator, who sees all, hidden information included, and may
    pause and cancel runs. People who are to sit down themselves need only the link of their seat.
    """
    from .dashboard_service import People, serve_dashboard
    from .pages import Place, checked_token
    from .session import environment

    if (consent is not None or each is not None) and not studies:
        raise click.UsageError("--consent and --each go with --study")
    environ = environment()
    place = Place(listen, checked_token(token, environ), visitors, names, is_chosen=True)
    return serve_dashboard(service, place, folders, People(state, studies, consent, each), environ)
