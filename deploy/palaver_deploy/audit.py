"""``palaver audit``: whether any seat of a run was sent what only another may see."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .exits import FAILED, USAGE
from .options import as_json, print_json

if TYPE_CHECKING:
    from palaver_observability.audit.findings import RunAudit
    from palaver_observability.audit.runs import Told

__all__ = ["audit"]

EPILOG = """\b
Examples:
  palaver audit runs/mixed
  palaver audit runs/study runs/mixed --json
"""


@click.command(epilog=EPILOG)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@as_json
def audit(*, folders: tuple[Path, ...], quiet: bool, as_json: bool) -> int:
    """Show that no seat of the runs in DIR was sent what only another may see; of a study, in any of its runs.

    Each question that a seat was asked is rebuilt from the transcript, and proven by the key that was written down
    when it was asked. Then four layers look at it: whether each message is addressed to the seat; whether it holds
    what the game has told another seat alone; whether it holds what the game declares as a secret; and whether the
    pictures are those of the record, and what was said behind a seat has stayed there.

    Nothing is written. Ends with 0 if nothing was found, with 1 if there are leaks, with 2 where a transcript cannot
    be read.
    """
    from rich.console import Console
    from rich.progress import Progress

    from palaver_observability.audit.telling import tell
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import UsageError

    from .studies import runs_in

    paths = [path for folder in folders for path in runs_in(folder)]
    if len(paths) == 1:
        RunFolder.open(paths[0])  # what is no run is said at once
    episodes = sum(1 for path in paths for _ in (path / "transcripts").glob("[!.]*.jsonl"))
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task("episodes", total=episodes)
        audits = [_audited(path, lambda: progress.advance(task)) for path in paths]
    if not any(each.episodes or each.unread for each in audits):
        raise UsageError(f"{folders[0]} has no transcripts yet", mend="play first: palaver resume takes the run up")
    leaks = sum(len(each.findings) for each in audits)
    if as_json:
        print_json({"schema": "palaver.audit/1.0", "leaks": leaks, "runs": [each.plain for each in audits]})
    else:
        for line in tell(audits):
            click.echo(line)
    return FAILED if leaks else USAGE if any(each.unread for each in audits) else 0


def _audited(path: Path, told: "Told") -> "RunAudit":
    """Audit a run; one that cannot be opened, among others, is named and left out."""
    from palaver_gamemasters.registry import load_game
    from palaver_observability.audit.findings import RunAudit, Unread
    from palaver_observability.audit.runs import audit_run
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import PalaverError

    game = ""
    try:
        folder = RunFolder.open(path)
        game = folder.config.game
        return audit_run(folder, load_game(game), told)
    except PalaverError as error:
        return RunAudit(path.name, game, unread=[Unread("", str(error))])
