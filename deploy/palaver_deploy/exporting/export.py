"""One export from beginning to end: which runs, where to, how far it has come, what there is to say."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from palaver_observability.writing import counted

from .grains import Tick, write_jsonl, write_parquet
from .sources import Source, sources_in, spread
from .whole import new_folder

__all__ = ["Exported", "export_runs"]

Write = Callable[[Sequence[Source], Path, Tick], dict[str, int]]


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: how many of what (in the singular), what there is to say, and which file to open first."""

    counts: dict[str, int]
    notes: list[str]
    first: str = ""


def export_runs(
    kind: str, folders: Sequence[Path], out: Path, *, limit: int | None, force: bool, quiet: bool
) -> Exported:
    """Write runs, or all runs of studies.

    Args:
        kind: what to write.
        folders: of runs and studies, or of several of these.
        out: where to.
        limit: of each run, only so many episodes: the first that were planned.
        force: write an earlier export anew.
        quiet: show no progress.

    Raises:
        UsageError: they cannot be read or written so; says why.
        ProtocolError: a file of a run is damaged; names file and line.
    """
    _check_extra(kind)
    folders = spread(folders)
    all_of_them = sources_in(folders)
    sources = all_of_them if limit is None else [replace(each, records=each.records[:limit]) for each in all_of_them]
    runs = [source.run.config.run_id for source in sources]
    with new_folder(out, kind=kind, runs=runs, force=force) as (there, said):
        with _progress(sum(len(source.records) for source in sources), quiet=quiet) as tick:
            done = _write(kind, all_of_them, sources=sources, folders=folders, there=there, tick=tick)
        said["counts"] = done.counts
    notes = [*done.notes]
    if unfinished := sum(source.left_out for source in sources):
        notes.append(f"{counted(unfinished, 'episode')} left out: not ended")
    if beyond := sum(len(one.records) - len(few.records) for one, few in zip(all_of_them, sources, strict=True)):
        notes.append(f"{counted(beyond, 'episode')} left out: beyond the limit")
    return Exported(done.counts, notes, done.first)


def _write(
    kind: str,
    whole: Sequence[Source],
    *,
    sources: Sequence[Source],
    folders: Sequence[Path],
    there: Path,
    tick: Tick,
) -> Exported:
    if kind == "people":
        from .people import write_people

        counts = write_people(sources, folders, there, tick)
        without = counts.pop("without")
        notes = [f"{without} of them without a consent in people.jsonl"] if without else []
        named = {"turn": counts["turns"], "pseudonym": counts["people"], "consent": counts["consents"]}
        return Exported(named, notes)
    if kind == "inspect":
        from .inspect_logs import write_logs

        logs = write_logs(sources, there, tick)
        return Exported({"log": len(logs), "sample": sum(logs.values())}, [])
    if kind == "site":
        from .site import write_site

        written = write_site(whole, sources, folders, there, tick)
        return Exported(written.counts, written.notes, "index.html")
    rows: Write = write_jsonl if kind == "jsonl" else write_parquet
    counts = rows(sources, there, tick)
    return Exported({name.removesuffix("s"): count for name, count in counts.items()}, [])


def _check_extra(kind: str) -> None:
    """Ask for the libraries of an export before anything is read.

    Raises:
        UsageError: one of them is not installed.
    """
    if kind == "parquet":
        from .parquet import check_extra as check_parquet

        check_parquet()
    if kind == "inspect":
        from .inspect_logs import check_extra as check_inspect

        check_inspect()


@contextmanager
def _progress(episodes: int, *, quiet: bool) -> Iterator[Tick]:
    """Show how far it has come, on a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("exporting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("", total=episodes)
        yield lambda: progress.advance(task)
