"""Grading as a game: votes, answers that are asked for again, majorities; on a game that is easy to see through."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import (
    AnyGame,
    Game,
    GameOutcome,
    Instance,
    Options,
    Read,
    Reply,
    Scores,
    UnreadableGradeError,
)
from palaver_gamemasters.grading import AGAIN, GradingGame, GradingState, Vote
from palaver_gamemasters.majority import majority
from palaver_gamemasters.played import PlayedEpisode, final_state
from palaver_gamemasters.table import Patience
from palaver_protocols.errors import AgentError, InstanceError, UsageError
from palaver_protocols.messages import Aside, EpisodeStarted, FinishReason, Player, SeatFiller
from palaver_protocols.transcript import USER, Message
from tests.support import NOON, a_reply, a_request, a_start, a_turn
from tests.toys import Match, ToyModel, serving


class Chat(Game[tuple[str, ...], Options]):
    """Two seats say one word each; a grader says how good that was, as a number."""

    name = "chat"
    summary = "says two words"
    options_type = Options
    primary_score = "success"

    def variant(self, options: Options) -> str:
        return "plain"

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        yield Instance("only", {})

    def seats(self, options: Options) -> tuple[str, ...]:
        return ("a", "b")

    def turn_limit(self, options: Options) -> int:
        return 2

    def start(self, instance: JsonValue, options: Options) -> tuple[str, ...]:
        return ()

    def pending(self, state: tuple[str, ...]) -> tuple[str, ...]:
        return (("a", "b")[len(state)],) if len(state) < 2 else ()

    def view(self, state: tuple[str, ...], seat: str) -> tuple[Message, ...]:
        return ()

    def apply(self, state: tuple[str, ...], replies: Mapping[str, Reply]) -> tuple[str, ...]:
        return (*state, *(reply.text for reply in replies.values()))

    def outcome(self, state: tuple[str, ...]) -> GameOutcome | None:
        return "failed" if len(state) == 2 else None

    def score(self, state: tuple[str, ...]) -> Scores:
        return {"success": 0.0}

    def grading_views(self, state: tuple[str, ...]) -> tuple[tuple[Message, ...], ...]:
        return ((Message.text_from(USER, " ".join(state)),),)

    def read_grade(self, state: tuple[str, ...], text: str, question: int = 0) -> Read:
        try:
            quality = float(text)
        except ValueError:
            raise UnreadableGradeError("it is no number") from None
        return Read("solved", {"success": float(quality > 0.5), "quality": quality}, {"said": text})

    def graders(self) -> Mapping[str, Player]:
        return {"scripted": lambda request: "1"}

    def players(self) -> Mapping[str, Player]:
        return {}


CHAT = Chat()
PLAYED: dict[str, JsonValue] = PlayedEpisode.from_log(
    [
        a_start(game="chat"),
        a_turn("k0", "good", seat="a", turn=0),
        a_turn("k1", "day", seat="b", turn=1),
    ]
).model_dump(mode="json")


def grading(**options: Any) -> tuple[GradingGame, GradingState]:
    game = GradingGame(CHAT)
    return game, game.start(PLAYED, game.configure(options))


def hear(game: GradingGame, state: GradingState, *texts: str, finish: FinishReason = "stop") -> GradingState:
    """Give each pending grader its answer."""
    pending = game.pending(state)
    replies = {seat: Reply(Reply.of(text).parts, finish) for seat, text in zip(pending, texts, strict=True)}
    return game.apply(state, replies)


def texts(view: tuple[Message, ...]) -> list[tuple[str, str]]:
    return [(message.speaker, message.text) for message in view]


# -- what graders are asked


def test_every_vote_is_a_seat_and_all_are_asked_at_once() -> None:
    game, state = grading(votes=3)

    assert game.pending(state) == ("grader_1", "grader_2", "grader_3")
    assert texts(game.view(state, "grader_2")) == [("user", "good day")]


def test_graders_do_not_hear_of_each_other() -> None:
    game, state = grading(votes=3)

    heard = hear(game, state, "1", "what?", "0")

    assert game.pending(heard) == ("grader_2",)
    assert "0" not in [text for _, text in texts(game.view(heard, "grader_2"))]
    assert game.partners(game.configure({"votes": 3}), "grader_1") == ()


def test_an_unreadable_answer_is_asked_for_again_and_its_problem_named() -> None:
    game, state = grading()

    asked = texts(game.view(hear(game, state, "well"), "grader_1"))

    assert asked == [
        ("user", "good day"),
        ("grader_1", "well"),
        ("user", AGAIN.format(problem="it is no number")),
    ]


@pytest.mark.parametrize(
    ("text", "finish", "problem"),
    [
        ("1", "length", "it was cut off at the length limit, so that its end is missing"),
        ("I will not.", "refusal", "it is a refusal"),
        ("", "content_filter", "a content filter has stopped it"),
        (" \n", "stop", "it is empty"),
    ],
)
def test_an_answer_that_did_not_come_to_its_end_is_not_read(text: str, finish: FinishReason, problem: str) -> None:
    game, state = grading()

    assert hear(game, state, text, finish=finish).votes["grader_1"] == Vote(unreadable=((text, problem),), refused=1)


# -- how it ends


def test_a_vote_runs_out_after_so_many_answers() -> None:
    game, state = grading(reasks=1)

    once = hear(game, state, "well")
    twice = hear(game, once, "well, well")

    assert (game.outcome(once), game.outcome(twice)) == (None, "failed")
    assert (twice.reads, twice.ungraded, game.refused(twice)) == ((), ("it is no number",), 2)
    assert game.score(twice) == {"graded": 0.0}
    assert game.turn_limit(game.configure({"reasks": 1, "votes": 3})) == 6


def test_one_vote_that_can_be_used_grades_the_episode() -> None:
    game, state = grading(votes=3, reasks=0)

    state = hear(game, state, "what?", "0.75", "why?")

    assert game.outcome(state) == "solved"
    assert game.score(state) == {"success": 1.0, "quality": 0.75, "graded": 1 / 3}
    assert [read.detail for read in state.reads] == [{"said": "0.75"}]


def test_an_answer_that_was_mended_counts_like_any_other() -> None:
    game, state = grading()

    assert game.outcome(hear(game, hear(game, state, "well"), "1")) == "solved"


@pytest.mark.parametrize(("votes", "message"), [(2, "an odd number"), (0, "greater than or equal to 1")])
def test_votes_that_make_no_majority_are_refused(votes: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        GradingGame(CHAT).configure({"votes": votes})


# -- majorities


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        pytest.param([], {}, id="no votes"),
        pytest.param([{"success": 1.0, "way": 0.5}], {"success": 1.0, "way": 0.5}, id="one vote"),
        pytest.param(
            [{"success": 1.0, "way": 1.0}, {"success": 0.0, "way": 0.25}, {"success": 1.0, "way": 1.0}],
            {"success": 1.0, "way": 1.0},
            id="others follow those who agree with the majority",
        ),
        pytest.param(
            [{"success": 0.0, "way": 0.5}, {"success": 0.0, "way": 0.25}, {"success": 1.0, "way": 1.0}],
            {"success": 0.0, "way": 0.375},
            id="the median of the two that agree",
        ),
        pytest.param([{"success": 1.0}, {"success": 0.0}], {"success": 0.0}, id="a tie is no success"),
        pytest.param([{"way": 0.1}, {"way": 0.9}, {"way": 0.3}], {"way": 0.3}, id="no success, the median of all"),
        pytest.param([{"way": None}, {"way": 0.5}, {"way": None}], {"way": 0.5}, id="None has no vote"),
        pytest.param([{"way": None}], {"way": None}, id="nobody says anything"),
    ],
)
def test_a_majority_is(votes: list[Scores], expected: Scores) -> None:
    assert majority(votes) == expected


# -- what is graded


def test_only_what_the_game_was_told_is_graded() -> None:
    request = a_request(seat="member_1")
    aside = Aside(key="x", seat="a", kind="answer", reply=a_reply(request, "psst"), at=NOON)

    played = PlayedEpisode.from_log([a_start(game="chat"), aside, a_turn("k0", "good", seat="a", turn=0)])

    assert [reply.seat for reply in played.replies] == ["a"]


def test_an_episode_that_is_not_over_is_not_graded() -> None:
    played = PlayedEpisode.from_log([a_start(game="chat"), a_turn("k0", "good", seat="a", turn=0)])

    with pytest.raises(UsageError, match="not over by the rules of today"):
        final_state(CHAT, played)


def test_a_game_whose_rules_suffice_has_nothing_to_grade() -> None:
    rounds: list[JsonValue] = [
        {"seat": seat, "parts": [{"type": "text", "text": "red"}]} for seat in ("left", "right") * 2
    ]
    played: dict[str, JsonValue] = {
        "game": "match",
        "variant": "plain",
        "instance": {},
        "options": {},
        "replies": rounds,
    }
    game = GradingGame(Match())

    with pytest.raises(InstanceError, match="match has nothing for a model to grade"):
        game.start(played, game.configure({}))


@pytest.mark.parametrize(
    ("instance", "message"), [({}, "game: Field required"), ({**PLAYED, "game": "toy"}, "an episode of toy")]
)
def test_what_is_no_episode_of_the_game_is_named(instance: JsonValue, message: str) -> None:
    game = GradingGame(CHAT)

    with pytest.raises(InstanceError, match=message):
        game.start(instance, game.configure({}))


def test_the_scripts_are_those_of_the_graded_game() -> None:
    assert list(GradingGame(CHAT).players()) == ["scripted"]
    assert GradingGame(Match()).players() == {}


def test_instances_are_the_episodes_given() -> None:
    game = GradingGame(CHAT, [Instance("e0", PLAYED)])

    assert [instance.id for instance in game.instances(game.configure({}), seed=7)] == ["e0"]
    assert game.variant(game.configure({})) == "chat"


# -- on the bus


def an_opening(votes: int) -> EpisodeStarted:
    seats = {f"grader_{number}": (SeatFiller(agent="judge"),) for number in range(1, votes + 1)}
    return a_start(game="grading", variant="chat", instance=PLAYED, options={"votes": votes}, seats=seats, seed=3)


async def graded(game: AnyGame, model: ToyModel, votes: int = 1) -> Episode:
    """Have a model grade on a bus; return the episode as its log tells it."""
    broker = MemoryBroker()
    async with broker, serving(broker, "judge", model), open_engine(broker) as engine:
        await engine.play(game, an_opening(votes), Patience(tries=1))
        return Episode.from_log(game, await broker.read("log:run/e0"))


async def test_graders_are_asked_over_the_bus_and_each_with_a_seed_of_its_own() -> None:
    model = ToyModel(lambda request: "1" if len(request.view) > 1 else "hm")

    episode = await graded(GradingGame(CHAT), model, votes=3)

    assert (episode.outcome, episode.turns) == ("solved", 6)
    assert len({request.seed for request in model.asked}) == 3
    assert {request.partners for request in model.asked} == {()}


async def test_a_grader_that_fails_for_good_leaves_the_episode_owed() -> None:
    model = ToyModel(lambda request: AgentError("no such model", code="not_found", retryable=False))

    episode = await graded(GradingGame(CHAT), model)

    assert episode.ended is not None
    assert (episode.ended.outcome, episode.ended.error) == ("error", "judge: no such model")
