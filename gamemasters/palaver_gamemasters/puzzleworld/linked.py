"""Files of a dataset that are links: what leads out of the dataset is not read, whatever it is called there.

Otherwise a dataset from elsewhere could bring files of this machine into transcripts, and before models. The hub's
cache is an exception: there, all files of a dataset are links to ``blobs`` beside it.
"""

import re
from functools import lru_cache
from pathlib import Path

__all__ = ["COMMIT", "is_within"]

COMMIT = re.compile(r"[0-9a-f]{40}")
"""The name of a dataset's folder in the hub's cache."""


def is_within(file: Path, root: Path) -> bool:
    """Whether a file of a dataset is one of its own, links followed.

    Args:
        file: as the dataset names it.
        root: the dataset's folder.
    """
    try:
        real = file.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return False
    return any(real.is_relative_to(home) for home in _homes(root))


@lru_cache(maxsize=64)
def _homes(root: Path) -> tuple[Path, ...]:
    real = root.resolve()
    snapshot = next((at for at in (real, *real.parents) if COMMIT.fullmatch(at.name)), None)
    if snapshot is None or snapshot.parent.name != "snapshots":
        return (real,)
    return real, snapshot.parent.parent / "blobs"
