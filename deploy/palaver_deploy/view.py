"""``palaver view``: look at runs as pages, or read the dialogue of an episode at the terminal."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .watching import PAGES_AT, TOKEN_VARIABLE

if TYPE_CHECKING:
    from palaver_observability.dashboard.sources import Shelf
    from palaver_protocols.messages import LogEntry

__all__ = ["view"]

EXAMPLES = """\b
Examples:
  palaver view runs                                  all runs there, as pages
  palaver view runs/mixed --open                     one run, in a browser
  palaver view runs/mixed maze-pair-00003            one dialogue, here
  palaver view runs/mixed --text                     the first one
"""


@click.command(epilog=EXAMPLES)
@click.argument("words", metavar="DIR... [EPISODE]", nargs=-1, required=True)
@click.option("--text", "-t", is_flag=True, help="Print a dialogue here; the first one, if no EPISODE is named.")
@click.option(
    "--brief", "-b", is_flag=True, help="Print only what the seats say, and of long messages beginning and end."
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help=f"Where the pages are; port 0 is any free one.  [default: {PAGES_AT}, or another port]",
)
@click.option(
    "--token",
    envvar=TOKEN_VARIABLE,
    show_envvar=True,
    metavar="T",
    help="Who has it may look; it is a part of the printed address.  [default: a random one]",
)
@click.option("--host", "names", multiple=True, metavar="NAME", help="What browsers call it, behind a proxy.")
@click.option("--open/--no-open", "show", default=False, help="Open it in a browser.  [default: no]")
def view(
    *,
    words: tuple[str, ...],
    text: bool,
    brief: bool,
    listen: str | None,
    token: str | None,
    names: tuple[str, ...],
    show: bool,
) -> int:
    """Show the runs in DIR as pages, until Ctrl-C: dialogues, boards turn by turn, what each seat saw, results.

    DIR is a run's folder, a study's, or one with several of them; a run that is being played is shown live. With an
    EPISODE, its dialogue is printed here instead. The beginning of a name will do, such as comma-wire: the first
    episode that is called so.
    """
    folders, episode = _told(words)
    if text or brief or episode is not None:
        _print_dialogue(folders[0], episode or "", brief=brief)
        return 0
    from .pages import complaining

    with complaining():
        return _serve(folders, listen, token, names, show=show)


def _told(words: Sequence[str]) -> tuple[list[Path], str | None]:
    """Tell folders from the episode that may come after one of them."""
    if len(words) == 2 and not Path(words[1]).is_dir():
        return [Path(words[0])], words[1]
    return [Path(word) for word in words], None


def _serve(
    folders: Sequence[Path], listen: str | None, token: str | None, names: tuple[str, ...], *, show: bool
) -> int:
    import asyncio

    from palaver_observability.dashboard.sources import FolderSource, Shelf
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import UsageError

    from .pages import Place, checked_token, for_ever, open_pages
    from .session import environment
    from .stopping import run_until_stopped

    shelf = Shelf(folders)
    for folder in folders:
        if (folder / "config.yaml").exists():
            RunFolder.open(folder)  # raises where it is damaged
        if not Shelf([folder]).folders():
            raise UsageError(f"{folder} holds no run", mend="give the folder of a run or a study, or one with several")
    runs = list(shelf.folders())
    environ = environment()
    place = Place(
        PAGES_AT if listen is None else listen,
        checked_token(token, environ),
        False,
        names,
        is_chosen=listen is not None,
    )

    async def serve() -> None:
        async with open_pages(FolderSource(shelf), shelf, place, environ) as (_, url):
            address = place.address(url, _first_page(runs))
            click.echo(f"{address}\nuntil Ctrl-C; palaver view DIR --text prints a dialogue here")
            if show:
                click.launch(address)
            await asyncio.to_thread(_look_into, shelf)
            await for_ever()

    run_until_stopped(serve())
    return 0


def _look_into(shelf: "Shelf") -> None:
    """Say which runs are damaged: the pages have nothing of them."""
    import structlog

    from palaver_protocols.errors import PalaverError

    for run in list(shelf.folders()):
        try:
            shelf.sums(run)
        except PalaverError as error:
            structlog.get_logger().warning("a run cannot be read", run=run, reason=str(error))


def _first_page(runs: Sequence[str]) -> str:
    """Return the page of one run, or of all of them."""
    from urllib.parse import quote

    return f"/runs/{quote(runs[0], safe='')}" if len(runs) == 1 else "/runs"


def _print_dialogue(folder: Path, episode: str, *, brief: bool) -> None:
    """Print the dialogue of an episode; the first one by its number, if none is named."""
    from palaver_observability.folder import RunFolder
    from palaver_observability.reading import print_dialogue
    from palaver_observability.records import place_of
    from palaver_protocols.errors import UsageError

    from .studies import check_no_study

    check_no_study(folder)
    opened = RunFolder.open(folder)
    episodes = sorted(opened.episode_ids_with_logs(), key=place_of)
    if not episodes:
        raise UsageError(f"{folder} has no transcripts yet", mend="play first: palaver resume takes the run up")
    found = _found(episodes, episode)
    if not found:
        raise UsageError(f"{folder} has no episode {episode!r}", mend=f"it has {episodes[0]} to {episodes[-1]}")
    if episode and len(found) > 1:
        click.echo(f"{len(found):,} episodes begin with {episode!r}: this is {found[0]}", err=True)
    log = opened.read_log(found[0])
    print_dialogue(log, sys.stdout, brief=brief, why=_why(opened.config.game, log))


def _why(name: str, log: "Sequence[LogEntry]") -> str:
    """Say why an episode crashed; nothing of one that did not, whose game need not be there to be read."""
    if not log or getattr(log[-1], "outcome", None) != "crashed":
        return ""
    from palaver_gamemasters.registry import load_game
    from palaver_protocols.errors import UsageError

    from .crashes import why_crashed

    try:
        return why_crashed(load_game(name), log)
    except UsageError:
        return ""


def _found(episodes: Sequence[str], name: str) -> list[str]:
    """Return the episode of this name, or else those whose names begin like it."""
    return [name] if name in episodes else [each for each in episodes if each.startswith(name)]
