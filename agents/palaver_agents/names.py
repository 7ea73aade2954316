"""The names of agents, as users type them and as records keep them.

A name says who fills a seat: a game's own script (``scripted/rc``, ``random``), a provider's model (``openai/gpt-5``,
``vllm/Qwen/Qwen3-8B@http://gpu:8000``), recorded replies (``replay/FILE``), a Python function (``python/MODULE:NAME``),
a person (``human``), or somebody else's program: on the bus (``bus/NAME``) or behind A2A (``a2a/URL``). This module
reads them, and says what was perhaps meant by those that make no sense. How a provider is reached is the business of
:mod:`palaver_agents.providers`, and which scripts a game has that of the game.
"""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from palaver_protocols.errors import UsageError
from palaver_protocols.seating import RULES, leaves, misspelt_relay, read_seat, relay_of, rule_like, split_top
from palaver_protocols.strangers import NAME_MEND, is_stranger

from .forms import FORMS, AgentName, Form, Kind, checked_url
from .providers.data import Provider, providers

__all__ = ["FORMS", "AgentName", "Form", "Kind", "checked_url", "parse_agent", "parse_seats"]

_FUNCTION = re.compile(r"[\w.]+:[\w.]+")
_URL_MARK = re.compile(r"@(?=https?://)")
_SEE = "see `palaver list agents`"
_FAMILIES = {
    "claude": "anthropic",
    "command": "cohere",
    "gemini": "google",
    "gemma": "google",
    "gpt": "openai",
    "grok": "xai",
    "kimi": "moonshot",
}
"""Whose the models are that begin like this: what people call a provider when they mean its models."""


def parse_seats(text: str) -> tuple[str, ...]:
    """Read who fills the seats, separated by commas: agents, relays and teams (:mod:`palaver_protocols.seating`).

    Returns:
        One text a seat, without needless blanks.

    Raises:
        UsageError: one of them cannot be read.
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
        UsageError: it cannot be read; one line that says what can.
    """
    name = text.strip()
    head, slash, rest = name.partition("/")
    if not name:
        raise UsageError("an agent's name is empty", mend=_SEE)
    if not name.isprintable():
        raise UsageError(f"the agent {name!r} has a character that cannot be seen", mend="type the name by hand")
    if ">" in name:
        raise misspelt_relay(name) or UsageError(
            f"a relay that begins with {name.partition('@')[0].strip()!r} stands where one agent is wanted",
            mend="name one of its agents",
        )
    form = FORMS.get(head)
    if form is None:
        known = _providers()
        if head not in known:
            raise _unknown(name, known)
        form = Form(f"{head}/MODEL[@URL]", "a model of a provider of your own", "model")
    kind = form.kind
    if kind == "seat":
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    if kind in ("script", "human") and not slash:
        return AgentName(kind, head)
    if not rest or kind == "human" or (kind == "script" and head != "scripted"):
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    if kind == "bus" and not is_stranger(name):
        raise UsageError(f"{rest!r} is no name for an agent on the bus", mend=NAME_MEND)
    if kind == "python" and not _FUNCTION.fullmatch(rest):
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    if kind == "a2a":
        checked_url(rest)
    return _model(name, head, rest, form) if kind == "model" else AgentName(kind, name if kind == "script" else rest)


def _providers() -> Mapping[str, Provider]:
    """Return the providers that there are, the user's own among them."""
    # Names are read in many places that have no environment at hand, and of it this needs one variable alone.
    return providers(os.environ)


def _model(name: str, provider: str, rest: str, form: Form) -> AgentName:
    """Read what follows the provider: a model's name with slashes and colons, and perhaps a URL after an ``@``."""
    model, *url = _URL_MARK.split(rest, maxsplit=1)
    if not model or re.search(r"[\s,]", rest):
        raise UsageError(f"the agent {name!r} does not read {form.shape}", mend=_SEE)
    # OpenRouter calls presets `@preset/NAME`; any other @ that begins no URL is a URL without its http://.
    before, at, after = model.rpartition("@")
    if at and (before or not after):
        relay = f"; a relay is {RULES}" if rule_like(after) else ""
        raise UsageError(
            f"in the agent {name!r}, what follows the @ is no URL",
            mend=f"write {provider}/{before or 'MODEL'}@http://{after or 'HOST:PORT'}{relay}",
        )
    if url and "@" in checked_url(url[0]):
        raise UsageError(
            f"in the agent {provider}/{model}, a second @ follows the URL", mend=f"an agent has one; a relay is {RULES}"
        )
    return AgentName("model", model, provider, url[0] if url else None)


def _unknown(name: str, known: Mapping[str, Provider]) -> UsageError:
    """Say that nothing begins like this, and what was perhaps meant."""
    head, slash, rest = name.partition("/")
    close = get_close_matches(head.lower(), [*FORMS, *known], n=1)
    meant = next(_with_provider(name, known), "") or (close[0] + slash + rest if close else "")
    if meant:
        return UsageError(f"there is no agent {name!r}", mend=f"did you mean {meant!r}? {_SEE}")
    mend = _SEE if slash else f"a model needs its provider, such as openai/{name}; {_SEE}"
    return UsageError(f"there is no agent {name!r}", mend=mend)


def _with_provider(name: str, known: Mapping[str, Provider]) -> Iterator[str]:
    """Yield what a model's name would be with its provider: first where the tables know it, then where it may be."""
    model, *url = _URL_MARK.split(name, maxsplit=1)
    end = f"@{url[0]}" if url else ""
    yield from (f"{word}/{model}{end}" for word, provider in known.items() if provider.names(model))
    family, slash, rest = model.partition("/")
    word = _FAMILIES.get(family.lower(), "")
    if word and rest:
        whole = f"{family.lower()}-{rest}"
        yield f"{word}/{whole if known[word].names(whole) else rest}{end}"
    word = _FAMILIES.get(model.partition("-")[0].lower(), "")
    if word and not slash:
        yield f"{word}/{model}{end}"
