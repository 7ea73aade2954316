"""What runs came to: the tables of ``summary.json``, an episode a line, and the report."""

import asyncio
import tempfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from palaver_observability.report import check_extra
from palaver_observability.stats import overall, summarize
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from .folds import Folds
from .games import Games
from .index import Index
from .sources import RunNow, Source

__all__ = ["Results", "card_of", "row_of"]

NOTHING: Mapping[str, Sequence[Any]] = {"rows": (), "overall": ()}


class Results:
    """Tables and reports of the runs of a source.

    Args:
        source: has the records.
        games: know which scores lead, and how variants are summed up.
        folds: lend their threads.
        folder: finds the folder of a run; None where there is none.
    """

    def __init__(self, source: Source, games: Games, folds: Folds, folder: Callable[[str], Path | None]) -> None:
        self._source, self._games, self._folds, self._folder = source, games, folds, folder
        self._tables: dict[str, tuple[list[EpisodeRecord], dict[str, Any]]] = {}
        self._made: tempfile.TemporaryDirectory[str] | None = None
        self._writing = asyncio.Lock()

    def close(self) -> None:
        """Delete the reports that were made."""
        if self._made is not None:
            self._made.cleanup()
            self._made = None

    async def all(self, index: Index) -> dict[str, Any]:
        """Return the tables of all runs, the latest first."""
        runs = await self._source.runs(index)
        return {"runs": [await self._of_run_or_why_not(run) for run in reversed(runs)]}

    async def _of_run_or_why_not(self, run: RunNow) -> dict[str, Any]:
        """Return the tables of one run; of one that cannot be read, why: the others are shown."""
        try:
            return await self.of_run(run)
        except PalaverError as error:
            told = {"run": run.config.run_id, "game": run.config.game, "agents": list(run.config.agents)}
            return {
                **told,
                "primary": "",
                "episodes": run.total,
                **NOTHING,
                "report": False,
                "study": "",
                "error": error.message,
            }

    async def of_run(self, run: RunNow) -> dict[str, Any]:
        """Return the tables of one run."""
        records = await self._source.records(run.config.run_id)
        game = await self._games.get(run.config.game)
        by_episode = game is not None and game.pools_episodes
        known = self._tables.get(run.config.run_id)
        if known is None or known[0] is not records:  # a source gives the same list until something has changed
            rows, sums = await self._folds.room(lambda: _tables(records, by_episode=by_episode))
            known = self._tables[run.config.run_id] = (records, {"rows": rows, "overall": sums})
        return {
            "run": run.config.run_id,
            "game": run.config.game,
            "agents": list(run.config.agents),
            "primary": "" if game is None else game.primary_score,
            "episodes": run.total,
            **known[1],
            "report": bool(records) and run.folder,
            "study": await self._study(run),
        }

    async def with_episodes(self, run: RunNow) -> dict[str, Any]:
        """Return the tables of one run, and a line for each of its episodes."""
        table = await self.of_run(run)
        records = await self._source.records(run.config.run_id)
        return {**table, "episodes": [row_of(record, table["primary"]) for record in records]}

    async def _study(self, run: RunNow) -> str:
        """Name the study that a run is a part of; nothing where it is none."""
        folder = await asyncio.to_thread(self._folder, run.config.run_id) if run.folder else None
        study = None if folder is None else await asyncio.to_thread(_study_of, folder)
        return "" if study is None else study.name

    async def report(self, run: str) -> bytes:
        """Return the report of a run: the one in its folder, or a new one where that is older than the results.

        Raises:
            UsageError: there is no such run here, or the report's libraries are not installed.
        """
        folder = await asyncio.to_thread(self._folder, run)
        if folder is None:
            raise UsageError(f"there is no folder of {run} here", mend="its recorder has it; name it with --runs")
        return await self._report(folder, [run])

    async def report_of_study(self, name: str, index: Index) -> bytes:
        """Return the report of a study, with all of its runs.

        Raises:
            UsageError: there is no such study here, or the report's libraries are not installed.
        """
        runs = [run.config.run_id for run in await self._source.runs(index) if await self._study(run) == name]
        folder = await asyncio.to_thread(self._folder, runs[0]) if runs else None
        study = None if folder is None else await asyncio.to_thread(_study_of, folder)
        if study is None:
            raise UsageError(f"there is no study {name} here", mend="see the page of results")
        return await self._report(study, runs)

    async def _report(self, folder: Path, runs: Sequence[str]) -> bytes:
        """Return the report in a folder, or a new one where that is older than the results of these runs."""
        check_extra()
        folders = [found for run in runs if (found := await asyncio.to_thread(self._folder, run)) is not None]
        async with self._writing:
            if await asyncio.to_thread(_is_newest, folder / "report.html", folders):
                return await asyncio.to_thread((folder / "report.html").read_bytes)
            if self._made is None:
                self._made = tempfile.TemporaryDirectory(prefix="palaver-reports-")
            mine = Path(self._made.name) / f"{sha256(str(folder).encode()).hexdigest()}.html"
            if not await asyncio.to_thread(_is_newest, mine, folders):
                games = [record.game for run in runs for record in await self._source.records(run)]
                facts = await self._games.facts(list(dict.fromkeys(games)))
                await self._folds.room(lambda: _write(folder, facts, mine))
            return await asyncio.to_thread(mine.read_bytes)


def row_of(record: EpisodeRecord, primary: str) -> dict[str, Any]:
    """Return an episode as a line of the results."""
    return {
        "episode": record.episode_id,
        "variant": record.variant,
        "outcome": record.outcome,
        "score": record.scores.get(primary),
        "scores": record.scores,
        "turns": record.turns,
        "tokens": record.tokens,
        "cost": record.cost_usd,
        "ended": record.ended.timestamp(),
    }


def card_of(record: EpisodeRecord, primary: str | None) -> dict[str, Any]:
    """Return the card of an episode that was written down."""
    return {
        "key": f"{record.run_id}/{record.episode_id}",
        "run": record.run_id,
        "episode": record.episode_id,
        "game": record.game,
        "variant": record.variant,
        "seats": {seat: relay_of(fillers) for seat, fillers in record.seats.items()},
        "turn": record.turns,
        "waiting": [],
        "asked_at": None,
        "started": record.started.timestamp(),
        "ended": record.ended.timestamp(),
        "tokens": record.tokens,
        "cost": record.cost_usd,
        "latency": None,
        "outcome": record.outcome,
        "score": None if primary is None else record.scores.get(primary),
        "last": None,
        "asides": record.asides,
        "handoffs": max(0, len(record.segments) - 1),
        "human": [seat for seat, fillers in record.seats.items() if fillers and fillers[-1].agent == "human"],
    }


def _tables(records: Sequence[EpisodeRecord], *, by_episode: bool) -> tuple[list[Any], list[Any]]:
    rows = summarize(records)
    sums = overall(rows, by_episode=by_episode)
    return [row.model_dump(mode="json") for row in rows], [row.model_dump(mode="json") for row in sums]


def _is_newer(file: Path, than: Path) -> bool:
    """Whether a file of our folder is newer than another; what a link of somebody else's leads to is none."""
    if file.is_symlink() or not file.is_file():
        return False
    try:
        return file.stat().st_mtime_ns >= than.stat().st_mtime_ns
    except OSError:
        return False


def _is_newest(file: Path, folders: Sequence[Path]) -> bool:
    """Whether a report is newer than all results that it is of."""
    return all(_is_newer(file, folder / "episodes.jsonl") for folder in folders)


def _study_of(folder: Path) -> Path | None:
    """Return the folder of the study that a run's folder lies in: STUDY/runs/RUN."""
    study = folder.absolute().parent.parent
    return study if (study / "study.yaml").is_file() else None


def _write(folder: Path, facts: Mapping[str, Any], file: Path) -> None:
    from palaver_observability.report.study import read_study  # noqa: PLC0415 - needs the report's libraries
    from palaver_observability.report.write import write_report  # noqa: PLC0415 - as above

    write_report(read_study([folder]), facts, file)
