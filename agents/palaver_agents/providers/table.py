"""Where the models are: the providers that speak OpenAI's chat completions, as a table, and how a name finds its place.

Nothing here reads the environment: it is read once, at the edge, and handed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from palaver_broker import BlobStore
from palaver_protocols.errors import UsageError
from palaver_protocols.quirks import OPENAI, Quirks

from ..model import Model
from ..names import AgentName, checked_url
from .endpoint import Endpoint

__all__ = ["PROVIDERS", "Provider", "open_model", "resolve"]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of models.

    Args:
        base_url: where it answers, unless a name or the variable ``url_variable`` says otherwise.
        url_variable: the environment variable that moves it elsewhere.
        key_variables: the environment variables that may hold its key; the first that is set counts.
        needs_key: whether it answers only those who have a key.
        quirks: what it accepts.
        max_tokens: what it calls the limit on the length of an answer.
        cost_in_usd: whether the ``cost`` that it reports with the usage is in dollars.
        headers: what goes with every call.
        header_variables: the same, with values from environment variables, where those are set.
    """

    base_url: str
    url_variable: str
    key_variables: tuple[str, ...]
    needs_key: bool = True
    quirks: Quirks = field(default_factory=Quirks)
    max_tokens: str = "max_tokens"
    cost_in_usd: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    header_variables: Mapping[str, str] = field(default_factory=dict)


# Behind openrouter, vllm and ollama stand models of every kind: their quirks are the ones that suit nearly all of them.
PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(
        base_url="https://api.openai.com/v1",
        url_variable="OPENAI_BASE_URL",
        key_variables=("OPENAI_API_KEY",),
        quirks=OPENAI,
        max_tokens="max_completion_tokens",
        header_variables={"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"},
    ),
    "openrouter": Provider(
        base_url="https://openrouter.ai/api/v1",
        url_variable="OPENROUTER_BASE_URL",
        key_variables=("OPENROUTER_API_KEY",),
        cost_in_usd=True,
        headers={"X-Title": "palaver"},
    ),
    "vllm": Provider(
        base_url="http://localhost:8000/v1",
        url_variable="VLLM_BASE_URL",
        key_variables=("VLLM_API_KEY",),
        needs_key=False,
    ),
    "ollama": Provider(
        base_url="http://localhost:11434/v1",
        url_variable="OLLAMA_BASE_URL",
        key_variables=("OLLAMA_API_KEY",),
        needs_key=False,
    ),
}
"""The providers by the word that their models' names begin with."""


def resolve(name: AgentName, environ: Mapping[str, str]) -> Endpoint:
    """Find where a model is, and the key to it.

    A key is needed only at the provider's own place; elsewhere it is sent if there is one. A URL without a path is
    taken to mean ``/v1``.

    Args:
        name: a name of kind ``model``.
        environ: the environment, with what ``.env`` adds to it.

    Raises:
        UsageError: there is no key and one is needed, or the key or URL in the environment makes no sense.
    """
    provider = PROVIDERS[name.provider]
    moved = name.base_url or _url(provider, environ)
    variable, key = _key(provider, environ)
    if key is None and provider.needs_key and moved is None:
        raise UsageError(f"{name} needs a key", mend=f"set {variable} or put it into .env")
    return Endpoint(
        provider=name.provider,
        model=name.model,
        base_url=_with_path(moved or provider.base_url),
        key=key,
        key_variable=variable,
        quirks=provider.quirks,
        max_tokens=provider.max_tokens,
        cost_in_usd=provider.cost_in_usd,
        headers={**provider.headers, **_headers(provider, environ)},
    )


def open_model(name: AgentName, *, blobs: BlobStore, environ: Mapping[str, str]) -> Model:
    """Make the model that a name of kind ``model`` stands for. Nothing is called before the first turn.

    Args:
        name: the agent's name.
        blobs: where pictures are.
        environ: the environment, with what ``.env`` adds to it.

    Raises:
        UsageError: a key is missing or makes no sense, or the SDK is not installed.
    """
    endpoint = resolve(name, environ)
    try:
        from .openai_compatible import OpenAICompatible  # noqa: PLC0415 - the SDK is an extra, and slow to import
    except ImportError as error:
        raise UsageError(f"{name} needs the openai package: {error}", mend="pip install 'palaver[openai]'") from error
    return OpenAICompatible(endpoint, blobs=blobs)


def _url(provider: Provider, environ: Mapping[str, str]) -> str | None:
    """Return where the environment says that a provider is, if it does."""
    url = environ.get(provider.url_variable, "").strip()
    try:
        return checked_url(url) if url else None
    except UsageError as error:
        raise UsageError(f"{provider.url_variable}: {error.message}", mend=error.mend) from error


def _key(provider: Provider, environ: Mapping[str, str]) -> tuple[str, str | None]:
    """Return a variable and the key in it; the first variable and None if no key is set."""
    for variable in provider.key_variables:
        if key := _value(variable, environ):
            return variable, key
    return provider.key_variables[0], None


def _headers(provider: Provider, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the headers whose values are in the environment."""
    found = {header: _value(variable, environ) for header, variable in provider.header_variables.items()}
    return {header: value for header, value in found.items() if value}


def _value(variable: str, environ: Mapping[str, str]) -> str:
    """Return a variable's value, fit for a header; empty if it is not set."""
    # What is pasted comes with a newline at the end, or with a quotation mark that an editor made curly.
    value = environ.get(variable, "").strip()
    if not value.isascii() or not value.isprintable() or " " in value:
        raise UsageError(f"{variable} holds what cannot be a key", mend="copy it again, without quotes or spaces")
    return value


def _with_path(url: str) -> str:
    bare = url.rstrip("/")
    return bare if urlsplit(bare).path else f"{bare}/v1"
