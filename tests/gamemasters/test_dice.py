from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.dice import Dice


def test_the_same_labels_throw_the_same_numbers_for_ever() -> None:
    dice = Dice("maze", 6, 0.3, 17)

    assert [dice.below(100) for _ in range(8)] == [28, 17, 53, 90, 87, 5, 69, 13]


def test_every_label_counts() -> None:
    throws = {tuple(Dice(*labels).below(10**6) for _ in range(3)) for labels in ((1, 2), (2, 1), (12,), ("1", "2", ""))}

    assert len(throws) == 4


@given(st.integers(1, 1000), st.integers())
def test_a_throw_stays_below_its_limit(limit: int, seed: int) -> None:
    assert 0 <= Dice(seed).below(limit) < limit


@given(st.lists(st.integers()), st.integers())
def test_shuffling_keeps_the_items(items: list[int], seed: int) -> None:
    shuffled = list(items)

    Dice(seed).shuffle(shuffled)

    assert sorted(shuffled) == sorted(items)


def test_shuffling_reaches_every_order_about_equally_often() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(1200):
        items = [1, 2, 3]
        Dice("orders", seed).shuffle(items)
        orders[tuple(items)] += 1

    assert len(orders) == 6
    assert min(orders.values()) > 150


@given(st.data(), st.lists(st.integers(), min_size=1, unique=True), st.integers())
def test_a_sample_holds_different_items(data: st.DataObject, items: list[int], seed: int) -> None:
    count = data.draw(st.integers(0, len(items)))

    sample = Dice(seed).sample(items, count)

    assert len(set(sample)) == count
    assert set(sample) <= set(items)


@given(st.lists(st.integers(), min_size=1), st.integers())
def test_a_pick_is_one_of_the_items(items: list[int], seed: int) -> None:
    assert Dice(seed).pick(items) in items
