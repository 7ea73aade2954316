"""The reference game by its rules: what counts as an expression and as a choice, and what comes of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.pictures import words
from palaver_gamemasters.clembench.reference import GAME, TEXT
from palaver_gamemasters.clembench.reference.game import ReferenceGame
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.reference_play import GAMES, an_instance, main_scores, played

WON, LOST = (100.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)
ABORTED = (None, 1.0, 0.0, 1.0)
SAID = "Expression: the one with a line"

NEWER: dict[str, Any] = {
    "player_1_response_pattern": r"^(?P<tag>expression:\s*)(?P<content>.+)\n*(?P<remainder>(.|\n)*)",
    "player_2_response_pattern": (
        r"^(?P<tag>answer:\s*)(?P<content>(?P<response>first|second|third|1|2|3).*\n*(?P<remainder>(.|\n)*))"
    ),
    "p1_mode": "strict",
    "p2_mode": "strict",
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> ReferenceGame:
    return GAMES[request.param]


def kinds(state: Any) -> list[str]:
    return [minute.kind for minute in state.minutes[0]]


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("Expression: foo", "foo"),
        ("expression: foo", "foo"),
        ("EXPRESSION:\tfoo", "foo"),
        ("Expression:\nfoo", "foo"),
        ("Expression:  foo", " foo"),
        ("Expression: foo\n\n\n", "foo"),
        ("Expression: a b\r", "a b\r"),
    ],
)
def test_an_expression_is_what_follows_the_tag_and_one_white_space(text: str, expression: str) -> None:
    state = played(TEXT, an_instance(TEXT), text)
    assert state.now.expression == expression
    assert state.pending == "player_2"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "foo",
        "Expression:foo",
        "Expression:",
        "Expression: ",
        "**Expression:** foo",
        "Expression: foo\n\nReason: bar",
    ],
)
def test_anything_else_is_no_expression_and_player_2_is_never_asked(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), text)
    assert game.pending(state) == ()
    assert main_scores(game, state) == ABORTED
    scores = game.score(state)
    assert (scores["Aborted at Player 1"], scores["Aborted at Player 2"]) == (1.0, 0.0)
    assert (scores["Request Count"], scores["Parsed Request Count"], scores["Violated Request Count"]) == (1, 0, 1)
    assert scores["Request Success Ratio"] == 0.0
    assert scores["Generated Expression Length"] is None
    assert scores["Generated Expression Number of Tokens"] is None
    assert game.outcome(state) == "aborted"


@pytest.mark.parametrize("text", [" Expression: foo", "\nExpression: foo", "Expression: foo\n  "])
def test_the_picture_version_alone_lets_blanks_around_an_expression_pass(text: str) -> None:
    assert played(GAME, an_instance(GAME), text).now.expression == "foo"
    assert played(TEXT, an_instance(TEXT), text).now.failed == 1


def test_player_2_is_told_all_that_player_1_has_said(game: ReferenceGame) -> None:
    instance = an_instance(game)
    text = "eXpression:\nfoo\n\n"
    state = played(game, instance, text)
    (message,) = game.view(state, "player_2")
    header = str(instance.instance["player_2_prompt_header"])
    assert message.text == header.replace("TARGET_EXPRESSION", text)
    assert text in message.text


def test_both_players_see_their_pictures_in_order() -> None:
    instance = an_instance(GAME)
    state = played(GAME, instance, SAID)
    for seat in ("player_1", "player_2"):
        names = [str(instance.instance[f"{seat}_{place}_image"]) for place in ("first", "second", "third")]
        (message, *_) = GAME.view(state, seat)
        shown = [part.alt for part in message.parts if isinstance(part, Image)]
        assert shown == [words(instance.pictures[name].draw or {}) for name in names]


@pytest.mark.parametrize("text", ["Answer: second", "answer: SECOND", "Answer: 2", "ANSWER:\n2", "Answer: Second\n\n"])
def test_a_choice_in_the_right_form_counts(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), SAID, text)
    assert kinds(state)[-2:] == ["parse", "expected answer"]
    assert main_scores(game, state) == WON
    assert game.outcome(state) == "solved"


@pytest.mark.parametrize("text", ["Answer: second.", "Answer: second image", "Answer: 2 because of it", "Answer: 2nd"])
def test_the_scorer_takes_choices_that_the_game_master_refuses(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), SAID, text)
    assert kinds(state)[-1] == "invalid format"
    assert main_scores(game, state) == WON
    assert game.score(state)["Violated Request Count"] == 0.0


def test_the_scorer_looks_at_the_first_digit_alone(game: ReferenceGame) -> None:
    instance = an_instance(game, **{f"target_{game.shown}_name": ["first", "1st", "1"]})
    assert main_scores(game, played(game, instance, SAID, "Answer: 10")) == WON
    assert main_scores(game, played(game, instance, SAID, "Answer: 10", profile="clean"))[1] == 1.0


def test_a_wrong_choice_loses(game: ReferenceGame) -> None:
    state = played(game, an_instance(game), SAID, "Answer: third")
    assert main_scores(game, state) == LOST
    scores = game.score(state)
    assert (scores["Request Count"], scores["Parsed Request Count"], scores["Violated Request Count"]) == (2, 2, 0)
    assert scores["Request Success Ratio"] == 1.0
    assert game.outcome(state) == "failed"


@pytest.mark.parametrize(
    "text",
    ["", "second", "Answer:second", " Answer: second", "Answer:  second", "Answer: the second", "Answer: fourth"],
)
def test_anything_else_is_no_choice(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), SAID, text)
    assert main_scores(game, state) == ABORTED
    scores = game.score(state)
    assert (scores["Aborted at Player 1"], scores["Aborted at Player 2"]) == (0.0, 1.0)
    assert (scores["Request Count"], scores["Parsed Request Count"], scores["Violated Request Count"]) == (2, 1, 1)
    assert scores["Request Success Ratio"] == 0.5


def test_an_expression_is_measured_in_characters_and_in_pieces_between_single_blanks() -> None:
    scores = TEXT.score(played(TEXT, an_instance(TEXT), "Expression:  a  bc"))
    assert scores["Generated Expression Length"] == len(" a  bc")
    assert scores["Generated Expression Number of Tokens"] == 4


def test_the_minutes_hold_what_was_made_of_the_answers() -> None:
    state = played(TEXT, an_instance(TEXT), "Expression: foo\n", "Answer: second")
    ((_, _, first, _, _, second, expected),) = state.minutes
    assert (first.kind, first.content, first.more) == ("parse", "Expression: foo\n", {"expression": "foo"})
    assert (second.kind, second.content, second.more) == ("parse", "Answer: second", {"answer": "second"})
    assert (expected.kind, expected.content) == ("expected answer", ["second", "2nd", "2"])


@pytest.mark.parametrize(
    ("texts", "content"),
    [(("foo",), "Invalid generated expression"), ((SAID, "foo"), "Invalid generated choice")],
)
def test_the_minutes_hold_what_could_not_be_read(texts: tuple[str, ...], content: str) -> None:
    last = played(TEXT, an_instance(TEXT), *texts).minutes[0][-1]
    assert (last.kind, last.content, last.more) == ("invalid format", content, {"original_content": "foo"})


def test_an_episode_that_is_going_on_is_neither_played_nor_aborted(game: ReferenceGame) -> None:
    assert main_scores(game, played(game, an_instance(game))) == (None, 0.0, 0.0, 0.0)
    assert game.score(played(game, an_instance(game)))["Request Success Ratio"] is None
    half = game.score(played(game, an_instance(game), SAID))
    assert (half["Request Count"], half["Parsed Request Count"], half["Main Score"]) == (1.0, 1.0, None)


@pytest.mark.parametrize("text", [" Expression: foo\n", "Expression:foo", "Expression:\n\n foo"])
def test_clean_any_white_space_may_stand_around_an_expression(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), text, profile="clean")
    assert state.now.expression == "foo"
    assert f"\n{text.strip()}\nQuestion:" in game.view(state, "player_2")[0].text


@pytest.mark.parametrize(
    "text",
    [" Answer: second", "Answer:second", "Answer:  2nd.", "Answer: 2", "Answer: Second, as it has a line\n\nYes"],
)
def test_clean_the_game_master_takes_what_the_scorer_takes(game: ReferenceGame, text: str) -> None:
    state = played(game, an_instance(game), SAID, text, profile="clean")
    assert kinds(state)[-1] == "expected answer"
    assert main_scores(game, state) == WON


@pytest.mark.parametrize("texts", [("foo",), (SAID, "Answer: seconds"), (SAID, "Answer: 22")])
def test_clean_an_aborted_episode_is_not_lost(game: ReferenceGame, texts: tuple[str, ...]) -> None:
    assert main_scores(game, played(game, an_instance(game), *texts, profile="clean")) == (None, 1.0, 0.0, 0.0)


def test_without_patterns_the_published_ones_hold(game: ReferenceGame) -> None:
    instance = an_instance(game, player_1_response_pattern=None, player_2_response_pattern=None)
    assert main_scores(game, played(game, instance, SAID, "Answer: second.")) == WON
    assert main_scores(game, played(game, instance, "Expression:foo")) == ABORTED


@pytest.mark.parametrize("profile", ["published", "clean"])
def test_the_patterns_of_newer_checkouts_are_understood(profile: str) -> None:
    instance = an_instance(TEXT, **NEWER)
    assert main_scores(TEXT, played(TEXT, instance, "Expression:foo", "Answer:second grid\n", profile=profile)) == WON
    lost = played(TEXT, instance, "Expression:foo", "Answer: first", profile=profile)
    assert main_scores(TEXT, lost) == LOST


def test_newer_checkouts_say_themselves_how_strict_they_are() -> None:
    texts = ("Expression: foo\nbar", "Answer: second\nbecause")
    strict = an_instance(TEXT, **NEWER)
    assert played(TEXT, strict, texts[0]).now.failed == 1
    assert main_scores(TEXT, played(TEXT, strict, SAID, texts[1])) == ABORTED
    liberal = an_instance(TEXT, **{**NEWER, "p1_mode": "liberal", "p2_mode": "liberal"})
    assert main_scores(TEXT, played(TEXT, liberal, *texts)) == WON


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"player_1_response_pattern": "^(?P<content>"}, "player_1_response_pattern is no regular expression"),
        ({"player_2_response_pattern": "^answer: (.*)"}, "player_2_response_pattern has no group 'content'"),
        ({"player_1_response_pattern": "(?P<content>.)"}, "player_1_response_pattern has no group 'remainder'"),
        ({"player_2_prompt_header": None}, "player_2_prompt_header"),
    ],
)
def test_an_instance_that_makes_no_game_is_one_clear_line(
    game: ReferenceGame, fields: dict[str, str | None], said: str
) -> None:
    with pytest.raises(InstanceError) as caught:
        played(game, an_instance(game, **fields))
    assert f"{game.name} instance: {said}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "field"), [(GAME, "target_image_name"), (GAME, "player_2_third_image"), (TEXT, "target_grid_name")]
)
def test_a_missing_field_is_named(game: ReferenceGame, field: str) -> None:
    with pytest.raises(InstanceError, match=f"{field} is missing"):
        played(game, an_instance(game, **{field: None}))


@pytest.mark.parametrize("profile", ["published", "clean"])
@given(texts=st.tuples(st.text(), st.text()) | st.tuples(st.just(SAID), st.text().map("Answer: {}".format)))
def test_any_answers_end_the_game_in_two_calls(profile: str, texts: tuple[str, str]) -> None:
    state = played(TEXT, INSTANCE, texts[0], profile=profile)
    if state.pending:
        state = played(TEXT, INSTANCE, *texts, profile=profile)
    assert TEXT.outcome(state) in ("solved", "failed", "aborted")
    scores = TEXT.score(state)
    assert scores["Aborted"] in (scores["Aborted at Player 1"], scores["Aborted at Player 2"])


INSTANCE = an_instance(TEXT)
