"""The role protocols: a dialogue of any number of parties as a provider's messages."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_protocols.content import Image, Part, Text
from palaver_protocols.messages import RoleProtocol
from palaver_protocols.quirks import BEGIN, GO_ON, OPENAI, STRICT, ChatMessage, Quirks, legal
from palaver_protocols.roles import EMPTY, GO_BETWEEN, OWN_PICTURE, render, unlabelled
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message, in_words
from tests.protocols.strategies import picture, protocols, quirks

PUBLISHED = """The user will act as an intermediary between you and another agent.
The user will directly forward your messages to the other agent and vice versa.
The user will not see or modify the messages, but will relay them as is.
Messages coming from the other agent will be prefixed with "[other agent]:".
Messages coming from the user will be prefixed with "[user]:".
Do not add any additional prefixes or suffixes to your own messages."""

FOR_THREE = """The user will act as an intermediary between you and the other agents.
The user will directly forward your messages to the other agents and vice versa.
The user will not see or modify the messages, but will relay them as is.
Messages coming from the other agents will be prefixed with their names: "[agent 2]:", "[lead]:".
The other agents see your messages prefixed with "[agent 1]:".
Messages coming from the user will be prefixed with "[user]:".
Messages coming from night watch will be prefixed with "[night watch]:".
Do not add any additional prefixes or suffixes to your own messages."""

SPECIFICATION = Path(__file__).parents[3] / "shared" / "specs" / "maze.md"

Said = tuple[str, str | list[str | int]]
Shown = list[tuple[str, list[str | int]]]


def view(*said: Said) -> tuple[Message, ...]:
    """Make a view of (speaker, text) or (speaker, [text or number of a picture, ...])."""
    return tuple(Message(speaker=speaker, parts=parts_of(contents)) for speaker, contents in said)


def parts_of(contents: str | list[str | int]) -> tuple[Part, ...]:
    listed = [contents] if isinstance(contents, str) else contents
    return tuple(picture(content) if isinstance(content, int) else Text(text=content) for content in listed)


def shown(chat: tuple[ChatMessage, ...]) -> Shown:
    """Write chat messages as (role, [text or number of a picture, ...])."""
    return [
        (message.role, [part.text if isinstance(part, Text) else int(part.sha256, 16) for part in message.parts])
        for message in chat
    ]


def pair(*said: Said, seat: str = "agent_1", **options: Any) -> Shown:
    """Render the view of one of two agents, by default for a provider that takes anything."""
    partner = "agent_2" if seat == "agent_1" else "agent_1"
    given: dict[str, Any] = {"protocol": "prefixes", "quirks": OPENAI, "partners": (partner,), **options}
    return shown(render(view(*said), seat=seat, **given))


def trio(*said: Said, **options: Any) -> Shown:
    return pair(*said, partners=("agent_2", "lead"), **options)


def alone(*said: Said, **options: Any) -> Shown:
    return pair(*said, partners=(), **options)


def test_the_system_message_is_the_published_one() -> None:
    assert GO_BETWEEN == PUBLISHED


def test_the_system_message_is_that_of_the_specification() -> None:
    if not SPECIFICATION.exists():
        pytest.skip("the specification lies beside the repository only where palaver is developed")
    assert GO_BETWEEN in SPECIFICATION.read_text(encoding="utf-8")


class TestPrefixes:
    def test_the_first_speaker_gets_the_task_and_nothing_after_it(self) -> None:
        assert pair((USER, "# Task\nGo.")) == [("system", [PUBLISHED]), ("user", ["[user]: # Task\nGo."])]

    def test_the_second_speaker_gets_the_task_then_the_first_message(self) -> None:
        assert pair((USER, "# Task"), ("agent_1", "Hello!"), seat="agent_2") == [
            ("system", [PUBLISHED]),
            ("user", ["[user]: # Task"]),
            ("user", ["[other agent]: Hello!"]),
        ]

    def test_the_published_form_where_roles_must_alternate(self) -> None:
        said = ((USER, "# Task"), ("agent_1", "Hello!"), ("agent_2", "Hi."), ("agent_1", "Go?"))
        assert pair(*said, seat="agent_2", quirks=Quirks()) == [
            ("system", [PUBLISHED]),
            ("user", ["[user]: # Task\n\n[other agent]: Hello!"]),
            ("assistant", ["Hi."]),
            ("user", ["[other agent]: Go?"]),
        ]

    def test_own_messages_are_the_assistants_unmarked(self) -> None:
        assert pair((USER, "# Task"), ("agent_1", "Hello!"), ("agent_2", "Hi."), quirks=Quirks()) == [
            ("system", [PUBLISHED]),
            ("user", ["[user]: # Task"]),
            ("assistant", ["Hello!"]),
            ("user", ["[other agent]: Hi."]),
        ]

    def test_a_picture_follows_the_mark(self) -> None:
        assert pair((USER, ["# Task", 1, "Look."]), ("agent_2", [2, "See?"]))[1:] == [
            ("user", ["[user]: # Task", 1, "Look."]),
            ("user", ["[other agent]:", 2, "See?"]),
        ]

    def test_texts_of_one_message_are_lines(self) -> None:
        assert pair((USER, ["a", "b", " ", "c"]))[1:] == [("user", ["[user]: a\nb\nc"])]

    def test_the_environment_has_a_mark_that_is_announced(self) -> None:
        (_, [told]), *rest = pair((USER, "# Task"), ("agent_1", "push"), (ENVIRONMENT, "Nothing happens."))
        assert str(told).splitlines() == [
            *PUBLISHED.splitlines()[:-1],
            'Messages coming from the environment will be prefixed with "[environment]:".',
            PUBLISHED.splitlines()[-1],
        ]
        assert rest[-1] == ("user", ["[environment]: Nothing happens."])

    def test_more_parties_are_told_apart_by_name(self) -> None:
        said = ((USER, "# Task"), ("agent_2", "Hi."), ("agent_1", "Hello!"), ("lead", "Go."), ("night_watch", "Psst."))
        assert trio(*said) == [
            ("system", [FOR_THREE]),
            ("user", ["[user]: # Task"]),
            ("user", ["[agent 2]: Hi."]),
            ("assistant", ["Hello!"]),
            ("user", ["[lead]: Go."]),
            ("user", ["[night watch]: Psst."]),
        ]

    def test_a_seat_with_a_curly_name_is_just_a_name(self) -> None:
        assert "{seat}" in str(trio((USER, "# Task"), ("{seat}", "Hi."))[0][1][0])

    def test_asked_twice_in_a_row(self) -> None:
        assert pair((USER, "# Task"), ("agent_1", "Hello!"), ("agent_1", "Still there?"), quirks=Quirks())[1:] == [
            ("user", ["[user]: # Task"]),
            ("assistant", ["Hello!\n\nStill there?"]),
            ("user", [f"[user]: {GO_ON}"]),
        ]

    def test_a_view_that_begins_with_the_own_message(self) -> None:
        assert pair(("agent_1", "Hello!"), ("agent_2", "Hi."), quirks=Quirks())[1] == ("user", [f"[user]: {BEGIN}"])

    def test_an_empty_view(self) -> None:
        assert pair() == [("system", [PUBLISHED]), ("user", [f"[user]: {BEGIN}"])]

    def test_silence_keeps_its_turn(self) -> None:
        said: tuple[Said, ...] = ((USER, "# Task"), ("agent_1", " \n"), ("agent_2", []), ("agent_2", ["", 1]))
        assert pair(*said)[2:] == [
            ("assistant", [EMPTY]),
            ("user", [f"[other agent]: {EMPTY}"]),
            ("user", ["[other agent]:", 1]),
        ]

    def test_an_own_picture_is_shown_by_the_user(self) -> None:
        assert pair((USER, "Draw."), ("agent_1", ["Here:", 1, "Nice?"]), ("agent_2", "Yes."))[2:] == [
            ("assistant", ["Here:"]),
            ("user", [f"[user]: {OWN_PICTURE}", 1]),
            ("assistant", ["Nice?"]),
            ("user", ["[other agent]: Yes."]),
        ]


class TestSystemMessages:
    SAID = ((SYSTEM, "Be brief."), (USER, "# Task"), ("agent_1", "a"), (SYSTEM, "Faster."), ("agent_2", "b"))

    def test_they_stay_in_place_where_a_provider_is_flexible(self) -> None:
        assert pair(*self.SAID) == [
            ("system", [PUBLISHED]),
            ("system", ["Be brief."]),
            ("user", ["[user]: # Task"]),
            ("assistant", ["a"]),
            ("system", ["Faster."]),
            ("user", ["[other agent]: b"]),
        ]

    def test_they_follow_the_go_between_where_there_is_room_for_one(self) -> None:
        assert pair(*self.SAID, quirks=Quirks())[:2] == [
            ("system", [f"{PUBLISHED}\n\nBe brief.\n\nFaster."]),
            ("user", ["[user]: # Task"]),
        ]

    def test_they_open_the_first_user_message_where_there_is_no_room(self) -> None:
        assert pair(*self.SAID, quirks=STRICT)[0] == (
            "user",
            [f"{PUBLISHED}\n\nBe brief.\n\nFaster.\n\n[user]: # Task"],
        )

    def test_one_with_a_picture_is_said_by_the_user(self) -> None:
        assert pair((SYSTEM, ["Look:", 1]), (USER, "# Task"))[1] == ("user", ["[user]: Look:", 1])

    def test_a_blank_one_is_left_out(self) -> None:
        assert alone((SYSTEM, " "), (USER, "# Task")) == [("user", ["# Task"])]


class TestAlone:
    @pytest.mark.parametrize("protocol", ["prefixes", "user", "transcript"])
    def test_turns_are_plain(self, protocol: RoleProtocol) -> None:
        said = ((USER, "Solve."), ("agent_1", "up"), (ENVIRONMENT, "A wall."), ("agent_1", "left"), (USER, "Check."))
        assert alone(*said, protocol=protocol) == [
            ("user", ["Solve."]),
            ("assistant", ["up"]),
            ("user", ["A wall."]),
            ("assistant", ["left"]),
            ("user", ["Check."]),
        ]

    def test_fillers_are_plain_too(self) -> None:
        assert alone(("agent_1", "up"), quirks=Quirks()) == [
            ("user", [BEGIN]),
            ("assistant", ["up"]),
            ("user", [GO_ON]),
        ]


class TestUserAsAgent:
    def test_the_other_agent_is_the_user_unmarked(self) -> None:
        said = ((USER, "# Task"), ("agent_1", "Hello!"), ("agent_2", "Hi."))
        assert pair(*said, protocol="user") == [("user", ["# Task"]), ("assistant", ["Hello!"]), ("user", ["Hi."])]

    def test_several_agents_are_marked(self) -> None:
        said = ((USER, "# Task"), ("agent_2", "Hello!"), ("lead", "Hi."))
        assert trio(*said, protocol="user") == [
            ("user", ["[user]: # Task"]),
            ("user", ["[agent 2]: Hello!"]),
            ("user", ["[lead]: Hi."]),
        ]

    def test_the_environment_is_marked(self) -> None:
        assert pair((ENVIRONMENT, "A wall."), protocol="user") == [("user", ["[environment]: A wall."])]

    def test_the_filler_stands_only_where_it_must(self) -> None:
        said = (("agent_1", "Hello!"), ("agent_2", "Hi."))
        assert pair(*said, protocol="user") == [("assistant", ["Hello!"]), ("user", ["Hi."])]
        assert pair(*said, protocol="user", quirks=Quirks())[0] == ("user", [BEGIN])


class TestTranscript:
    CUE = "The next message is yours, Agent 1. Write what you say, without the label.\nAgent 1:"

    def test_the_dialogue_is_one_message_with_pictures_in_place(self) -> None:
        opening: tuple[Said, ...] = ((USER, "# Task"), ("agent_1", "Hello!"), ("agent_2", ["See", 1]))
        said = (*opening, (ENVIRONMENT, "Ding."), (USER, "Go."))
        assert pair(*said, protocol="transcript", quirks=Quirks()) == [
            (
                "user",
                [
                    "# Task\n\nThe dialogue so far:\n\nAgent 1: Hello!\n\nAgent 2: See",
                    1,
                    f"Environment: Ding.\n\nUser: Go.\n\n{self.CUE}",
                ],
            )
        ]

    def test_the_first_speaker_gets_the_task_and_the_cue(self) -> None:
        assert pair((USER, "# Task"), protocol="transcript") == [("user", [f"# Task\n\n{self.CUE}"])]

    def test_system_messages_stand_before_the_script(self) -> None:
        said = ((SYSTEM, "Be brief."), (USER, "# Task"), ("agent_2", "a"), (SYSTEM, "Faster."))
        assert pair(*said, protocol="transcript")[:2] == [("system", ["Be brief."]), ("system", ["Faster."])]

    def test_an_empty_view(self) -> None:
        assert pair(protocol="transcript") == [("user", [self.CUE])]


@pytest.mark.parametrize("provider", [OPENAI, Quirks()])
def test_texts_that_a_game_wants_apart_stay_parts_of_their_own(provider: Quirks) -> None:
    told = view((SYSTEM, "Judge."))
    asked = Message(speaker=USER, parts=parts_of(["one", 1, "two\n", " ", "three"]), apart=True)

    chat = render((*told, asked), seat="agent_1", partners=(), protocol="user", quirks=provider)

    assert shown(chat) == [("system", ["Judge."]), ("user", ["one", 1, "two\n", "three"])]


def test_who_takes_no_pictures_is_told_all_in_one_text() -> None:
    asked = Message(speaker=USER, parts=(picture(1).model_copy(update={"alt": "red"}), *parts_of("two")), apart=True)
    assert [message.apart for message in in_words([asked])] == [False]
    assert len(shown(render(in_words([asked]), seat="a", partners=(), protocol="user", quirks=OPENAI))[0][1]) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Agent 1: Hello!", "Hello!"),
        ("\nAGENT 1:\nGo left.", "Go left."),
        ("Hello! Agent 1: that is me.", "Hello! Agent 1: that is me."),
        ("Agent 2: Hello!", "Agent 2: Hello!"),
        (" Hello!", " Hello!"),
    ],
)
def test_a_seat_s_own_label_is_taken_off_a_script_s_line(text: str, said: str) -> None:
    assert unlabelled(text, "agent_1", "transcript") == said
    assert unlabelled(text, "agent_1", "prefixes") == text


SEATS = ["agent_1", "agent_2", "agent_3"]


@st.composite
def dialogues(draw: st.DrawFn) -> tuple[Message, ...]:
    """Any transcript: every part can be told from all others, and some are blank."""
    speakers = st.sampled_from([*SEATS, USER, ENVIRONMENT, SYSTEM, "stranger"])
    kinds = st.lists(st.sampled_from(["text", "image", "blank"]), max_size=4)
    fillings = st.text(alphabet="a \n[]:", max_size=5)
    number = 0
    said = []
    for speaker, shapes in draw(st.lists(st.tuples(speakers, kinds), max_size=8)):
        parts: list[Part] = []
        for shape in shapes:
            number += 1
            if shape == "image":
                parts.append(picture(number))
            else:
                parts.append(Text(text=f"<{number}>{draw(fillings)}</{number}>" if shape == "text" else " \n"))
        said.append(Message(speaker=speaker, parts=tuple(parts)))
    return tuple(said)


def pieces(parts: tuple[Part, ...]) -> list[str]:
    """Take the texts and pictures of a dialogue out of whatever has been put around them."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Image):
            found.append(part.sha256)
        else:
            found += [match.group() for match in re.finditer(r"<(\d+)>.*?</\1>", part.text, re.DOTALL)]
    return found


def is_system(message: Message) -> bool:
    return message.speaker == SYSTEM and not any(isinstance(part, Image) for part in message.parts)


partners = st.integers(0, 2).map(lambda count: tuple(SEATS[1 : 1 + count]))


@given(dialogues(), partners, protocols, quirks)
def test_every_rendering_is_legal(
    said: tuple[Message, ...], others: tuple[str, ...], protocol: RoleProtocol, provider: Quirks
) -> None:
    chat = render(said, seat="agent_1", partners=others, protocol=protocol, quirks=provider)
    assert legal(chat, provider) == []


@given(dialogues(), partners, protocols, quirks)
def test_every_part_is_there_once_and_in_order(
    said: tuple[Message, ...], others: tuple[str, ...], protocol: RoleProtocol, provider: Quirks
) -> None:
    chat = render(said, seat="agent_1", partners=others, protocol=protocol, quirks=provider)
    if provider.system != "flexible" or (others and protocol == "transcript"):
        said = tuple(sorted(said, key=lambda message: not is_system(message)))
    rendered = [piece for message in chat for piece in pieces(message.parts)]
    assert rendered == [piece for message in said for piece in pieces(message.parts)]


@given(dialogues(), partners, st.sampled_from(["prefixes", "user"]), quirks)
def test_own_words_are_the_assistants_and_no_others_are(
    said: tuple[Message, ...], others: tuple[str, ...], protocol: RoleProtocol, provider: Quirks
) -> None:
    chat = render(said, seat="agent_1", partners=others, protocol=protocol, quirks=provider)
    own = [piece for message in chat if message.role == "assistant" for piece in pieces(message.parts)]
    assert own == [
        piece
        for message in said
        if message.speaker == "agent_1"
        for piece in pieces(message.parts)
        if piece.startswith("<")
    ]


@given(dialogues(), quirks)
def test_every_text_of_others_stands_under_its_speakers_mark(said: tuple[Message, ...], provider: Quirks) -> None:
    chat = render(said, seat="agent_1", partners=("agent_2", "agent_3"), protocol="prefixes", quirks=provider)
    text = "\n\n".join(part.text for message in chat for part in message.parts if isinstance(part, Text))
    for message in said:
        visible = [part for part in message.parts if isinstance(part, Image) or part.text.strip()]
        if message.speaker in ("agent_1", SYSTEM) or not visible or isinstance(visible[0], Image):
            continue
        assert f"[{message.speaker.replace('_', ' ')}]: {pieces((visible[0],))[0]}" in text


@given(st.text(min_size=1).filter(str.strip), protocols, quirks)
def test_words_are_relayed_as_they_are(text: str, protocol: RoleProtocol, provider: Quirks) -> None:
    said = view((USER, "# Task"), ("agent_2", text))
    chat = render(said, seat="agent_1", partners=("agent_2",), protocol=protocol, quirks=provider)
    assert any(text in part.text for message in chat for part in message.parts if isinstance(part, Text))
