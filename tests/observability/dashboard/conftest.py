"""Runs that were played once, for all tests that only look."""

from pathlib import Path

import pytest

from palaver_deploy.cli import exit_code


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: a maze of two episodes, and one puzzle of COMMA with its pictures."""
    home = tmp_path_factory.mktemp("played")
    maze = ["run", "maze", "--agents", "scripted", "-n", "2", "--set", "size=4", "-q", "--out", str(home / "maze")]
    comma = ["run", "comma", "--agents", "scripted", "-n", "1", "-q", "--out", str(home / "comma")]
    assert [exit_code(maze), exit_code(comma)] == [0, 0]
    return home
