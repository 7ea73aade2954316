import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.game import Reply
from palaver_gamemasters.maze import GAME
from palaver_gamemasters.maze.baselines import optimal_player, random_player
from palaver_gamemasters.maze.game import MazeState
from palaver_gamemasters.maze.options import MazeOptions, Order, Setting
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import Message
from tests.support import a_request


def play(options: MazeOptions, player: Player, seed: int = 0) -> MazeState:
    """Play an episode with one script in every seat."""
    state = GAME.start(next(GAME.instances(options, seed)).data, options)
    turn = 0
    while seats := GAME.pending(state):
        for seat in seats:
            request = a_request(
                turn=turn, seat=seat, seed=seed, partners=GAME.partners(options, seat), view=GAME.view(state, seat)
            )
            state = GAME.apply(state, {seat: Reply.of(player(request))})
        turn += 1
    return state


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
@given(seed=st.integers(0, 10**6), size=st.integers(2, 9), density=st.sampled_from([0, 0.3, 0.6]))
@settings(deadline=None)
def test_the_optimal_player_takes_a_shortest_path(setting: Setting, seed: int, size: int, density: float) -> None:
    state = play(MazeOptions(setting=setting, size=size, density=density), optimal_player, seed)

    assert GAME.outcome(state) == "solved"
    assert GAME.score(state)["moves"] == state.maze.to_goal[state.maze.start]


def test_the_optimal_player_states_its_convention_and_confirms_its_solution() -> None:
    options = MazeOptions(setting="solo-full")
    state = GAME.start({"grid": ["@.#", "#..", "..*"]}, options)

    solution = optimal_player(a_request(view=GAME.view(state, "agent_1")))
    state = GAME.apply(state, {"agent_1": Reply.of(solution)})
    final = optimal_player(a_request(turn=1, view=GAME.view(state, "agent_1")))

    route = "[(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]"
    assert solution == f"Final solution, as (row, column) counted from (0, 0) at the top left:\n{route}"
    assert final == f"I have checked every step against the map: the path is complete and valid.\n{solution}"


def test_the_optimal_player_refuses_a_partner_in_one_line() -> None:
    with pytest.raises(
        UsageError, match=r"^the optimal player plays solo settings only \(use `scripted` for a pair\)$"
    ):
        play(MazeOptions(), optimal_player)


@pytest.mark.parametrize("player", [optimal_player, random_player])
def test_a_task_without_a_map_is_refused_in_one_line(player: Player) -> None:
    with pytest.raises(UsageError, match="the task shows no map"):
        player(a_request())


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed", "pair"])
def test_the_random_player_plays_every_setting_to_its_end(setting: Setting) -> None:
    states = [play(MazeOptions(setting=setting), random_player, seed) for seed in range(5)]

    assert all(GAME.outcome(state) for state in states)
    assert len({state.dialogue for state in states}) == 5


@pytest.mark.parametrize("setting", ["solo-distributed", "pair"])
def test_the_random_player_gets_there_now_and_then_on_tiny_mazes(setting: Setting) -> None:
    options = MazeOptions(setting=setting, size=2, density=0)

    outcomes = {GAME.outcome(play(options, random_player, seed)) for seed in range(20)}

    assert "solved" in outcomes


@pytest.mark.parametrize("order", ["round-robin", "named"])
def test_the_random_player_plays_in_a_group_to_its_end(order: Order) -> None:
    state = play(MazeOptions(agents=4, order=order, max_turns=10), random_player)

    assert len(state.dialogue) == 10


def test_the_random_player_says_the_same_for_the_same_seed() -> None:
    assert play(MazeOptions(), random_player, 5) == play(MazeOptions(), random_player, 5)


def test_the_random_players_of_one_episode_do_not_say_the_same() -> None:
    state = play(MazeOptions(max_turns=20), random_player, 1)

    first, second = ([m.text for m in state.dialogue if m.speaker == seat] for seat in ("agent_1", "agent_2"))
    assert first != second


def test_the_random_player_agrees_only_to_what_was_proposed() -> None:
    task = GAME.view(GAME.start({"grid": ["@.*"]}, MazeOptions()), "agent_2")[0]
    partner = Message.text_from("agent_1", "Hello. Shall we move LEFT, or rather move right?")

    answers = {
        random_player(a_request(seed=seed, partners=("agent_1",), view=(task, partner))).partition(" I")[0]
        for seed in range(50)
    }

    assert {answer for answer in answers if answer.startswith("Agreed")} == {"Agreed, we move right."}
    assert len(answers) > 1
