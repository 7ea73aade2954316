"""``palaver score``: score a run again, from its transcripts."""

import asyncio
import sys
from pathlib import Path

import click

from .options import as_json, run_folder

__all__ = ["score"]


@click.command()
@run_folder
@as_json
def score(folder: Path, as_json: bool) -> int:
    """Score the episodes of the run in DIR again, without playing.

    Each episode is folded from its transcript by the rules of today; episodes.jsonl and summary.json are rewritten.
    Outcomes `error` and `budget` stay as they are.
    """
    from palaver_gamemasters.episode import Episode
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder
    from palaver_protocols.messages import OWED

    from .results import print_outcome

    opened = RunFolder.open(folder)
    game = load_game(opened.config.game)

    async def rescore() -> None:
        async with opened:
            rescored = []
            for record in opened.records():
                if record.outcome not in OWED:
                    episode = Episode.from_log(game, opened.read_log(record.episode_id))
                    now = {"outcome": episode.outcome, "scores": dict(episode.scores)}
                    record = record.model_copy(update=now)  # noqa: PLW2901 - the same record, scored anew
                rescored.append(record)
            opened.rewrite(rescored)

    asyncio.run(rescore())
    return print_outcome(opened, sys.stdout, as_json=as_json)
