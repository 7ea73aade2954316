"""What is printed of an import."""

import io
from pathlib import Path

import pytest

from palaver_deploy.importing.runs import Imported, Told
from palaver_deploy.importing.words import print_imported

MODEL = "openai_gpt-4o-2024-08-06-with-a-long-name-t0.0"
LONG = f"results/{MODEL}--{MODEL}/multimodal_referencegame"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(run: str) -> Imported:
    return Imported(told=[Told("0_one/episode_0", run, "equal"), Told("0_one/episode_1", run, "unscored")])


def test_in_a_narrow_terminal_the_counts_stay_and_long_names_are_folded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")  # without colours
    print_imported(told(LONG), tmp_path, tmp_path)
    lines = terminal.getvalue().splitlines()[2:]
    assert lines[0].split() == ["run", "episodes", "equal", "unscored"]
    assert lines[1].split()[1:] == ["2", "1", "1"]
    table = lines[: lines.index("")]
    assert max(map(len, table)) <= 80
    assert "".join(line.split()[0] for line in table[1:]) == LONG


def test_in_a_file_a_run_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = io.StringIO()
    monkeypatch.setattr("sys.stdout", file)
    print_imported(told(LONG), tmp_path, tmp_path)
    assert [LONG, "2", "1", "1"] in [line.split() for line in file.getvalue().splitlines()]
