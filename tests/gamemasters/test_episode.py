"""An episode asks by content: what was hashed for one question is not hashed again, and it makes no difference."""

from collections.abc import Callable
from typing import Any

import pytest
from examples.count_up import GAME, Count, CountUp, next_number

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import plan
from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import EpisodeStarted, SeatFiller, TurnRequest, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER, Message
from tests.support import NOON, a_reply

View = Callable[[Count, str], tuple[Message, ...]]


class Seen(CountUp):
    """Count up, with another view of what was said."""

    def __init__(self, view: View) -> None:
        self._view = view

    def view(self, state: Count, seat: str) -> tuple[Message, ...]:
        return self._view(state, seat)


def window(state: Count, seat: str) -> tuple[Message, ...]:
    """Show the task and the last message."""
    return (*GAME.view(state, seat)[:1], *state.said[-1:])


def forgetful(state: Count, seat: str) -> tuple[Message, ...]:
    """Show another task each turn, and nothing of what was said."""
    return (Message.text_from(USER, f"Say {len(state.said) + 1}."),)


def afresh(state: Count, seat: str) -> tuple[Message, ...]:
    """Show everything, in new message objects each time."""
    return tuple(Message.model_validate(message.model_dump()) for message in GAME.view(state, seat))


def shrinking(state: Count, seat: str) -> tuple[Message, ...]:
    """Show all that was said, then less and less of it."""
    return GAME.view(state, seat)[: 1 + max(0, 6 - len(state.said))]


VIEWS = [GAME.view, window, forgetful, afresh, shrinking]


def opening(**changes: Any) -> EpisodeStarted:
    config = RunConfig(run_id="run", game="count-up", agents=("toy",), options={"target": 8})
    return plan(GAME, config).openings[0].model_copy(update=changes)


def play(game: AnyGame, start: EpisodeStarted) -> list[tuple[TurnRequest, TurnTaken]]:
    """Play an episode without a bus; return its questions, and the turns of its log."""
    episode = Episode(game, start)
    turns = []
    while episode.outcome is None:
        (request,) = episode.requests(timeout_s=1.0)
        prompts = episode.prompts(request)
        taken = TurnTaken(key=request.key, prompts=prompts, reply=a_reply(request, next_number(request)), at=NOON)
        episode.take(taken)
        turns.append((request, taken))
    return turns


def prompts_of(turns: list[tuple[TurnRequest, TurnTaken]]) -> list[list[str]]:
    return [[message.text for message in taken.prompts] for _, taken in turns]


@pytest.mark.parametrize("view", VIEWS)
def test_a_resumed_episode_asks_under_the_same_keys(view: View) -> None:
    game, start = Seen(view), opening()
    turns = play(game, start)
    for done, (asked, taken) in enumerate(turns):
        resumed = Episode.from_log(game, [start, *(taken for _, taken in turns[:done])])
        (again,) = resumed.requests(timeout_s=1.0)
        assert again == asked
        assert resumed.prompts(again) == taken.prompts


def test_a_question_that_is_made_again_has_the_same_key_and_prompts() -> None:
    episode = Episode(GAME, opening())
    (first,), (second,) = (episode.requests(timeout_s=1.0) for _ in range(2))
    assert first == second
    assert [message.speaker for message in episode.prompts(second)] == [USER]


def test_each_message_of_the_game_is_a_prompt_once() -> None:
    tasks = ["You start", "Your partner starts"]
    for view in (GAME.view, window, afresh, shrinking):
        (one,), (other,), *rest = prompts_of(play(Seen(view), opening()))
        assert tasks[0] in one
        assert tasks[1] in other
        assert rest == [[]] * 6
    assert prompts_of(play(Seen(forgetful), opening())) == [[f"Say {n}."] for n in range(1, 9)]


def test_what_the_game_says_once_more_is_a_prompt_once_more() -> None:
    def ticking(state: Count, seat: str) -> tuple[Message, ...]:
        tick = Message.text_from(USER, "Tick.")
        return (Message.text_from(USER, "Go on."), *[tick] * len(state.said), *state.said[-1:])

    turns = play(Seen(ticking), opening())
    firsts, seconds = prompts_of(turns[::2]), prompts_of(turns[1::2])
    assert firsts == [["Go on."], *[["Tick.", "Tick."]] * 3]
    assert seconds == [["Go on.", "Tick."], *[["Tick.", "Tick."]] * 3]


def test_who_takes_a_seat_over_is_not_prompted_again_nor_is_who_comes_back() -> None:
    relay = tuple(SeatFiller(agent=agent, from_turn=turn) for agent, turn in (("ada", 0), ("bob", 2), ("ada", 4)))
    turns = play(Seen(forgetful), opening(seats={"first": relay, "second": (SeatFiller(agent="toy"),)}))
    assert [request.agent for request, _ in turns[::2]] == ["ada", "bob", "ada", "ada"]

    def same_again(state: Count, seat: str) -> tuple[Message, ...]:
        return (Message.text_from(USER, "Go on."), *([Message.text_from(USER, "Now you.")] * (len(state.said) >= 2)))

    turns = play(Seen(same_again), opening(seats={"first": relay, "second": (SeatFiller(agent="toy"),)}))
    assert prompts_of(turns[::2]) == [["Go on."], ["Now you."], [], []]


def test_a_turn_that_nobody_was_asked_for_is_refused() -> None:
    turns = play(GAME, opening())
    episode = Episode(GAME, opening())
    with pytest.raises(ProtocolError, match="nobody asked seat 'second' for turn 1"):
        episode.take(turns[1][1])
    episode.take(turns[0][1])
    with pytest.raises(ProtocolError, match="nobody asked seat 'first' for turn 0"):
        episode.take(turns[0][1])
