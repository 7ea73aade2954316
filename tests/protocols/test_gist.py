"""What is told of a step, and that nothing is told of what was said."""

import json

from palaver_protocols.gist import gist_of
from palaver_protocols.messages import Aside, EpisodeEnded, SeatChanged, Usage
from tests.support import NOON, a_reply, a_request, a_start, a_turn

SAID = "the third wire is the one"


def test_a_start_tells_what_is_played_and_by_whom() -> None:
    gist = gist_of(a_start(), [a_request(seat="a", agent="echo")])
    assert gist == {
        "type": "episode.started",
        "at": NOON.timestamp(),
        "asked": [["a", "echo"]],
        "game": "toy",
        "variant": "plain",
        "instance": "i0",
        "seats": {"a": "echo"},
    }


def test_a_turn_tells_what_it_took_and_nothing_that_was_said() -> None:
    reply = a_reply(a_request(), SAID, usage=Usage(input_tokens=7, output_tokens=3), latency_s=0.5, cost_usd=0.25)
    turn = a_turn("k0").model_copy(update={"reply": reply})
    gist = gist_of(turn)
    assert (gist["input"], gist["output"], gist["latency"], gist["usd"]) == (7, 3, 0.5, 0.25)
    assert SAID not in json.dumps(gist)


def test_an_aside_is_told_by_its_seat_and_its_voice() -> None:
    reply = a_reply(a_request(seat="member_1"), SAID)
    gist = gist_of(Aside(key="k", seat="a", kind="answer", audience=("a",), reply=reply, at=NOON))
    assert (gist["type"], gist["seat"], gist["voice"]) == ("aside", "a", "member_1")
    assert SAID not in json.dumps(gist)


def test_changes_and_ends_are_told() -> None:
    assert gist_of(SeatChanged(key="k", seat="a", agent="human", at=NOON))["agent"] == "human"
    ended = EpisodeEnded(key="k", outcome="solved", scores={"success": 1.0, "other": None}, at=NOON)
    assert gist_of(ended)["scores"] == {"success": 1.0, "other": None}
