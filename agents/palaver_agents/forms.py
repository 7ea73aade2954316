"""What agents' names are made of: the words that they begin with, and the URLs that they may end in.

Both those who read names (:mod:`palaver_agents.names`) and those who say what providers there are
(:mod:`palaver_agents.providers.data`) build upon this.
"""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from palaver_protocols.errors import UsageError

__all__ = ["FORMS", "AgentName", "Form", "Kind", "checked_url"]

Kind = Literal["script", "model", "replay", "python", "human", "bus", "a2a"]
"""What stands behind one agent's name."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form that a name can take.

    ``kind`` is ``seat`` where several agents fill a seat together.
    """

    shape: str
    summary: str
    kind: Kind | Literal["seat"]


FORMS: dict[str, Form] = {
    "scripted": Form("scripted[/STYLE]", "the game's own player, in one of its styles", "script"),
    "random": Form("random", "legal moves at random", "script"),
    "optimal": Form("optimal", "best play, in games that know it", "script"),
    "replay": Form("replay/FILE", "the replies that a replay file holds", "replay"),
    "openai": Form("openai/MODEL[@URL]", "a model of OpenAI, or of any server that speaks its protocol", "model"),
    "anthropic": Form("anthropic/MODEL[@URL]", "a model of Anthropic", "model"),
    "google": Form("google/MODEL[@URL]", "a model of Google", "model"),
    "xai": Form("xai/MODEL[@URL]", "a model of xAI", "model"),
    "deepseek": Form("deepseek/MODEL[@URL]", "a model of DeepSeek", "model"),
    "mistral": Form("mistral/MODEL[@URL]", "a model of Mistral", "model"),
    "cohere": Form("cohere/MODEL[@URL]", "a model of Cohere", "model"),
    "moonshot": Form("moonshot/MODEL[@URL]", "a model of Moonshot", "model"),
    "openrouter": Form("openrouter/VENDOR/MODEL", "a model behind OpenRouter", "model"),
    "vllm": Form("vllm/MODEL[@URL]", "a model that vLLM serves (http://localhost:8000)", "model"),
    "ollama": Form("ollama/MODEL[@URL]", "a model that Ollama serves (http://localhost:11434)", "model"),
    "python": Form("python/MODULE:NAME", "a Python function of yours (docs/add-an-agent.md)", "python"),
    "human": Form("human", "a person: by a page (--watch, serve dashboard), or in the terminal (play)", "human"),
    "bus": Form("bus/NAME", "somebody's own program, on a bus (docs/add-an-agent.md)", "bus"),
    "a2a": Form("a2a/URL", "any server that speaks A2A 1.x", "a2a"),
    "relay": Form("A@N>B", "A for the first N turns, then B; or A@stall:N>B, @tokens:N>, @usd:N>", "seat"),
    "team": Form("team(lead=A,members=B+C)", "a lead that consults members privately", "seat"),
}
"""Every form of name, by the word that it begins with; the last two are built of other names."""


@dataclass(frozen=True, slots=True)
class AgentName:
    """An agent's name, taken apart; ``str`` puts it together again.

    ``model`` is the model as its provider calls it, a script's name as typed, a replay's file, MODULE:NAME of a
    function, ``human``, the NAME of an agent on the bus, or the URL of an A2A server. ``provider`` is empty for all but
    models; ``base_url`` is as typed, None for the provider's own.
    """

    kind: Kind
    model: str
    provider: str = ""
    base_url: str | None = None

    def __str__(self) -> str:
        """Write the name as it was typed."""
        head = {"script": "", "human": "", "model": f"{self.provider}/"}.get(self.kind, f"{self.kind}/")
        return head + self.model + (f"@{self.base_url}" if self.base_url else "")


def checked_url(url: str) -> str:
    """Return a base URL that can be asked, and that may be written into records.

    Raises:
        UsageError: it names no HTTP server, or holds what looks like a secret.
    """
    mend = "write http://HOST:PORT or http://HOST:PORT/v1"
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as error:
        raise UsageError(f"the URL of an agent makes no sense: {error}", mend=mend) from error
    # Names are written into every record, so a secret must not be in them; nor is it repeated here.
    if "@" in split.netloc or split.query or split.fragment:
        raise UsageError(
            f"the URL of an agent at {split.hostname} holds a login, a query or a fragment",
            mend="put keys into the environment, such as VLLM_API_KEY, and the bare URL into the name",
        )
    if split.scheme not in ("http", "https") or not split.hostname or port == 0:
        raise UsageError(f"the URL of an agent, {url!r}, names no server", mend=mend)
    return url
