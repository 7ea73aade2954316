"""The names of agents: what can be typed, what it means, and what a slip is answered with."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_agents.names import FORMS, AgentName, parse_agent, parse_seats
from palaver_agents.providers import PROVIDERS
from palaver_protocols.errors import UsageError

READ = {
    "scripted": AgentName("script", "scripted"),
    "scripted/rc": AgentName("script", "scripted/rc"),
    "random": AgentName("script", "random"),
    "optimal": AgentName("script", "optimal"),
    "replay/runs/a b.jsonl": AgentName("replay", "runs/a b.jsonl"),
    "openai/gpt-5": AgentName("model", "gpt-5", "openai"),
    "anthropic/claude-sonnet-4": AgentName("model", "claude-sonnet-4", "anthropic"),
    "google/gemini-2.5-pro": AgentName("model", "gemini-2.5-pro", "google"),
    "openai/m@https://host/proxy/v1": AgentName("model", "m", "openai", "https://host/proxy/v1"),
    "openrouter/meta-llama/llama-3.3:free": AgentName("model", "meta-llama/llama-3.3:free", "openrouter"),
    "openrouter/@preset/mine": AgentName("model", "@preset/mine", "openrouter"),
    "vllm/Qwen/Qwen3-8B@http://gpu-1:8000": AgentName("model", "Qwen/Qwen3-8B", "vllm", "http://gpu-1:8000"),
    "vllm//models/mine@http://[::1]:8000/v1/": AgentName("model", "/models/mine", "vllm", "http://[::1]:8000/v1/"),
    "ollama/llama3.2:1b": AgentName("model", "llama3.2:1b", "ollama"),
    "human": AgentName("human", "human"),
    "python/my_module.sub:Player.reply": AgentName("python", "my_module.sub:Player.reply"),
    "bus/my-agent-2": AgentName("bus", "my-agent-2"),
    "a2a/http://host:9999/agents/a": AgentName("a2a", "http://host:9999/agents/a"),
}

REFUSED = {
    "": "is empty",
    "  ": "is empty",
    "random\u200b": "cannot be seen",
    "human/ada": "does not read human",
    "python/my_module": "does not read python/MODULE:NAME",
    "bus/": "does not read bus/NAME",
    "bus/Mine": "'Mine' is no name for an agent on the bus (take 1 to 32 of a-z, 0-9 and '-'",
    "a2a/host:1": "names no server",
    "a2a/http://me:s3cret@host": "holds a login, a query or a fragment",
    "team": "does not read team(lead=A,members=B+C)",
    "relay": "does not read A@N>B",
    "opnai/gpt-5": "did you mean 'openai/gpt-5'?",
    "OpenAI/gpt-5": "did you mean 'openai/gpt-5'?",
    "scriptd": "did you mean 'scripted'?",
    "zephyr-7b": "a model needs its provider, such as openai/zephyr-7b",
    "gpt-5": "did you mean 'openai/gpt-5'?",
    "claude-haiku-4-5": "did you mean 'anthropic/claude-haiku-4-5'?",
    "claude-haiku-4-5-20251001": "did you mean 'anthropic/claude-haiku-4-5-20251001'?",
    "claude-9": "did you mean 'anthropic/claude-9'?",
    "gemini-2.5-pro": "did you mean 'google/gemini-2.5-pro'?",
    "grok-3-mini@http://h:1": "did you mean 'xai/grok-3-mini@http://h:1'?",
    "qwen/qwen3-235b-a22b": "did you mean 'openrouter/qwen/qwen3-235b-a22b'?",
    "claude/claude-9": "did you mean 'anthropic/claude-9'?",
    "claude/haiku-4-5": "did you mean 'anthropic/claude-haiku-4-5'?",
    "gemini/gemini-9": "did you mean 'google/gemini-9'?",
    "gpt/o3": "did you mean 'openai/o3'?",
    "Grok/grok-4": "did you mean 'xai/grok-4'?",
    "kimi/kimi-k2-0711-preview": "did you mean 'moonshot/kimi-k2-0711-preview'?",
    "xyz/model": "palaver list agents",
    "openai": "openai/MODEL[@URL]",
    "openai/": "openai/MODEL[@URL]",
    "vllm/@http://h:8000": "vllm/MODEL[@URL]",
    "openai/gpt 5": "openai/MODEL[@URL]",
    "openai/a,b": "openai/MODEL[@URL]",
    "scripted/": "scripted[/STYLE]",
    "random/fast": "does not read random",
    "replay/": "replay/FILE",
    "vllm/m@gpu:8000": "write vllm/m@http://gpu:8000",
    "openai/o3@stall:3": "a relay is A@4>B, A@stall:6>B",
    "vllm/m@http://h:1/v1@stall:3": "a second @ follows the URL (an agent has one; a relay is A@4>B",
    "vllm/m@http://h:1>random": "after 'vllm/m' stands a > that ends no rule of a relay (write A@4>B",
    "replay/a>b": "after 'replay/a' stands a >",
    "random@4>optimal": "a relay that begins with 'random' stands where one agent is wanted",
    "vllm/m@": "write vllm/m@http://HOST:PORT",
    "vllm/m@http://": "names no server",
    "vllm/m@http://host:99999": "makes no sense",
    "vllm/m@http://[::1": "makes no sense",
    "vllm/m@http://host/v1?key=s3cret": "holds a login, a query or a fragment",
}


@pytest.mark.parametrize("text", READ)
def test_a_name_is_read_and_written_back(text: str) -> None:
    name = parse_agent(f" {text} ")
    assert name == READ[text]
    assert str(name) == text


@pytest.mark.parametrize("text", REFUSED)
def test_a_slip_is_answered_in_one_line_that_helps(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_agent(text)
    assert REFUSED[text] in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vllm/m@http://me:s3cret@host:8000", "holds a login"),
        ("vllm/m@http://me:s3cret>random", "stands a >"),
    ],
)
def test_a_password_in_a_url_is_refused_and_not_repeated(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        parse_agent(text)
    assert "s3cret" not in str(raised.value)


def test_names_are_separated_by_commas() -> None:
    assert parse_seats("random, openai/gpt-5@http://h/v1,scripted/rc") == (
        "random",
        "openai/gpt-5@http://h/v1",
        "scripted/rc",
    )


def test_a_comma_within_parentheses_separates_nothing() -> None:
    team = "team(lead=random,members=optimal)"
    assert parse_seats(f"random, {team}") == ("random", team)


def test_a_relay_and_a_team_are_made_of_agents_that_there_are() -> None:
    assert parse_seats("random@4>optimal") == ("random@4>optimal",)
    for text in ("random@4>nobody", "team(lead=random,members=nobody)"):
        with pytest.raises(UsageError, match="there is no agent 'nobody'"):
            parse_seats(text)


def test_blanks_round_the_rule_of_a_relay_are_not_kept() -> None:
    assert parse_seats("random@4 > optimal, random @4> optimal,random @ stall:3 >optimal") == (
        "random@4>optimal",
        "random@4>optimal",
        "random@stall:3>optimal",
    )


def test_a_relay_whose_rule_is_misspelt_is_not_taken_for_a_url() -> None:
    with pytest.raises(UsageError, match=r"did you mean stall:3\? A relay is A@4>B, A@stall:6>B"):
        parse_seats("openai/gpt-4.1@http://h:1/v1@stal:3>anthropic/claude-haiku-4-5")


def test_a_provider_of_the_user_s_own_begins_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="there is no agent 'our-cluster/big'"):
        parse_agent("our-cluster/big")
    file = tmp_path / "mine.yaml"
    file.write_text("our-cluster: {base_url: 'https://llm.example.org/v1', needs_key: false}\n")
    monkeypatch.setenv("PALAVER_PROVIDERS", str(file))
    assert parse_agent("our-cluster/big") == AgentName("model", "big", "our-cluster")
    with pytest.raises(UsageError, match="did you mean 'our-cluster/big'"):
        parse_agent("our-clutser/big")


@pytest.mark.parametrize("text", ["team(lead=random", "random)", ")(", "random,(,"])
def test_parentheses_must_match(text: str) -> None:
    with pytest.raises(UsageError, match="do not match"):
        parse_seats(text)


@pytest.mark.parametrize("text", ["", "random,", ",random", "random,,random"])
def test_no_name_is_empty(text: str) -> None:
    with pytest.raises(UsageError, match="is empty"):
        parse_seats(text)


def test_every_provider_has_a_form_of_name_and_the_other_way_round() -> None:
    assert set(PROVIDERS) == {word for word, form in FORMS.items() if form.kind == "model"}


MODELS = st.from_regex(r"[A-Za-z0-9._:/-]+", fullmatch=True)
URLS = st.from_regex(r"https?://[a-z][a-z0-9.-]*(:[1-9][0-9]{0,3})?(/[a-z0-9/]*)?", fullmatch=True)
NAMES = st.builds(AgentName, st.just("model"), MODELS, st.sampled_from(sorted(PROVIDERS)), st.none() | URLS)


@given(NAMES)
def test_reading_undoes_writing(name: AgentName) -> None:
    assert parse_agent(str(name)) == name


@given(st.lists(NAMES, min_size=1))
def test_reading_undoes_writing_for_many(names: list[AgentName]) -> None:
    assert parse_seats(",".join(map(str, names))) == tuple(map(str, names))


@given(st.text() | st.builds("{}{}{}".format, st.sampled_from([*FORMS, "vllm/m@http:/"]), st.just("/"), st.text()))
def test_whatever_is_typed_there_is_a_name_or_one_line(text: str) -> None:
    try:
        name = parse_agent(text)
    except UsageError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 - either way out is right
    else:
        assert str(name) == text.strip()
