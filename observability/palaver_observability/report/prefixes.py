"""The frozen beginnings of relays, against the dialogues that they were taken from (reads transcripts)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from palaver_observability.journal import whole_lines
from palaver_observability.records import digest_of
from palaver_protocols.codec import decode
from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import EpisodeStarted, TurnTaken
from palaver_protocols.runs import EpisodeRecord

from .study import Cell, Study

__all__ = ["SharedPrefix", "shared_prefixes"]

Instance = tuple[str, int]
"""An instance and the seed with which it is played: such episodes of two runs begin alike."""


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """The runs that continue the same ``turns`` turns of the same run.

    ``instances`` counts the instances that they continue, ``shared`` those in which all runs that have them carry one
    digest, ``episodes`` all their episodes, and ``proven`` those whose frozen turns have the digest of the source's
    own; None where the source's transcripts are not at hand. ``digest`` is that of the first instance.
    """

    source: str
    turns: int
    cells: tuple[str, ...]
    instances: int
    shared: int
    episodes: int
    proven: int | None
    digest: str


def shared_prefixes(study: Study) -> list[SharedPrefix]:
    """Check every group of runs whose first turns are frozen."""
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in study.cells:
        prefix = cell.config.prefix
        if prefix is not None and any(record.prefix_sha256 for record in cell.records):
            groups.setdefault((prefix.run_id, prefix.folder, prefix.turns), []).append(cell)
    openings: dict[tuple[str, str], Mapping[Instance, Sequence[TurnTaken]] | None] = {}
    most = {key[:2]: max(turns for *place, turns in groups if tuple(place) == key[:2]) for key in groups}
    found = []
    for (run_id, folder, turns), cells in sorted(groups.items()):
        source = run_id, folder
        if source not in openings:
            openings[source] = _beginnings(_place(study, run_id, Path(folder)), most[source])
        found.append(_check(run_id, turns, cells, openings[source]))
    return found


def _check(
    run_id: str, turns: int, cells: Sequence[Cell], source: Mapping[Instance, Sequence[TurnTaken]] | None
) -> SharedPrefix:
    records = [record for cell in cells for record in cell.records if record.prefix_sha256]
    digests: dict[Instance, set[str]] = {}
    for record in records:
        digests.setdefault(_instance(record), set()).add(record.prefix_sha256 or "")
    return SharedPrefix(
        source=run_id,
        turns=turns,
        cells=tuple(cell.id for cell in cells),
        instances=len(digests),
        shared=sum(len(each) == 1 for each in digests.values()),
        episodes=len(records),
        proven=None if source is None else _proven(records, source),
        digest=min(digests[min(digests)]),
    )


def _proven(records: Iterable[EpisodeRecord], source: Mapping[Instance, Sequence[TurnTaken]]) -> int:
    own: dict[tuple[Instance, int], str] = {}
    proven = 0
    for record in records:
        key = _instance(record), record.frozen
        if key not in own:
            own[key] = digest_of(source.get(key[0], ())[: record.frozen])
        proven += record.prefix_sha256 == own[key]
    return proven


def _instance(record: EpisodeRecord) -> Instance:
    return record.instance_id, record.seed


def _place(study: Study, run_id: str, folder: Path) -> Path:
    """Find the source: where it was, or, where the study was moved, among its runs."""
    return next((cell.folder for cell in study.cells if cell.config.run_id == run_id), folder)


def _beginnings(folder: Path, turns: int) -> Mapping[Instance, Sequence[TurnTaken]] | None:
    """Read the first turns of every episode of a run; None where they cannot be read.

    Not by ``RunFolder.read_log``: that reads to the end, and a source's dialogues are long.
    """
    try:
        files = sorted((folder / "transcripts").glob("[!.]*.jsonl"))
        return dict(_beginning(whole_lines(file), turns) for file in files) or None
    except (ProtocolError, OSError):
        return None


def _beginning(lines: Sequence[bytes], turns: int) -> tuple[Instance, Sequence[TurnTaken]]:
    started = decode(lines[0] if lines else b"")
    if not isinstance(started, EpisodeStarted):
        raise ProtocolError("the log of an episode must begin with episode.started")
    said = (entry for line in lines[1:] if isinstance(entry := decode(line), TurnTaken))
    return (started.instance_id, started.seed), tuple(islice(said, turns))
