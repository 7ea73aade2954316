"""``palaver view``: read the dialogue of an episode."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import run_folder

if TYPE_CHECKING:
    from palaver_protocols.messages import LogEntry

__all__ = ["view"]


@click.command()
@run_folder
@click.argument("episode", required=False)
@click.option(
    "--brief", "-b", is_flag=True, help="Only what the seats say, and of long messages only beginning and end."
)
def view(folder: Path, episode: str | None, brief: bool) -> None:
    """Print the dialogue of EPISODE in the run folder DIR: the first one by its number, if none is named.

    The beginning of a name will do, such as comma-wire: the first episode that is called so.
    """
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
    found = _found(episodes, episode or "")
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
