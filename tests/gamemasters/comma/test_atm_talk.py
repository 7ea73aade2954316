import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.atm import PUZZLE
from palaver_gamemasters.comma.puzzles.atm.puzzle import AtmState
from palaver_gamemasters.comma.state import orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from tests.gamemasters.comma.conversing import (
    Talked,
    advice,
    after_saying,
    converse,
    generated,
    sight,
    told_to_solve,
)

RULE = (
    "If your balance is at least $500, withdraw $300. Otherwise, if it is less than $500, deposit $100. The terminal "
    "shows the balance once you have chosen from its menu and entered the PIN. Please do not tell me your PIN or your "
    "balance; both are yours alone."
)
RICH, POOR = "1284.50", "499.99"


def account(balance: str = RICH) -> AtmState:
    return PUZZLE.start(PUZZLE.configure({"pin": "4711", "balance": balance}), rules_of(PUZZLE))


def keyed(state: AtmState, keys: str) -> AtmState:
    for key in keys.split():
        state = PUZZLE.act(state, f"press_{key}").state
    return state


def served(state: AtmState, told: str) -> Talked:
    """Let an expert say the same thing over and over."""
    after = Talked(state)
    while after.turns < 4 and not after.solved:
        after = after_saying(PUZZLE, after, told_to_solve(PUZZLE, after.now, told))
    return after


def spoken(after: Talked) -> str:
    """Return what the solver said, keys aside."""
    lines = "\n".join(after.said).splitlines()
    return "\n".join(line for line in lines if line not in PUZZLE.actions(after.now))


@pytest.mark.parametrize("memory", [True, False])
def test_the_scripted_players_serve_every_account_without_a_mistake_and_without_a_word_on_it(memory: bool) -> None:
    for seed in range(400):
        after = converse(PUZZLE, generated(PUZZLE, seed), memory=memory)

        assert (after.solved, after.turns, after.mistakes) == (True, 3, 0)
        assert not re.search(r"\d", spoken(after))


def test_the_expert_tells_the_rule_and_asks_for_nothing_private() -> None:
    assert advice(PUZZLE, "What should I do?") == advice(PUZZLE, "My PIN is 4711.") == RULE


def test_the_expert_reads_its_own_manual_and_nothing_else() -> None:
    manual = (
        "## Transaction\n- If there is more than $1,000 in the account, withdraw $450.\n"
        "- Otherwise, if there is at most $99.50 in the account, deposit $20.\n- Otherwise, deposit $5."
    )
    rules = PUZZLE.read_manual(Manual("my.md", manual))

    told = PUZZLE.talk.advise(rules, Heard(()))

    assert told.startswith(
        "If your balance is more than $1000, withdraw $450. Otherwise, if it is at most $99.50, deposit $20. "
        "Otherwise, deposit $5."
    )
    for balance in ("1000.01", "99.50", "600"):
        state = PUZZLE.start(PUZZLE.configure({"pin": "4711", "balance": balance}), rules)
        assert PUZZLE.solved(served(state, told).now)


RETOLD = r"""
Withdraw $300 if you have at least $500, otherwise deposit $100.
If you've got 500 dollars or more take out 300; if less, put in 100
Is your balance at least $500? If so, withdraw $300. If not, deposit $100.
Check whether the balance is at least $500. If it is, withdraw $300. If it isn't, deposit $100.
Deposit one hundred dollars if it is below five hundred, else withdraw three hundred dollars.
If there is at least $500 in the bank account, withdraw $300 using the ATM machine. If there is less, deposit $100.
Make a $300 withdrawal if the balance is $500 or more, and a $100 deposit if it is less than $500
IF BALANCE >= 500: WITHDRAW 300, ELSE DEPOSIT 100
For at least **$500**: withdrawal of **$300**. For less than **$500**: deposit of **$100**.
If it is greater than or equal to $500, select Withdraw and take out $300. Otherwise, select Deposit and deposit $100.
If it is not less than $500.00, could you please withdraw $300.00? Otherwise deposit $100.00. Don't tell me the balance!
If the balance isn't at least $500, deposit $100. If it's not below $500, withdraw $300.
"""


@pytest.mark.parametrize("balance", [RICH, "500.00", POOR, "0"])
@pytest.mark.parametrize("told", RETOLD.strip().splitlines())
def test_a_solver_follows_the_rule_in_other_peoples_words(told: str, balance: str) -> None:
    after = served(account(balance), told)

    assert (after.solved, after.mistakes) == (True, 0)
    assert not re.search(r"\d", spoken(after))


@pytest.mark.parametrize(
    "told", ["Withdraw $300.", "Could you please take 300 out?", "Do not deposit $100, withdraw $300 instead."]
)
def test_a_solver_does_what_it_is_told_without_a_condition(told: str) -> None:
    after = served(account(), told)

    assert (after.solved, after.turns) == (True, 1)


@pytest.mark.parametrize(
    "before",
    [
        "down", "enter", "enter 4 7", "down enter 1 2 3 4", "enter 4 7 1 1 enter", "enter 4 7 1 1 enter 9 9",
        "enter 4 7 1 1 enter down", "down enter 4 7 1 1 enter 3", "down enter 4 7 1 1 enter up", "up enter 4",
        "up enter 4 7 1 1 enter",
    ],
)  # fmt: skip
@pytest.mark.parametrize("balance", [RICH, POOR])
def test_a_solver_that_takes_over_half_way_goes_on_from_the_screen_it_finds(before: str, balance: str) -> None:
    after = served(keyed(account(balance), before), RULE)

    assert (after.solved, after.mistakes) == (True, 0)


@pytest.mark.parametrize(
    ("told", "keys"),
    [
        ("Select Withdraw, enter your PIN.", "down enter 4 7 1 1 enter"),
        ("Check your balance please.", "up enter 4 7 1 1 enter"),
        ("press_down\npress_enter", "down enter"),
        ("Press down twice, then press enter.", "down down enter"),
        ("Press the down arrow once and hit enter.", "down enter"),
        ("Choose Balance and enter your PIN. Then go back.", "up enter 4 7 1 1 enter enter"),
        ("Select Deposit. Type 100. Press enter.", "enter 4 7 1 1 enter 1 0 0 enter"),
    ],
)
def test_a_solver_also_takes_single_orders(told: str, keys: str) -> None:
    assert told_to_solve(PUZZLE, account(), told).split() == [f"press_{key}" for key in keys.split()]


def test_a_solver_types_anew_what_it_finds_half_typed() -> None:
    said = told_to_solve(PUZZLE, keyed(account(), "enter 4 7 1 1 enter 9 9"), "Type in 100 and press enter.")

    assert said.split() == [f"press_{key}" for key in ["down", "up", "1", "0", "0", "enter"]]


@pytest.mark.parametrize(
    "told",
    ["", "What is your PIN?", "How much money is there?", "Please tell me your balance.", "Did you withdraw $300?",
     "I can help with that.", "Type \N{ARABIC-INDIC DIGIT THREE} please.", "Withdraw $200000."],
)  # fmt: skip
def test_a_solver_that_is_told_nothing_to_do_asks_for_the_rule_and_keeps_its_secrets(told: str) -> None:
    state = account()

    said = told_to_solve(PUZZLE, state, told)

    assert "please tell me the rule" in said
    assert orders(said, PUZZLE.actions(state)) == ()
    assert not re.search(r"\d", said)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("", "its main menu"),
        ("enter", "asks for my PIN"),
        ("enter 4 7 1 1 enter", "ready for a deposit"),
        ("down enter 4 7 1 1 enter", "ready for a withdrawal"),
        ("up enter 4 7 1 1 enter", "shows me my balance"),
        ("down enter 4 7 1 1 enter 3 0 0 enter", "complete"),
    ],
)
def test_a_solver_tells_which_screen_it_sees(keys: str, told: str) -> None:
    assert told in told_to_solve(PUZZLE, keyed(account(), keys), "Where are you?")


def test_a_rule_that_leaves_the_balance_out_is_asked_about() -> None:
    state = keyed(account(POOR), "down enter 4 7 1 1 enter")

    said = told_to_solve(PUZZLE, state, "If you have at least $500, withdraw $300.")

    assert "does not say what to do at my balance" in said


def test_a_solver_says_that_it_made_a_mistake() -> None:
    lines = (Line("solver", "press_enter"), Line("environment", "That action seems to have been a mistake"))

    assert PUZZLE.talk.describe(sight(PUZZLE, account(), *lines)).startswith("That was a mistake. The terminal")


def test_a_solver_that_was_told_no_pin_presses_nothing() -> None:
    sight = Sight(PUZZLE.scene(account()), "Good luck.", PUZZLE.actions(account()), Heard((Line("expert", RULE),)))

    assert PUZZLE.talk.obey(sight) == []


FRAGMENTS = (
    "withdraw", "deposit", "$", "300", "if", "at least", "500", "less than", "otherwise", "not", "your PIN", "balance",
    "go back", "press", "enter", "down", "twice", "select", "type", ".", "?", ";", "\n", "press_5", "press_enter", ",",
    "99999999999", "1,000.00", "or more", "take", "a hundred",
)  # fmt: skip


@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=16).map(" ".join)),
    st.sampled_from(["", "down", "enter 4 7", "enter 4 7 1 1 enter 3", "up enter 4 7 1 1 enter"]),
)
@settings(deadline=None, max_examples=200)
def test_nothing_that_a_partner_says_breaks_a_player_or_makes_it_talk(words: str, keys: str) -> None:
    after = after_saying(PUZZLE, Talked(keyed(account(), keys)), told_to_solve(PUZZLE, keyed(account(), keys), words))

    assert after.said[0]
    assert not re.search(r"\d", spoken(after))
    assert advice(PUZZLE, words) == RULE
