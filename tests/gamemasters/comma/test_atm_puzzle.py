from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from PIL import ImageChops, ImageColor

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Secret
from palaver_gamemasters.comma.puzzles.atm import PUZZLE
from palaver_gamemasters.comma.puzzles.atm.manual import Condition, Rule
from palaver_gamemasters.comma.puzzles.atm.picture import LIT, SCREEN, option_box, pin_place
from palaver_gamemasters.comma.puzzles.atm.puzzle import AtmState
from palaver_gamemasters.comma.puzzles.atm.scene import AtmScene, rows
from palaver_gamemasters.comma.puzzles.atm.terminal import KEYS, MENU, Terminal
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import generated

PIN = "4 7 1 1 enter"


def account(balance: str | float = "1284.5", pin: str = "4711") -> AtmState:
    return PUZZLE.start(PUZZLE.configure({"pin": pin, "balance": balance}), rules_of(PUZZLE))


def keyed(state: AtmState, keys: str) -> tuple[AtmState, int]:
    """Press keys ("down enter 4"); return the state and how many of them were mistakes."""
    mistakes = 0
    for key in keys.split():
        state, mistake = PUZZLE.act(state, f"press_{key}")
        mistakes += mistake
    return state, mistakes


def screen(keys: str, balance: str | float = "1284.5") -> Terminal:
    state, mistakes = keyed(account(balance), keys)
    assert not mistakes
    return state.terminal


# ---- right and wrong transactions


@pytest.mark.parametrize(
    ("balance", "keys"),
    [
        ("500.00", f"down enter {PIN} 3 0 0 enter"),
        ("500.01", f"down enter {PIN} 3 0 0 enter"),
        ("9000", f"down enter {PIN} 0 3 0 0 enter"),
        ("499.99", f"enter {PIN} 1 0 0 enter"),
        ("0", f"enter {PIN} 1 0 0 enter"),
        (1284.5, f"up up enter {PIN} 3 0 0 enter"),
    ],
)
def test_the_transaction_that_the_balance_asks_for_solves_the_puzzle(balance: str | float, keys: str) -> None:
    state, mistakes = keyed(account(balance), keys)

    assert (PUZZLE.solved(state), PUZZLE.progress(state), mistakes) == (True, 1, 0)


@pytest.mark.parametrize(
    ("balance", "keys"),
    [
        ("500.00", f"enter {PIN} 1 0 0 enter"),
        ("499.99", f"down enter {PIN} 3 0 0 enter"),
        ("500.00", f"down enter {PIN} 1 0 0 enter"),
        ("500.00", f"enter {PIN} 3 0 0 enter"),
        ("499.99", f"enter {PIN} 1 0 1 enter"),
        ("500.00", f"down enter {PIN} 0 enter"),
        ("500.00", f"down enter {PIN} 3 0 enter"),
        ("500.00", f"down enter {PIN} 3 0 0 0 enter"),
    ],
)
def test_any_other_transaction_is_a_mistake_and_leads_back_to_the_menu(balance: str | float, keys: str) -> None:
    state, mistakes = keyed(account(balance), keys)

    assert mistakes == 1
    assert state == account(balance)


@pytest.mark.parametrize("keys", ["enter enter", "enter 4 7 1 enter", "enter 1 7 4 1 enter", "up enter 0 0 0 0 enter"])
def test_a_wrong_pin_is_a_mistake_and_leads_back_to_the_menu(keys: str) -> None:
    assert keyed(account(), keys) == (account(), 1)


def test_a_mistake_can_be_mended_afterwards() -> None:
    state, mistakes = keyed(account(), f"enter 9 enter down enter {PIN} 3 0 0 enter")

    assert (PUZZLE.solved(state), mistakes) == (True, 1)


# ---- the terminal


@pytest.mark.parametrize(
    ("keys", "shows"),
    [
        ("", MENU),
        ("down", Terminal(selection=1)),
        ("down down down", MENU),
        ("up", Terminal(selection=2)),
        ("5 9", MENU),
        ("down enter", Terminal("pin", chosen="withdraw")),
        ("enter 1 2 3 4 5", Terminal("pin", entry="1234")),
        ("enter 1 2 up", Terminal("pin")),
        ("enter 1 2 down 7", Terminal("pin", entry="7")),
        (f"enter {PIN}", Terminal("deposit", chosen="deposit")),
        (f"down enter 1 up {PIN}", Terminal("withdraw", chosen="withdraw")),
        (f"up enter {PIN}", Terminal("balance", chosen="balance")),
        (f"up enter {PIN} up 4 down", Terminal("balance", chosen="balance")),
        (f"up enter {PIN} enter", MENU),
        (f"enter {PIN} enter", Terminal("deposit", chosen="deposit")),
        (f"enter {PIN} 1 2 3 4 5 6", Terminal("deposit", 0, "deposit", "12345")),
        (f"enter {PIN} 1 2 down", Terminal("deposit", 1, "deposit")),
        (f"enter {PIN} 1 2 up 5", Terminal("deposit", 1, "deposit")),
        (f"enter {PIN} 1 2 up up 5", Terminal("deposit", 0, "deposit", "5")),
        (f"enter {PIN} down enter", MENU),
        (f"enter {PIN} down enter down enter", Terminal("pin", chosen="withdraw")),
    ],
)
def test_keys_lead_from_screen_to_screen_without_mistakes(keys: str, shows: Terminal) -> None:
    assert screen(keys) == shows


def test_a_solver_may_look_at_the_balance_first_and_choose_then() -> None:
    state, mistakes = keyed(account("20"), f"up enter {PIN} enter enter {PIN} 1 0 0 enter")

    assert (PUZZLE.solved(state), mistakes) == (True, 0)


@pytest.mark.parametrize("keys", ["", "down enter", "enter 4 7 1 1", f"enter {PIN} down enter"])
def test_the_balance_is_not_to_be_seen_before_the_pin(keys: str) -> None:
    state, _ = keyed(account(), keys)

    assert PUZZLE.scene(state).balance is None
    assert "284" not in PUZZLE.write(PUZZLE.scene(state))


def test_the_pin_is_shown_as_stars_only() -> None:
    states = [keyed(account(), f"enter {digits}")[0] for digits in ("4 7", "0 0")]

    assert PUZZLE.scene(states[0]) == PUZZLE.scene(states[1])
    assert "PIN: * * _ _" in PUZZLE.write(PUZZLE.scene(states[0]))


# ---- what is told


def test_the_briefing_tells_the_pin_that_it_is_secret_and_how_the_keys_work() -> None:
    told = PUZZLE.briefing(account())

    assert "Your PIN is 4711." in told
    assert "must not reveal your PIN or the balance" in told
    assert all(key in told for key in ("press_0", "press_9", "press_up", "press_down", "press_enter"))
    assert "284" not in told


def test_pin_and_balance_are_secrets() -> None:
    assert PUZZLE.secrets(account()) == (Secret("PIN", "digits", "4711"), Secret("balance", "money", "1284.50"))


def test_the_answer_names_the_transaction() -> None:
    assert PUZZLE.answer(account()) == (
        "The balance is $1,284.50, so the right transaction is: withdraw $300. The PIN is 4711."
    )


def test_there_is_a_key_for_each_action() -> None:
    assert PUZZLE.actions(account()) == KEYS
    assert (*(f"press_{digit}" for digit in "0123456789"), "press_up", "press_down", "press_enter") == KEYS


# ---- the manual


def manual(*rules: str, title: str = "## Transaction") -> Manual:
    return Manual("my.md", "\n".join(["# ATM", title, *(f"- {rule}" for rule in rules)]))


def test_the_manual_that_comes_along_has_the_studys_rules() -> None:
    assert rules_of(PUZZLE) == (
        Rule(Condition("at least", Decimal(500)), "withdraw", 300),
        Rule(Condition("less than", Decimal(500)), "deposit", 100),
    )
    assert "must not reveal any sensitive financial information" in own_manual(PUZZLE).text


THREE = (
    "If there is more than $1,000 in the bank account, withdraw $450 using the ATM machine.",
    "Otherwise, if there is at most $99.50 in the account, deposit $20 into the account.",
    "Otherwise, deposit $5.",
)


@pytest.mark.parametrize(
    ("balance", "right"),
    [
        ("1000.01", ("withdraw", 450)),
        ("1000", ("deposit", 5)),
        ("99.51", ("deposit", 5)),
        ("99.50", ("deposit", 20)),
    ],
)
def test_another_manual_gives_other_thresholds_and_amounts(balance: str, right: tuple[str, int]) -> None:
    setup = PUZZLE.configure({"pin": "0000", "balance": balance})
    state = PUZZLE.start(setup, PUZZLE.read_manual(manual(*THREE)))

    assert (state.kind, state.amount) == right


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (manual(*THREE, title="## Rules"), "my.md: there is no section 'Transaction'; it has 'ATM', 'Rules'"),
        (manual(), "my.md, line 2: no rule says what to do at a balance of $0"),
        (manual(THREE[0]), "my.md, line 2: no rule says what to do at a balance of $0"),
        (manual("Give up."), "my.md, line 3: 'Give up.' is no rule, such as 'If there is at least $500 in the bank"),
        (manual("Deposit $0."), "my.md, line 3: $0 cannot be typed: whole dollars, 1 to 99,999"),
        (manual("Deposit $10.50."), "my.md, line 3: $10.50 cannot be typed"),
        (manual("Deposit $100,000."), "my.md, line 3: $100,000 cannot be typed"),
        (manual("Deposit $5.", THREE[0]), "my.md, line 4: the rule never applies"),
        (
            manual(
                "If there is more than $500 in the bank account, deposit $1.",
                "If there is less than $500 in the bank account, deposit $2.",
            ),
            "my.md, line 2: no rule says what to do at a balance of $500",
        ),
    ],
)
def test_a_malformed_manual_is_refused_with_its_line(given: Manual, problem: str) -> None:
    with pytest.raises(InstanceError) as caught:
        PUZZLE.read_manual(given)

    assert caught.value.message.startswith(problem)
    assert "\n" not in str(caught.value)


# ---- initialisations


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"pin": "123", "balance": "1"}, "pin"),
        ({"pin": "12a4", "balance": "1"}, "pin"),
        ({"pin": 1234, "balance": "1"}, "pin"),
        ({"pin": "1234", "balance": "-0.01"}, "balance"),
        ({"pin": "1234", "balance": "0.001"}, "balance"),
        ({"pin": "1234", "balance": "much"}, "balance"),
        ({"pin": "1234", "balance": "NaN"}, "balance"),
        ({"pin": "1234", "balance": "10000000"}, "balance"),
        ({"pin": "1234"}, "balance"),
    ],
)
def test_an_initialisation_that_makes_no_account_is_refused_by_its_field(setup: dict[str, Any], field: str) -> None:
    with pytest.raises(InstanceError) as caught:
        PUZZLE.start(PUZZLE.configure(setup), rules_of(PUZZLE))

    assert caught.value.message.startswith(f"comma atm instance: {field}")
    assert "\n" not in str(caught.value)


def test_new_accounts_ask_for_either_transaction_about_as_often_and_some_are_close() -> None:
    states = [generated(PUZZLE, seed) for seed in range(600)]
    withdrawals = sum(state.kind == "withdraw" for state in states)
    close = [state.balance for state in states if abs(state.balance - 500) <= Decimal("0.01")]

    assert 240 < withdrawals < 360
    assert {*close} == {Decimal("499.99"), Decimal("500.00"), Decimal("500.01")}
    assert 60 < len(close) < 150
    assert sum(state.balance != int(state.balance) for state in states) > 200
    assert len({state.pin for state in states}) > 500


@pytest.mark.parametrize("rules", [rules_of(PUZZLE), PUZZLE.read_manual(manual(*THREE))])
def test_every_new_account_can_be_served_and_comes_again_from_the_same_dice(rules: Any) -> None:
    for seed in range(300):
        setup = PUZZLE.generate(rules, Dice(seed), None)
        state = PUZZLE.start(PUZZLE.configure(setup.model_dump(mode="json")), rules)
        amount = " ".join(str(state.amount))
        first = "down enter" if state.kind == "withdraw" else "enter"
        done, mistakes = keyed(state, f"{first} {' '.join(state.pin)} enter {amount} enter")

        assert (PUZZLE.solved(done), mistakes) == (True, 0)
        assert setup == PUZZLE.generate(rules, Dice(seed), None)


def test_rules_without_a_limit_make_accounts_too() -> None:
    rules = PUZZLE.read_manual(manual("Deposit $5."))

    assert len({PUZZLE.generate(rules, Dice(seed), None).balance for seed in range(20)}) > 10


# ---- what is to be seen


SCREENS = (
    "", "down", "up", "enter", "enter 1", "enter 1 2 3 4", "down enter 1", "up enter",
    f"enter {PIN}", f"enter {PIN} 1", f"enter {PIN} 1 0 0", f"enter {PIN} down",
    f"down enter {PIN}", f"down enter {PIN} 3 0 0", f"down enter {PIN} up",
    f"up enter {PIN}", f"down enter {PIN} 3 0 0 enter",
)  # fmt: skip


def scenes() -> list[AtmScene]:
    return [PUZZLE.scene(keyed(account(), keys)[0]) for keys in SCREENS]


def test_the_text_shows_the_screen() -> None:
    assert PUZZLE.write(PUZZLE.scene(keyed(account(), f"down enter {PIN} 3 0")[0])) == (
        "BANK TERMINAL\n\nMaking a withdrawal...\nBalance: $1,284.50\n> Amount: $30\n  Go back\n\n"
        "Keys: digits: type; up/down: move the arrow, clear; enter: confirm"
    )


def test_the_text_can_be_read_back_from_every_screen() -> None:
    for scene in [*scenes(), PUZZLE.scene(keyed(account("5"), f"enter {PIN} 1 0 0 enter")[0])]:
        assert PUZZLE.read(PUZZLE.write(scene)) == scene


def test_the_text_can_be_read_back_from_whatever_is_pressed() -> None:
    for seed in range(40):
        dice, state = Dice("keys", seed), generated(PUZZLE, seed)
        for _ in range(20):
            pin = [f"press_{digit}" for digit in state.pin[len(state.terminal.entry) :]] + ["press_enter"]
            key = pin[0] if state.terminal.screen == "pin" and dice.below(8) else dice.pick(KEYS)
            state = PUZZLE.act(state, key).state
            assert PUZZLE.read(PUZZLE.write(PUZZLE.scene(state))) == PUZZLE.scene(state)


@pytest.mark.parametrize("text", ["", "Main menu", "Coffee: please enter your PIN\nPIN: _ _ _ _", "Balance: $3.00"])
def test_other_texts_show_no_screen(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(this text shows no screen|the terminal's menu has no 'coffee')"):
        PUZZLE.read(text)


def test_the_same_screen_gives_the_same_bytes_and_others_give_others() -> None:
    pictures = [png(PUZZLE.draw(scene)) for scene in scenes()]

    assert pictures == [png(PUZZLE.draw(scene)) for scene in scenes()]
    assert len({*pictures}) == len(SCREENS)


def is_lit(pixel: Any, place: tuple[float, float]) -> bool:
    seen: tuple[int, ...] = pixel[round(place[0]), round(place[1])]
    return sum(abs(a - b) for a, b in zip(seen, ImageColor.getrgb(LIT), strict=False)) < 40


def test_the_picture_marks_what_the_arrow_points_at() -> None:
    for scene in scenes():
        shown, pixel = rows(scene), PUZZLE.draw(scene).convert("RGB").load()
        if scene.terminal.screen not in ("pin", "done"):
            first = SCREEN[1] + 92 + 56 * len(shown.facts)
            ends = [option_box(number, first) for number in range(len(shown.options))]
            lit = [is_lit(pixel, (right - 12, bottom - 12)) for _, _, right, bottom in ends]
            assert lit == [number == shown.marked for number in range(len(shown.options))]


@pytest.mark.parametrize("typed", range(5))
def test_the_picture_has_a_dot_for_each_digit_of_the_pin(typed: int) -> None:
    scene = PUZZLE.scene(keyed(account(), "enter " + "1 " * typed)[0])
    pixel = PUZZLE.draw(scene).convert("RGB").load()

    assert [is_lit(pixel, pin_place(number)) for number in range(4)] == [number < typed for number in range(4)]


@pytest.mark.parametrize(
    ("one", "other", "area"),
    [
        ((f"enter {PIN} 1", "5"), (f"enter {PIN} 2", "5"), (112, 240, 656, 300)),
        ((f"enter {PIN}", "1234.5"), (f"enter {PIN}", "1234.6"), (112, 160, 656, 220)),
        (("enter", "5"), ("down enter", "5"), (112, 100, 656, 160)),
        (("", "5"), ("down", "5"), (112, 180, 656, 300)),
    ],
)
def test_what_differs_on_the_screen_differs_in_its_place_only(
    one: tuple[str, str], other: tuple[str, str], area: tuple[int, int, int, int]
) -> None:
    first, second = (
        PUZZLE.draw(PUZZLE.scene(keyed(account(balance), keys)[0])).convert("RGB") for keys, balance in (one, other)
    )
    changed = ImageChops.difference(first, second).convert("L").point(lambda value: 255 * (value > 24)).getbbox()

    assert changed is not None
    assert all(low <= at for low, at in zip(area[:2], changed[:2], strict=True))
    assert all(at <= high for high, at in zip(area[2:], changed[2:], strict=True))


def test_no_two_screens_share_a_text() -> None:
    texts = sorted(PUZZLE.write(scene) for scene in scenes())

    assert all(one != other for one, other in pairwise(texts))
