"""``palaver score``: score a run again, from its transcripts."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import as_json, run_folder

if TYPE_CHECKING:
    from palaver_gamemasters.game import AnyGame
    from palaver_observability.folder import RunFolder
    from palaver_protocols.runs import EpisodeRecord

__all__ = ["score"]


@click.command()
@run_folder
@as_json
def score(folder: Path, as_json: bool) -> int:
    """Score the episodes of the run in DIR again, without playing.

    Each episode is folded from its transcript by the rules of today; episodes.jsonl and summary.json are rewritten.
    Outcomes `error` and `budget` stay as they are.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder

    from .results import print_outcome

    opened = RunFolder.open(folder)
    game = load_game(opened.config.game)

    async def rescore() -> None:
        async with opened:
            opened.lock()
            opened.rewrite([_scored(game, opened, record) for record in opened.records()])

    asyncio.run(rescore())
    return print_outcome(opened, sys.stdout, as_json=as_json)


def _scored(game: "AnyGame", folder: "RunFolder", record: "EpisodeRecord") -> "EpisodeRecord":
    """Return a record with the outcome and the scores that its transcript has by the rules of today."""
    from palaver_gamemasters.episode import Episode
    from palaver_protocols.errors import ProtocolError, UsageError
    from palaver_protocols.messages import OWED

    if record.outcome in OWED:
        return record
    entries = folder.read_log(record.episode_id)
    if not entries:
        raise UsageError(f"{record.episode_id} cannot be scored: it has no transcript")
    try:
        episode = Episode.from_log(game, entries)
    except (ProtocolError, UsageError) as error:
        raise UsageError(f"{record.episode_id} cannot be scored: {error.message}", mend=error.mend) from error
    if episode.outcome is None:
        raise UsageError(
            f"{record.episode_id} is not over by the rules of today",
            mend="score it with the version of palaver that config.yaml names",
        )
    return record.model_copy(update={"outcome": episode.outcome, "scores": dict(episode.scores)})
