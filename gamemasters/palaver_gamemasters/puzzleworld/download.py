"""A dataset from the Hugging Face hub: ``hf``, or ``hf:OWNER/NAME@REVISION``.

It is downloaded into the hub's own cache, once; its folder there is named after the commit, which is the revision that
every instance records. What the study publishes is licensed CC BY-NC-SA 4.0: it stays out of this project.
"""

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from palaver_protocols.errors import UsageError

from .options import HUB

__all__ = ["PUBLISHED", "downloaded"]

PUBLISHED = "hzli1202/PuzzleWorld"
"""Where the study publishes its puzzles."""
WANTED = ("*.json", "*.jsonl", "*.png", "*.jpg", "*.jpeg", "*.gif", "*.webp", "*.txt", "*.md")


@lru_cache(maxsize=8)
def downloaded(name: str) -> Path:
    """Return the folder of a dataset on the hub; it is asked for once, so that a run sees one revision.

    Args:
        name: ``hf``, ``hf:OWNER/NAME``, each with ``@REVISION`` (a branch, a tag, a commit) if it is to be another than
            the newest.

    Raises:
        UsageError: the library is not installed, there is no such dataset or revision, or the hub cannot be reached.
    """
    repository, _, revision = name.removeprefix(HUB).removeprefix(":").partition("@")
    repository = repository or PUBLISHED
    try:
        hub = import_module("huggingface_hub")
    except ImportError as error:
        raise UsageError(
            f"{name}: datasets from Hugging Face need huggingface_hub", mend="pip install 'palaver[puzzleworld]'"
        ) from error
    try:
        folder = hub.snapshot_download(
            repository, repo_type="dataset", revision=revision or None, allow_patterns=list(WANTED)
        )
    except Exception as error:  # the library raises those of its own, of two HTTP libraries, and of the file system
        why = " ".join(str(error).split()) or type(error).__name__
        asked = f"{repository} at {revision}" if revision else repository
        raise UsageError(
            f"the dataset {asked} cannot be downloaded: {why[:300]}",
            mend="see the name and the network, or give a folder with dataset=DIR",
        ) from error
    return Path(folder)
