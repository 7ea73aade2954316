"""Where a model is, which key opens it, and what is said when there is none."""

import sys
from dataclasses import replace
from importlib import import_module

import pytest

from palaver_agents.names import AgentName, parse_agent
from palaver_agents.providers import PROVIDERS, ModelFacts, facts, is_priced, open_model, resolve
from palaver_agents.providers.endpoint import Endpoint, Price
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.errors import UsageError
from palaver_protocols.quirks import OPENAI, Pictures, Quirks

KEYS = {
    **{f"{word}_API_KEY": "sk-any" for word in ("ANTHROPIC", "GOOGLE", "XAI", "DEEPSEEK", "MISTRAL", "CO", "MOONSHOT")},
    "OPENAI_API_KEY": "sk-one",
    "OPENROUTER_API_KEY": "sk-two",
}


def endpoint(name: str, **environ: str) -> Endpoint:
    return resolve(parse_agent(name), {**KEYS, **environ})


@pytest.mark.parametrize(
    ("name", "base_url"),
    [
        ("openai/m", "https://api.openai.com/v1"),
        ("anthropic/m", "https://api.anthropic.com"),
        ("google/m", "https://generativelanguage.googleapis.com/v1beta"),
        ("xai/m", "https://api.x.ai/v1"),
        ("deepseek/m", "https://api.deepseek.com/v1"),
        ("mistral/m", "https://api.mistral.ai/v1"),
        ("cohere/m", "https://api.cohere.ai/compatibility/v1"),
        ("moonshot/m", "https://api.moonshot.ai/v1"),
        ("openrouter/v/m", "https://openrouter.ai/api/v1"),
        ("vllm/m", "http://localhost:8000/v1"),
        ("ollama/m", "http://localhost:11434/v1"),
        ("vllm/m@http://gpu:8000", "http://gpu:8000/v1"),
        ("vllm/m@http://gpu:8000/", "http://gpu:8000/v1"),
        ("vllm/m@http://gpu:8000/v1/", "http://gpu:8000/v1"),
        ("openai/m@https://host/api/openai", "https://host/api/openai"),
    ],
)
def test_a_name_finds_its_place(name: str, base_url: str) -> None:
    assert endpoint(name).base_url == base_url


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_variable_moves_a_provider_and_a_name_overrules_it(provider: str) -> None:
    moved = {PROVIDERS[provider].url_variable: " http://gate:1234\n"}
    path = {"openai": "/v1", "anthropic": "", "google": "/v1beta"}[PROVIDERS[provider].wire]
    assert endpoint(f"{provider}/m", **moved).base_url == f"http://gate:1234{path}"
    assert endpoint(f"{provider}/m@http://h:1/v2", **moved).base_url == "http://h:1/v2"


def test_a_variable_that_holds_no_url_is_named() -> None:
    with pytest.raises(UsageError, match=r"^OPENAI_BASE_URL: .*'gate:1234', names no server"):
        endpoint("openai/m", OPENAI_BASE_URL="gate:1234")


@pytest.mark.parametrize(("name", "key"), [("openai/m", "sk-one"), ("openrouter/v/m", "sk-two"), ("vllm/m", None)])
def test_each_provider_gets_its_own_key_and_no_other(name: str, key: str | None) -> None:
    assert endpoint(name).key == key


def test_what_needs_no_key_is_given_one_that_is_set() -> None:
    assert endpoint("vllm/m", VLLM_API_KEY="token-abc").key == "token-abc"


@pytest.mark.parametrize("value", [None, "", " \n"])
@pytest.mark.parametrize(("name", "variable"), [("openai/m", "OPENAI_API_KEY"), ("openrouter/m", "OPENROUTER_API_KEY")])
def test_a_missing_key_is_named_with_its_mend(name: str, variable: str, value: str | None) -> None:
    with pytest.raises(UsageError) as raised:
        resolve(parse_agent(name), {} if value is None else {variable: value})
    assert str(raised.value) == f"{name} needs a key (set {variable} or put it into .env)"


def test_elsewhere_than_at_the_provider_no_key_is_needed() -> None:
    assert resolve(parse_agent("openai/m@http://localhost:8080"), {}).key is None


def test_a_pasted_newline_is_no_part_of_a_key() -> None:
    assert endpoint("openai/m", OPENAI_API_KEY="sk-one\n").key == "sk-one"


@pytest.mark.parametrize("key", ["sk-“one”", "sk-one sk-two", "sk\x00one"])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UsageError, match=r"^OPENAI_API_KEY holds what cannot be a key") as raised:
        endpoint("openai/m", OPENAI_API_KEY=key)
    assert "one" not in str(raised.value)


def test_an_endpoint_does_not_print_its_key() -> None:
    assert "sk-one" not in repr(endpoint("openai/m"))


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("xai/m", "XAI_API_KEY", "GROK_API_KEY"),
        ("google/m", "GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ("cohere/m", "CO_API_KEY", "COHERE_API_KEY"),
    ],
)
def test_the_first_variable_that_is_set_holds_the_key(name: str, first: str, second: str) -> None:
    agent = parse_agent(name)
    assert (resolve(agent, {second: "b"}).key, resolve(agent, {second: "b"}).key_variable) == ("b", second)
    assert resolve(agent, {first: "a", second: "b"}).key == "a"
    with pytest.raises(UsageError, match=f"set {first} or put it into .env"):
        resolve(agent, {})


def test_the_table_says_what_a_provider_accepts() -> None:
    openai, vllm = endpoint("openai/m"), endpoint("vllm/m")
    assert (openai.quirks, openai.max_tokens) == (replace(OPENAI, pictures=Pictures(most=500)), "max_completion_tokens")
    assert (vllm.quirks, vllm.max_tokens) == (Quirks(), "max_tokens")
    assert (openai.think_tags, vllm.think_tags) == (False, True)


def test_the_table_says_what_a_model_accepts() -> None:
    assert endpoint("google/gemini-2.5-pro").quirks.system == "first_only"
    assert endpoint("google/gemma-3-27b-it").quirks.system == "none"
    assert endpoint("xai/grok-3").quirks.pictures == Pictures(("image/png", "image/jpeg"), most=0, size=10_485_760)
    assert endpoint("openai/gpt-5-mini").refuses == {"temperature", "top_p"}


def test_an_endpoint_knows_what_its_model_costs_and_how_much_it_reads() -> None:
    known = endpoint("openai/gpt-4.1")
    assert (known.price, known.context, known.longest) == (Price(2, 8, 0.5), 1_047_576, 32_768)


def test_the_name_goes_to_the_provider_as_typed_and_the_dated_one_is_known() -> None:
    assert endpoint("openai/gpt-4.1").model == "gpt-4.1"
    assert facts(parse_agent("openai/gpt-4.1"), {}).dated == "gpt-4.1-2025-04-14"


def test_a_dated_name_has_the_facts_of_its_model() -> None:
    short, dated = (facts(parse_agent(f"openai/{name}"), {}) for name in ("gpt-5-mini", "gpt-5-mini-2025-08-07"))
    assert dated == short
    assert dated.price == Price(0.25, 2, 0.025)


def test_of_an_unknown_model_nothing_is_known_and_no_key_is_needed() -> None:
    assert facts(parse_agent("anthropic/claude-x"), {}) == ModelFacts()
    assert facts(parse_agent("random"), {}) == ModelFacts()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("random", True),
        ("replay/some.jsonl", True),
        ("openai/gpt-4.1", True),
        ("openai/gpt-none", False),
        ("openrouter/any/model", True),
        ("openrouter/any/model@http://elsewhere", False),
        ("xai/grok-unheard-of", True),
        ("vllm/m", False),
    ],
)
def test_a_price_is_known_from_the_table_or_from_the_provider(name: str, known: bool) -> None:
    assert is_priced(parse_agent(name), {}) == known


def test_a_provider_that_is_gone_is_named() -> None:
    with pytest.raises(UsageError, match=r"^there is no provider 'gone' \(there are: openai, anthropic"):
        resolve(AgentName("model", "m", "gone"), KEYS)


def test_an_organization_is_told_to_openai_only() -> None:
    account = {"OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1"}
    assert endpoint("openai/m", **account).headers == {"OpenAI-Organization": "org-1", "OpenAI-Project": "proj-1"}
    assert endpoint("vllm/m", **account).headers == {}


@pytest.mark.parametrize(("name", "speaker"), [("vllm/m", "OpenAICompatible"), ("anthropic/m", "AnthropicMessages")])
async def test_a_name_opens_a_model(name: str, speaker: str) -> None:
    async with open_model(parse_agent(name), blobs=MemoryBlobs(), environ=KEYS) as model:
        assert (type(model).__name__, model.provider) == (speaker, name.partition("/")[0])


@pytest.mark.parametrize(
    ("name", "module", "package", "speaker"),
    [
        ("openai/m", "openai", "openai", "openai_compatible"),
        ("mistral/m", "openai", "openai", "openai_compatible"),
        ("anthropic/m", "anthropic", "anthropic", "anthropic_messages"),
        ("google/m", "google.genai", "google-genai", "google_generate"),
    ],
)
def test_without_the_sdk_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, package: str, speaker: str
) -> None:
    parent, _, child = module.rpartition(".")
    if parent:  # what was imported once is also an attribute of its parent
        monkeypatch.delattr(import_module(parent), child, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"palaver_agents.providers.{speaker}", raising=False)
    extra = package.removesuffix("-genai")
    with pytest.raises(
        UsageError, match=rf"{name} needs the {package} package: .*\(pip install 'palaver\[{extra}\]'\)"
    ):
        open_model(parse_agent(name), blobs=MemoryBlobs(), environ=KEYS)


@pytest.mark.parametrize(
    ("name", "price"),
    [
        ("openai/gpt-4o-2024-05-13", Price(5, 15, None)),
        ("openai/gpt-4o", Price(2.5, 10, 1.25)),
        ("openai/o4-mini", Price(1.1, 4.4, 0.275)),
        ("google/gemini-2.0-flash", Price(0.1, 0.4, 0.025)),
    ],
)
def test_what_comma_played_has_a_price(name: str, price: Price) -> None:
    assert facts(parse_agent(name), {}).price == price
