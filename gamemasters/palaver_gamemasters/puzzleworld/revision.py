"""Which revision of a dataset a folder holds: the study's answers have been corrected since they were published."""

from pathlib import Path

from palaver_gamemasters.files import text_in

from .linked import COMMIT, is_within

__all__ = ["revision_of"]

REVISION = "REVISION"
"""A file whose first word says which revision of the dataset a folder holds."""
LONGEST = 100


def revision_of(root: Path) -> str | None:
    """Return the revision of a dataset: what its file says, or the commit that names its folder in the hub's cache."""
    for folder in (root, *root.parents[:2]):
        if (folder / REVISION).is_file() and is_within(folder / REVISION, folder):
            said = text_in(folder / REVISION).split()
            return said[0][:LONGEST] if said else None
        if COMMIT.fullmatch(folder.name):
            return folder.name
    return None
