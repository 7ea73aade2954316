"""The names of agents, as users type them and as records keep them.

A name says who fills a seat: a game's own script (``scripted/rc``, ``random``), a provider's model (``openai/gpt-5``,
``vllm/Qwen/Qwen3-8B@http://gpu:8000``) or recorded replies (``replay/FILE``). This module knows the words; how a
provider is reached is the business of :mod:`palaver_agents.providers`, and which scripts a game has that of the game.
"""

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal
from urllib.parse import urlsplit

from palaver_protocols.errors import UsageError
from palaver_protocols.seating import leaves, read_seat, relay_of, split_top

__all__ = ["FORMS", "AgentName", "Form", "Kind", "checked_url", "parse_agent", "parse_seats"]

Kind = Literal["script", "model", "replay"]
"""What stands behind one agent's name."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form that a name can take.

    ``kind`` is None where this version cannot play it yet, and ``seat`` where several agents fill a seat together.
    """

    shape: str
    summary: str
    kind: Kind | Literal["seat"] | None = None


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
    "human": Form("human", "a person at a keyboard"),
    "bus": Form("bus/NAME", "an agent that is on the bus already"),
    "a2a": Form("a2a/URL", "an agent that speaks A2A"),
    "relay": Form("A@N>B", "A for the first N turns, then B; or A@stall:N>B, @tokens:N>, @usd:N>", "seat"),
    "team": Form("team(lead=A,members=B+C)", "a lead that consults members privately", "seat"),
}
"""Every form of name, by the word that it begins with; the last two are built of other names."""

_URL_MARK = re.compile(r"@(?=https?://)")
_SEE = "see `palaver list agents`"


@dataclass(frozen=True, slots=True)
class AgentName:
    """An agent's name, taken apart; ``str`` puts it together again.

    ``model`` is the model as its provider calls it, a script's name as typed, or a replay's file. ``provider`` is empty
    for all but models; ``base_url`` is as typed, None for the provider's own.
    """

    kind: Kind
    model: str
    provider: str = ""
    base_url: str | None = None

    def __str__(self) -> str:
        """Write the name as it was typed."""
        head = {"script": "", "model": f"{self.provider}/", "replay": "replay/"}[self.kind]
        return head + self.model + (f"@{self.base_url}" if self.base_url else "")


def parse_seats(text: str) -> tuple[str, ...]:
    """Read who fills the seats, separated by commas: agents, relays and teams (:mod:`palaver_protocols.seating`).

    Returns:
        One text a seat, without needless blanks.

    Raises:
        UsageError: one of them cannot be read, or names an agent that this version cannot play.
    """
    return tuple(_seat(part) for part in split_top(text, ","))


def _seat(text: str) -> str:
    if not text.strip():
        parse_agent(text)
    fillers = read_seat(text)
    for filler in fillers:
        for leaf in leaves(filler.agent):
            parse_agent(leaf)
    return relay_of(fillers)


def parse_agent(text: str) -> AgentName:
    """Read one name.

    Raises:
        UsageError: it cannot be read, or is of a kind that this version cannot play; one line that says what can.
    """
    name = text.strip()
    head, slash, rest = name.partition("/")
    if not name:
        raise UsageError("an agent's name is empty", mend=_SEE)
    if not name.isprintable():
        raise UsageError(f"the agent {name!r} has a character that cannot be seen", mend="type the name by hand")
    form = FORMS.get(head) or _of_the_user(head)
    if form is None:
        raise _unknown(name, head, rest)
    kind = form.kind
    if kind is None:
        raise _not_built_in(name, head)
    if kind == "seat":
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    if kind == "script" and not slash:
        return AgentName("script", head)
    if not rest or (kind == "script" and head != "scripted"):
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    return _model(name, head, rest, form) if kind == "model" else AgentName(kind, name if kind == "script" else rest)


def _of_the_user(word: str) -> Form | None:
    """Return the form of a provider that the user's own file adds; None if it adds no such provider."""
    # Imported here: the table of providers is made of the names that are known here.
    from .providers.data import providers  # noqa: PLC0415

    # Names are read in many places that have no environment at hand, and of it this needs one variable alone.
    if word not in providers(os.environ):
        return None
    return Form(f"{word}/MODEL[@URL]", "a model of a provider of your own", "model")


def _model(name: str, provider: str, rest: str, form: Form) -> AgentName:
    """Read what follows the provider: a model's name with slashes and colons, and perhaps a URL after an ``@``."""
    model, *url = _URL_MARK.split(rest, maxsplit=1)
    if not model or re.search(r"[\s,]", rest):
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    # OpenRouter calls presets `@preset/NAME`; any other @ that begins no URL is a URL without its http://.
    before, at, after = model.rpartition("@")
    if at and (before or not after):
        raise UsageError(
            f"in the agent {name!r}, what follows the @ is no URL",
            mend=f"write {provider}/{before or 'MODEL'}@http://{after or 'HOST:PORT'}",
        )
    return AgentName("model", model, provider, checked_url(url[0]) if url else None)


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


def _not_built_in(name: str, word: str) -> UsageError:
    """Say that a name is right, but its time has not come."""
    available = ", ".join(form.shape for form in FORMS.values() if form.kind is not None)
    return UsageError(
        f"the agent {name!r} ({FORMS[word].shape}: {FORMS[word].summary}) is not built into this version",
        mend=f"it has: {available}",
    )


def _unknown(name: str, head: str, rest: str) -> UsageError:
    """Say that nothing begins like this, and what was perhaps meant."""
    close = get_close_matches(head.lower(), FORMS, n=1)
    if close:
        meant = close[0] + (f"/{rest}" if rest else "")
        return UsageError(f"there is no agent {name!r}", mend=f"did you mean {meant!r}? {_SEE}")
    mend = _SEE if rest else f"a model needs its provider, such as openai/{head}; {_SEE}"
    return UsageError(f"there is no agent {name!r}", mend=mend)
