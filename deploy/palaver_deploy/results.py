"""What a run came to: the table, the summary, the exit code."""

import json
from typing import TextIO

import click

from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_observability.stats import summarize
from palaver_observability.table import print_results

__all__ = ["print_outcome"]


def print_outcome(folder: RunFolder, file: TextIO, *, as_json: bool = False) -> int:
    """Write ``summary.json``, print the results, and return the exit code: 1 if an episode ended with an error."""
    records = folder.records()
    rows = summarize(records)
    folder.write_summary(rows)
    if as_json:
        plain = [row.model_dump(mode="json") for row in rows]
        click.echo(json.dumps({"run_id": folder.config.run_id, "folder": str(folder.path), "rows": plain}), file=file)
    else:
        game = load_game(folder.config.game)
        print_results(rows, file, main=(game.primary_score, "success"))
        click.echo(f"\nrun folder: {folder.path}", file=file)
    errors = [record for record in records if record.outcome == "error"]
    if errors:
        again = f"palaver resume {folder.path}"
        click.echo(f"palaver: {len(errors)} episodes ended with errors, the first: {errors[0].error}", err=True)
        click.echo(f"palaver: they never count against a model; play them again with: {again}", err=True)
    return 1 if errors else 0
