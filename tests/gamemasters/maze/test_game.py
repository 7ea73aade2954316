from collections.abc import Sequence
from functools import reduce
from importlib.metadata import entry_points
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.game import Instance, Reply
from palaver_gamemasters.maze import GAME
from palaver_gamemasters.maze.game import MazeState
from palaver_gamemasters.maze.grid import HIDDEN, Maze, merge
from palaver_gamemasters.maze.options import MazeOptions, Setting
from palaver_gamemasters.maze.render import prompt, read_maps
from palaver_gamemasters.maze.speakers import STYLES
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import USER, Message
from tests.support import a_request

SETTINGS: tuple[Setting, ...] = ("solo-full", "solo-distributed", "pair")
GIVEN: dict[str, Any] = {"grid": ["@.#", "#..", "..*"]}
SOLUTION = "Final solution, (row, column) from (0, 0) at the top left: [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]"


def told(texts: Sequence[str], instance: Any = None, **options: Any) -> MazeState:
    """Play recorded texts in the order in which the game asks for them, as far as it asks."""
    chosen = MazeOptions(**options)
    state = GAME.start(GIVEN if instance is None else instance, chosen)
    for text in texts:
        if not (seats := GAME.pending(state)):
            break
        state = GAME.apply(state, {seats[0]: Reply.of(text)})
    return state


def test_the_game_is_found_by_its_entry_point() -> None:
    assert [entry.load() for entry in entry_points(group="palaver.games", name="maze")] == [GAME]


def test_two_agents_take_turns_and_the_first_seat_starts() -> None:
    asked = [GAME.pending(told(["Hello."] * turns)) for turns in range(4)]

    assert asked == [("agent_1",), ("agent_2",), ("agent_1",), ("agent_2",)]


def test_each_of_two_agents_sees_its_own_copy_and_the_whole_dialogue() -> None:
    state = told(["Hi, I am one.", "Hi, I am two."])

    first, second = (GAME.view(state, seat) for seat in ("agent_1", "agent_2"))

    assert [message.speaker for message in first] == [USER, "agent_1", "agent_2"]
    assert first[1:] == second[1:]
    assert merge(*read_maps(first[0].text), *read_maps(second[0].text)) == Maze.parse(GIVEN["grid"])
    assert "?" in str(read_maps(first[0].text)[0])


def test_the_first_speaker_gets_the_task_with_nothing_after_it() -> None:
    assert [message.speaker for message in GAME.view(told([]), "agent_1")] == [USER]


@pytest.mark.parametrize(("setting", "shown"), [("solo-full", 1), ("solo-distributed", 2)])
def test_a_solo_agent_sees_its_maps_then_its_solution_and_the_critics_question(setting: Setting, shown: int) -> None:
    state = told([SOLUTION], setting=setting)

    task, solution, critic = GAME.view(state, "agent_1")

    assert GAME.view(told([], setting=setting), "agent_1") == (task,)
    assert len(read_maps(task.text)) == shown
    assert (solution.text, critic.speaker, critic.text) == (SOLUTION, USER, prompt("critic"))
    assert GAME.pending(state) == ("agent_1",)


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
def test_a_solo_episode_ends_after_the_critic_step(setting: Setting) -> None:
    state = told([SOLUTION, f"It is right. {SOLUTION}"], setting=setting)

    assert GAME.pending(state) == ()
    assert GAME.outcome(state) == "solved"
    assert GAME.score(state) == {"success": 1, "weighted_outcome": 1, "moves": 4, "messages": 2}


def test_the_phrase_does_not_end_a_solo_episode() -> None:
    assert GAME.pending(told(["ACTI!"], setting="solo-full")) == ("agent_1",)


@pytest.mark.parametrize("text", ["ACTI!", "We are there.\n**ACTI!**", 'I say "ACTI!" now'])
def test_the_phrase_ends_the_dialogue_wherever_it_stands(text: str) -> None:
    state = told(["Hello.", text, "Wait!"])

    assert GAME.pending(state) == ()
    assert len(state.dialogue) == 2


@pytest.mark.parametrize("text", ["ACTI", "acti!", "ACT!", "ACTI !"])
def test_nothing_but_the_phrase_ends_the_dialogue(text: str) -> None:
    assert GAME.pending(told([text])) == ("agent_2",)


def test_a_dialogue_ends_after_fifty_messages() -> None:
    assert GAME.pending(told(["Hm."] * 49)) == ("agent_2",)
    assert GAME.outcome(told(["Hm."] * 49)) is None
    assert GAME.outcome(told(["Hm."] * 50)) == "failed"


def test_a_dialogue_that_agrees_on_a_route_is_solved() -> None:
    state = told(
        [
            "I use (row, column) from (0, 0) at the top left. I propose that we move right to (0, 1).",
            "Agreed, we move to (0, 1). I propose that we move down to (1, 1).",
            "Agreed, we move to (1, 1). I propose that we move down to (2, 1).",
            "Agreed, we move to (2, 1). I propose that we move right to (2, 2), the goal.",
            "Agreed, we move to (2, 2). ACTI!",
        ]
    )

    assert GAME.outcome(state) == "solved"
    assert GAME.score(state) == {"success": 1, "weighted_outcome": 1, "moves": 4, "messages": 5}


def test_talk_without_a_move_scores_nothing() -> None:
    scores = GAME.score(told(["Hello.", "ACTI!"]))

    assert scores == {"success": 0, "weighted_outcome": 0, "moves": 0, "messages": 2}


def test_an_episode_can_be_measured_before_it_is_over_and_before_it_begins() -> None:
    assert [GAME.score(told(["Hello."] * said))["messages"] for said in (0, 1)] == [0, 1]


def test_a_reply_may_be_empty() -> None:
    state = GAME.apply(told([]), {"agent_1": Reply(())})

    assert GAME.pending(state) == ("agent_2",)


@given(
    st.lists(st.sampled_from(["Hello.", "Agreed.", "Move right?", "(1, 1)", "ACTI!", ""]), max_size=9),
    st.sampled_from(SETTINGS),
    st.integers(1, 8),
)
def test_a_seat_is_asked_until_there_is_an_outcome(texts: list[str], setting: Setting, max_turns: int) -> None:
    for said in range(len(texts) + 1):
        state = told(texts[:said], setting=setting, max_turns=max_turns)
        assert (GAME.pending(state) == ()) == (GAME.outcome(state) is not None)
        assert len(state.dialogue) <= GAME.turn_limit(MazeOptions(setting=setting, max_turns=max_turns))


@given(st.lists(st.text(max_size=30), max_size=6), st.sampled_from(SETTINGS))
def test_the_same_replies_give_the_same_state(texts: list[str], setting: Setting) -> None:
    once, again = told(texts, setting=setting), told(texts, setting=setting)

    assert once == again
    assert GAME.score(once) == GAME.score(again)


@given(st.lists(st.text(max_size=60), max_size=4), st.sampled_from(SETTINGS))
def test_views_only_ever_grow(texts: list[str], setting: Setting) -> None:
    for seat in GAME.seats(MazeOptions(setting=setting)):
        views = [GAME.view(told(texts[:said], setting=setting), seat) for said in range(len(texts) + 1)]
        assert all(later[: len(view)] == view for view, later in pairwise(views))


def test_applying_a_reply_leaves_the_state_as_it_was() -> None:
    state = told([])

    GAME.apply(state, {"agent_1": Reply.of("Hello.")})

    assert state.dialogue == ()


def test_a_state_is_graded_once_however_often_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*args: Any) -> Any:
        calls.append(args)
        return grade(*args)

    from palaver_gamemasters.maze import game
    from palaver_gamemasters.maze.grading.grader import grade

    monkeypatch.setattr(game, "grade", counted)
    state = told(["Hello.", "ACTI!"])
    for _ in range(3):
        GAME.outcome(state)
        GAME.score(state)

    assert [list(turns) for _, turns, *_ in calls] == [[("agent_1", "Hello."), ("agent_2", "ACTI!")]]


def test_a_variant_is_a_setting() -> None:
    options = [GAME.configure({}, variant=setting) for setting in SETTINGS]

    assert [GAME.variant(chosen) for chosen in options] == list(SETTINGS)


def test_seats_partners_and_turns_follow_the_setting() -> None:
    pair, alone = MazeOptions(max_turns=30), MazeOptions(setting="solo-distributed", max_turns=30)

    assert (GAME.seats(pair), GAME.partners(pair, "agent_2"), GAME.turn_limit(pair)) == (
        ("agent_1", "agent_2"),
        ("agent_1",),
        30,
    )
    assert (GAME.seats(alone), GAME.partners(alone, "agent_1"), GAME.turn_limit(alone)) == (("agent_1",), (), 2)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (
            {"setting": "duo"},
            "option setting cannot be 'duo': Input should be 'solo-full', 'solo-distributed' or 'pair'",
        ),
        ({"size": "1"}, "option size cannot be '1'"),
        ({"size": "27"}, "option size cannot be '27'"),
        ({"density": "1.5"}, "option density cannot be '1.5'"),
        ({"density": "nan"}, "option density cannot be 'nan'"),
        ({"max_turns": "0"}, "option max_turns cannot be '0'"),
        ({"agents": "1"}, "option agents cannot be '1': Input should be greater than or equal to 2"),
        ({"agents": "9"}, "option agents cannot be '9': Input should be less than or equal to 8"),
        ({"cover": "0"}, "option cover cannot be '0'"),
        (
            {"agents": "3", "cover": "4"},
            r"cover 4 is more than the 3 agents \(each cell can be visible to 3 of them at most",
        ),
        ({"order": "shuffled"}, "option order cannot be 'shuffled': Input should be 'round-robin' or 'named'"),
        ({"min_path": "9", "max_path": "7"}, "min_path 9 is more than max_path 7"),
        ({"walls": "3"}, "maze has no option 'walls'"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(values: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as refused:
        GAME.configure(values)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "instance", [None, [], "@.*", {}, {"grid": []}, {"grid": ["@#*"]}, {"grid": ["@.*"], "views": 1}]
)
def test_an_instance_that_makes_no_game_is_refused_in_one_line(instance: Any) -> None:
    with pytest.raises(InstanceError) as refused:
        GAME.start(instance, MazeOptions())

    assert "\n" not in str(refused.value)


def test_the_scripts_are_listed_by_name() -> None:
    players = GAME.players()

    assert {"random", "optimal", "scripted"} < set(players)
    assert {name.partition("/")[0] for name in players} == {"random", "optimal", "scripted"}


def played(player: Player, instance: Instance, options: MazeOptions) -> MazeState:
    """Play an episode with one script in every seat."""
    state = GAME.start(instance.data, options)
    while seats := GAME.pending(state):
        request = a_request(
            turn=len(state.dialogue), seat=seats[0], seed=3, partners=GAME.partners(options, seats[0]),
            view=GAME.view(state, seats[0]),
        )  # fmt: skip
        state = GAME.apply(state, {seats[0]: Reply.of(player(request))})
    return state


@pytest.mark.parametrize("name", ["scripted", *(f"scripted/{style}" for style in STYLES)])
def test_every_scripted_style_plays_and_is_graded(name: str) -> None:
    options = MazeOptions()
    for instance in islice(GAME.instances(options, 7), 2):
        assert GAME.outcome(played(GAME.players()[name], instance, options)) == "solved", instance.id


# ---- more than two agents

THREE: dict[str, Any] = {"agents": 3}
ROUTE = ["right to (0, 1)", "down to (1, 1)", "down to (2, 1)", "right to (2, 2)"]


def test_three_agents_take_turns_and_see_a_copy_each_and_the_whole_dialogue() -> None:
    states = [told(["Hello."] * turns, **THREE) for turns in range(5)]

    assert [GAME.pending(state) for state in states] == [
        ("agent_1",),
        ("agent_2",),
        ("agent_3",),
        ("agent_1",),
        ("agent_2",),
    ]
    views = [GAME.view(states[2], seat) for seat in GAME.seats(MazeOptions(**THREE))]
    assert len({view[1:] for view in views}) == 1
    assert reduce(merge, (read_maps(view[0].text)[0] for view in views)) == Maze.parse(GIVEN["grid"])


def test_whoever_is_named_speaks_next_where_the_order_says_so() -> None:
    texts = ["Agent 3, what do you see?", "A wall.", "Agent 1 and agent 3, shall we?", "I, agent 1, say yes."]

    asked = [GAME.pending(told(texts[:said], agents=3, order="named"))[0] for said in range(5)]

    assert asked == ["agent_1", "agent_3", "agent_1", "agent_3", "agent_1"]


def test_a_name_changes_nothing_where_the_order_is_fixed() -> None:
    assert GAME.pending(told(["Agent 3, what do you see?"], **THREE)) == ("agent_2",)


def test_the_partners_of_an_agent_are_all_the_others() -> None:
    options = MazeOptions(agents=4, max_turns=9)

    assert GAME.partners(options, "agent_2") == ("agent_1", "agent_3", "agent_4")
    assert GAME.turn_limit(options) == 9


def test_a_dialogue_of_three_that_all_agree_on_a_route_is_solved() -> None:
    texts = ["I use (row, column) from (0, 0) at the top left."]
    for step in ROUTE:
        texts += [f"I propose that we move {step}.", "Agreed.", "Agreed."]

    state = told([*texts, "ACTI!"], **THREE)

    assert GAME.outcome(state) == "solved"
    assert GAME.score(state) == {"success": 1, "weighted_outcome": 1, "moves": 4, "messages": 14}


def test_a_move_that_an_agent_never_spoke_of_does_not_count() -> None:
    texts = ["Agent 2, I propose that we move right to (0, 1).", "Agreed. Agent 1, ACTI!"]

    assert GAME.score(told(texts, agents=3, order="named"))["moves"] == 0
    assert GAME.score(told(texts))["moves"] == 1


@pytest.mark.parametrize("text", ["ACTI!", "We are done. ACTI!"])
def test_any_of_three_ends_the_dialogue_with_the_phrase(text: str) -> None:
    for said in range(3):
        assert GAME.outcome(told([*["Hm."] * said, text], **THREE)) == "failed"


@pytest.mark.parametrize("variant", ["group-3", "group-3-named", "group-4-k2"])
def test_scripts_solve_the_maze_in_a_group(variant: str) -> None:
    options = GAME.configure({"max_turns": 100}, variant=variant)
    for instance in islice(GAME.instances(options, 7), 2):
        assert GAME.outcome(played(GAME.players()["scripted"], instance, options)) == "solved", instance.id


def test_progress_is_the_weighted_outcome_so_far() -> None:
    texts = [f"Agreed. I propose that we move {step}." for step in ROUTE] + ["Agreed. ACTI!"]

    assert [GAME.progress(told(texts[:said])) for said in range(6)] == [0, 0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize(("setting", "agents"), [("pair", 2), ("pair", 3), ("solo-full", 2), ("solo-distributed", 2)])
@pytest.mark.parametrize("members", [1, 2, 3])
def test_a_team_is_shown_each_cell_of_its_seats_maps_once(setting: Setting, agents: int, members: int) -> None:
    options = MazeOptions(setting=setting, agents=agents)
    state = GAME.start(next(GAME.instances(options, 4)).data, options)
    for seat in GAME.seats(options):
        own = read_maps(GAME.view(state, seat)[0].text)

        lead, *parts = [read_maps(view[0].text) for view in GAME.split(state, seat, members)]

        assert len(parts) == members
        for place, view in enumerate(own):
            known = [cell for part in parts for cell in view.cells() if part[place][cell] not in (HIDDEN, "@", "*")]
            assert sorted(known) == [cell for cell in view.cells() if view[cell] not in (HIDDEN, "@", "*")]
            assert set(str(lead[place])) <= set("@*?\n")


def test_but_for_the_map_a_team_is_shown_what_the_seat_is() -> None:
    state = told(["Hello.", "Hi."], agents=3)

    def mapless(view: tuple[Message, ...]) -> list[tuple[str, str]]:
        return [
            (message.speaker, "\n".join(line for line in message.text.splitlines() if not set(line) <= set("@*.#?")))
            for message in view
        ]

    views = GAME.split(state, "agent_2", 2)

    assert [mapless(view) for view in views] == [mapless(GAME.view(state, "agent_2"))] * 3
    assert GAME.split(state, "agent_2", 2) == views


def test_a_solo_seats_team_sees_the_critics_question_too() -> None:
    state = told([SOLUTION], setting="solo-full")

    views = GAME.split(state, "agent_1", 2)

    assert [view[1:] for view in views] == [GAME.view(state, "agent_1")[1:]] * 3


def test_a_team_without_members_is_refused() -> None:
    with pytest.raises(UsageError, match="agent_1's map cannot be divided among 0 members"):
        GAME.split(told([]), "agent_1", 0)


# ---- the study's figures


def test_the_published_figures_are_those_that_the_study_prints() -> None:
    published = GAME.published()

    def figure(table: str, first: str, second: str) -> tuple[float, float]:
        return next(
            (row["mean"], row["ci"]) for row in published[table] if (row["first"], row["second"]) == (first, second)
        )

    assert published["study"] == "The Collaboration Gap"
    assert figure("weighted_outcome", "o3", "gpt-4.1-mini") == (0.77, 0.03)
    assert figure("weighted_outcome", "gpt-4.1-mini", "o3") == (0.62, 0.05)
    assert figure("weighted_outcome", "gemini-2.5-flash-lite", "gemini-2.5-flash-lite") == (0.36, 0.02)
    assert figure("success", "gpt-5", "gpt-5") == (0.97, 0.02)
    assert figure("success", "command-a", "command-r7b") == (0.05, 0.10)
    assert published["solo"] == []


@pytest.mark.parametrize("table", ["weighted_outcome", "success"])
def test_every_published_figure_names_its_pairing_its_interval_and_its_place(table: str) -> None:
    rows = GAME.published()[table]

    assert all(set(row) == {"first", "second", "mean", "ci", "where"} for row in rows)
    assert all(0 <= row["mean"] <= 1 and 0 <= row["ci"] <= 0.2 for row in rows)
    assert len({(row["first"], row["second"]) for row in rows}) == 84
