"""The leak audit: games that leak, each in its own way, are caught; what is no leak is let pass."""

import pytest

from palaver_gamemasters.game import Options
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.observability.audit_support import (
    PLACES,
    WORDS,
    Hunt,
    HuntState,
    Undeclared,
    audited,
    layers,
    opening,
    picture,
    played,
)


def told(text: str, seat: str = "right") -> Message:
    return Message.text_from(USER, text, (seat,))


class ShowsTheOthersTask(Undeclared):
    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        more = (self.task(state, "left"),) if seat == "right" else ()
        return (*super().view(state, seat), *more)


class TellsThePlaceInItsFeedback(Undeclared):
    def feedback(self, state: HuntState, seat: str) -> str:
        return f"Well done. By the way: Only you know where it is: {PLACES[state.number]}."


class TellsItMangled(Undeclared):
    def feedback(self, state: HuntState, seat: str) -> str:
        mangled = "\n ".join(f"Only you know where it is: {PLACES[state.number]}.".upper())
        return f"Look:\n{mangled}" if seat == "right" else super().feedback(state, seat)


class TellsItWithInvisibleMarks(Undeclared):
    def feedback(self, state: HuntState, seat: str) -> str:
        return "\u200b".join(f"Only you know where it is: {PLACES[state.number]}.")


class ShowsTheOthersPicture(Undeclared):
    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        more = Message(speaker=USER, parts=(Text(text="Look!"), picture(state.number, "left")), audience=("right",))
        return (
            (*super().view(state, seat), more)
            if seat == "right" and len(state.dialogue) > 2
            else super().view(state, seat)
        )


class TellsThePictureInWords(Undeclared):
    def feedback(self, state: HuntState, seat: str) -> str:
        return f"There is {picture(state.number, 'left').alt} somewhere."


class HidesItInThePicturesWords(Undeclared):
    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        alt = f"a note: Only you know where it is: {PLACES[state.number]}."
        image = picture(state.number, "right").model_copy(update={"alt": alt})
        more = Message(speaker=USER, parts=(image,), audience=("right",))
        return (*super().view(state, seat), more) if seat == "right" else super().view(state, seat)


class RepeatsItsFeedbackToTheOther(Undeclared):
    def feedback(self, state: HuntState, seat: str) -> str:
        return super().feedback(state, "left")


class HintsAtTheWord(Hunt):
    def feedback(self, state: HuntState, seat: str) -> str:
        return f"A hint: think of a {WORDS[state.number]}."


class SpellsTheWord(Hunt):
    def feedback(self, state: HuntState, seat: str) -> str:
        return f"A hint: {'-'.join(WORDS[state.number].upper())}!"


class AsksForTheWordInTheTask(Hunt):
    def task(self, state: HuntState, seat: str) -> Message:
        return told(f"Do not say {WORDS[state.number]}.", seat)


class MakesATaskPublic(Hunt):
    def task(self, state: HuntState, seat: str) -> Message:
        return super().task(state, "left").model_copy(update={"audience": None})


class GivesBothTheSamePicture(Hunt):
    def task(self, state: HuntState, seat: str) -> Message:
        return Message(speaker=USER, parts=(picture(state.number, "left"),), audience=(seat,))


class ForgetsAnAudience(Undeclared):
    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        spoken = any(message.speaker == seat for message in state.dialogue)
        more = Message.text_from(USER, f"Only you know where it is: {PLACES[state.number]}.")
        return (*super().view(state, seat), *((more,) if spoken else ()))


class TellsTheOthersSecretInTheOpening(Undeclared):
    def task(self, state: HuntState, seat: str) -> Message:
        if seat == "left":
            return super().task(state, seat)
        return told(f"Do not ask left (which was told: Only you know where it is: {PLACES[state.number]}.), but think.")


MUTANTS = {
    ShowsTheOthersTask: "addressing",
    TellsThePlaceInItsFeedback: "content",
    TellsItMangled: "content",
    TellsItWithInvisibleMarks: "content",
    ShowsTheOthersPicture: "content",
    TellsThePictureInWords: "content",
    HidesItInThePicturesWords: "content",
    RepeatsItsFeedbackToTheOther: "content",
    TellsTheOthersSecretInTheOpening: "content",
    ForgetsAnAudience: "content",
    HintsAtTheWord: "secrets",
    SpellsTheWord: "secrets",
    AsksForTheWordInTheTask: "secrets",
    MakesATaskPublic: "secrets",
    GivesBothTheSamePicture: "secrets",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_game_that_leaks_is_caught(mutant: type[Hunt]) -> None:
    game = mutant()
    audit = audited(game, played(game, opening(game, 2)))
    assert MUTANTS[mutant] in layers(audit)
    assert audit.unread == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_leak_is_caught_in_a_single_episode(mutant: type[Hunt]) -> None:
    game = mutant()
    assert MUTANTS[mutant] in layers(audited(game, played(game, opening(game))))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_no_finding_prints_what_it_has_found(mutant: type[Hunt]) -> None:
    game = mutant()
    audit = audited(game, played(game, opening(game)))
    for finding in audit.findings:
        assert all(secret not in finding.what for secret in (*PLACES, *WORDS))


@pytest.mark.parametrize("game", [Hunt(), Undeclared()], ids=["declared", "undeclared"])
def test_the_same_game_without_a_leak_is_clean(game: Hunt) -> None:
    audit = audited(game, played(game, opening(game, 3)))
    assert (audit.findings, audit.unread, audit.episodes) == ([], [], 3)
    assert audit.checked["addressing"]["proven"] == 18
    assert audit.checked["content"]["pictures"] == 6
    assert audit.checked["secrets"]["secrets"] == 4 * 3 * isinstance(game, Hunt) * (type(game) is Hunt)


class QuotesSeats(Hunt):
    """Tells each seat again what was said last, as a game master who speaks to every player alone."""

    def feedback(self, state: HuntState, seat: str) -> str:
        return f"Your partner says: {state.dialogue[-1].text}"


def test_what_a_seat_has_said_aloud_may_be_told_on() -> None:
    def speak(request: TurnRequest) -> str:
        return f"{request.view[0].text} Perhaps it is {WORDS[0]}, {WORDS[1]} or {WORDS[2]}?"

    for game in (Hunt(), QuotesSeats()):
        assert audited(game, played(game, opening(game, 2), speak)).findings == []


class SaysThePhraseOfTheDay(Undeclared):
    """Tells both seats the same, one after the other, whatever the instance is."""

    def feedback(self, state: HuntState, seat: str) -> str:
        return "That was a good answer; now go on to the next question, please."


@pytest.mark.parametrize("episodes", [1, 3])
def test_a_phrase_that_hangs_on_no_instance_is_no_content(episodes: int) -> None:
    game = SaysThePhraseOfTheDay()
    assert audited(game, played(game, opening(game, episodes))).findings == []


class TellsBoth(Undeclared):
    """Announces to both what it had told one."""

    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        told_both = Message.text_from(USER, f"Only you know where it is: {PLACES[state.number]}.", ("left", "right"))
        return (*super().view(state, seat), *((told_both,) if len(state.dialogue) > 2 else ()))


def test_what_is_addressed_to_both_is_common() -> None:
    game = TellsBoth()
    assert audited(game, played(game, opening(game))).findings == []


def test_a_word_that_only_holds_a_secret_does_not_tell_it() -> None:
    class HintsAtIt(Hunt):
        def feedback(self, state: HuntState, seat: str) -> str:
            return "A hint: think of art."

        def secrets(self, instance: object, options: Options) -> dict[str, tuple[str, ...]]:
            return {"left": ("art",)}

    game = HintsAtIt()
    assert layers(audited(game, played(game, opening(game), lambda _: "Let us start."))) == {"secrets"}
    assert layers(audited(game, played(game, opening(game), lambda _: "Is it art?"))) == set()


def test_short_words_and_parts_of_words_are_not_taken_for_a_secret() -> None:
    class HasAShortWord(Hunt):
        def secrets(self, instance: object, options: Options) -> dict[str, tuple[str, ...]]:
            return {"left": ("rea",), "right": ("tell u",)}

    game = HasAShortWord()  # "treasure", "Tell each other"
    assert audited(game, played(game, opening(game))).findings == []
