"""Grading in several questions: each asked by itself, one after the other, and merged into one grade."""

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import GameOutcome, Instance, Read, Reply, Scores, UnreadableGradeError
from palaver_gamemasters.grading import AGAIN, GradingGame, GradingState
from palaver_gamemasters.table import Patience
from palaver_protocols.errors import AgentError, InstanceError
from palaver_protocols.keys import key_prefix, request_key
from palaver_protocols.messages import EpisodeStarted, Schema, SeatFiller, TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.test_grading import CHAT, PLAYED, Chat
from tests.support import a_reply, a_start
from tests.toys import ToyModel, serving

SCHEMA: Schema = {"title": "Verdict", "type": "object", "properties": {}, "required": [], "additionalProperties": False}


class Exam(Chat):
    """Of every word a grader is asked by itself whether it is good: yes or no."""

    name = "chat"

    def grading_views(self, state: tuple[str, ...]) -> tuple[tuple[Message, ...], ...]:
        return tuple((Message.text_from(USER, word),) for word in state if word != "dull")

    def read_grade(self, state: tuple[str, ...], text: str, question: int = 0) -> Read:
        if text not in ("yes", "no"):
            raise UnreadableGradeError("it is neither yes nor no")
        return Read("failed", {"good": float(text == "yes")}, {state[question]: text})

    def merge_grades(self, state: tuple[str, ...], reads: Sequence[Read]) -> Read:
        good = sum(read.scores["good"] or 0.0 for read in reads) / len(reads)
        return Read("failed", {"good": good}, [read.detail for read in reads])

    def grading_schema(self, state: tuple[str, ...]) -> Schema | None:
        return SCHEMA


EXAM = Exam()


def played(*words: str) -> dict[str, JsonValue]:
    replies: list[JsonValue] = [
        {"seat": seat, "parts": [{"type": "text", "text": word}]} for seat, word in zip("ab", words, strict=True)
    ]
    return {**PLAYED, "replies": replies}


def begin(reasks: int = 1, votes: int = 1, again: int = 0) -> tuple[GradingGame, GradingState]:
    game = GradingGame(EXAM)
    return game, game.start(PLAYED, game.configure({"reasks": reasks, "votes": votes, "again": again}))


def hear(game: GradingGame, state: GradingState, **texts: str) -> GradingState:
    return game.apply(state, {seat: Reply.of(text) for seat, text in texts.items()})


def shown(game: GradingGame, state: GradingState, seat: str = "grader_1") -> list[str]:
    return [message.text for message in game.view(state, seat)]


def ends(game: GradingGame, state: GradingState) -> tuple[GameOutcome | None, Scores]:
    return game.outcome(state), game.score(state)


def test_each_question_is_asked_by_itself() -> None:
    game, first = begin()

    second = hear(game, first, grader_1="yes")

    assert (shown(game, first), shown(game, second)) == (["good"], ["day"])


def test_the_grade_is_merged_of_all_answers_in_their_order() -> None:
    game, state = begin()

    done = hear(game, hear(game, state, grader_1="yes"), grader_1="no")

    assert ends(game, done) == ("solved", {"good": 0.5, "graded": 1.0})
    assert done.reads[0].detail == [{"good": "yes"}, {"day": "no"}]


def test_an_unreadable_answer_is_asked_for_again_with_its_own_question_only() -> None:
    game, state = begin()

    again = hear(game, hear(game, state, grader_1="yes"), grader_1="hm")

    assert shown(game, again) == ["day", "hm", AGAIN.format(problem="it is neither yes nor no")]


def test_each_question_has_re_asks_of_its_own_and_all_refusals_are_counted() -> None:
    game, state = begin(reasks=1)

    for said in ("hm", "yes", "hm", "yes"):
        state = hear(game, state, grader_1=said)

    assert (game.outcome(state), game.refused(state)) == ("solved", 2)


def test_a_vote_that_stays_unreadable_is_asked_nothing_more_and_names_the_question() -> None:
    game, state = begin(reasks=0)

    lost = hear(game, state, grader_1="hm")

    assert (game.pending(lost), game.outcome(lost)) == ((), "failed")
    assert lost.ungraded == ("question 1 of 2: it is neither yes nor no",)


def test_half_a_vote_is_no_vote() -> None:
    game, state = begin(reasks=0)

    lost = hear(game, hear(game, state, grader_1="yes"), grader_1="hm")

    assert (lost.reads, ends(game, lost)) == ((), ("failed", {"graded": 0.0}))
    assert lost.ungraded == ("question 2 of 2: it is neither yes nor no",)


def test_votes_go_through_the_questions_side_by_side_and_one_that_is_lost_holds_up_no_other() -> None:
    game, state = begin(reasks=0, votes=3)

    second = hear(game, state, grader_1="yes", grader_2="hm", grader_3="no")
    done = hear(game, second, grader_1="yes", grader_3="yes")

    assert game.pending(second) == ("grader_1", "grader_3")
    assert ends(game, done) == ("solved", {"good": 0.75, "graded": 2 / 3})


def test_a_vote_that_is_asked_anew_goes_on_where_it_ran_out_and_sees_nothing_of_that() -> None:
    game, state = begin(reasks=1, again=1)

    for said in ("yes", "hm", "hm"):
        state = hear(game, state, grader_1=said)
    anew = shown(game, state)
    state = hear(game, state, grader_1="hm")

    assert (anew, state.most_answers, game.refused(state)) == (["day"], 2, 3)
    assert shown(game, state) == ["day", "hm", AGAIN.format(problem="it is neither yes nor no")]
    assert ends(game, hear(game, state, grader_1="no")) == ("solved", {"good": 0.5, "graded": 1.0})
    assert hear(game, state, grader_1="hm").ungraded == ("question 2 of 2: it is neither yes nor no",)


def test_votes_are_asked_anew_when_no_other_is_owed_anything_so_that_what_was_said_before_fits() -> None:
    said = ({"grader_1": "hm", "grader_2": "yes", "grader_3": "yes"}, {"grader_2": "yes", "grader_3": "yes"})
    asked = []
    for again in (0, 1):
        game, state = begin(reasks=0, votes=3, again=again)
        pending = [game.pending(state)]
        for texts in said:
            state = hear(game, state, **texts)
            pending.append(game.pending(state))
        asked.append(pending)

    assert asked[0] == [("grader_1", "grader_2", "grader_3"), ("grader_2", "grader_3"), ()]
    assert asked[1] == [*asked[0][:-1], ("grader_1",)]


def test_options_that_ask_nothing_anew_are_those_of_before_and_each_time_takes_its_answers() -> None:
    game = GradingGame(EXAM)
    episode = Instance("e", PLAYED)
    once, twice = (game.configure({"reasks": 1, "votes": 3, "again": again}) for again in (0, 1))

    assert once.model_dump(mode="json") == {"votes": 3, "reasks": 1}
    assert (game.turn_limit_of(episode, once), game.turn_limit_of(episode, twice)) == (12, 18)


def test_the_turn_limit_is_that_of_the_episode_with_most_questions() -> None:
    episodes = [
        Instance("two", PLAYED),
        Instance("one", played("dull", "day")),
        Instance("none", played("dull", "dull")),
    ]
    game = GradingGame(EXAM, episodes)
    options = game.configure({"votes": 3, "reasks": 1})

    assert game.turn_limit(options) == 12
    assert [game.turn_limit_of(episode, options) for episode in episodes] == [12, 6, 0]
    assert GradingGame(EXAM).turn_limit(options) == 6


def test_an_episode_without_a_question_makes_no_grading() -> None:
    game = GradingGame(EXAM)

    with pytest.raises(InstanceError, match="nothing for a model to grade"):
        game.start(played("dull", "dull"), game.configure({}))


def test_one_question_is_merged_to_itself() -> None:
    read = Read("solved", {"success": 1.0})

    assert CHAT.merge_grades(("good", "day"), [read]) is read


# -- on the bus


OPENING: EpisodeStarted = a_start(
    game="grading", variant="chat", instance=PLAYED, seats={"grader_1": (SeatFiller(agent="judge"),)}
)


async def graded(*models: ToyModel) -> Episode:
    """Have each model grade in turn, on one bus, until it fails; return the episode as its log tells it."""
    broker = MemoryBroker()
    async with broker:
        for model in models:
            async with serving(broker, "judge", model), open_engine(broker) as engine:
                await engine.play(GradingGame(EXAM), OPENING, Patience(tries=1))
        return Episode.from_log(GradingGame(EXAM), await broker.read("log:run/e0"))


async def test_requests_carry_the_schema_of_the_answers() -> None:
    model = ToyModel(lambda request: "yes")

    await graded(model)

    assert [request.answer_schema for request in model.asked] == [SCHEMA, SCHEMA]


async def test_a_grading_that_was_stopped_in_the_middle_goes_on_with_the_next_question() -> None:
    def gives_up(request: TurnRequest) -> str | AgentError:
        return "yes" if request.turn == 0 else AgentError("no money", code="quota", retryable=False)

    first, second = ToyModel(gives_up), ToyModel(lambda request: "no")

    episode = await graded(first, second)

    assert [request.view[0].text for request in second.asked] == ["day"]
    assert (episode.outcome, episode.scores) == ("solved", {"good": 0.5, "graded": 1.0})


HASHED = (
    *("run_id", "episode_id", "game", "variant", "seat", "agent", "partners", "role", "members", "protocol"),
    *("sampling", "seed"),
)
"""What keys were made of before there were schemas: gradings of then are still read."""


def test_a_game_without_schemas_leaves_them_out_of_what_is_sent_and_out_of_the_keys() -> None:
    [plain] = Episode(GradingGame(CHAT), OPENING).requests(timeout_s=1.0)
    [held] = Episode(GradingGame(EXAM), OPENING.model_copy(update={"instance": played("good day", "dull")})).requests(
        timeout_s=1.0
    )

    assert "answer_schema" not in plain.model_dump_json()
    assert plain.key == request_key(key_prefix({name: getattr(plain, name) for name in HASHED}), 0, plain.view)
    assert (held.view, held.answer_schema, held.key != plain.key) == (plain.view, SCHEMA, True)


def test_a_lead_and_its_members_are_held_to_no_schema() -> None:
    seats = {"grader_1": (SeatFiller(agent="team(lead=judge,members=judge)"),)}
    episode = Episode(GradingGame(EXAM), OPENING.model_copy(update={"seats": seats}))
    [to_lead] = episode.requests(timeout_s=1.0)

    episode.take(episode.step(to_lead, a_reply(to_lead, "@member_1: is it good?"), OPENING.at))
    [to_member] = episode.requests(timeout_s=1.0)

    assert (to_lead.role, to_member.role) == ("lead", "member")
    assert [to_lead.answer_schema, to_member.answer_schema] == [None, None]
