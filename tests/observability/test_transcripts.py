"""Transcripts as pages: what stands in which column, and what a page makes of it."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from palaver_gamemasters.minutes import GM, Minute
from palaver_observability.transcripts.index import Entry, Listed, index_page
from palaver_observability.transcripts.page import episode_page
from palaver_observability.transcripts.story import Line, Story, story_of
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import Aside, EpisodeEnded, LogEntry, SeatChanged, SeatFiller, TurnTaken
from palaver_protocols.transcript import IN_WORDS, Message
from tests.support import NOON, a_reply, a_request, a_start

SEATS = {"guide": (SeatFiller(agent="ada"),), "finder": (SeatFiller(agent="bob"),)}
NAMES = {"guide": "Player 1", "finder": "Player 2"}
AGENTS = {"guide": "ada", "finder": "bob"}


def picture(mark: str, alt: str | None = None) -> Image:
    return Image(sha256=mark * 64, media_type="image/png", width=40, height=30, size=4, alt=alt)


def turn(number: int, seat: str, text: str, *prompts: Message, **changes: Any) -> TurnTaken:
    reply = a_reply(a_request(seat=seat, turn=number, agent=AGENTS[seat]), text, **changes)
    return TurnTaken(key=f"k{number}", prompts=prompts, reply=reply, at=NOON)


def prompt(text: str, *pictures: Image, speaker: str = "user") -> Message:
    return Message(speaker=speaker, parts=(Text(text=text), *pictures))


def ended(outcome: str = "solved", **scores: float | None) -> EpisodeEnded:
    return EpisodeEnded.model_validate({"key": "end", "outcome": outcome, "scores": scores, "at": NOON})


def lines(story: Story) -> list[Line]:
    return [line for round_ in story.rounds for line in round_.lines]


LOG: list[LogEntry] = [
    a_start(seats=SEATS),
    turn(0, "guide", "A dog.", prompt("Describe it.", picture("a", "kind: scene"))),
    turn(1, "finder", "The first.", prompt("Which one?", picture("b"), picture("c"))),
    ended(quality=50.0, speed=None),
]
MINUTES = (
    (
        Minute(GM, "Player 1", "send message", "Describe it.", ("dog.png",)),
        Minute("Player 1", GM, "get message", "A dog."),
        Minute(GM, GM, "parse", "A dog.", (), {"expression": "dog"}),
    ),
    (
        Minute(GM, "Player 2", "send message (reprompt)", "Which one?", ("cat.png", "dog.png")),
        Minute("Player 2", GM, "get message", "The first."),
        Minute(GM, GM, "done", True),
    ),
)


def test_a_log_alone_reads_player_game_master_player() -> None:
    story = story_of(LOG)
    assert [(column.name, column.who) for column in story.columns] == [("guide", "ada"), (GM, "toy"), ("finder", "bob")]
    assert [(line.kind, line.column, line.sender, line.receiver, line.text) for line in lines(story)] == [
        ("told", 1, GM, "guide", "Describe it."),
        ("said", 0, "guide", "", "A dog."),
        ("told", 1, GM, "finder", "Which one?"),
        ("said", 2, "finder", "", "The first."),
    ]
    assert [len(line.pictures) for line in lines(story)] == [1, 0, 2, 0]


def test_minutes_tell_by_turns_with_the_game_masters_notes_and_the_pictures_of_the_log() -> None:
    story = story_of(LOG, MINUTES, NAMES)
    assert [column.name for column in story.columns] == ["Player 1", GM, "Player 2"]
    assert [round_.title for round_ in story.rounds] == ["Turn 1", "Turn 2"]
    asked, said, noted, again, _, done = lines(story)
    assert (asked.label, asked.pictures[0].name, asked.pictures[0].image) == (
        "",
        "dog.png",
        picture("a", "kind: scene"),
    )
    assert (said.sender, said.receiver, said.text) == ("Player 1", GM, "A dog.")
    assert (noted.kind, noted.label, noted.text, noted.remarks) == ("noted", "parse", "A dog.", ("expression: dog",))
    assert again.label == "send message (reprompt)"
    assert [(shown.name, shown.image) for shown in again.pictures] == [
        ("cat.png", picture("b")),
        ("dog.png", picture("c")),
    ]
    assert (done.label, done.text) == ("done", "")


def test_notes_alone_stand_each_behind_the_turn_that_they_are_of() -> None:
    notes = ((), (Minute(GM, GM, "move", "occupied", (), {"left": 5}),))
    found = lines(story_of(LOG, notes))
    assert [(line.kind, line.text) for line in found] == [
        ("told", "Describe it."),
        ("said", "A dog."),
        ("told", "Which one?"),
        ("said", "The first."),
        ("noted", "occupied"),
    ]
    assert (found[-1].label, found[-1].remarks) == ("move", ("left: 5",))


def test_a_player_of_the_games_own_has_a_column_and_is_known_from_the_minutes_alone() -> None:
    minutes = (
        (
            Minute(GM, "Player 1", "send message", '{"start": 1}'),
            Minute("Player 1", GM, "get message", "You are in the hall."),
            Minute(GM, "Player 2", "send message", "You are in the hall."),
            Minute("Player 2", GM, "get message", "GO: north"),
        ),
    )
    log: list[LogEntry] = [
        a_start(seats={"finder": SEATS["finder"]}),
        turn(0, "finder", "GO: north", prompt("You are in the hall.")),
    ]
    story = story_of(log, minutes, NAMES)
    assert [(column.name, column.who) for column in story.columns] == [
        ("Player 1", "a player of the game's own"),
        (GM, "toy"),
        ("Player 2", "bob"),
    ]
    assert [line.column for line in lines(story)] == [1, 0, 1, 2]


def test_what_is_said_behind_a_seat_and_changes_by_hand_stand_where_they_happened() -> None:
    reply = a_reply(a_request(seat="member_1", agent="eve"), "Say dog.")
    aside = Aside(key="a", seat="guide", kind="answer", audience=("guide",), reply=reply, at=NOON)
    change = SeatChanged(key="c", seat="finder", agent="zoe", at=NOON)
    log = [LOG[0], aside, LOG[1], change, *LOG[2:]]
    for story in (story_of(log), story_of(log, MINUTES, NAMES)):
        kinds = [line.kind for line in lines(story) if line.kind != "noted"]
        assert sorted(kinds) == ["behind", "changed", "said", "said", "told", "told"]
        (behind,) = [line for line in lines(story) if line.kind == "behind"]
        assert (behind.column, behind.sender, behind.receiver, behind.text) == (
            0,
            "member_1 (eve)",
            "guide",
            "Say dog.",
        )


def test_of_a_relay_each_answer_tells_whose_it_is() -> None:
    relay = (SeatFiller(agent="ada"), SeatFiller(agent="bob", from_turn=4))
    story = story_of([a_start(seats={"guide": relay}), turn(0, "guide", "Hello.")])
    assert [line.sender for line in lines(story)] == ["guide (ada)"]


def test_pictures_told_in_words_are_no_text_of_the_game_master() -> None:
    told = Message(speaker="user", parts=(Text(text="Look."), Text(text=f"{IN_WORDS}\nkind: scene")))
    (line, _) = lines(story_of([LOG[0], turn(0, "guide", "A dog.", told)]))
    assert (line.text, line.pictures[0].words) == ("Look.", "kind: scene")


def test_an_answer_that_was_cut_off_says_so() -> None:
    story = story_of([LOG[0], turn(0, "guide", "A do", finish_reason="length")])
    assert lines(story)[0].remarks == ("cut off at the length limit",)


class Tags(HTMLParser):
    """Every element of a page, with its attributes; fails where elements do not nest."""

    VOID = ("meta", "img", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag]


BYTES = {"a" * 64: b"\x89PNG", "b" * 64: b"\x89PNG"}


def test_a_page_is_whole_and_nests_and_needs_nothing_else() -> None:
    page = episode_page(story_of(LOG, MINUTES, NAMES), BYTES, "quality", {"all episodes": "index.html"})
    tags = Tags(page)
    assert [attrs["lang"] for attrs in tags.named("html")] == ["en"]
    assert [len(tags.named(tag)) for tag in ("h1", "main", "script", "link")] == [1, 1, 0, 0]
    assert {attrs["href"] for attrs in tags.named("a")} == {"#dialogue", "index.html"}
    assert not re.search(r"https?://|url\(", page)


def test_pictures_stand_in_the_page_with_their_words_and_lost_ones_are_told() -> None:
    page = episode_page(story_of(LOG, MINUTES, NAMES), BYTES)
    images = Tags(page).named("img")
    assert [image["alt"] for image in images] == ["kind: scene", "picture cat.png"]
    assert all((image["src"] or "").startswith("data:image/png;base64,") for image in images)
    assert f"the run folder has no picture {'c' * 12}" in page


@pytest.mark.parametrize(
    "said", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</main></body>", "&lt;b&gt;"]
)
def test_what_models_say_is_text(said: str) -> None:
    log: list[LogEntry] = [a_start(seats=SEATS, instance_id=said), turn(0, "guide", said, prompt(said)), ended()]
    for story in (story_of(log), story_of(log, ((Minute(GM, GM, said, said, (), {said: said}),),), NAMES)):
        page = episode_page(story, {})
        assert said not in page
        assert [Tags(page).named(tag) for tag in ("script", "img")] == [[], []]


def test_control_characters_are_seen_and_do_nothing() -> None:
    page = episode_page(story_of([LOG[0], turn(0, "guide", "a\x1b[2J\x00b")]), {})
    assert "a␛[2J␀b" in page


def test_an_outcome_is_told_with_the_measure_that_the_game_leads_with() -> None:
    page = episode_page(story_of(LOG), {}, "quality")
    assert "<strong>solved; quality 50</strong>" in page
    assert '<th scope="row">speed</th><td>undefined</td>' in page
    assert "not ended yet" in episode_page(story_of(LOG[:-1]), {})


def test_lines_of_signs_are_set_in_letters_of_one_width() -> None:
    grid = "Look:\nX ▢ X\n▢ ▢ ▢\nX ▢ X"
    assert 'class="text grid"' in episode_page(story_of([LOG[0], turn(0, "guide", grid)]), {})
    assert 'class="text grid"' not in episode_page(story_of([LOG[0], turn(0, "guide", "Two\nlines.")]), {})


def test_the_index_links_every_episode_with_its_outcome() -> None:
    entry = Entry("one.html", "e<0>", "plain", "solved", None, 3)
    page = index_page("a & b", [Listed("run", "toy", ("ada", "ada"), "quality", (entry,))])
    tags = Tags(page)
    assert [attrs["href"] for attrs in tags.named("a")] == ["one.html"]
    assert "<h1>a &amp; b</h1>" in page
    assert ">e&lt;0&gt;</a>" in page
    assert '<td class="outcome solved">solved</td><td class="num">undefined</td><td class="num">3</td>' in page
    assert "toy: ada<" in page


def test_a_reason_that_no_log_holds_is_told_below_the_outcome() -> None:
    page = episode_page(story_of([LOG[0], ended("crashed")]), {}, why="no <key>")
    assert "raise here</strong><br>no &lt;key&gt;</p>" in page
