"""``palaver export``: runs of ours as files of other programs."""

from pathlib import Path
from typing import Any

import click

from palaver_deploy.options import as_json, print_json

__all__ = ["KINDS", "export"]

KINDS = ("inspect", "jsonl", "parquet", "site", "people", "clembench")

EPILOG = """\b
What there is:
  inspect    a log for each run that Inspect's `inspect view` opens: pip install 'palaver[inspect]'
  jsonl      four tables, runs, episodes, turns and messages, that join; JSON Lines
  parquet    the same for polars, duckdb, pandas: pip install 'palaver[parquet]'
  site       pages for publishing: results, report, a page an episode; no script, no network
  people     what people said at their seats, with their consents; JSON Lines
  clembench  the folder of its results, as v1.6.5 lays it out

\b
Examples:
  palaver export runs/mine --to inspect && inspect view --log-dir runs/mine/exports/inspect
  palaver export runs/study --to parquet --out tables       # all runs of a study
  palaver export runs/mine runs/yours --to jsonl --out tables
  palaver export runs --to parquet --out everything         # all there are
  palaver export runs/mine --to site --limit 100 --out public
  palaver export clembench runs/matchit-20260101 --out results
"""


@click.command(epilog=EPILOG)
@click.argument("words", metavar="DIR...", nargs=-1, required=True)
@click.option("--to", "kind", type=click.Choice(KINDS), help="What to write.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="A new folder.  [default: exports/KIND in DIR]",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The first N episodes of each run, no more.")
@click.option("--force", is_flag=True, help="Write an earlier export anew; nothing else is ever replaced.")
@click.option("--quiet", "-q", is_flag=True, help="No progress display.")
@as_json
def export(
    *,
    words: tuple[str, ...],
    kind: str | None,
    out: Path | None,
    limit: int | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Write the run in DIR, several runs, or studies (folders with study.yaml), for other programs or for readers.

    A folder of many runs, such as runs, stands for all of them.

    Episodes that have not ended are left out, and told. What is written is there whole or not at all.

    A site shows everything: what each seat was shown and what was hidden from it, the solutions included. It is for
    readers, and not for those who are still to play. The same is true of inspect, jsonl and parquet.
    """
    from palaver_protocols.errors import UsageError

    chosen, folders = _chosen(words, kind)
    if out is None and len(folders) > 1:
        raise UsageError("of several folders, --out has to say where to", mend="for example --out exports")
    there = out or folders[0] / "exports" / chosen
    if chosen == "clembench":
        return _to_clembench(folders, there, limit=limit, force=force, as_json=as_json)

    from palaver_observability.writing import counted

    from .export import export_runs

    done = export_runs(chosen, folders, there, limit=limit, force=force, quiet=quiet or as_json)
    if as_json:
        print_json({"to": chosen, "folder": str(there), "counts": done.counts, "notes": done.notes})
        return 0
    click.echo(", ".join(counted(count, name) for name, count in done.counts.items()))
    for note in done.notes:
        click.echo(note)
    click.echo(f"\n{chosen}: {there / done.first if done.first else there}")
    return 0


def _chosen(words: tuple[str, ...], kind: str | None) -> tuple[str, tuple[Path, ...]]:
    """Return what is to be written of which folders; ``clembench`` may stand in front of them, without ``--to``."""
    from palaver_protocols.errors import UsageError

    if kind is None and words[0] == "clembench":
        kind, words = "clembench", words[1:]
    if kind is None:
        raise UsageError("export has to be told what to write", mend=f"--to {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if not words:
        raise UsageError("export has to be told of which run", mend=f"palaver export DIR --to {kind}")
    return kind, tuple(map(Path, words))


def _to_clembench(folders: tuple[Path, ...], out: Path, *, limit: int | None, force: bool, as_json: bool) -> int:
    from palaver_observability.writing import counted
    from palaver_protocols.errors import UsageError

    from .runs import export_all

    for option, given in (("--limit", limit is not None), ("--force", force)):
        if given:
            raise UsageError(f"{option} is not for clembench's results", mend="leave it out, and give a new folder")
    exported = export_all(folders, out)
    if as_json:
        document: dict[str, Any] = {"folder": str(out), **exported.plain}
        print_json(document)
        return 0
    click.echo(f"{counted(exported.episodes, 'episode')} of {', '.join(exported.games)}")
    for said in exported.notes:
        click.echo(said)
    click.echo(f"\nresults of clembench: {out}")
    return 0
