"""Bending messages until a provider accepts them."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_protocols.content import Image, Part, Text
from palaver_protocols.quirks import (
    ANTHROPIC,
    BEGIN,
    CONTINUED,
    GO_ON,
    GOOGLE,
    OPENAI,
    STRICT,
    ChatMessage,
    Pictures,
    Quirks,
    fit,
    joined,
    legal,
)
from tests.protocols.strategies import picture, quirks

ANY = Quirks(system="flexible", alternate=False, user_first=False)
TURNS = Quirks(system="flexible", alternate=True, user_first=False)


def part(content: str | int) -> Part:
    return picture(content) if isinstance(content, int) else Text(text=content)


def system(*contents: str | int) -> ChatMessage:
    return ChatMessage("system", tuple(part(content) for content in contents))


def user(*contents: str | int) -> ChatMessage:
    return ChatMessage("user", tuple(part(content) for content in contents))


def assistant(*contents: str | int) -> ChatMessage:
    return ChatMessage("assistant", tuple(part(content) for content in contents))


@st.composite
def chats(draw: st.DrawFn) -> list[ChatMessage]:
    """Messages as the role protocols write them: no blank text, no neighbouring texts, pictures with the user."""
    chat = []
    for number, role in enumerate(draw(st.lists(st.sampled_from([system, user, assistant]), max_size=8))):
        contents: list[str | int] = [f"<{number}>"]
        if role is user:
            pictures = draw(st.lists(st.booleans(), min_size=1, max_size=4))
            contents = [
                100 * number + place if shown else f"<{number}.{place}>" for place, shown in enumerate(pictures)
            ]
        message = role(*contents)
        chat.append(ChatMessage(message.role, joined(message.parts, " ")))
    return chat


def contents(chat: list[ChatMessage] | tuple[ChatMessage, ...]) -> list[str]:
    """Everything that was said and shown, in order; what `fit` says itself is left out."""
    found: list[str] = []
    for message in chat:
        for piece in message.parts:
            found += [piece.sha256] if isinstance(piece, Image) else re.findall(r"<[\d.]+>", piece.text)
    return found


@given(chats(), quirks)
def test_what_fits_is_legal(chat: list[ChatMessage], provider: Quirks) -> None:
    assert legal(fit(chat, provider), provider) == []


@given(chats(), quirks)
def test_nothing_is_lost_doubled_or_reordered(chat: list[ChatMessage], provider: Quirks) -> None:
    if provider.system != "flexible":  # system messages move to the start, and nothing else does
        chat = sorted(chat, key=lambda message: message.role != "system")
    assert contents(fit(chat, provider)) == contents(chat)


@given(chats(), quirks)
def test_what_fits_is_left_alone(chat: list[ChatMessage], provider: Quirks) -> None:
    fitted = fit(chat, provider)
    assert fit(fitted, provider) == fitted


@given(chats(), quirks)
def test_what_fits_the_strictest_fits_everywhere(chat: list[ChatMessage], provider: Quirks) -> None:
    assert legal(fit(chat, STRICT), provider) == []


@given(chats(), quirks)
def test_text_without_pictures_is_one_part(chat: list[ChatMessage], provider: Quirks) -> None:
    for message in fit(chat, provider):
        kinds = [piece.type for piece in message.parts]
        assert ("text", "text") not in pairwise(kinds)


def test_presets_are_legal_ground_for_a_plain_dialogue() -> None:
    chat = (system("s"), user("a"), assistant("b"), user("c"))
    assert all(fit(chat, provider) == chat for provider in (OPENAI, ANTHROPIC, GOOGLE))
    assert fit(chat, STRICT) == (user("s\n\na"), assistant("b"), user("c"))


def test_neighbours_of_one_role_become_one_message() -> None:
    chat = [user("a", 1), user("b"), assistant("c"), assistant("d"), user(2), user(3, "e")]
    assert fit(chat, TURNS) == (user("a", 1, "b"), assistant("c\n\nd"), user(2, 3, "e"))


def test_a_picture_keeps_its_place_between_joined_texts() -> None:
    assert fit([user("a"), user("b", 1, "c"), user("d")], TURNS) == (user("a\n\nb", 1, "c\n\nd"),)


def test_system_messages_stay_where_a_provider_is_flexible() -> None:
    chat = (system("s"), user("a"), system("t"), assistant("b"), user("c"))
    assert fit(chat, ANY) == fit(chat, TURNS) == chat


def test_system_messages_become_one_at_the_start() -> None:
    chat = [user("a"), system("s"), assistant("b"), system("t"), user("c")]
    assert fit(chat, ANTHROPIC) == (system("s\n\nt"), user("a"), assistant("b"), user("c"))


def test_system_messages_become_the_beginning_of_the_first_user_message() -> None:
    chat = [user("a", 1), system("s"), assistant("b"), user("c")]
    assert fit(chat, Quirks(system="none")) == (user("s\n\na", 1), assistant("b"), user("c"))


def test_system_messages_come_first_even_before_the_assistant() -> None:
    chat = [system("s"), assistant("b"), user("c")]
    assert fit(chat, Quirks(system="none", user_first=False)) == (user("s"), assistant("b"), user("c"))


def test_a_system_message_between_two_of_one_role_is_said_by_the_user() -> None:
    assert fit([user("a"), system("s"), user("b")], TURNS, voice="[user]: ") == (user("a\n\n[user]: s\n\nb"),)
    assert fit([user("a"), assistant("b"), system("s"), assistant("c"), user("d")], TURNS) == (
        *(user("a"), assistant("b"), user("s"), assistant("c"), user("d")),
    )


def test_the_user_begins_only_where_it_must() -> None:
    chat = [assistant("b"), user("c")]
    assert fit(chat, ANTHROPIC, voice="[user]: ") == (user(f"[user]: {BEGIN}"), *chat)
    assert fit(chat, ANY) == tuple(chat)


def test_the_user_has_the_last_word() -> None:
    assert fit([user("a"), assistant("b")], ANTHROPIC, voice="[user]: ")[-1] == user(f"[user]: {GO_ON}")
    assert fit([user("a"), assistant("b")], ANY)[-1] == user(GO_ON)


def test_silence_is_answered_by_the_user() -> None:
    assert fit([], ANTHROPIC) == (user(BEGIN),)
    assert fit([system("s")], ANY) == (system("s"), user(BEGIN))


def test_pictures_are_spread_over_messages_with_the_words_that_introduce_them() -> None:
    one_each = Quirks(alternate=False, several_images=False)
    assert fit([user("a", 1, "b", 2, "c")], one_each) == (user("a", 1), user("b", 2, "c"))


def test_pictures_are_spread_over_turns_where_roles_must_alternate() -> None:
    assert fit([user("a", 1), user("b", 2, 3)], STRICT) == (
        *(user("a", 1), assistant(CONTINUED), user("b", 2), assistant(CONTINUED), user(3)),
    )


@pytest.mark.parametrize(
    ("chat", "provider", "complaint"),
    [
        ([], ANY, "the last message is not the user's"),
        ([user("a"), assistant("b")], ANY, "the last message is not the user's"),
        ([user("a"), system("s")], ANY, "the last message is not the user's"),
        ([user()], ANY, "message 0 is empty"),
        ([user("a", 1, " \n")], ANY, "message 0 has a blank text"),
        ([user("a"), assistant(1), user("b")], ANY, "message 1 is the assistant's and has a picture"),
        ([system(1), user("b")], ANY, "message 0 is the system's and has a picture"),
        ([user(1, 2)], Quirks(several_images=False), "message 0 has 2 pictures"),
        ([system("s"), user("a")], Quirks(system="none"), "message 0 is a system message"),
        ([system("s"), system("t"), user("a")], Quirks(), "message 1 is a system message after the start"),
        ([user("a"), user("b")], TURNS, "message 1 is the user's again"),
        ([user("a"), system("s"), user("b")], TURNS, "message 2 is the user's again"),
        ([system("s"), assistant("a"), user("b")], Quirks(), "message 1 comes first and is the assistant's"),
    ],
)
def test_what_a_provider_refuses_is_named(chat: list[ChatMessage], provider: Quirks, complaint: str) -> None:
    assert legal(chat, provider) == [complaint]


# The pictures of these tests are PNG, 4 by 3 pixels and 70 bytes.
@pytest.mark.parametrize(
    ("rule", "complaints"),
    [
        (Pictures(), []),
        (Pictures(("image/png",), most=3, size=70, side=4), []),
        (Pictures(most=2), ["it takes 2 pictures, not 3"]),
        (Pictures(most=0), ["it takes no pictures"]),
        (Pictures(size=69), [f"message {index} has a picture of 70 bytes; it takes 69" for index in (0, 2, 2)]),
        (
            Pictures(side=3),
            [f"message {index} has a picture with a side of 4 pixels; it takes 3" for index in (0, 2, 2)],
        ),
        (
            Pictures(("image/jpeg", "image/webp")),
            [
                f"message {index} has a picture of type image/png; it takes image/jpeg, image/webp"
                for index in (0, 2, 2)
            ],
        ),
    ],
)
def test_pictures_that_a_provider_does_not_take_are_named(rule: Pictures, complaints: list[str]) -> None:
    assert legal([user("a", 1), assistant("b"), user(2, "c", 3)], Quirks(pictures=rule)) == complaints


def test_text_is_taken_by_those_who_cannot_see() -> None:
    assert legal([user("a")], Quirks(pictures=Pictures(most=0))) == []
