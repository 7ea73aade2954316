"""A study: who agrees, who is handed which seat, what is written down."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from palaver_agents.human import Hall, PeopleStore, Study, Tokens, read_study
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeEnded, SeatFiller
from tests.support import NOON, a_start

SECRET = Tokens(b"s" * 32)
HUMAN = (SeatFiller(agent="human"),)


def begin(hall: Hall, episode: str, run: str = "r1", **seats: str) -> list[Any]:
    fillers = {seat: (SeatFiller(agent=agent),) for seat, agent in seats.items()}
    log = [a_start(run_id=run, episode_id=episode, seats=fillers)]
    hall.learn(run, episode, log)
    return log


def end(hall: Hall, episode: str, log: list[Any], run: str = "r1") -> None:
    hall.learn(run, episode, [*log, EpisodeEnded(key="end", outcome="solved", at=NOON)])


async def no_logs(_: str) -> list[Any]:
    return []


def a_study(text: str = "pilot=r1,r2", store: PeopleStore | None = None, **more: Any) -> tuple[Hall, Study]:
    hall = Hall(SECRET, store)
    hall.open(no_logs)
    return hall, Study(read_study(text, **more), hall, store)


async def test_two_people_meet_where_an_episode_has_two_seats_and_nobody_meets_himself() -> None:
    hall, study = a_study()
    begin(hall, "e-10", a="human", b="human")
    begin(hall, "e-9", a="human", b="human")
    begin(hall, "e-1", run="r2", a="human", b="random")
    begin(hall, "e-1", run="other", a="human")
    ada, bob, eve = (study.agree(each) for each in ("ada", "bob", "eve"))
    handed = [chair.place for person in (ada, bob, eve) if (chair := study.hand(person)) is not None]
    assert [place[:2] for place in handed] == [("r1", "e-9"), ("r1", "e-9"), ("r1", "e-10")]
    assert handed[0].seat != handed[1].seat
    again = study.hand(ada)
    assert again is not None
    assert again.place == handed[0]  # until it is over
    hall.close()


async def test_who_has_played_gets_the_next_until_it_was_as_many_as_there_are_for_each() -> None:
    hall, study = a_study(each=2)
    logs = {name: begin(hall, name, a="human") for name in ("e-1", "e-2", "e-3")}
    ada = study.agree("ada")
    for done, name in enumerate(("e-1", "e-2")):
        chair = study.hand(ada)
        assert chair is not None
        assert (chair.place.episode_id, study.done(ada)) == (name, done)
        end(hall, name, logs[name])
    assert study.hand(ada) is None
    assert (study.done(ada), study.is_done(ada), study.episodes()) == (2, True, (2, 1))
    hall.close()


async def test_seats_are_handed_out_in_the_order_of_the_run_whatever_its_episodes_are_called() -> None:
    hall, study = a_study()
    for name in ("comma-atm-00009", "comma-wire-00000", "comma-led-00003"):
        begin(hall, name, a="human")
    people = [study.agree(name) for name in ("ada", "bob", "eve")]
    handed = [chair.place.episode_id for person in people if (chair := study.hand(person)) is not None]
    assert handed == ["comma-wire-00000", "comma-led-00003", "comma-atm-00009"]
    hall.close()


async def test_a_study_remembers_of_which_runs_seats_were_handed_out() -> None:
    hall, study = a_study()
    begin(hall, "e-1", a="human")
    study.hand(study.agree("ada"))
    assert (study.has_played("r1"), study.has_played("r2")) == (True, False)
    hall.close()


async def test_where_no_seat_is_open_there_is_nothing_to_hand_out() -> None:
    hall, study = a_study()
    begin(hall, "e-1", a="human")
    assert study.hand(study.agree("ada")) is not None
    bob = study.agree("bob")
    assert study.hand(bob) is None
    assert not study.is_done(bob)
    hall.close()


async def test_it_is_written_down_who_agreed_to_what_and_not_who_it_was(tmp_path: Path) -> None:
    store = PeopleStore(tmp_path)
    hall, study = a_study(store=store, consent="You are recorded.")
    ada = study.agree("ada's badge")
    study.agree("ada's badge")
    (line,) = (tmp_path / "people.jsonl").read_text().splitlines()
    said = json.loads(line)
    assert said == {
        "pseudonym": ada.pseudonym,
        "consented": said["consented"],
        "consent_sha256": hashlib.sha256(b"You are recorded.").hexdigest(),
        "study": "pilot",
    }
    hall.close()


async def test_a_study_goes_on_after_a_restart(tmp_path: Path) -> None:
    hall, study = a_study(store=PeopleStore(tmp_path))
    begin(hall, "e-1", a="human")
    before = study.hand(study.agree("ada"))
    assert before is not None
    hall.close()

    hall, study = a_study(store=PeopleStore(tmp_path))
    ada = study.participant("ada")
    assert ada is not None
    here = study.hand(ada)
    assert here is not None
    assert (here.place, here.claim) == (before.place, before.claim)
    hall.close()


@pytest.mark.parametrize("text", ["pilot", "pilot=", "=r1", "Pilot 1=r1", "pilot=r1,,r2", "-x=r1"])
def test_a_study_that_does_not_read_so_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"does not read NAME=RUN\[,RUN...\]"):
        read_study(text)


def test_people_agree_to_something() -> None:
    with pytest.raises(UsageError, match="the consent text is empty"):
        read_study("pilot=r1", " \n")
