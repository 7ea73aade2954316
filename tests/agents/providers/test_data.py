"""The facts that come along, and the user's own file that is laid over them."""

import os
from pathlib import Path

import pytest

from palaver_agents.names import AgentName, parse_agent
from palaver_agents.providers import facts, is_priced, provider_names, resolve
from palaver_agents.providers.data import OVERRIDE, VARIABLE, packaged, providers
from palaver_agents.providers.endpoint import Price
from palaver_protocols.errors import UsageError
from palaver_protocols.quirks import Quirks

GPT = parse_agent("openai/gpt-4.1")

# The Collaboration Gap, appendix A.1, table 1; open models where OpenRouter serves them.
PAPER = [
    "openai/gpt-5",
    "openai/gpt-5-mini",
    "openai/gpt-5-nano",
    "openai/gpt-4.1",
    "openai/gpt-4.1-mini",
    "openai/gpt-4.1-nano",
    "openai/o3",
    "openai/o4-mini",
    "openrouter/openai/gpt-oss-120b",
    "openrouter/openai/gpt-oss-20b",
    "google/gemini-2.5-pro",
    "google/gemini-2.5-flash",
    "google/gemini-2.5-flash-lite",
    "google/gemma-3-27b-it",
    "anthropic/claude-opus-4-1",
    "anthropic/claude-sonnet-4-0",
    "anthropic/claude-3-5-haiku-latest",
    "xai/grok-4",
    "xai/grok-3",
    "xai/grok-3-mini",
    "openrouter/deepseek/deepseek-chat-v3-0324",
    "openrouter/deepseek/deepseek-r1",
    "openrouter/meta-llama/llama-4-maverick",
    "openrouter/meta-llama/llama-4-scout",
    "openrouter/meta-llama/llama-3.3-70b-instruct",
    "cohere/command-a-03-2025",
    "cohere/command-r-08-2024",
    "cohere/command-r7b-12-2024",
    "openrouter/microsoft/phi-4",
    "moonshot/kimi-k2-0711-preview",
    "openrouter/qwen/qwen-2.5-72b-instruct",
    "openrouter/qwen/qwen3-235b-a22b",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    file = folder / OVERRIDE
    file.write_text(text)
    return file


def complaint(folder: Path, text: str) -> str:
    """Say what is wrong with a file, in one line that begins with its name."""
    write(folder, text)
    with pytest.raises(UsageError) as raised:
        providers({})
    assert len(str(raised.value).splitlines()) == 1
    assert str(raised.value).startswith(f"{OVERRIDE}")
    return str(raised.value).removeprefix(OVERRIDE)


# What comes along.


def test_the_papers_models_are_all_there() -> None:
    assert len(set(PAPER)) == 32


@pytest.mark.parametrize("agent", PAPER)
def test_of_each_of_the_papers_models_something_is_known(agent: str) -> None:
    assert facts(parse_agent(agent), {}).context is not None


@pytest.mark.parametrize("provider", packaged())
def test_a_price_says_when_and_where_it_was_read(provider: str) -> None:
    for name in packaged()[provider].models:
        known = packaged()[provider].facts(name)
        assert (known.price is None) == (known.as_of is None), name


@pytest.mark.parametrize("provider", packaged())
def test_prices_make_sense(provider: str) -> None:
    for name in packaged()[provider].models:
        if price := packaged()[provider].facts(name).price:
            assert 0 < (price.cached or price.input) <= price.input < price.output < 1000, name


@pytest.mark.parametrize("provider", packaged())
def test_no_model_writes_more_than_it_reads(provider: str) -> None:
    for name in packaged()[provider].models:
        known = packaged()[provider].facts(name)
        assert known.longest is None or (known.context is not None and known.longest < known.context), name


def test_the_longest_pattern_wins_word_by_word(folder: Path) -> None:
    write(
        folder,
        """
        vllm:
          models:
            "*": {context: 1000, longest: 100}
            qwen-*: {context: 2000, refuses: [top_p]}
            qwen-7b: {refuses: []}
        """,
    )
    known = providers({})["vllm"].facts("qwen-7b")
    assert (known.context, known.longest, known.refuses) == (2000, 100, frozenset())
    assert providers({})["vllm"].facts("qwen-8b").refuses == {"top_p"}
    assert providers({})["vllm"].facts("other").context == 1000


# The user's file.


def test_without_a_file_ours_holds() -> None:
    assert providers({}) is packaged()


@pytest.mark.parametrize("text", ["", "# nothing\n", "{}"])
def test_an_empty_file_changes_nothing(folder: Path, text: str) -> None:
    write(folder, text)
    assert providers({}) == packaged()


def test_a_file_in_the_working_folder_mends_a_price_and_keeps_the_rest(folder: Path) -> None:
    before = facts(GPT, {})
    write(folder, "openai: {models: {gpt-4.1: {price: {input: 1.5}, as_of: my contract}}}")
    after = facts(GPT, {})
    assert (after.price, after.as_of, after.context) == (Price(1.5, 8, 0.5), "my contract", before.context)
    assert facts(parse_agent("openai/gpt-4.1-mini"), {}).price == Price(0.4, 1.6, 0.1)


def test_a_price_can_be_taken_away(folder: Path) -> None:
    write(folder, "openai: {models: {gpt-4.1: {price: null}}}")
    assert not is_priced(GPT, {})


def test_the_variable_names_another_file(folder: Path) -> None:
    write(folder, "openai: {base_url: http://one/v1}")
    other = folder / "other.yaml"
    other.write_text("openai: {base_url: http://two/v1}")
    assert resolve(GPT, {"OPENAI_API_KEY": "k", VARIABLE: str(other)}).base_url == "http://two/v1"


def test_a_file_that_changes_is_read_again(folder: Path) -> None:
    file = write(folder, "openai: {base_url: http://one/v1}")
    assert providers({})["openai"].base_url == "http://one/v1"
    file.write_text("openai: {base_url: http://two/v1}")
    os.utime(file, ns=(1, 1))  # clocks of file systems may be coarse
    assert providers({})["openai"].base_url == "http://two/v1"


def test_a_new_provider_needs_a_url_and_nothing_else(folder: Path) -> None:
    write(folder, "our-cluster: {base_url: http://llm:9000/v1, models: {big: {price: {input: 0, output: 0}}}}")
    name = AgentName("model", "big", "our-cluster")
    assert provider_names({})[-1] == "our-cluster"
    where = resolve(name, {"OUR_CLUSTER_API_KEY": "k"})
    assert (where.base_url, where.key, where.quirks, where.max_tokens) == (
        "http://llm:9000/v1",
        "k",
        Quirks(),
        "max_tokens",
    )
    assert resolve(name, {"OUR_CLUSTER_API_KEY": "k", "OUR_CLUSTER_BASE_URL": "http://b:1"}).base_url == "http://b:1/v1"
    assert is_priced(name, {})
    with pytest.raises(UsageError, match=r"set OUR_CLUSTER_API_KEY or put it into \.env"):
        resolve(name, {})


def test_quirks_and_pictures_are_changed_word_by_word(folder: Path) -> None:
    write(folder, "anthropic: {quirks: {alternate: false, pictures: {most: 20}}}")
    quirks = providers({})["anthropic"].accepts("m")
    assert (quirks.alternate, quirks.system) == (False, "first_only")
    assert (quirks.pictures.most, quirks.pictures.size) == (20, 5_242_880)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("openai: {base_ulr: http://a}", ": openai.base_ulr is no key that is known (did you mean base_url?)"),
        (
            "xai: {models: {grok-4: {price: {inptu: 3}}}}",
            ": xai.models.grok-4.price.inptu is no key that is known (did you mean input?)",
        ),
        ("xai: {zzz: 3}", ": xai.zzz is no key that is known"),
        (
            "xai: {models: {grok-4: {price: {input: dear}}}}",
            ": xai.models.grok-4.price.input: should be a valid number",
        ),
        ("xai: {models: {grok-4: {price: {input: -1}}}}", ": xai.models.grok-4.price.input: should be greater than"),
        ("xai: {models: {grok-4: {price: {input: .nan}}}}", ": xai.models.grok-4.price.input: should be a finite"),
        ("xai: {models: {new: {price: {input: 1}}}}", ": xai.models.new.price.output is missing"),
        ("xai: {models: {grok-4: {refuses: [heat]}}}", ": xai.models.grok-4.refuses.0: should be 'temperature'"),
        ("xai: {quirks: {system: often}}", ": xai.quirks.system: should be 'flexible'"),
        ("xai: {key_variables: []}", ": xai.key_variables: "),
        ("xai: 5", ": xai holds no keys (write key: value lines below it)"),
        ("mine: 5", ": mine holds no keys (write key: value lines below it)"),
        ("mine: {needs_key: false}", ": mine.base_url is missing"),
        ("mine: {base_url: 'llm:9000'}", ": mine.base_url: the URL of an agent, 'llm:9000', names no server"),
        ("mine: {base_url: http://a, wire: morse}", ": mine.wire: should be 'openai', 'anthropic' or 'google'"),
        ("my/own: {base_url: http://a}", ": 'my/own' cannot be a provider (use small letters"),
        ("7: {base_url: http://a}", ": 7 cannot be a provider"),
        ("random: {base_url: http://a}", ": 'random' is the name of another kind of agent"),
        ("- openai", " names no providers (begin with, for example, `openai:`)"),
        ("openai: {", " is no YAML: "),
        ("openai:\n\tbase_url: x", " is no YAML: found character that cannot start any token, line 2"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_file_and_the_key(folder: Path, text: str, said: str) -> None:
    assert complaint(folder, text).startswith(said)


def test_secrets_in_a_broken_file_are_not_repeated(folder: Path) -> None:
    assert "s3cret" not in complaint(folder, "openai: {headers: {X-Key: [s3cret]}}")
    assert "s3cret" not in complaint(folder, "openai: {headers: {X-Key: s3cret}")


def test_secrets_in_headers_are_not_shown(folder: Path) -> None:
    write(folder, "vllm: {headers: {X-Key: s3cret}}")
    where = resolve(parse_agent("vllm/m"), {})
    assert where.headers["X-Key"] == "s3cret"
    assert "s3cret" not in repr(where)
    assert "s3cret" not in repr(providers({}))


def test_a_file_that_is_named_must_be_there() -> None:
    with pytest.raises(UsageError, match=r"^PALAVER_PROVIDERS names gone\.yaml, which is not there"):
        providers({VARIABLE: "gone.yaml"})


def test_a_file_that_is_a_folder_is_told_so(folder: Path) -> None:
    (folder / OVERRIDE).mkdir()
    with pytest.raises(UsageError, match=rf"^{OVERRIDE} cannot be read: Is a directory"):
        providers({})
