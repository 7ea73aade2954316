"""Node, with the npm package `redis`, for examples that are written in JavaScript."""

import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["node_binary", "with_redis"]

ROOT = Path(__file__).parent.parent
PACKAGES = ROOT / ".venv" / "node" / "node_modules"
"""Where `make` puts it; a folder of the same kind beside the examples will do as well."""
OLDEST = 18


def node_binary() -> str:
    """Return the path of node; skip the test where there is none, or an old one."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no node: apt-get install nodejs")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(said.strip().lstrip("v").partition(".")[0]) < OLDEST:
        pytest.skip(f"this needs node {OLDEST}, and here is {said.strip()}")
    return found


def with_redis(folder: Path, *files: Path) -> list[Path]:
    """Copy modules to where node finds the package `redis`; return the copies. Skip the test where it is not installed.

    Node looks for packages beside a module and above it, nowhere else.
    """
    there = [place for place in (PACKAGES, ROOT / "examples" / "node_modules") if (place / "redis").is_dir()]
    if not there:
        pytest.skip("the npm package redis is missing: npm install --prefix .venv/node redis@5")
    link = folder / "node_modules"
    if not link.exists():
        link.symlink_to(there[0], target_is_directory=True)
    return [Path(shutil.copy(file, folder)) for file in files]
