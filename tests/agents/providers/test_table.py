"""Where a model is, which key opens it, and what is said when there is none."""

import sys

import pytest

from palaver_agents.names import parse_agent
from palaver_agents.providers import PROVIDERS, open_model, resolve
from palaver_agents.providers.endpoint import Endpoint
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.errors import UsageError
from palaver_protocols.quirks import OPENAI, Quirks

KEYS = {"OPENAI_API_KEY": "sk-one", "OPENROUTER_API_KEY": "sk-two"}


def endpoint(name: str, **environ: str) -> Endpoint:
    return resolve(parse_agent(name), {**KEYS, **environ})


@pytest.mark.parametrize(
    ("name", "base_url"),
    [
        ("openai/m", "https://api.openai.com/v1"),
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
    assert endpoint(f"{provider}/m", **moved).base_url == "http://gate:1234/v1"
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


def test_the_table_says_what_a_provider_accepts() -> None:
    openai, vllm = endpoint("openai/m"), endpoint("vllm/m")
    assert (openai.quirks, openai.max_tokens) == (OPENAI, "max_completion_tokens")
    assert (vllm.quirks, vllm.max_tokens) == (Quirks(), "max_tokens")


def test_an_organization_is_told_to_openai_only() -> None:
    account = {"OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1"}
    assert endpoint("openai/m", **account).headers == {"OpenAI-Organization": "org-1", "OpenAI-Project": "proj-1"}
    assert endpoint("vllm/m", **account).headers == {}


async def test_a_name_opens_a_model() -> None:
    async with open_model(parse_agent("vllm/m"), blobs=MemoryBlobs(), environ={}) as model:
        assert model.provider == "vllm"


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "palaver_agents.providers.openai_compatible", raising=False)
    with pytest.raises(UsageError, match=r"openai/m needs the openai package: .*\(pip install 'palaver\[openai\]'\)"):
        open_model(parse_agent("openai/m"), blobs=MemoryBlobs(), environ=KEYS)
