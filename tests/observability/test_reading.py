"""An episode as a dialogue for people."""

import io

import pytest

from palaver_observability.reading import print_dialogue
from palaver_protocols.content import Image
from palaver_protocols.messages import EpisodeEnded, LogEntry, SeatFiller, TurnTaken
from palaver_protocols.transcript import Message
from tests.support import NOON, a_reply, a_request, a_start

PICTURE = Image(sha256="ab" * 32, media_type="image/png", width=640, height=480, size=1)


def turn(text: str, *prompts: str) -> TurnTaken:
    shown = tuple(Message.text_from("user", prompt) for prompt in prompts)
    return TurnTaken(key=text, prompts=shown, reply=a_reply(a_request(), text), at=NOON)


def ended(outcome: str = "solved", **changes: object) -> EpisodeEnded:
    return EpisodeEnded.model_validate({"key": "end", "outcome": outcome, "at": NOON, **changes})


def printed(*entries: LogEntry, brief: bool = False) -> str:
    file = io.StringIO()
    print_dialogue(entries, file, brief=brief)
    return file.getvalue()


def test_a_dialogue_reads_from_the_task_to_the_end() -> None:
    text = printed(a_start(), turn("Hello.", "Say something."), ended(scores={"success": 1.0, "speed": None}))

    assert [line for line in text.splitlines() if line.strip("─")] == [
        "e0  i0  a: echo",
        "[user to a]",
        "Say something.",
        "1. a (echo)",
        "Hello.",
        "solved  success 1  speed -",
    ]


def test_a_relay_names_all_who_filled_the_seat() -> None:
    fillers = (SeatFiller(agent="ada"), SeatFiller(agent="bob", from_turn=4))
    assert "a: ada@4>bob" in printed(a_start(seats={"a": fillers}))


def test_an_error_is_told_whole() -> None:
    error = "openai/model@http://a-rather-long-name.example:8000/v1 cannot be reached: " + "why " * 40
    assert error.strip() in printed(a_start(), ended("error", error=error))


def test_pictures_are_named() -> None:
    assert "[picture abababababab, 640x480]" in printed(turn("").model_copy(update={"prompts": (seen(),)}))


def test_a_picture_that_says_what_it_shows_is_read_out() -> None:
    told = Message(speaker="user", parts=(PICTURE.model_copy(update={"alt": "a cat\non a mat"}),))
    assert "640x480]\na cat\non a mat" in printed(turn("").model_copy(update={"prompts": (told,)}))


def seen() -> Message:
    return Message(speaker="user", parts=(PICTURE,))


def test_a_brief_view_leaves_out_what_the_game_said() -> None:
    assert "Say something." not in printed(a_start(), turn("Hello.", "Say something."), brief=True)


def test_a_brief_view_shows_how_a_long_message_begins_and_ends() -> None:
    long = "\n".join(f"line {number}" for number in range(1, 41))
    lines = printed(a_start(), turn(long), brief=True).splitlines()
    assert lines[-19:] == [
        *(f"line {number}" for number in range(1, 13)),
        "[... 22 lines ...]",
        *(f"line {number}" for number in range(35, 41)),
    ]


@pytest.mark.parametrize("lines", [1, 18, 19])
def test_a_brief_view_hides_no_single_line(lines: int) -> None:
    assert "..." not in printed(a_start(), turn("\n".join("x" * lines)), brief=True)


def test_what_a_model_says_steers_no_terminal() -> None:
    text = printed(a_start(), turn("\x1b[2J\x07bye\x7f\r\nnext\tword [red]not markup[/red]"))
    assert "␛[2J␇bye␡␍\nnext" in text
    assert "[red]not markup[/red]" in text
    assert text.isascii() or not set(text) & {"\x1b", "\x07", "\r", "\x7f"}


def test_a_reason_that_no_log_holds_stands_at_the_end() -> None:
    file = io.StringIO()
    print_dialogue([a_start(), ended("crashed")], file, why="the original scorer raises: a graph")
    assert file.getvalue().splitlines()[-1] == "crashed  the original scorer raises: a graph"
