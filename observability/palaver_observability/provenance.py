"""What a run was made with: versions that may explain a difference between two runs."""

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["made_with"]

LIBRARIES = ("aiohttp", "numpy", "openai", "pillow", "pydantic")
"""Libraries whose version may explain a difference between two runs."""


def made_with() -> dict[str, Any]:
    """Describe the software that this run is made with."""
    return {
        "palaver": version("palaver"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name))},
        "git_commit": _git_commit(Path(__file__)),
    }


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _git_commit(source: Path) -> str | None:
    """Return the commit that a source file belongs to, ``-dirty`` if changed since; None if it is in no checkout."""
    for arguments in (
        ["ls-files", "--error-unmatch", source.name],
        ["describe", "--always", "--exclude=*", "--dirty", "--abbrev=40"],
    ):
        try:
            done = subprocess.run(  # noqa: S603 - fixed words, and the name of this very file
                ["git", *arguments],  # noqa: S607 - the user's own git
                cwd=source.parent,
                capture_output=True,
                text=True,
                timeout=5,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode:
            return None
    return done.stdout.strip()
