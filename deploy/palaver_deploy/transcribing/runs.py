"""Runs into pages: logs are read, folded for their minutes, set and written."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from palaver_deploy.crashes import why_crashed
from palaver_deploy.studies import STUDY_FILE, runs_in
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.minutes import Minutes
from palaver_gamemasters.registry import load_game
from palaver_observability.files import writing
from palaver_observability.folder import RunFolder
from palaver_observability.records import place_of
from palaver_observability.transcripts.index import Entry, Listed, index_page
from palaver_observability.transcripts.page import episode_page
from palaver_observability.transcripts.story import Story, story_of
from palaver_protocols.errors import BrokerError, PalaverError, UsageError
from palaver_protocols.messages import EpisodeStarted, LogEntry

__all__ = ["write_pages"]

UNSAFE = re.compile(r"[^A-Za-z0-9._+=-]+")
INDEX = "index.html"


def write_pages(folder: Path, wanted: Sequence[str], out: Path) -> list[Path]:
    """Write the pages of a run, or of all runs of a study, and their index.

    Args:
        folder: the run's, or the study's.
        wanted: names of episodes, or what names begin with; none: all of them.
        out: where to.

    Returns:
        The pages, without the index.

    Raises:
        UsageError: there is no such run or episode, or the pages cannot be written.
    """
    runs = [RunFolder.open(path) for path in runs_in(folder)]
    chosen = [(run, _chosen(run, wanted)) for run in runs]
    names = [name for _, found in chosen for name in found]
    if lost := [each for each in wanted if not any(name.startswith(each) for name in names)]:
        raise UsageError(f"{folder} has no episode {lost[0]!r}", mend="a name, or the beginning of one")
    if not names:
        raise UsageError(f"{folder} has no transcripts yet", mend="play first: palaver resume takes the run up")
    is_study = (folder / STUDY_FILE).is_file()
    written: list[Path] = []
    listed = []
    with writing(out):
        for run, found in chosen:
            if not found:
                continue
            below = run.path.name if is_study else ""
            (out / below).mkdir(parents=True, exist_ok=True)
            pages, entries = _write_run(run, found, out, below)
            written += pages
            game = _game(run)
            main = "score" if game is None else game.primary_score
            listed.append(Listed(run.path.name, run.config.game, run.config.agents, main, entries))
        (out / INDEX).write_text(index_page(folder.absolute().name, listed), encoding="utf-8")
    return written


def _chosen(run: RunFolder, wanted: Sequence[str]) -> list[str]:
    names = sorted(run.episode_ids_with_logs(), key=place_of)
    return [name for name in names if not wanted or name in wanted or name.startswith(tuple(wanted))]


def _write_run(run: RunFolder, names: Sequence[str], out: Path, below: str) -> tuple[list[Path], tuple[Entry, ...]]:
    game = _game(run)
    main = None if game is None else game.primary_score
    files = {name: f"{UNSAFE.sub('-', name)}.html" for name in names}
    written, entries = [], []
    for at, name in enumerate(names):
        log = run.read_log(name)
        if not log or not isinstance(log[0], EpisodeStarted):
            continue
        story = story_of(log, *_minutes(game, log))
        around = {"all episodes": f"../{INDEX}" if below else INDEX}
        around |= {"previous": files[names[at - 1]]} if at else {}
        around |= {"next": files[names[at + 1]]} if at + 1 < len(names) else {}
        page = out / below / files[name]
        pictures = asyncio.run(_pictures(run, story))
        page.write_text(episode_page(story, pictures, main, around, why_crashed(game, log)), encoding="utf-8")
        written.append(page)
        entries.append(_entry(story, f"{below}/{files[name]}" if below else files[name], main))
    return written, tuple(entries)


def _game(run: RunFolder) -> AnyGame | None:
    """Return a run's game; None for one that is not installed here: its logs can be read all the same."""
    try:
        return load_game(run.config.game)
    except UsageError:
        return None


def _minutes(game: AnyGame | None, log: Sequence[LogEntry]) -> tuple[Minutes, Mapping[str, str]]:
    """Fold a log for what its game has written; nothing where it cannot be folded: it can be shown all the same."""
    if game is None:
        return (), {}
    try:
        minutes = game.minutes(Episode.from_log(game, log).state)
    except PalaverError:
        return (), {}
    return minutes, game.names


async def _pictures(run: RunFolder, story: Story) -> dict[str, bytes]:
    """Read the pictures that a story shows; those that are lost are left out."""
    lines = chain.from_iterable(round_.lines for round_ in story.rounds)
    shown = {each.image.sha256 for line in lines for each in line.pictures if each.image is not None}
    found = {}
    for sha256 in shown:
        try:
            found[sha256] = await run.blobs.get(sha256)
        except BrokerError:  # the page says so
            continue
    return found


def _entry(story: Story, href: str, main: str | None) -> Entry:
    ended = story.ended
    score = ended.scores.get(main) if ended is not None and main is not None else None
    outcome = "not ended" if ended is None else ended.outcome
    return Entry(href, story.started.episode_id, story.started.variant, outcome, score, story.turns)
