"""The hall: who has a seat, what is asked there, whose time runs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from palaver_agents import Completion
from palaver_agents.human import Hall, PeopleStore, Place, SeatingError, Tokens
from palaver_agents.human.places import Chair, is_for_people
from palaver_agents.human.pseudonyms import checked_pseudonym, new_pseudonym
from palaver_protocols.errors import AgentError, UsageError
from palaver_protocols.messages import EpisodeEnded, SeatChanged, SeatFiller
from palaver_protocols.seating import read_seat
from tests.support import NOON, a_request, a_start, a_turn, until

SECRET = Tokens(b"s" * 32)
PLACE = Place("run", "e0", "a")


class Clock:
    """A time that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def no_logs(_: str) -> list[Any]:
    return []


def a_hall(store: PeopleStore | None = None, **more: Any) -> Hall:
    hall = Hall(SECRET, store, **more)
    hall.open(no_logs)
    return hall


async def asked(hall: Hall, **changes: Any) -> tuple[asyncio.Task[Completion], Chair]:
    request = a_request(agent="human", **changes)
    task = asyncio.create_task(hall.ask(request))
    place = Place(request.run_id, request.episode_id, request.seat)
    await until(lambda: (chair := hall.chair_of(place)) is not None and request.key in chair.questions)
    chair = hall.chair_of(place)
    assert chair is not None
    return task, chair


async def test_what_a_person_says_is_the_answer_with_the_time_since_it_was_seen() -> None:
    clock = Clock()
    hall = a_hall(clock=clock)
    answer, chair = await asked(hall)
    clock.now += 500  # nobody had the seat
    hall.claim(chair, "me", "calm-otter-42")
    hall.see(chair, "me")
    clock.now += 7.5
    hall.say(chair, "me", "k0", "Hello.")
    completion = await answer
    assert (completion.text, completion.provider, completion.model) == ("Hello.", "human", "calm-otter-42")
    assert completion.latency_s == 7.5
    assert chair.asked is None


async def test_of_two_who_come_the_first_has_the_seat() -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    with pytest.raises(SeatingError, match="this seat is taken") as refused:
        hall.claim(chair, "you", "second")
    assert refused.value.code == "taken"
    with pytest.raises(SeatingError, match="this seat is not yours"):
        hall.see(chair, "you")
    with pytest.raises(SeatingError, match="this seat is not yours"):
        hall.say(chair, "you", "k0", "x")
    with pytest.raises(SeatingError, match="this seat is not yours"):
        hall.leave(chair, "you")
    assert hall.claim(chair, "me", "again").who == "first"
    answer.cancel()


async def test_who_leaves_frees_the_seat_and_the_question_stays() -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    hall.see(chair, "me")
    hall.leave(chair, "me")
    hall.claim(chair, "you", "second")
    assert chair.asked is not None
    assert chair.asked.shown is None
    hall.say(chair, "you", "k0", "Mine now.")
    assert (await answer).model == "second"


async def test_saying_it_twice_is_heard_once_and_what_is_no_longer_asked_is_refused() -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    hall.say(chair, "me", "k0", "Hello.")
    hall.say(chair, "me", "k0", "Something else.")
    assert (await answer).text == "Hello."
    hall.say(chair, "me", "k0", "Late.")
    with pytest.raises(SeatingError, match="no longer asked") as refused:
        hall.say(chair, "me", "k9", "Hello.")
    assert refused.value.code == "stale"


@pytest.mark.parametrize(("text", "code"), [("  \n", "malformed"), ("ä" * 20_000, "too_large")])
async def test_an_answer_that_cannot_be_used_is_refused(text: str, code: str) -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    with pytest.raises(SeatingError) as refused:
        hall.say(chair, "me", "k0", text)
    assert refused.value.code == code
    answer.cancel()


async def test_half_a_character_is_said_as_a_question_mark() -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    hall.say(chair, "me", "k0", "a\ud800b")
    assert (await answer).text == "a?b"


async def test_time_runs_only_while_the_person_is_there_and_has_seen_the_question() -> None:
    clock = Clock()
    hall = a_hall(clock=clock)
    answer, chair = await asked(hall, timeout_s=60.0)
    hall.claim(chair, "me", "first")
    assert hall.deadline(chair) is None
    with hall.present(chair, "me"):
        assert hall.deadline(chair) is None
        hall.see(chair, "me")
        assert hall.deadline(chair) == 1060.0
        clock.now += 20
    clock.now += 300  # the network was lost
    assert hall.deadline(chair) is None
    with hall.present(chair, "me"):
        assert hall.deadline(chair) == clock.now + 40
    answer.cancel()


async def test_when_the_time_is_over_the_question_has_failed_for_now() -> None:
    hall = a_hall()
    answer, chair = await asked(hall, timeout_s=0.02)
    hall.claim(chair, "me", "first")
    with hall.present(chair, "me"):
        hall.see(chair, "me")
        with pytest.raises(AgentError, match=r"no answer within 0.02 s") as failed:
            await answer
    assert (failed.value.code, failed.value.retryable) == ("timeout", True)
    assert chair.late
    again, _ = await asked(hall, attempt=2)
    hall.say(chair, "me", "k0", "Now.")
    assert (await again).text == "Now."
    assert not chair.late


async def test_who_stays_away_for_long_has_left() -> None:
    hall = a_hall(away_s=0.02)
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    await until(lambda: chair.claim is None)
    assert hall.claim(chair, "you", "second").who == "second"
    answer.cancel()


async def test_who_is_there_is_not_sent_away() -> None:
    hall = a_hall(away_s=0.01)
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    with hall.present(chair, "me"):
        assert not hall._leaving
    answer.cancel()


async def test_the_time_that_it_took_counts_from_when_it_was_seen_first_though_it_was_asked_again() -> None:
    clock = Clock()
    hall = a_hall(clock=clock)
    answer, chair = await asked(hall, timeout_s=5.0)
    hall.claim(chair, "me", "calm-otter-42")
    with hall.present(chair, "me"):
        hall.see(chair, "me")
        clock.now += 6.0
        hall.see(chair, "me")  # its time is over
        with pytest.raises(AgentError, match="no answer within 5 s"):
            await answer
        answer, _ = await asked(hall, timeout_s=5.0)
        hall.see(chair, "me")
        clock.now += 1.5
        hall.say(chair, "me", "k0", "At last.")
    assert (await answer).latency_s == 7.5


async def test_a_later_question_to_the_seat_takes_the_place_of_one_that_nobody_waits_for() -> None:
    hall = a_hall()
    first, chair = await asked(hall)
    second, _ = await asked(hall, key="k1", turn=1)
    with pytest.raises(AgentError) as failed:
        await first
    assert (failed.value.code, failed.value.retryable) == ("overtaken", False)
    assert list(chair.questions) == ["k1"]
    second.cancel()


async def test_claims_survive_a_restart_and_the_question_that_comes_again(tmp_path: Path) -> None:
    before = a_hall(PeopleStore(tmp_path))
    lost, chair = await asked(before)
    before.claim(chair, "me", "first")
    lost.cancel()
    await asyncio.gather(lost, return_exceptions=True)
    before.close()

    after = a_hall(PeopleStore(tmp_path))
    same = after.chair_at(chair.token)
    assert same.claim == chair.claim
    answer, _ = await asked(after)
    with pytest.raises(SeatingError, match="taken"):
        after.claim(same, "you", "second")
    after.say(same, "me", "k0", "Still here.")
    assert (await answer).model == "first"
    after.close()


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


async def test_only_the_owner_can_read_what_is_remembered(tmp_path: Path) -> None:
    Tokens.kept_in(tmp_path)
    hall = a_hall(PeopleStore(tmp_path))
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    assert modes(tmp_path) == {"secret": 0o600, "claims.json": 0o600}
    answer.cancel()
    hall.close()


def test_a_damaged_file_is_named_with_its_mend(tmp_path: Path) -> None:
    (tmp_path / "claims.json").write_text("[{}]")
    with pytest.raises(UsageError, match=r"claims.json is damaged \(move it away"):
        PeopleStore(tmp_path).claims()
    (tmp_path / "secret").write_text("short")
    with pytest.raises(UsageError, match="secret is damaged"):
        Tokens.kept_in(tmp_path)


def test_links_are_the_same_after_a_restart_and_of_no_other_secret(tmp_path: Path) -> None:
    tokens = Tokens.kept_in(tmp_path)
    assert Tokens.kept_in(tmp_path).of_seat(PLACE) == tokens.of_seat(PLACE)
    assert len(tokens.of_seat(PLACE)) == 32
    others = {Tokens(b"t" * 32).of_seat(PLACE), tokens.of_seat(Place("run", "e0/a", "")), tokens.of_study("run")}
    assert len(others | {tokens.of_seat(PLACE)}) == 4


async def test_a_link_that_is_nearly_right_leads_nowhere() -> None:
    hall = a_hall()
    answer, chair = await asked(hall)
    assert hall.chair_at(chair.token) is chair
    for wrong in (chair.token[:-1] + ("A" if chair.token[-1] != "A" else "B"), chair.token[:8], "", "ä" * 32):
        with pytest.raises(SeatingError, match="this link leads to no seat"):
            hall.chair_at(wrong)
    answer.cancel()


async def test_an_episode_that_begins_offers_its_seats_and_one_that_ends_takes_them_back() -> None:
    hall = a_hall()
    seats = {"a": (SeatFiller(agent="human"),), "b": (SeatFiller(agent="echo"),)}
    log: list[Any] = [a_start(seats=seats)]
    hall.learn("run", "e0", log)
    chair = hall.chair_of(PLACE)
    assert chair is not None
    assert [each.place.seat for each in hall.chairs()] == ["a"]
    hall.claim(chair, "me", "first")
    assert hall.others(chair) == (("b",), 0)
    log += [a_turn("t0"), EpisodeEnded(key="end", outcome="solved", scores={"success": 1.0}, at=NOON)]
    hall.learn("run", "e0", log)
    assert (chair.outcome, chair.scores) == ("solved", {"success": 1.0})
    with pytest.raises(SeatingError, match="this seat is not yours"):
        hall.see(chair, "you")


async def test_a_seat_that_is_given_away_takes_its_question_back() -> None:
    hall = a_hall()
    log: list[Any] = [a_start(seats={"a": (SeatFiller(agent="human"),)})]
    hall.learn("run", "e0", log)
    answer, chair = await asked(hall)
    hall.claim(chair, "me", "first")
    hall.learn("run", "e0", [*log, SeatChanged(key="c", seat="a", agent="echo", at=NOON)])
    with pytest.raises(AgentError, match="the seat was given to echo") as failed:
        await answer
    assert failed.value.code == "overtaken"
    assert chair.is_over
    hall.learn("run", "e0", [*log, SeatChanged(key="c", seat="a", agent="echo", at=NOON), a_turn("t0")])
    assert chair.claim is not None  # the person may still see what became of it
    log = [
        *log,
        SeatChanged(key="c", seat="a", agent="echo", at=NOON),
        SeatChanged(key="d", seat="a", agent="human", at=NOON),
    ]
    hall.learn("run", "e0", log)
    assert chair.claim is None
    assert not chair.is_over


async def test_a_seat_is_offered_where_a_person_speaks_for_it_and_a_members_place_when_it_is_asked() -> None:
    hall = a_hall()
    fillers = {
        "a": "team(lead=human,members=random)",
        "b": "team(lead=random,members=human)",
        "c": "random@3>human",
        "d": "random",
    }
    seats = {seat: read_seat(filler) for seat, filler in fillers.items()}
    hall.learn("run", "e0", [a_start(seats=seats)])
    assert [chair.place.seat for chair in hall.chairs()] == ["a", "c"]
    answer, chair = await asked(hall, seat="member_1", role="member")
    hall.claim(chair, "me", "first")
    hall.say(chair, "me", "k0", "Left is a wall.")
    assert (await answer).text == "Left is a wall."


@pytest.mark.parametrize(
    ("filler", "people"),
    [
        ("human", True),
        ("openai/x@4>human", True),
        ("team(lead=human,members=random)", True),
        ("openai/human", False),
        ("scripted", False),
        ("team(human", False),
    ],
)
def test_people_are_found_wherever_they_come_in(filler: str, people: bool) -> None:
    assert is_for_people(filler) is people


def test_pseudonyms_are_not_given_twice_and_those_of_ones_own_are_harmless() -> None:
    made = {new_pseudonym(()) for _ in range(20)}
    assert new_pseudonym(made) not in made


def test_where_all_short_names_are_taken_a_longer_one_is_made() -> None:
    class Short(set[str]):
        def __contains__(self, name: object) -> bool:
            return len(str(name).rpartition("-")[2]) <= 2

    assert len(new_pseudonym(Short()).rpartition("-")[2]) == 3
    assert checked_pseudonym(" Ada L. ") == "Ada L."
    for wrong in ("", "x" * 33, "<b>", "a\nb", "\u202eada", "../x"):
        with pytest.raises(SeatingError):
            checked_pseudonym(wrong)


async def test_an_episode_that_ended_while_nobody_was_here_is_over(tmp_path: Path) -> None:
    before = a_hall(PeopleStore(tmp_path))
    before.learn("run", "e0", [a_start(seats={"a": (SeatFiller(agent="human"),)})])
    before.learn("run", "e1", [a_start(episode_id="e1", seats={"a": (SeatFiller(agent="human"),)})])
    for chair in before.chairs():
        before.claim(chair, "me", "first")
    before.close()

    async def logs(log: str) -> list[Any]:
        return [a_start(seats={"a": (SeatFiller(agent="human"),)})] if log == "log:run/e0" else []

    after = Hall(SECRET, PeopleStore(tmp_path))
    after.open(logs)
    await after.catch_up()
    assert {chair.place.episode_id: chair.outcome for chair in after.chairs()} == {"e0": None, "e1": "ended"}
    after.close()


async def test_who_had_a_seat_in_an_earlier_run_of_the_same_name_does_not_have_it_now(tmp_path: Path) -> None:
    clock, seats = Clock(), {"a": (SeatFiller(agent="human"),)}  # a long time before noon
    before = a_hall(PeopleStore(tmp_path), clock=clock)
    before.learn("run", "e0", [a_start(seats=seats)])
    (chair,) = before.chairs()
    before.claim(chair, "me", "first")
    before.learn("run", "e0", [a_start(seats=seats)])
    assert chair.claim is not None  # whatever the clocks say, of one process there is no doubt
    before.close()

    after = a_hall(PeopleStore(tmp_path))
    after.learn("run", "e0", [a_start(seats=seats)])
    assert [each.claim for each in after.chairs()] == [None]
    after.close()
