"""Teams: who is asked, what each is shown, and what becomes of what they say."""

from collections.abc import Callable

import pytest
from examples.count_up import GAME, Count, CountUp, next_number

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.teams import addressed
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Aside, EpisodeStarted, TurnRequest, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.folding import play, seated

TEAM = "team(lead=boss,members=ann+ben)"
NESTED = "team(lead=boss,members=ann+team(lead=sub,members=ned))"


def opening(target: int = 4, handoff: str = "all", **seats: str) -> EpisodeStarted:
    config = RunConfig(run_id="run", game="count-up", agents=("toy",), options={"target": target})
    return seated(plan(GAME, config).openings[0], handoff, **seats)


def consulting(question: str = "@all: what comes next?") -> Callable[[TurnRequest], str]:
    """Let leads ask once a turn, members answer their name, and all others count."""

    def speak(request: TurnRequest) -> str:
        if request.role == "member" or (request.role == "lead" and request.partners[0] == "lead" and heard(request)):
            return f"{request.seat} says so"
        if request.role == "lead" and not heard(request):
            return question
        return next_number(request)

    def heard(request: TurnRequest) -> bool:
        return request.view[-1].speaker in request.members

    return speak


def names(asked: list[TurnRequest]) -> list[str]:
    return [request.agent for request in asked]


def texts(request: TurnRequest) -> list[tuple[str, str]]:
    return [(message.speaker, message.text.rstrip("!")) for message in request.view if message.speaker != USER]


def test_a_lead_consults_its_members_and_speaks_for_the_seat() -> None:
    episode, log, asked = play(GAME, opening(first=TEAM), consulting())
    assert names(asked) == ["boss", "ann", "ben", "boss", "toy", "boss", "ann", "ben", "boss", "toy"]
    assert [type(entry) for entry in log[1:5]] == [Aside, Aside, Aside, TurnTaken]
    assert (episode.outcome, episode.turns) == ("solved", 4)


def test_what_is_said_behind_a_seat_has_its_own_audience() -> None:
    _, log, _ = play(GAME, opening(first=TEAM), consulting("@member 2: you?"))
    question, answer = log[1:3]
    assert (question.kind, question.reply.seat, question.audience) == ("question", "first", ("member_2",))
    assert (answer.kind, answer.reply.seat, answer.audience) == ("answer", "member_2", ("first",))
    assert {question.seat, answer.seat} == {"first"}


def test_no_other_seat_ever_hears_of_a_team() -> None:
    _, _, asked = play(GAME, opening(first=TEAM), consulting())
    others = [request for request in asked if request.seat == "second"]
    assert [texts(request) for request in others] == [
        [("first", "1")],
        [("first", "1"), ("second", "2"), ("first", "3")],
    ]
    assert all(request.partners == ("first",) for request in others)


def test_a_lead_is_shown_the_talk_of_each_turn_before_the_word_that_it_led_to() -> None:
    _, _, asked = play(GAME, opening(first=TEAM), consulting())
    last = [request for request in asked if request.agent == "boss"][-1]
    assert [speaker for speaker, _ in texts(last)] == [
        *("first", "member_1", "member_2", "first"),
        "second",
        *("first", "member_1", "member_2"),
    ]
    assert (last.role, last.members, last.partners) == (
        "lead",
        ("member_1", "member_2"),
        ("second", "member_1", "member_2"),
    )
    assert "You lead a team that speaks with one voice, as first." in last.view[1].text


def test_a_member_is_shown_what_the_seat_is_shown_and_its_own_talk_alone() -> None:
    _, _, asked = play(GAME, opening(first=TEAM), consulting("@member 1: one?\n@member 2: two?"))
    ann, ben = [request for request in asked if request.role == "member"][-2:]
    assert texts(ann) == [
        *(("lead", "one?"), ("member_1", "member_1 says so"), ("lead", "1")),
        *(("second", "2"), ("lead", "one?")),
    ]
    assert texts(ben)[0] == ("lead", "two?")
    assert ann.partners == ("lead", "second")
    assert ann.view[0].text == asked[0].view[0].text, "the seat's task"
    assert "You are member 1" in ann.view[1].text


def test_members_may_be_shown_nothing_but_what_their_lead_writes() -> None:
    _, _, asked = play(GAME, opening(first="team(lead=boss,members=ann,show=nothing)"), consulting())
    ann = [request for request in asked if request.role == "member"][-1]
    assert [speaker for speaker, _ in texts(ann)] == ["lead", "member_1", "lead"]
    assert ann.partners == ("lead",)
    assert len([message for message in ann.view if message.speaker == USER]) == 1


class Divided(CountUp):
    """Count up, in which each member of a team is shown a card of its own."""

    def split(self, state: Count, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        _, *said = self.view(state, seat)
        cards = ["no card", *(f"card {number}" for number in range(1, members + 1))]
        return tuple((Message.text_from(USER, card), *said) for card in cards)


def test_members_may_hold_a_part_each_that_the_lead_is_not_shown() -> None:
    _, _, asked = play(Divided(), opening(first="team(lead=boss,members=ann+ben,show=split)"), consulting())
    cards = {request.agent: request.view[0].text for request in asked if request.seat != "second"}
    assert cards == {"boss": "no card", "ann": "card 1", "ben": "card 2"}


def test_a_game_that_cannot_be_divided_says_so() -> None:
    episode = Episode(GAME, opening(first="team(lead=boss,members=ann,show=split)"))
    with pytest.raises(UsageError, match="cannot divide"):
        list(episode.requests(timeout_s=1.0))


def test_a_lead_that_has_used_up_its_rounds_speaks_for_its_seat() -> None:
    _, log, asked = play(GAME, opening(first="team(lead=boss,members=ann,rounds=2)"), lambda _: "@all: again?", turns=1)
    assert names(asked) == ["boss", "ann", "boss", "ann", "boss"]
    assert isinstance(log[-1], TurnTaken)


def test_a_team_within_a_team_answers_its_lead_with_one_voice() -> None:
    _, log, asked = play(GAME, opening(first=NESTED), consulting(), turns=1)
    assert names(asked) == ["boss", "ann", "sub", "ned", "sub", "boss"]
    told = [(entry.reply.seat, entry.kind, entry.audience) for entry in log[1:-1]]
    assert told == [
        ("first", "question", ("member_1", "member_2")),
        ("member_1", "answer", ("first",)),
        ("member_2", "question", ("member_2_1",)),
        ("member_2_1", "answer", ("member_2",)),
        ("member_2", "answer", ("first",)),
    ]
    sub = asked[4]
    assert sub.partners == ("lead", "second", "member_2_1")
    assert texts(sub) == [
        ("lead", "what comes next?"),
        ("member_2", "@all: what comes next?"),
        ("member_2_1", "member_2_1 says so"),
    ]
    ned = asked[3]
    assert texts(ned) == [("lead", "what comes next?"), ("member_2", "what comes next?")]


def test_teams_sit_on_both_seats_without_hearing_each_other() -> None:
    _, log, asked = play(GAME, opening(first=TEAM, second=TEAM), consulting(), turns=2)
    assert names(asked) == ["boss", "ann", "ben", "boss"] * 2
    assert len({request.key for request in asked}) == 8
    assert [entry.seat for entry in log if isinstance(entry, Aside)] == ["first"] * 3 + ["second"] * 3
    assert texts(asked[7]) == [
        ("first", "1"),
        *(("second", "@all: what comes next?"), ("member_1", "member_1 says so"), ("member_2", "member_2 says so")),
    ]


@pytest.mark.parametrize(("first", "second"), [(TEAM, "toy"), (NESTED, TEAM)])
def test_every_place_of_a_log_with_asides_is_one_to_go_on_from(first: str, second: str) -> None:
    _, log, asked = play(GAME, opening(first=first, second=second), consulting())
    for length in range(1, len(log)):
        episode = Episode.from_log(GAME, log[:length])
        assert asked[length - 1] in list(episode.requests(timeout_s=1.0))


def test_members_are_asked_at_the_same_time() -> None:
    episode, _, _ = play(GAME, opening(first=TEAM), consulting(), turns=0)
    request = next(episode.requests(timeout_s=1.0))
    from tests.support import NOON, a_reply

    episode.take(episode.step(request, a_reply(request, "@all: well?"), NOON))
    assert [request.agent for request in episode.requests(timeout_s=1.0)] == ["ann", "ben"]


def test_a_team_takes_over_a_seat_and_hands_it_on() -> None:
    _, _, asked = play(GAME, opening(target=8, first=f"ada@2>{TEAM}@4>eve"), consulting())
    firsts = [request for request in asked if request.seat == "first"]
    assert names(firsts) == ["ada", "boss", "boss", "eve", "eve"]
    assert texts(firsts[1]) == [("first", "1"), ("second", "2")]
    assert [speaker for speaker, _ in texts(firsts[3])] == ["first", "second"] * 2, "the newcomer hears no private talk"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("@all: look", {"member_1": "look", "member_2": "look"}),
        ("@member 2: look\nat this", {"member_2": "look\nat this"}),
        ("**@Member_1**: a\n@member 2, b", {"member_1": "a", "member_2": "b"}),
        ("@all: x\n@member 1: y", {"member_1": "x\n\ny", "member_2": "x"}),
        ("\n  @team: hello", {"member_1": "hello", "member_2": "hello"}),
        ("Hello. @all: x", {}),
        ("Hello.\n@member 1: x", {}),
        ("@member 3: x", {}),
        ("@second: x", {}),
        ("mail me @member 1", {}),
    ],
)
def test_a_lead_addresses_members_at_the_start_of_its_message(text: str, blocks: dict[str, str]) -> None:
    assert addressed(text, ["member_1", "member_2"]) == blocks
