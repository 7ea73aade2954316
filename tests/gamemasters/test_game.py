"""What every game gets from the interface: options read from plain values, views, instances checked."""

from collections.abc import Iterator, Mapping

import pytest
from pydantic import Field, JsonValue, model_validator

from palaver_gamemasters.game import Game, GameOutcome, Instance, Options, Reply, Scores, read_instance
from palaver_protocols.content import Frozen, Text
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import Message


class EchoOptions(Options):
    rounds: int = Field(default=1, ge=1)
    loud: bool = False

    @model_validator(mode="after")
    def _polite(self) -> "EchoOptions":
        if self.loud and self.rounds > 9:
            raise ValueError("ten loud rounds are too many")
        return self


class Echo(Game[int, EchoOptions]):
    """Three seats speak once each round; the state counts the rounds."""

    name = "echo"
    summary = "says things"
    options_type = EchoOptions
    primary_score = "rounds"

    def of_variant(self, variant: str) -> Mapping[str, JsonValue]:
        return {"loud": variant == "loud", "rounds": 2}

    def variant(self, options: EchoOptions) -> str:
        return "loud" if options.loud else "soft"

    def instances(self, options: EchoOptions, seed: int) -> Iterator[Instance]:
        yield Instance("e0", {})

    def seats(self, options: EchoOptions) -> tuple[str, ...]:
        return ("a", "b", "c")

    def turn_limit(self, options: EchoOptions) -> int:
        return 3 * options.rounds

    def start(self, instance: JsonValue, options: EchoOptions) -> int:
        return options.rounds

    def pending(self, state: int) -> tuple[str, ...]:
        return ("a", "b", "c") if state else ()

    def view(self, state: int, seat: str) -> tuple[Message, ...]:
        return ()

    def apply(self, state: int, replies: Mapping[str, Reply]) -> int:
        return state - 1

    def outcome(self, state: int) -> GameOutcome | None:
        return None if state else "solved"

    def score(self, state: int) -> Scores:
        return {"rounds": None}

    def players(self) -> Mapping[str, Player]:
        return {"random": lambda request: request.seat}


def test_options_are_read_from_the_strings_of_a_command_line() -> None:
    assert Echo().configure({"rounds": "3", "loud": "yes"}) == EchoOptions(rounds=3, loud=True)


def test_a_variant_stands_for_options_and_given_values_come_first() -> None:
    assert Echo().configure({"rounds": 5}, "loud") == EchoOptions(rounds=5, loud=True)


def test_a_misspelt_option_is_named_beside_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"^echo has no option 'round' \(it has: rounds, loud\)$"):
        Echo().configure({"round": 3})


def test_a_value_that_makes_no_sense_is_named() -> None:
    with pytest.raises(UsageError, match=r"^echo: option rounds cannot be '0': Input should be greater"):
        Echo().configure({"rounds": "0"})


def test_values_that_do_not_go_together_are_explained() -> None:
    with pytest.raises(UsageError, match=r"^echo: ten loud rounds are too many$"):
        Echo().configure({"rounds": 10, "loud": True})


def test_all_other_seats_are_partners_unless_a_game_says_otherwise() -> None:
    assert Echo().partners(EchoOptions(), "b") == ("a", "c")


def test_a_reply_reads_as_its_text_parts() -> None:
    assert Reply((Text(text="one"), Text(text="two"))).text == "one\ntwo"
    assert Reply.of("one").parts == (Text(text="one"),)


class Pair(Frozen):
    left: int
    right: int


def test_an_instance_is_read_by_its_model() -> None:
    assert read_instance("echo", Pair, {"left": 1, "right": 2}) == Pair(left=1, right=2)


def test_an_instance_that_makes_no_game_is_refused_by_field() -> None:
    with pytest.raises(InstanceError, match=r"^echo instance: right: Field required$"):
        read_instance("echo", Pair, {"left": 1})
