"""``palaver view``: read the dialogue of an episode."""

import sys
from pathlib import Path

import click

from .options import run_folder

__all__ = ["view"]


@click.command()
@run_folder
@click.argument("episode", required=False)
@click.option(
    "--brief", "-b", is_flag=True, help="Only what the seats say, and of long messages only beginning and end."
)
def view(folder: Path, episode: str | None, brief: bool) -> None:
    """Print the dialogue of EPISODE in the run folder DIR (the first one, if none is named)."""
    from palaver_observability.folder import RunFolder
    from palaver_observability.reading import print_dialogue
    from palaver_protocols.errors import UsageError

    opened = RunFolder.open(folder)
    episodes = opened.episode_ids_with_logs()
    if not episodes:
        raise UsageError(f"{folder} has no transcripts yet", mend="play first: palaver resume takes the run up")
    if episode is not None and episode not in episodes:
        raise UsageError(f"{folder} has no episode {episode!r}", mend=f"it has {episodes[0]} to {episodes[-1]}")
    print_dialogue(opened.read_log(episode or episodes[0]), sys.stdout, brief=brief)
