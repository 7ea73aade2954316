"""``palaver transcribe``: episodes as pages that open anywhere."""

from pathlib import Path

import click

from palaver_deploy.options import as_json, print_json

__all__ = ["transcribe"]

EPILOG = """\b
Examples:
  palaver transcribe runs/matchit                       # every episode, into runs/matchit/pages
  palaver transcribe runs/matchit matchit-same_image-00000 --open
  palaver transcribe runs/study --out pages             # all runs of a study
"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("episodes", metavar="[EPISODE]...", nargs=-1)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Where to.  [default: RUN/pages]"
)
@click.option("--open/--no-open", "show", default=False, help="Open them in a browser.  [default: no]")
@as_json
def transcribe(*, folder: Path, episodes: tuple[str, ...], out: Path | None, show: bool, as_json: bool) -> int:
    """Write the episodes of a run, or of all runs of a study, as pages: player, game master and player side by side.

    Each page is one file that opens offline, on a phone too, and prints; index.html lists them. EPISODE is a name or
    the beginning of one: all that begin so are written. Pictures stand in the page. Games that keep minutes, as those
    of clembench do, show what the game master noted; of other games, what seats were shown and what they said.
    """
    from palaver_observability.writing import counted

    from .runs import write_pages

    there = out or folder / "pages"
    written = write_pages(folder, episodes, there)
    index = there / "index.html"
    if as_json:
        print_json({"index": str(index), "pages": [str(page) for page in written]})
    else:
        click.echo(f"{counted(len(written), 'page')}: {index}")
    if show:
        click.launch((written[0] if len(written) == 1 else index).absolute().as_uri())
    return 0
