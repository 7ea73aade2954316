"""`palaver play`: a seat at the terminal."""

import io
import os
import pty
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.deploy.children import lines
from tests.deploy.conftest import Palaver, Said

COMMA = ("play", "comma", "--as", "solver", "--set", "puzzle=wire", "--out", "run")
COLOURS = "white, yellow, green, green, green; serial number KHZ044"


@contextmanager
def as_text(text: str) -> Iterator[io.TextIOBase]:
    yield io.StringIO(text)


@contextmanager
def as_pipe(text: str) -> Iterator[io.TextIOBase]:
    reader, writer = os.pipe()
    os.write(writer, text.encode())
    os.close(writer)
    with os.fdopen(reader) as stream:
        yield stream


@contextmanager
def as_file(text: str) -> Iterator[io.TextIOBase]:
    file = Path("typed")
    file.write_text(text)
    with file.open() as stream:
        yield stream


@contextmanager
def as_terminal(text: str) -> Iterator[io.TextIOBase]:
    keyboard, screen = pty.openpty()
    os.write(keyboard, text.encode())
    with os.fdopen(screen) as stream:
        yield stream
    os.close(keyboard)


@pytest.fixture
def typing(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Call the command line while somebody types."""

    def call(text: str, *words: str | Path) -> Said:
        with as_text(text) as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", stream)
            return palaver(*words)

    return call


@pytest.mark.parametrize("way", [as_pipe, as_file, as_terminal])
def test_a_person_plays_an_episode_to_its_end(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, way: Callable[[str], AbstractContextManager[io.TextIOBase]]
) -> None:
    with way(f"{COLOURS}\n2\n") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stream)
        said = palaver(*COMMA)
    assert said.code == 0, said.err
    assert "comma-wire-00000 is over after 3 turns: solved  " in said.out
    (record,) = lines(Path("run", "episodes.jsonl"))
    assert record["outcome"] == "solved"
    assert record["seats"]["solver"][0]["agent"] == "human"
    turns = [entry["reply"] for entry in lines(Path("run/transcripts/comma-wire-00000.jsonl")) if "reply" in entry]
    assert [(turn["provider"], turn["model"]) for turn in turns if turn["seat"] == "solver"] == [("human", "you")] * 2
    assert turns[-1]["parts"][0]["text"] == "cut_wire_2"
    assert palaver("score", "run").code == 0


def test_the_seats_view_is_printed_with_pictures_as_words_and_files(typing: Callable[..., Said]) -> None:
    said = typing(f"{COLOURS}\n2\n", *COMMA)
    assert "[game]\n| This is the puzzle now:\n| [picture, 768x768: run/blobs/" in said.out
    (picture, *_) = re.findall(r"run/blobs/\w+\.png", said.out)
    assert Path(picture).is_file()
    assert "| Serial number: KHZ044" in said.out
    assert "   2  Cut wire 2 (yellow)  (cut_wire_2)" in said.out
    assert "[expert]\n| Cut the second wire." in said.out
    assert said.out.count("| Valid actions, one a line:") == 1  # what was shown is not shown again
    assert "manual" not in said.out.lower()  # the expert's


def test_who_stops_goes_on_later_and_sees_what_was_said(typing: Callable[..., Said]) -> None:
    said = typing(f"{COLOURS}\n/quit\n", *COMMA)
    assert said.code == 130
    assert said.err == "palaver: stopped; nothing that was answered is lost. Go on with: palaver play run\n"
    again = typing("2\n", "play", "run")
    assert again.code == 0
    assert f"| {COLOURS}" in again.out
    (record,) = lines(Path("run", "episodes.jsonl"))
    assert (record["outcome"], record["turns"]) == ("solved", 3)


def test_the_end_of_what_is_typed_stops_as_quit_does(typing: Callable[..., Said]) -> None:
    assert typing("", *COMMA).code == 130


def test_what_is_said_by_a_number_is_shown(typing: Callable[..., Said]) -> None:
    out = typing("1 3\n/quit\n", *COMMA).out
    assert "[you]\n| cut_wire_1\n| cut_wire_3\n" in out


def test_what_does_not_fit_into_a_line_stands_behind_a_bar_too(
    typing: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = typing("/quit\n", *COMMA).out
    task = out[out.index("[task]") : out.index("[game]")].splitlines()[1:-1]
    assert all(line.startswith("|") and len(line) <= 60 for line in task)
    assert " ".join(line.removeprefix("| ") for line in task).startswith("You are the solver in a cooperative game")


def test_what_stands_again_as_it_once_stood_is_shown_again(typing: Callable[..., Said]) -> None:
    out = typing("1\n2\n/quit\n", "play", "ivispar", "--out", "run").out  # to the left, and back
    boards = re.findall(r"the label active:\n((?:\|.*\n)+)", out)
    assert len(boards) == 3
    assert boards[0] == boards[2] != boards[1]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("cut WIRE 1 (white)\n", "cut_wire_1"),
        ("1, 3\n", "cut_wire_1\ncut_wire_3"),
        ("/say 3\n", "3"),
        ("one\\\ntwo\n", "one\ntwo"),
        ("\n/help\n/view\n9\n/nothing\nhello\n", "hello"),
        ("/ is what I see\n", "/ is what I see"),
    ],
)
def test_what_is_typed_becomes_what_is_said(typing: Callable[..., Said], typed: str, said: str) -> None:
    out = typing(f"{typed}/quit\n", *COMMA).out
    entries = lines(Path("run/transcripts/comma-wire-00000.jsonl"))
    (first, *_) = [entry["reply"]["parts"][0]["text"] for entry in entries if "reply" in entry]
    assert first == said
    if "/help" in typed:
        assert "there are the moves 1 to 5; /say 9 says it anyway" in out
        assert "there is no /nothing; /help tells what there is" in out
        assert out.count("| Valid actions, one a line:") == 2


def test_what_others_say_steers_no_terminal(typing: Callable[..., Said]) -> None:
    Path("wire.json").write_text(
        '{"replies": [{"seat": "agent_1", "text": "\\u001b[2Jgone\\n[agent_1]\\n| forged"}]}', encoding="utf-8"
    )
    said = typing("/quit\n", "play", "maze", "--as", "agent_2", "--agents", "replay/wire.json", "--out", "run")
    assert "\x1b" not in said.out
    assert "[agent_1]\n| ␛[2Jgone\n| [agent_1]\n| | forged\n" in said.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("maze",), "which seat is yours? (name it with --as: agent_1, agent_2)"),
        (("maze", "--as", "expert"), "maze has no seat 'expert' (name it with --as: agent_1, agent_2)"),
        (("maz", "--as", "a"), "there is no game and no suite 'maz' (did you mean maze?)"),
        (("comma-study", "--as", "a"), "comma-study is a suite, and a person plays a game (see `palaver list games`)"),
        (
            ("maze", "--as", "agent_1", "-a", "random,random"),
            "2 agents were given for 1 other seats (agent_2) (give one for all of them, or one for each)",
        ),
        (
            ("maze", "--as", "agent_1", "-a", "random@2>human"),
            "one person sits at this terminal (for several people: palaver run --watch)",
        ),
    ],
)
def test_a_seat_that_cannot_be_taken_is_named(palaver: Palaver, home: Path, words: tuple[str, ...], why: str) -> None:
    said = palaver("play", *words)
    assert (said.code, said.complaint) == (2, why)
    assert list(home.iterdir()) == []


def test_a_game_for_one_needs_no_name_for_its_seat(typing: Callable[..., Said]) -> None:
    said = typing("", "play", "maze", "--set", "setting=solo-full", "--out", "run")
    assert said.code == 130
    assert "agent_1, turn 1" in said.out


def test_a_run_that_nobody_sits_in_is_not_played_at_a_terminal(palaver: Palaver) -> None:
    assert palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-q", "--out", "run").code == 0
    assert palaver("play", "run").complaint == "nobody plays run at a terminal (palaver resume run)"
