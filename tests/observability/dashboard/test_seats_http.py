"""People's seats over HTTP: links and cookies, questions and answers, what nobody else may see."""

import asyncio
import re
from http.cookies import SimpleCookie
from typing import Any

import pytest

from palaver_agents.human import Place
from palaver_protocols.messages import TurnTaken
from tests.observability.dashboard.seating import OPERATOR, Browser, seating

WIRE = {"puzzle": "wire"}
EPISODE = "comma-wire-00000"


def seen(state: Any) -> str:
    """Return all that a person can read."""
    parts = [part for message in state["messages"] for part in message["parts"]]
    return "\n".join(part.get("text") or part.get("alt") or "" for part in parts)


def described(state: Any) -> str:
    """Describe the wires as a person would who looks at the picture."""
    words = [part["alt"] for message in state["messages"] for part in message["parts"] if part["type"] == "image"][-1]
    wires = re.findall(r"^\d+\. (\w+)", words, flags=re.MULTILINE)
    serial = re.search(r"Serial number: (\w+)", words)
    assert serial is not None
    return f"{', '.join(wires)}; serial number {serial[1]}"


async def play(person: Browser, link: str) -> Any:
    """Play a whole episode at the solver's seat, as a person who does what the expert says."""
    answered: set[str] = set()

    def is_next(now: Any) -> bool:
        return now["state"] == "over" or (now["state"] == "your_turn" and now["key"] not in answered)

    while (state := await person.state(link, is_next))["state"] != "over":
        answered.add(key := state["key"])
        said = [part["text"] for m in state["messages"] if m["speaker"] == "expert" for part in m["parts"]]
        ordinal = re.search(r"Cut the (\w+) wire", said[-1]) if said else None
        wires = [move for move in state["moves"] if move["says"].startswith("cut_wire")]
        order = ("first", "second", "third", "fourth", "fifth", "sixth")
        text = described(state)
        if ordinal is not None:
            text = (wires[-1] if ordinal[1] == "last" else wires[order.index(ordinal[1])])["says"]
        assert (await person.say(link, key, text))[0] == 200
    return state


async def test_a_person_solves_comma_with_the_scripted_expert() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person = await scene.browser()
        link = await scene.link(EPISODE, "solver")
        assert (await person.get(f"/api{link}"))[1]["state"] == "open"
        await person.claim(link, pseudonym="Ada")
        over = await play(person, link)
        assert (over["outcome"], over["you"], over["next"]) == ("solved", "Ada", None)
        ended = await scene.ended[EPISODE]
        assert ended.outcome == "solved"
        turns = [entry.reply for entry in await scene.log(EPISODE) if isinstance(entry, TurnTaken)]
        assert {(reply.provider, reply.model) for reply in turns if reply.seat == "solver"} == {("human", "Ada")}


async def test_the_seat_is_the_browsers_that_took_it() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        link = await scene.link(EPISODE, "solver")
        ada, bob, nobody = await scene.browser(), await scene.browser(), await scene.browser()
        both = await asyncio.gather(*(each.post(f"/api{link}/claim", {"consent": True}) for each in (ada, bob)))
        assert sorted(status for status, _ in both) == [200, 409]
        mine, other = (ada, bob) if both[0][0] == 200 else (bob, ada)
        state = await mine.state(link, "your_turn")
        picture = next(part["url"] for m in state["messages"] for part in m["parts"] if part["type"] == "image")
        async with mine.session.get(picture) as shown:
            assert (shown.status, shown.content_type) == (200, "image/png")
            assert (await shown.read()).startswith(b"\x89PNG")
        for stranger in (other, nobody):
            said = (await stranger.get(f"/api{link}"))[1]
            assert said == {key: state[key] for key in ("game", "variant", "seat", "title")} | {"state": "taken"}
            assert (await stranger.get(picture))[0] == 403
            assert (await stranger.say(link, state["key"], "cut_wire_1"))[0] == 403
            assert (await stranger.post(f"/api{link}/leave"))[0] == 403
        assert (await mine.get(picture.replace(picture[-8:], "0" * 8)))[0] == 404


async def test_the_cookie_can_be_read_by_no_script_and_sent_by_no_other_site() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        async with person.session.post(f"/api{link}/claim", json={"consent": True}) as response:
            (cookie,) = SimpleCookie(response.headers["Set-Cookie"]).values()
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
        assert len(cookie.value) == 43
        assert cookie.value not in str(scene.hall.chairs())


async def test_a_connection_that_breaks_in_mid_turn_finds_the_same_question() -> None:
    async with seating("comma", "human,scripted", options=WIRE, timeout_s=300) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        await person.claim(link)
        first = await person.state(link, "your_turn")  # the stream is closed behind it
        again = await person.state(link, "your_turn")
        assert (again["key"], again["messages"]) == (first["key"], first["messages"])
        assert 290 < again["deadline"] - again["now"] <= 300
        assert (await person.say(link, first["key"], "One moment."))[0] == 200
        assert (await person.say(link, first["key"], "One moment."))[0] == 200  # its answer was lost
        second = await person.state(link, lambda now: now["state"] == "your_turn" and now["turn"] == 2)
        assert seen(second).count("One moment.") == 1


async def test_when_the_time_is_up_the_same_is_asked_again() -> None:
    async with seating("comma", "human,scripted", options=WIRE, timeout_s=0.05) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        await person.claim(link)
        first = await person.state(link, "your_turn")
        late = await person.state(link, lambda now: now["state"] == "your_turn" and now["late"])
        assert late["key"] == first["key"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"key": 1, "text": "x"}, 400),
        ({"key": "k"}, 400),
        (["key"], 400),
        ({"key": "k", "text": "x"}, 409),
        ({"key": "k", "text": "x" * 33_000}, 413),
        ({"key": "k", "text": "x" * 70_000}, 413),
    ],
)
async def test_what_cannot_be_said_is_refused_in_one_line(body: Any, status: int) -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        await person.claim(link)
        got, said = await person.post(f"/api{link}/say", body)
        assert (got, set(said)) == (status, {"error", "mend"})


async def test_nobody_sits_down_without_agreeing_or_under_a_name_that_is_none() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        for body in ({}, {"consent": "yes"}, {"consent": True, "pseudonym": "<b>Ada</b>"}):
            assert (await person.post(f"/api{link}/claim", body))[0] == 400
        assert (await person.get("/api/sit/" + "A" * 32))[0] == 404


async def test_operators_see_the_seats_and_nobody_else_does() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person, operator = await scene.browser(), await scene.browser(OPERATOR)
        link = await scene.link(EPISODE, "solver")
        await person.claim(link, pseudonym="Ada")
        _, said = await operator.get("/api/seats")
        (seat,) = said["seats"]
        assert (seat["key"], seat["state"], seat["who"]) == (f"run/{EPISODE}/solver", "taken", "Ada")
        assert seat["link"] == link
        assert not seat["connected"]
        for refused in (
            await person.get("/api/seats"),
            await person.post(f"/api/episode/run/{EPISODE}/seats/expert/take"),
            await person.post(f"/api/episode/run/{EPISODE}/seats/solver/give", {"agent": "scripted"}),
        ):
            assert refused[0] == 401


async def test_who_leaves_lets_the_next_one_sit_down() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        ada, bob, link = await scene.browser(), await scene.browser(), await scene.link(EPISODE, "solver")
        await ada.claim(link)
        assert (await bob.get(f"/api{link}"))[1]["state"] == "taken"
        assert (await ada.post(f"/api{link}/leave"))[0] == 200
        await bob.claim(link)
        assert (await bob.state(link, "your_turn"))["turn"] == 0


async def test_where_people_sit_elsewhere_the_page_says_where() -> None:
    async with seating("comma", "human,scripted", options=WIRE) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        scene.hall.close("http://elsewhere:8700")
        status, said = await person.get(f"/api{link}")
        assert status == 503
        assert said["error"] == "people sit at another dashboard: http://elsewhere:8700"


async def test_a_study_hands_out_seats_and_meets_two_people() -> None:
    async with seating("maze", "human", episodes=2, options={"size": 4}, study="pilot=run") as scene:
        (study,) = scene.room.studies
        ada, bob, join = await scene.browser(), await scene.browser(), f"/join/{study.token}"
        first = await scene.link("maze-pair-00000", "agent_1")
        _, said = await ada.get(f"/api{join}")
        assert (said["state"], said["consent_text"]) == ("consent", ["Do you agree?", "Really?"])
        _, said = await ada.get(f"/api{first}")
        assert (said["state"], said["join"]) == ("consent", join)
        assert (await ada.post(f"/api{first}/claim", {"consent": True}))[0] == 403
        assert (await ada.post(f"/api{join}/consent", {"agree": False}))[0] == 400
        seats = [(await each.post(f"/api{join}/consent", {"agree": True}))[1] for each in (ada, bob)]
        assert [each["state"] for each in seats] == ["seat", "seat"]
        assert len({each["link"] for each in seats}) == 2
        places = [scene.hall.chair_at(each["link"].removeprefix("/sit/")).place for each in seats]
        assert places == [Place("run", "maze-pair-00000", seat) for seat in ("agent_1", "agent_2")]
        assert (await ada.get(f"/api{join}"))[1]["link"] == seats[0]["link"]
        assert (await ada.state(seats[0]["link"], "your_turn"))["you"] == seats[0]["you"]
