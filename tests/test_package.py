"""What users install is the wheel, not the checkout."""

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
PACKAGES = list(ROOT.glob("[a-z]*/palaver_*"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel as pip would."""
    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return zipfile.ZipFile(built)


def test_the_six_packages_are_in_it_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    assert {name.partition("/")[0] for name in wheel.namelist() if ".dist-info" not in name} == {
        package.name for package in PACKAGES
    }
    assert len(PACKAGES) == 6


@pytest.mark.parametrize("pattern", ["*.py", "py.typed", "prompts/*.txt", "suites/*.yaml"])
def test_every_file_that_the_code_needs_is_in_it(wheel: zipfile.ZipFile, pattern: str) -> None:
    needed = {
        str(file.relative_to(package.parent)) for package in ROOT.glob("*/palaver_*") for file in package.rglob(pattern)
    }
    assert needed
    assert needed <= set(wheel.namelist())


def test_it_brings_the_command_and_the_games(wheel: zipfile.ZipFile) -> None:
    (points,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    text = wheel.read(points).decode()
    assert "palaver = palaver_deploy.cli:main" in text
    assert "maze = palaver_gamemasters.maze:GAME" in text
