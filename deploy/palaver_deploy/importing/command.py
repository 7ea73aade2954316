"""``palaver import``: results of other programs as runs of ours, scored again."""

import json
from pathlib import Path

import click

from palaver_deploy.options import as_json, print_json

__all__ = ["import_"]

REPORT = "import.json"
"""Says of every episode what came of it."""

MARK = ".import"
"""Tells a folder into which something is imported, or was, if only in part."""

EPILOG = """\b
Examples:
  palaver import clembench clembench-runs/v1.6.5_multimodal --out runs/published
  palaver import clembench results --checkout ~/clembench      # with its pictures
  palaver report runs/published runs/ours                      # side by side
"""


@click.command(name="import", epilog=EPILOG)
@click.argument("program", metavar="clembench", type=click.Choice(["clembench"]))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Where to.  [default: runs/DIR]"
)
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="A checkout of clembench: its experiments' texts, its pictures, and instances that the results leave out.",
)
@click.option(
    "--images",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="A folder of pictures.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress display.")
@as_json
def import_(
    *,
    program: str,
    folder: Path,
    out: Path | None,
    checkout: Path | None,
    images: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Read a folder of clembench's results: each run in it becomes a run folder, and several of them a study.

    DIR holds MODELS/GAME/EXPERIMENT/EPISODE, with instance.json and interactions.json in each. The recorded answers are
    played through our game masters (profile=published), so that episodes can be viewed, scored and reported like any
    others. What we make of them is compared with their scores.json, and every difference is told; import.json in FOLDER
    says it of every episode. Games that are not built in are counted and left out.

    Results hold no pictures. They are looked for in the folders above DIR, in --checkout and in --images; in the place
    of one that is nowhere, a card with its name is shown. It makes no difference to scores.

    Into a FOLDER that was imported before, only what is new is added.
    """
    from contextlib import ExitStack

    from palaver_observability.files import replace_file
    from palaver_observability.progress import Progress
    from palaver_protocols.errors import UsageError
    from palaver_protocols.events import EpisodeRecorded
    from palaver_protocols.runs import EpisodeRecord

    from .files import Sources, find
    from .runs import import_all, lay_out
    from .words import plain, print_imported

    found = list(find(folder))
    root = folder.resolve()
    if not found:
        raise UsageError(
            f"{folder} holds no episodes of {program}", mend="it should hold MODELS/GAME/0_EXPERIMENT/episode_0"
        )
    there = out or Path("runs") / root.name
    _prepare(there)
    with ExitStack() as stack:
        progress = None if quiet else stack.enter_context(Progress(len(found)))

        def watch(record: EpisodeRecord | None) -> None:
            if progress is not None and record is not None:
                progress(EpisodeRecorded(record))
            elif progress is not None:
                progress.total -= 1

        imported = import_all(found, root, there, Sources(checkout, images), watch)
    if imported.cells:
        if not imported.alone:
            lay_out(there, root, imported.cells)
        document = json.dumps(plain(imported, root, there), ensure_ascii=False, indent=1)
        replace_file(there / REPORT, document.encode())
    _leave(there)
    if as_json:
        print_json(plain(imported, root, there))
    else:
        print_imported(imported, folder, there)
    return 1 if imported.count("unreadable") or not imported.cells else 0


def _prepare(there: Path) -> None:
    """Make the folder and mark it, so that a second import finds it again.

    Raises:
        UsageError: it holds something else, or cannot be written.
    """
    from palaver_observability.files import writing
    from palaver_protocols.errors import UsageError

    mark = there / MARK
    if there.exists() and any(there.iterdir()) and not mark.exists():
        raise UsageError(f"{there} is not empty, and nothing was imported into it", mend="give a new folder: --out")
    with writing(there):
        there.mkdir(parents=True, exist_ok=True)
        mark.touch()


def _leave(there: Path) -> None:
    """Take the folder away if nothing has come into it."""
    mark = there / MARK
    if not any(each != mark for each in there.iterdir()):
        mark.unlink()
        there.rmdir()
