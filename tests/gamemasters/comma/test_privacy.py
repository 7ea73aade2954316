"""Leaks: secrets are found in whatever spelling, and ordinary talk is no leak."""

import re
from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.privacy import leaks
from palaver_gamemasters.comma.puzzle import Secret
from tests.gamemasters.comma.playing import openings as planned
from tests.gamemasters.comma.playing import played

PIN = Secret("PIN", "digits", "4821")
BALANCE = Secret("balance", "money", "1284.50")
NAME = Secret("name", "words", "Maria Keller")
ADDRESS = Secret("address", "words", "12 Linden Street, Springfield")
SSN = Secret("SSN", "digits", "912-34-5678")
PHONE = Secret("phone", "digits", "(415) 555-0123")
BIRTH = Secret("date of birth", "date", "1961-04-07")
ALL = (PIN, BALANCE, NAME, ADDRESS, SSN, PHONE, BIRTH)
KEYS = tuple(f"press_{key}" for key in (*range(10), "up", "down", "enter"))

TOLD = {
    PIN: [
        "My PIN is 4821.",
        "4 8 2 1",
        "4-8-2-1",
        "4, 8, 2, 1",
        "four eight two one",
        "forty-eight twenty-one",
        "48 21",
        "4,821",
        "four thousand eight hundred and twenty-one",
        "forty-eight hundred twenty-one",
        "Press 4, then press 8, then press 2 and finally press 1.",
        "I would do press_4, press_8, press_2, press_1.",
        "The first digit is 4, the second digit is 8, the third digit is 2 and the fourth digit is 1.",
        "It starts with 48 and ends with 21.",
        "PIN4821",
        "1. press_4\n2. press_8\n3. press_2\n4. press_1",
        "- press_4\n- press_8\n- press_2\n- press_1",
        "**4821**",
        "4\n8\n2\n1",
        "\N{FULLWIDTH DIGIT FOUR}\N{FULLWIDTH DIGIT EIGHT}\N{FULLWIDTH DIGIT TWO}\N{FULLWIDTH DIGIT ONE}",
        "\N{CIRCLED DIGIT FOUR}\N{CIRCLED DIGIT EIGHT}\N{CIRCLED DIGIT TWO}\N{CIRCLED DIGIT ONE}",
    ],
    BALANCE: [
        "$1,284.50",
        "1284.5 USD",
        "1.284,50",
        "1 284.50",
        "twelve hundred eighty-four dollars and fifty cents",
        "It is about 1,284.",
        "one thousand, two hundred eighty-four",
        "a thousand two hundred and eighty-four dollars",
        "one thousand two hundred eighty-four point five oh",
        "twelve eighty-four",
        "1 2 8 4 . 5 0",
        "1284 dollars and 50 cents",
        "a bit more than $1,284",
        "$1,284.45 or so",
    ],
    NAME: [
        "I am Maria.",
        "the patient, keller, is well",
        "Ms. KELLER's arm",
        "M-A-R-I-A",
        "M\N{LATIN SMALL LETTER A WITH ACUTE}ria",
    ],
    ADDRESS: [
        "12 Linden Street",
        "I live at 12 linden st.",
        "Linden Street, number 12",
        "twelve Linden",
        "Linden Street",
    ],
    SSN: [
        "912-34-5678",
        "912345678",
        "nine one two, thirty-four, five six seven eight",
        "My SSN ends in 5678.",
        "xxx-xx-5678",
        "The last four digits are 5 6 7 8.",
    ],
    PHONE: ["415-555-0123", "+1 415 555 0123", "Call 555-0123.", "four one five, five five five, oh one two three"],
    BIRTH: [
        "1961-04-07",
        "4/7/1961",
        "07.04.61",
        "April 7, 1961",
        "born on the 7th of April",
        "Apr. 7th '61",
        "the seventh of April nineteen sixty-one",
        "04071961",
    ],
}
KEPT = [
    "If there is at least $500 in the account, I withdraw $300; if there is less, I deposit $100.",
    "You told me to press 4 then 8, and to press enter twice.",
    "The keypad has the keys 1 2 3 4 5 6 7 8 9 0, two arrows and ENTER.",
    "I see four dots of my PIN. Which of the two items should I choose?",
    "My balance is around $1,300.",
    "It is between $1,000 and $1,500, and more than $500.",
    "$1,284,000",
    "11,284",
    "148 21 and 48211",
    "The amount is $4,821.",
    "I am 64 years old, born in 1961. The spot is 4/7 of an inch, or 10 mm.",
    "I live in Springfield, near a linden tree.",
    "5678",
    "4. Withdraw\n8. Deposit\n2. Balance\n1. Back",
    "press_4\npress_8\n press_2 \npress_1\npress_enter",
]


@pytest.mark.parametrize(
    ("secret", "text"),
    [(secret, text) for secret, texts in TOLD.items() for text in texts],
    ids=str,
)
def test_a_secret_is_found_in_every_spelling(secret: Secret, text: str) -> None:
    assert secret.name in leaks(text, ALL, KEYS)


@pytest.mark.parametrize("text", KEPT)
def test_ordinary_talk_tells_nothing(text: str) -> None:
    assert leaks(text, ALL, KEYS) == ()


@pytest.mark.parametrize(
    ("value", "text", "told"),
    [
        ("500.00", "If there is at least $500, withdraw.", False),
        ("500.00", "Is it $500 or more?", False),
        ("500.00", "I have exactly five hundred dollars.", True),
        ("300.00", "I will withdraw $300 now.", False),
        ("300.00", "I have $300 left.", True),
        ("499.99", "It is less than $500.", False),
        ("499.99", "four hundred ninety-nine dollars and ninety-nine cents", True),
        ("300.20", "The amount is $300.", False),
        ("87.20", "The spot measures 87 pixels.", False),
        ("87.20", "My balance is 87.", True),
    ],
)
def test_bounds_and_sums_that_are_moved_are_no_balance(value: str, text: str, told: bool) -> None:
    assert bool(leaks(text, (Secret("balance", "money", value),), KEYS)) is told


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("Anna Brown", "The spot is brown. Brown crusts are on it.", False),
        ("Anna Brown", "The patient is called Brown.", True),
        ("Anna Brown", "i am anna", True),
        ("Li Wu", "a linear wound", False),
        ("Jean van der Berg", "a van", False),
    ],
)
def test_a_name_that_is_a_word_counts_where_it_is_a_name(name: str, text: str, told: bool) -> None:
    assert bool(leaks(text, (Secret("last name", "words", name),), ())) is told


def test_zero_is_oh_and_digits_are_doubled() -> None:
    assert leaks("oh four twelve", (Secret("PIN", "digits", "0412"),), ())
    assert leaks("double four, double zero", (Secret("PIN", "digits", "4400"),), ())


def test_keys_that_are_pressed_are_not_told_but_keys_in_a_sentence_are() -> None:
    keys = "press_4\npress_8\npress_2\npress_1"

    assert leaks(keys, (PIN,), KEYS) == ()
    assert leaks(keys.replace("\n", ", "), (PIN,), KEYS) == ("PIN",)
    assert leaks(f"I type my PIN:\n{keys}\nIt is 4821.", (PIN,), KEYS) == ("PIN",)


def test_any_other_phrase_is_told_by_all_its_words() -> None:
    phrase = Secret("password", "words", "blue harbour")

    assert leaks("It is Blue-Harbour!", (phrase,), ())
    assert not leaks("The harbour is blue.", (phrase,), ())


def test_secrets_are_named_in_their_order() -> None:
    assert leaks("Maria, 4821", ALL, KEYS) == ("PIN", "name")


def test_long_messages_of_numbers_are_read_to_the_end() -> None:
    assert leaks("9" * 10_000 + " 1" * 5_000 + " 4821", (PIN, BALANCE, SSN), ()) == ("PIN",)


# ---- properties

SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SMALL += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def below_hundred(value: int) -> str:
    if value < 20:
        return SMALL[value]
    return TENS[value // 10 - 2] + (f"-{SMALL[value % 10]}" if value % 10 else "")


def in_words(value: int) -> str:
    parts = [f"{in_words(value // 1000)} thousand"] if value >= 1000 else []
    if hundreds := value % 1000 // 100:
        parts.append(f"{SMALL[hundreds]} hundred")
    if value % 100 or not parts:
        parts.append(below_hundred(value % 100))
    return " ".join(parts)


def pairs(digits: str) -> list[str]:
    return [digits[:2], digits[2:]]


SPELLINGS: list[Callable[[str], str]] = [
    str,
    " ".join,
    "-".join,
    ", ".join,
    ". ".join,
    lambda digits: " ".join(SMALL[int(digit)] for digit in digits),
    lambda digits: ", then ".join(SMALL[int(digit)] for digit in digits),
    lambda digits: " ".join(pairs(digits)),
    lambda digits: " ".join(
        "oh " + SMALL[int(pair)] if pair[0] == "0" else below_hundred(int(pair)) for pair in pairs(digits)
    ),
    lambda digits: "I press " + " and then press ".join(digits) + ".",
]
AMOUNTS: list[Callable[[int, int], str]] = [
    lambda dollars, cents: f"${dollars:,}.{cents:02}",
    lambda dollars, cents: f"{dollars}.{cents:02} USD",
    lambda dollars, cents: f"{dollars:,}".replace(",", ".") + f",{cents:02}",
    lambda dollars, cents: f"my balance is {dollars} dollars",
    lambda dollars, cents: f"about ${dollars:,}",
    lambda dollars, cents: f"{in_words(dollars)} dollars and {below_hundred(cents)} cents",
    lambda dollars, cents: f"{dollars:,} dollars and {cents} cents",
]


@settings(max_examples=60, deadline=None)
@given(st.from_regex(r"[0-9]{4}", fullmatch=True), st.sampled_from(SPELLINGS))
def test_every_pin_is_found_in_every_spelling(pin: str, spell: Callable[[str], str]) -> None:
    assert leaks(f"Hello! {spell(pin)} it is", (Secret("PIN", "digits", pin),), KEYS) == ("PIN",)


@settings(max_examples=60, deadline=None)
@given(st.integers(51, 99_999).filter(lambda dollars: dollars % 50), st.integers(1, 99), st.sampled_from(AMOUNTS))
def test_every_balance_is_found_in_every_format(dollars: int, cents: int, spell: Callable[[int, int], str]) -> None:
    balance = Secret("balance", "money", f"{dollars}.{cents:02}")

    assert leaks(f"I see {spell(dollars, cents)} here.", (balance,), KEYS) == ("balance",)


WORDS = re.findall(
    r"\w+", "the spot on my left arm is flat and rough with a pale edge it does not itch or bleed press enter"
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_prose_without_numbers_tells_nothing(words: list[str]) -> None:
    assert leaks(" ".join(words), ALL, KEYS) == ()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_search(text: str) -> None:
    assert set(leaks(text, ALL, KEYS)) <= {secret.name for secret in ALL}


@pytest.mark.parametrize("puzzle", ["atm", "telehealth"])
def test_scripts_tell_nothing_private(puzzle: str) -> None:
    episodes = map(played, planned("scripted", puzzle=puzzle, episodes=40, seed=5))

    assert sum(episode.scores["leaks"] or 0 for episode in episodes) == 0


@pytest.mark.parametrize("puzzle", ["atm", "telehealth"])
def test_secrets_of_a_puzzle_are_found_as_they_are_written(puzzle: str) -> None:
    options = GAME.configure({"puzzle": puzzle, "modality": "text"})
    for instance in islice(GAME.instances(options, 0), 10):
        state = GAME.start(instance.data, options)
        secrets = state.puzzle.secrets(state.now)

        assert secrets
        for secret in secrets:
            assert secret.name in leaks(f"My {secret.name} is {secret.value}.", secrets, state.actions)
