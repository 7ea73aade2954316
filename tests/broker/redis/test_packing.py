"""Both packers make the same bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_broker.redis.packing import Word, pack, pack_slowly

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.binary() | st.integers(), min_size=1)


@given(WORDS)
def test_the_slow_packer_packs_like_the_quick_one(words: list[Word]) -> None:
    assert pack_slowly(tuple(words)) == pack(tuple(words))


def test_a_command_is_an_array_of_bulk_strings() -> None:
    assert pack_slowly(("SET", "é", b"\xff", -1)) == b"*4\r\n$3\r\nSET\r\n$2\r\n\xc3\xa9\r\n$1\r\n\xff\r\n$2\r\n-1\r\n"


@pytest.mark.parametrize("word", [None, True, [1]])
def test_what_is_no_word(word: Word) -> None:
    for packer in (pack, pack_slowly):
        with pytest.raises(TypeError):
            packer(("SET", word))
