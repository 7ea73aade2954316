"""A site for publishing: runs as pages that open from a disk or any server, without a script."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from palaver_deploy.studies import STUDY_FILE, read_study
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.showing import Panel
from palaver_observability.report import check_extra
from palaver_observability.stats import overall, summarize
from palaver_observability.transcripts.index import Entry
from palaver_observability.transcripts.page import episode_page
from palaver_observability.transcripts.site import SiteRun, site_index
from palaver_protocols.content import Image
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeStarted
from palaver_protocols.runs import EpisodeRecord

from .grains import Tick
from .pictures import pictures_in, read_pictures
from .site_episodes import Told, tell
from .sources import Source, game_of

__all__ = ["Written", "write_site"]

UNSAFE = re.compile(r"[^A-Za-z0-9._+=-]+")
INDEX = "index.html"
BLOBS = "blobs"
REPORT = "report.html"
SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}


@dataclass(frozen=True, slots=True)
class Written:
    """What a site has: how many of what (in the singular), and what there is to say."""

    counts: dict[str, int]
    notes: list[str]


@dataclass(slots=True)
class _Blobs:
    """Pictures of a site, each once, by content."""

    folder: Path
    known: set[str] = field(default_factory=set)

    def put(self, data: bytes, suffix: str, sha256: str | None = None) -> str:
        """Write a picture if it is not there yet; return where it lies, as a page one folder down has it."""
        name = f"{sha256 or hashlib.sha256(data).hexdigest()}{suffix}"
        if name not in self.known:
            (self.folder / name).write_bytes(data)
            self.known.add(name)
        return f"../{BLOBS}/{name}"

    def place(self, panel: Panel) -> str:
        """Write the picture of a panel; one that has none is told in words."""
        if panel.svg:
            return self.put(panel.svg.encode(), ".svg")
        return self.put(panel.png, ".png") if panel.png else ""


def write_site(
    whole: Sequence[Source], sources: Sequence[Source], folders: Sequence[Path], there: Path, tick: Tick
) -> Written:
    """Write the site of some runs.

    Args:
        whole: the runs, with all of their episodes: what results are taken of.
        sources: the same runs, with the episodes that are to have a page.
        folders: of runs and studies, as they were given.
        there: the folder to write to.
        tick: told of each episode.

    Raises:
        ProtocolError: a log is damaged; names file and line.
    """
    blobs = _Blobs(there / BLOBS)
    blobs.folder.mkdir()
    below = _names([source.name for source in sources])
    runs = []
    pages = 0
    for source, all_of_it in zip(sources, whole, strict=True):
        name = below[source.name] if len(sources) > 1 else "episodes"
        (there / name).mkdir(exist_ok=True)
        game = game_of(source)
        entries = _pages(source, game, there / name, blobs, tick)
        pages += len(entries)
        runs.append(_run(all_of_it, game, entries))
    notes = _report(folders, whole, there / REPORT)
    made = f"made {datetime.now(UTC):%Y-%m-%d} with palaver {version('palaver')}"
    page = site_index(_title(folders), runs, report=(there / REPORT).exists(), made=made)
    (there / INDEX).write_text(page, encoding="utf-8", errors="replace")
    return Written({"run": len(runs), "page": pages, "picture": len(blobs.known)}, notes)


def _pages(source: Source, game: AnyGame | None, there: Path, blobs: _Blobs, tick: Tick) -> tuple[Entry, ...]:
    main = None if game is None else game.primary_score
    files = {name: f"{file}.html" for name, file in _names([each.episode_id for each in source.records]).items()}
    order = list(files)
    pictures: dict[str, bytes | str] = {}
    entries = []
    for at, record in enumerate(source.records):
        log = source.run.read_log(record.episode_id)
        tick()
        if not log or not isinstance(log[0], EpisodeStarted):  # its log is lost; the results know of it
            continue
        told = tell(game, log, blobs.place)
        shown = pictures_in(log) | _viewed(told)
        for sha256, data in read_pictures(source.run, (each for each in shown if each not in pictures)).items():
            pictures[sha256] = blobs.put(data, SUFFIXES[shown[sha256].media_type], sha256)
        around = {"results": f"../{INDEX}"}
        around |= {"previous": files[order[at - 1]]} if at else {}
        around |= {"next": files[order[at + 1]]} if at + 1 < len(order) else {}
        page = episode_page(told.story, pictures, main, around, told.why, boards=told.boards, views=told.views)
        (there / files[record.episode_id]).write_text(page, encoding="utf-8", errors="replace")
        entries.append(_entry(record, f"{there.name}/{files[record.episode_id]}", main))
    return tuple(entries)


def _viewed(told: Told) -> dict[str, Image]:
    parts = (part for view in told.views for message in view.messages for part in message.parts)
    return {part.sha256: part for part in parts if isinstance(part, Image)}


def _entry(record: EpisodeRecord, href: str, main: str | None) -> Entry:
    score = record.scores.get(main) if main is not None else None
    return Entry(href, record.episode_id, record.variant, record.outcome, score, record.turns)


def _run(source: Source, game: AnyGame | None, entries: tuple[Entry, ...]) -> SiteRun:
    rows = summarize(source.records)
    rows += overall(rows, by_episode=game is not None and game.pools_episodes)
    first = next(iter(rows[0].scores), "score") if rows else "score"
    place = {"experiment": source.experiment, **source.labels} if source.experiment else {}
    return SiteRun(
        name=source.name,
        game=source.run.config.game,
        about=", ".join(f"{name}: {value}" for name, value in place.items()),
        agents=source.run.config.agents,
        main=game.primary_score if game is not None else first,
        rows=tuple(rows),
        entries=entries,
        missing=len(source.records) - len(entries),
    )


def _names(wanted: Sequence[str]) -> dict[str, str]:
    """Make names of files: readable, and not the same for two."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in wanted:
        file = UNSAFE.sub("-", name)[:120].strip(".") or "-"
        if file.lower() in taken or file != name[:120]:
            file = f"{file}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
        found[name] = file
        taken.add(file.lower())
    return found


def _title(folders: Sequence[Path]) -> str:
    names = [read_study(each).name if (each / STUDY_FILE).is_file() else each.resolve().name for each in folders]
    return " · ".join(dict.fromkeys(names))


def _report(folders: Sequence[Path], sources: Sequence[Source], file: Path) -> list[str]:
    """Write the report beside the pages; return what there is to say where it cannot be."""
    try:
        check_extra()
    except UsageError as error:
        return [f"without a report: {error}"]
    from palaver_observability.report.study import Facts
    from palaver_observability.report.study import read_study as read_for_report
    from palaver_observability.report.write import write_report

    facts: Mapping[str, Facts] = {
        game.name: Facts(game.primary_score, game.published(), game.pools_episodes)
        for source in sources
        if (game := game_of(source)) is not None
    }
    write_report(read_for_report(folders), facts, file)
    return []
