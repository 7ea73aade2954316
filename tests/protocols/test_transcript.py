"""The canonical transcript: who may see what."""

import pytest
from hypothesis import given

from palaver_protocols.content import Text
from palaver_protocols.transcript import USER, Message, in_words, view_of
from tests.protocols.strategies import messages, picture


def test_everybody_sees_a_message_without_an_audience() -> None:
    assert Message.text_from(USER, "hello").visible_to("A")


def test_an_audience_sees_it_and_nobody_else_does() -> None:
    whisper = Message.text_from("lead", "psst", ["worker_1"])
    assert whisper.visible_to("worker_1")
    assert not whisper.visible_to("worker_2")


def test_a_speaker_sees_what_it_said_to_others() -> None:
    assert Message.text_from("lead", "psst", ["worker_1"]).visible_to("lead")


def test_an_empty_audience_is_nobody() -> None:
    assert not Message.text_from(USER, "note to self", []).visible_to("A")


def test_a_view_keeps_the_order() -> None:
    said = [Message.text_from(USER, str(number), ["A"] if number % 2 else ["B"]) for number in range(6)]
    assert [message.text for message in view_of(said, "A")] == ["1", "3", "5"]


def test_text_joins_the_text_parts() -> None:
    assert Message(speaker="A", parts=(Text(text="x"), picture(1), Text(text="y"))).text == "x\ny"


@given(messages, messages)
def test_equal_messages_have_equal_digests(one: Message, other: Message) -> None:
    assert (one.digest == other.digest) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Message.text_from("A", "x"), Message.text_from("B", "x")),
        (Message.text_from("A", "x"), Message.text_from("A", "x", [])),
        (Message.text_from("A", "x"), Message.text_from("A", "x", ["*"])),
        (Message.text_from("A", "x", []), Message.text_from("A", "x", [""])),
        (Message.text_from("A", "x", ["B,C"]), Message.text_from("A", "x", ["B", "C"])),
        (Message.text_from("A", "x", ["B\0C"]), Message.text_from("A", "x", ["B", "C"])),
        (Message.text_from("A", "x"), Message(speaker="A", parts=(Text(text="x"), Text(text="")))),
        (Message.text_from("A", "xy"), Message(speaker="A", parts=(Text(text="x"), Text(text="y")))),
        (Message.text_from("A", picture(1).sha256), Message(speaker="A", parts=(picture(1),))),
        (Message(speaker="A", parts=()), Message.text_from("A", "")),
        (Message(speaker="A", parts=(), audience=("x",)), Message.text_from("A", "x", [])),
    ],
)
def test_a_digest_tells_similar_messages_apart(one: Message, other: Message) -> None:
    assert one.digest != other.digest


@given(messages)
def test_a_digest_survives_the_wire(message: Message) -> None:
    digest = message.digest
    again = Message.model_validate_json(message.model_dump_json())
    assert again == message
    assert again.digest == digest


def test_a_changed_copy_has_a_digest_of_its_own() -> None:
    message = Message.text_from("A", "left")
    before = message.digest
    assert message.model_copy(update={"speaker": "B"}).digest == Message.text_from("B", "left").digest != before
    assert message.digest == before


def test_computing_a_digest_does_not_make_a_message_another() -> None:
    one, other = Message.text_from("A", "left"), Message.text_from("A", "left")
    assert one.digest
    assert one == other
    assert hash(one) == hash(other)


def test_words_stand_for_a_picture_that_has_some() -> None:
    told = picture(1).model_copy(update={"alt": "a cat"})
    said = Message(speaker=USER, parts=(Text(text="Look:"), told, picture(2)), audience=("A",))
    (read,) = in_words([said])
    assert read.parts == (Text(text="Look:"), Text(text="[picture, in words]\na cat"), picture(2))
    assert (read.speaker, read.audience) == (USER, ("A",))


def test_what_a_picture_says_counts_in_the_digest() -> None:
    told = picture(1).model_copy(update={"alt": "a cat"})
    assert Message(speaker=USER, parts=(told,)).digest != Message(speaker=USER, parts=(picture(1),)).digest


def test_a_message_whose_parts_stand_apart_is_another_message_and_says_so() -> None:
    joined = Message.text_from("user", "one")
    apart = Message(speaker="user", parts=joined.parts, apart=True)

    assert joined.digest != apart.digest
    assert Message.model_validate_json(apart.model_dump_json()).apart
    assert "apart" not in joined.model_dump(mode="json")
