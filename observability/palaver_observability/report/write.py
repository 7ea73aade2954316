"""Write a report: read the folders, set the page, put it on disk."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from palaver_observability.files import replace_file, writing

from .page import page, sections
from .study import Facts, Study

__all__ = ["Written", "write_report"]


@dataclass(frozen=True, slots=True)
class Written:
    """A report that was written: where, and which parts it has."""

    file: Path
    study: Study
    parts: tuple[str, ...]


def write_report(study: Study, facts: Mapping[str, Facts], file: Path) -> Written:
    """Write the report of a study into one file, whole or not at all.

    Args:
        study: what :func:`~palaver_observability.report.study.read_study` returned.
        facts: what is known of its games, by name; a game that is left out is shown by what its records say.
        file: where to.

    Raises:
        UsageError: it cannot be written there.
    """
    study = replace(study, facts=facts)
    found = sections(study)
    text = page(study, found, at=datetime.now(UTC), version=version("palaver"))
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, text.encode("utf-8", errors="replace"))
    return Written(file, study, tuple(section.anchor for section in found))
