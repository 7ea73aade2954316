"""What questions are called."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_protocols.keys import hash_view, key_prefix, request_key
from palaver_protocols.messages import (
    TurnRequest,
)
from palaver_protocols.schema import examples
from palaver_protocols.transcript import USER, Message
from tests.protocols.strategies import messages

VIEW = (Message.text_from(USER, "task"), Message.text_from("A", "hi"))
FIXED = {"episode": "e", "seat": "A", "model": "m", "sampling": {"temperature": 0.5, "top_p": None}}


def key(fixed: dict[str, Any] = FIXED, turn: int = 2, view: tuple[Message, ...] = VIEW) -> str:
    return request_key(key_prefix(fixed), turn, view)


def test_the_same_question_has_the_same_key() -> None:
    shuffled = {name: FIXED[name] for name in reversed(FIXED)}
    fresh = tuple(Message.model_validate_json(message.model_dump_json()) for message in VIEW)
    assert key() == key(shuffled, view=fresh)
    assert len(key()) == 32


@pytest.mark.parametrize("name", FIXED)
def test_a_key_depends_on_every_fixed_parameter(name: str) -> None:
    assert key({**FIXED, name: "other"}) != key()


def test_a_key_depends_on_a_parameter_inside() -> None:
    assert key({**FIXED, "sampling": {"temperature": 0.6, "top_p": None}}) != key()


def test_a_key_depends_on_the_turn() -> None:
    assert key(turn=3) != key()


@given(st.lists(messages, max_size=3, unique_by=lambda message: message.digest), st.data())
def test_a_key_depends_on_the_whole_view_in_order(said: list[Message], data: st.DataObject) -> None:
    other = data.draw(st.permutations(said) | st.just(said[:-1]) | st.lists(messages, max_size=3))
    same = [message.digest for message in said] == [message.digest for message in other]
    assert (key(view=tuple(said)) == key(view=tuple(other))) == same


def test_a_prefix_can_be_used_again() -> None:
    prefix = key_prefix(FIXED)
    assert request_key(prefix, 1, VIEW) != request_key(prefix, 2, VIEW)
    assert request_key(prefix, 2, VIEW) == key()


@given(st.lists(messages, max_size=4), st.data())
def test_a_view_can_be_hashed_piece_by_piece(view: list[Message], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(view)))
    prefix = key_prefix(FIXED)
    hash_view(prefix, view[:cut])
    assert request_key(prefix, 2, view[cut:]) == key(view=tuple(view))


def test_how_it_is_asked_is_no_part_of_the_key() -> None:
    """A key is made from turn, view and what is fixed; asking again copies the request with its key."""
    request = examples()[0]
    assert isinstance(request, TurnRequest)
    again = request.model_copy(update={"attempt": 2, "timeout_s": 5.0})
    assert again.key == request.key
    assert request_key(key_prefix(FIXED), again.turn, again.view) == key(turn=request.turn, view=request.view)
