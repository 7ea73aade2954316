"""What a slip in the user's own file of providers is answered with, and where its prices are said to be from."""

from pathlib import Path

import pytest

from palaver_agents.names import parse_agent
from palaver_agents.providers import facts
from palaver_agents.providers.data import OVERRIDE, packaged, providers
from palaver_protocols.errors import UsageError

EXAMPLE = "(for example price: {input: 1.5, output: 6}, in US dollars for a million tokens)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_of(folder: Path, entry: str) -> str | None:
    """Say as of when and where the price of GPT-4.1 is, given what a file says of it."""
    (folder / OVERRIDE).write_text(f"openai: {{models: {{gpt-4.1: {entry}}}}}")
    return facts(parse_agent("openai/gpt-4.1"), {}).as_of


@pytest.mark.parametrize("text", ["opnai: {needs_key: false}", "opnai: 5", "opnai: {models: {m: {context: 9}}}"])
def test_a_misspelt_provider_is_told_what_was_meant(folder: Path, text: str) -> None:
    (folder / OVERRIDE).write_text(text)
    with pytest.raises(UsageError) as raised:
        providers({})
    assert str(raised.value) == (
        f"{OVERRIDE}: 'opnai' is no provider that is known "
        "(did you mean openai? A provider of your own needs a base_url)"
    )


def test_a_provider_with_a_place_of_its_own_may_be_called_nearly_like_ours(folder: Path) -> None:
    (folder / OVERRIDE).write_text("openai2: {base_url: 'http://h/v1'}")
    assert "openai2" in providers({})


@pytest.mark.parametrize(
    ("price", "said"),
    [
        ("1.5", "price holds no keys"),
        ("{input: $2}", "price.input: should be a valid number"),
        ("{output: -1}", "price.output: should be greater than or equal to 0"),
        ("{per_token: 2}", "price.per_token is no key that is known"),
    ],
)
def test_a_wrong_price_is_answered_with_an_example(folder: Path, price: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        as_of(folder, f"{{price: {price}}}")
    assert str(raised.value).startswith(f"{OVERRIDE}: openai.models.gpt-4.1.{said}")
    assert str(raised.value).endswith(EXAMPLE)


def test_half_a_price_of_a_new_model_is_answered_with_an_example(folder: Path) -> None:
    (folder / OVERRIDE).write_text("openai: {models: {mine: {price: {input: 2}}}}")
    with pytest.raises(UsageError) as raised:
        providers({})
    assert str(raised.value) == f"{OVERRIDE}: openai.models.mine.price.output is missing {EXAMPLE}"


def test_a_price_of_the_user_s_is_as_of_the_user_s_file(folder: Path) -> None:
    assert as_of(folder, "{price: {input: 1.5}}") == OVERRIDE


def test_a_price_that_says_where_it_is_from_is_believed(folder: Path) -> None:
    assert as_of(folder, "{price: {input: 1.5}, as_of: my contract}") == "my contract"


def test_a_price_that_is_not_changed_stays_as_of_ours(folder: Path) -> None:
    assert as_of(folder, "{context: 5}") == packaged()["openai"].facts("gpt-4.1").as_of


def test_a_price_that_is_taken_away_is_as_of_nothing(folder: Path) -> None:
    assert as_of(folder, "{price: null}") is None


def test_the_table_names_models_by_name_date_and_pattern() -> None:
    openai, mistral = packaged()["openai"], packaged()["mistral"]
    assert openai.names("gpt-4.1")
    assert openai.names("gpt-4.1-2025-04-14")
    assert openai.names("o3-deep-research")
    assert not openai.names("zephyr")
    assert not mistral.names("zephyr")  # its `*` says nothing of whose a model is


@pytest.mark.parametrize(
    ("entry", "mend"), [("pictures: {most: 0}", "{pictures: ...}"), ("most: 0", "{pictures: {most: ...}}")]
)
def test_a_quirk_in_the_wrong_place_is_told_its_place(folder: Path, entry: str, mend: str) -> None:
    with pytest.raises(UsageError) as raised:
        as_of(folder, f"{{{entry}}}")
    assert str(raised.value).endswith(f"is no key that is known (write quirks: {mend})")
