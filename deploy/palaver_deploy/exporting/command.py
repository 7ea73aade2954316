"""``palaver export``: runs of ours as results of other programs."""

from pathlib import Path

import click

from palaver_deploy.options import as_json, print_json

__all__ = ["export"]

EPILOG = """\b
Examples:
  palaver export clembench runs/matchit-20260101 --out results
  palaver export clembench runs/mine runs/published --out results   # runs, studies
"""


@click.command(epilog=EPILOG)
@click.argument("program", metavar="clembench", type=click.Choice(["clembench"]))
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="A new folder."
)
@as_json
def export(*, program: str, folders: tuple[Path, ...], out: Path, as_json: bool) -> int:
    """Write runs of clembench's games, or studies of them, as a folder of clembench's results, as v1.6.5 lays it out.

    DIR/MODELS/GAME/0_EXPERIMENT/episode_0 holds instance.json, interactions.json, requests.json and scores.json. What
    was played on is written to DIR/games/GAME/in/instances.json, and the pictures to where the instances name them.

    Episodes that have not ended are left out, and told. Where v1.6.5 would have raised, its files are missing as they
    would be there.
    """
    from palaver_observability.writing import counted

    from .runs import export_all

    exported = export_all(folders, out)
    if as_json:
        print_json({"folder": str(out), **exported.plain})
        return 0
    click.echo(f"{counted(exported.episodes, 'episode')} of {', '.join(exported.games)}")
    for said in exported.notes:
        click.echo(said)
    click.echo(f"\nresults of {program}: {out}")
    return 0
