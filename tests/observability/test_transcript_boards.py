"""Boards beside the dialogue, pictures that lie elsewhere, and what seats were shown."""

import re

import pytest

from palaver_gamemasters.minutes import GM, Minute
from palaver_observability.transcripts.boards import Board, View
from palaver_observability.transcripts.page import episode_page
from palaver_observability.transcripts.story import story_of
from palaver_protocols.content import Text
from palaver_protocols.transcript import Message
from tests.observability.test_transcripts import LOG, MINUTES, NAMES, picture

EMPTY, FULL = Board("board", "nothing yet", "blobs/a.svg", 40, 30), Board("board", "a dog", "blobs/b.svg", 40, 30)
WORDS = Board("<board>", "a <b>dog</b>", seat="guide")


def cells(page: str) -> list[tuple[str, ...]]:
    """Where boards stand (row, column, end) and what they show."""
    found = re.findall(
        r'<li class="(board[ a-z]*)" style="grid-area: (\d+) / (\d+) / (\d+)"><div>(.*?)</div></li>', page
    )
    return [(kind, row, column, to, *re.findall(r'src="(.*?)"', shown)) for kind, row, column, to, shown in found]


def test_answers_know_how_many_turns_had_been_taken() -> None:
    told = [line.turns for round_ in story_of(LOG).rounds for line in round_.lines]
    by_minutes = [line.turns for round_ in story_of(LOG, MINUTES, NAMES).rounds for line in round_.lines]
    assert (told, by_minutes) == ([None, 1, None, 2], [None, 1, None, None, 2, None])


def test_a_board_stands_beside_the_answer_that_made_it_until_there_is_another() -> None:
    page = episode_page(story_of(LOG), {}, boards={0: (EMPTY,), 1: (FULL,)})
    assert cells(page) == [("board", "1", "4", "2", "blobs/a.svg"), ("board", "2", "4", "5", "blobs/b.svg")]
    assert '<main id="dialogue" class=boarded' in page


def test_a_round_begins_with_the_board_as_it_is() -> None:
    page = episode_page(story_of(LOG, MINUTES, NAMES), {}, boards={0: (EMPTY,), 1: (FULL,)})
    assert cells(page) == [
        ("board", "1", "4", "2", "blobs/a.svg"),
        ("board", "2", "4", "4", "blobs/b.svg"),
        ("board again", "1", "4", "4", "blobs/b.svg"),
    ]


def test_no_two_boards_stand_in_one_place() -> None:
    minutes = (
        (Minute("Player 1", GM, "get message", "A dog."),),
        (Minute("Player 2", GM, "get message", "The first."),),
    )
    boards = {0: (EMPTY,), 1: (FULL,), 2: (EMPTY,)}
    rows = [cell[1:4] for cell in cells(episode_page(story_of(LOG, minutes, NAMES), {}, boards=boards))]
    assert rows == [("1", "4", "2"), ("1", "4", "2")]  # one in each of the two rounds


def test_a_page_without_boards_has_no_place_for_them() -> None:
    page = episode_page(story_of(LOG), {})
    assert cells(page) == []
    assert "boarded" not in page.split("</style>")[1]


def test_boards_of_words_are_shown_as_they_are_and_never_as_markup() -> None:
    page = episode_page(story_of(LOG), {}, boards={0: (WORDS,)})
    assert "<pre>a &lt;b&gt;dog&lt;/b&gt;</pre>" in page
    assert "&lt;board&gt; (what guide sees)" in page


@pytest.mark.parametrize(
    ("widths", "shares"),
    [((40,), [100]), ((40, 10), [100, 25]), ((40, 40), [100, 48]), ((40, 40, 20), [100, 48, 24]), ((0, 0), [100, 100])],
)
def test_the_first_board_leads_and_small_ones_keep_their_scale(widths: tuple[int, ...], shares: list[int]) -> None:
    boards = tuple(Board(str(at), "", f"{at}.svg" if width else "", width, width) for at, width in enumerate(widths))
    page = episode_page(story_of(LOG), {}, boards={0: boards})
    assert [int(share) for share in re.findall(r'<figure style="width: (\d+)%"', page)] == shares


def test_pictures_can_lie_elsewhere() -> None:
    page = episode_page(story_of(LOG), {"a" * 64: "../blobs/a.png", "b" * 64: b"bytes"})
    assert 'src="../blobs/a.png" width="40" height="30" loading="lazy"' in page
    assert page.count("data:image/png;base64,") == 1
    assert "the run folder has no picture cccc" in page


def test_what_a_seat_was_shown_is_folded_away_with_its_pictures() -> None:
    shown = (
        Message(speaker="user", parts=(Text(text="<i>Look</i>"), picture("a", "a dog"))),
        Message.text_from("guide", "A dog."),
    )
    page = episode_page(story_of(LOG), {"a" * 64: "../blobs/a.png"}, views=(View("guide", 4, shown),))
    folded = re.search(r"<details>(.*)</details>", page, flags=re.DOTALL)
    assert folded is not None
    assert "<b>guide</b>, all of it, for its last turn (turn 5)" in folded[1]
    assert "&lt;i&gt;Look&lt;/i&gt;" in folded[1]
    assert 'src="../blobs/a.png"' in folded[1]
    assert '<li class="view own"><p class="who">guide</p>' in folded[1]


def test_no_page_lets_a_script_run() -> None:
    assert "script-src 'none'" in episode_page(story_of(LOG), {})
