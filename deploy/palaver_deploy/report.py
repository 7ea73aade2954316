"""``palaver report``: one HTML file about runs, or about a whole study."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import as_json, print_json

if TYPE_CHECKING:
    from palaver_observability.report.study import Facts

__all__ = ["report"]


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to.  [default: report.html in DIR; of several folders, here]",
)
@click.option("--open/--no-open", "show", default=False, help="Open it in a browser.  [default: no]")
@as_json
def report(folders: tuple[Path, ...], out: Path | None, show: bool, as_json: bool) -> None:
    """Write the report of the run in DIR, of several runs, or of a study (a folder with study.yaml).

    It is one file that opens offline and prints: results with their uncertainty, figures for whatever settings were
    played, and the study's published figures beside ours. Runs that are not finished are shown as they stand.
    """
    from palaver_observability.report import check_extra

    check_extra()
    from palaver_observability.report.study import read_study
    from palaver_observability.report.write import write_report

    study = read_study(folders)
    games = dict.fromkeys(cell.config.game for cell in study.cells)
    facts = {game: known for game in games if (known := _facts(game))}
    file = out or (folders[0] if len(folders) == 1 else Path()) / "report.html"
    written = write_report(study, facts, file)
    if as_json:
        print_json(
            {
                "report": str(file),
                "name": study.name,
                "runs": len(study.cells),
                "episodes": len(study.records),
                "parts": written.parts,
                "missing": study.missing,
            }
        )
    else:
        click.echo(f"report: {file}")
    if show:
        click.launch(file.absolute().as_uri())


def _facts(game: str) -> "Facts | None":
    """Return what the report shows of a game besides its records; None for a game that is not installed here."""
    from palaver_gamemasters.registry import load_game
    from palaver_observability.report.study import Facts
    from palaver_protocols.errors import UsageError

    try:
        loaded = load_game(game)
    except UsageError:
        return None
    return Facts(loaded.primary_score, loaded.published(), loaded.pools_episodes)
