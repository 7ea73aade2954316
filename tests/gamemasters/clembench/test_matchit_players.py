"""Scripted players in whole episodes: they find out, tell what they know to a successor, and keep to the format."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.matchit import ASCII, GAME
from palaver_gamemasters.clembench.matchit.game import MatchIt
from palaver_gamemasters.clembench.matchit.players import PLAYERS
from palaver_gamemasters.clembench.matchit.players.dialogue import dialogue_of
from palaver_gamemasters.game import Reply
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.clembench.matchit_playing import GRID_A, PLAYED, State, after, an_instance, played, run, started
from tests.support import a_request

GAMES = (GAME, ASCII)


def asked(state: State, **changes: Any) -> TurnRequest:
    """Return what whoever is asked is shown."""
    (seat,) = state.game.pending(state)
    return a_request(seat=seat, view=state.game.view(state, seat), **changes)


def told_in_words(game: MatchIt) -> dict[str, Any]:
    """Return the options with which nobody has to look at a picture."""
    return {"modality": "text"} if game.pictured else {}


def solved(game: MatchIt, *agents: str, episodes: int, **options: Any) -> dict[str, float]:
    """Return the share of episodes that are solved, by experiment."""
    won, all_ = Counter[str](), Counter[str]()
    for episode in run(game, *agents, episodes=episodes, **told_in_words(game), **options):
        name = str(episode.state.instance.name)
        all_[name] += 1
        won[name] += episode.outcome == "solved"
    return {name: won[name] / count for name, count in all_.items()}


def test_scripted_players_tell_grids_apart() -> None:
    assert solved(ASCII, "scripted", episodes=40) == dict.fromkeys(ASCII.experiments(ASCII.configure({})), 1.0)


def test_scripted_players_tell_pictures_apart() -> None:
    assert solved(GAME, "scripted", episodes=36) == dict.fromkeys(GAME.experiments(GAME.configure({})), 1.0)


def test_one_question_each_is_nearly_enough() -> None:
    assert min(solved(ASCII, "scripted", episodes=40, questions=1).values()) >= 0.9


@pytest.mark.parametrize(("game", "alike"), [(GAME, "similar_image"), (ASCII, "similar_grid_2")])
def test_shallow_players_take_similar_things_for_the_same(game: MatchIt, alike: str) -> None:
    found = solved(game, "scripted/shallow", episodes=40, experiment=alike)[alike]
    assert 0 < found < 0.8


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", PLAYERS)
def test_every_player_keeps_to_the_format(game: MatchIt, player: str) -> None:
    for episode in run(game, player, episodes=6, **told_in_words(game)):
        assert episode.scores["Violated Request Count"] == 0


def test_chance_decides_rightly_half_of_the_time() -> None:
    scores = [episode.scores["Player Score"] for episode in run(ASCII, "random", episodes=80)]
    right = sum(score or 0 for score in scores) / len(scores)
    assert 40 < right < 60


def test_a_photograph_without_words_can_be_played() -> None:
    photograph = Image(sha256="0" * 64, media_type="image/jpeg", width=9, height=9, size=9)
    task = Message(speaker=USER, parts=(Text(text='Describe it. Start with "DESCRIPTION:".'), photograph))
    said = PLAYERS["scripted"](a_request(view=(task,)))
    assert said == "DESCRIPTION: A picture that I cannot make out."


def test_all_of_the_game_is_understood_from_the_history_whatever_the_seat_is_called() -> None:
    state = played(PLAYED[:13])
    request = asked(state)
    view = tuple(
        message.model_copy(update={"speaker": "somebody"}) if message.speaker == request.seat else message
        for message in request.view
    )
    renamed = request.model_copy(update={"seat": "somebody", "view": view})
    assert PLAYERS["scripted"](renamed) == PLAYERS["scripted"](request)


@pytest.mark.parametrize("place", range(len(PLAYED)))
def test_a_history_tells_what_is_due(place: int) -> None:
    flag = PLAYED[place].split(" ", maxsplit=1)[0]
    dialogue = dialogue_of(asked(played(PLAYED[:place])))
    assert (dialogue.asked, dialogue.flag) == (flag.rstrip(":").lower(), flag)


def test_a_history_tells_what_was_heard_and_asked() -> None:
    dialogue = dialogue_of(asked(played(PLAYED[:11])))
    assert dialogue.shown.endswith(GRID_A)
    assert [(each.kind, each.text, each.question) for each in dialogue.heard] == [
        ("description", "b", None),
        ("question", "b0?", None),
        ("answer", "b1", "a1?"),
        ("question", "b1?", None),
        ("answer", "b2", "a2?"),
        ("question", "b2?", None),
    ]
    assert (dialogue.own, dialogue.question) == (("a1?", "a2?"), "b2?")


def test_the_decisions_are_read_from_the_task() -> None:
    assert dialogue_of(asked(played(PLAYED[:14]))).decisions == ("same grid", "different grids")


def test_a_question_that_repeats_the_game_masters_words_is_a_question_still() -> None:
    said = 'QUESTION: Is row 2 empty? Start your answer with "DECISION:" and do not add anything else.'
    dialogue = dialogue_of(asked(after(started(), ["DESCRIPTION: a", "DESCRIPTION: b", said])))
    assert (dialogue.asked, dialogue.flag) == ("answer", "ANSWER:")
    assert dialogue.question.startswith("Is row 2 empty?")


def test_a_request_that_shows_nothing_is_answered_all_the_same() -> None:
    assert PLAYERS["scripted"](a_request(view=())).startswith("DESCRIPTION: ")


def test_whoever_leaves_hands_over_what_it_has_heard() -> None:
    answers = ["DESCRIPTION: 11 of my cells are filled.", "DESCRIPTION: Row 5: X X X X X."]
    state = after(started(), [*answers, "QUESTION: Is row 1 full?"])
    request = asked(state)
    summary = PLAYERS["scripted"](request.model_copy(update={"role": "leaver"}))
    assert summary == "DESCRIPTION: Row 5: X X X X X."
    told = Message.text_from(USER, f"You take over.\n\n{summary}")
    decide = Message.text_from(USER, 'Write "DECISION: same grid" if it is or "DECISION: different grids" if not.')
    successor = request.model_copy(update={"view": (request.view[0], told, decide)})
    assert PLAYERS["scripted"](successor) == "DECISION: different grids"


def test_whoever_has_heard_nothing_hands_over_nothing() -> None:
    request = asked(started()).model_copy(update={"role": "leaver"})
    assert PLAYERS["scripted"](request) == "I heard nothing."


@given(st.lists(st.text(), min_size=7, max_size=7), st.sampled_from(sorted(PLAYERS)))
def test_whatever_the_other_says_there_is_a_valid_answer(said: list[str], player: str) -> None:
    state = ASCII.start(an_instance(ASCII), ASCII.configure({}))
    rest = iter(said)
    while state.ending is None:
        (seat,) = ASCII.pending(state)
        flag = dialogue_of(asked(state)).flag
        says_anything = seat == "player_2" and flag != "DECISION:"
        answer = f"{flag} {next(rest)}" if says_anything else PLAYERS[player](asked(state))
        state = ASCII.apply(state, {seat: Reply.of(answer)})
    assert state.ending == "played"
