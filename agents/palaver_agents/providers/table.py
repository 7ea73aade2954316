"""How an agent's name finds its model: where it is, which key opens it, what it accepts and what it costs.

The environment is read once, at the edge, and handed in; the facts are in ``providers.yaml`` and in the user's own file
(:mod:`palaver_agents.providers.data`).
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from palaver_broker import BlobStore
from palaver_protocols.errors import UsageError

from ..forms import AgentName, checked_url
from ..model import Model
from .calling import ProviderModel, Vault
from .data import Provider, Wire, packaged, providers
from .endpoint import Endpoint, ModelFacts

__all__ = ["PROVIDERS", "Provider", "facts", "is_blind", "is_priced", "open_model", "provider_names", "resolve"]

PROVIDERS: Mapping[str, Provider] = packaged()
"""The providers that come along, by the word that their models' names begin with."""

PACKAGES: Mapping[Wire, str] = {"openai": "openai", "anthropic": "anthropic", "google": "google-genai"}
"""The official SDKs."""
PATHS: Mapping[Wire, str] = {"openai": "/v1", "anthropic": "", "google": "/v1beta"}
"""Where a server of this wire format answers, if its URL does not say; Anthropic's SDK adds its path itself."""


def provider_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words that models' names may begin with: ours, then those of the user's file.

    Raises:
        UsageError: the user's file makes no sense.
    """
    return tuple(providers(environ))


def facts(name: AgentName, environ: Mapping[str, str]) -> ModelFacts:
    """Return what is known of a model; nothing for agents that are none. Needs no key.

    Raises:
        UsageError: there is no such provider, or the user's file makes no sense.
    """
    return _provider(name, environ).facts(name.model) if name.kind == "model" else ModelFacts()


def is_blind(name: AgentName, environ: Mapping[str, str]) -> bool:
    """Say whether a model is known to take no pictures. Needs no key.

    Raises:
        UsageError: there is no such provider, or the user's file makes no sense.
    """
    return name.kind == "model" and _provider(name, environ).accepts(name.model).pictures.most == 0


def is_priced(name: AgentName, environ: Mapping[str, str]) -> bool:
    """Say whether the cost of an agent's turns (US dollars) will be known: from the table, or from its provider.

    Scripts and recordings cost nothing, and that is known. A model on your own machines has a price only if you give it
    one, such as ``price: {input: 0, output: 0}``. That a provider reports costs is true of its own place only.

    Raises:
        UsageError: there is no such provider, or the user's file makes no sense.
    """
    if name.kind != "model":
        return True
    provider = _provider(name, environ)
    reported = provider.cost_in_usd and not (name.base_url or _url(provider, environ))
    return reported or provider.facts(name.model).price is not None


def resolve(name: AgentName, environ: Mapping[str, str]) -> Endpoint:
    """Find where a model is, the key to it, and what is known of it.

    A key is needed only at the provider's own place; elsewhere it is sent if there is one. A URL without a path is
    taken to mean ``/v1``, or what the provider's wire format has instead. The model goes by the name as typed.

    Args:
        name: a name of kind ``model``.
        environ: the environment, with what ``.env`` adds to it.

    Raises:
        UsageError: there is no key and one is needed, or the key or URL in the environment, or the user's file, makes
            no sense.
    """
    provider = _provider(name, environ)
    moved = name.base_url or _url(provider, environ)
    variable, key = _key(provider, environ)
    if key is None and provider.needs_key and moved is None:
        raise UsageError(f"{name} needs a key", mend=f"set {variable} or put it into .env")
    known = provider.facts(name.model)
    return Endpoint(
        provider=name.provider,
        model=name.model,
        base_url=_with_path(moved, PATHS[provider.wire]) if moved else provider.base_url,
        key=key,
        key_variable=variable,
        quirks=provider.accepts(name.model),
        max_tokens=provider.max_tokens,
        cost_in_usd=provider.cost_in_usd,
        headers={**provider.headers, **_headers(provider, environ)},
        refuses=known.refuses,
        price=known.price,
        context=known.context,
        longest=known.longest,
        effort=provider.effort,
        think_tags=provider.think_tags,
        schemas=known.schemas,
    )


def open_model(name: AgentName, *, blobs: BlobStore, environ: Mapping[str, str], vault: Vault | None = None) -> Model:
    """Make the model that a name of kind ``model`` stands for. Nothing is called before the first turn.

    Args:
        name: the agent's name.
        blobs: where pictures are.
        environ: the environment, with what ``.env`` adds to it.
        vault: where exchanges are kept, if anywhere.

    Raises:
        UsageError: a key is missing or makes no sense, or the SDK is not installed.
    """
    endpoint = resolve(name, environ)
    wire = _provider(name, environ).wire
    try:
        speaks = _speaker(wire)
    except ImportError as error:
        raise UsageError(
            f"{name} needs the {PACKAGES[wire]} package: {error}", mend=f"pip install 'palaver[{wire}]'"
        ) from error
    return speaks(endpoint, blobs=blobs, vault=vault)


def _speaker(wire: Wire) -> type[ProviderModel]:
    """Return who speaks a wire format. The SDKs are extras, and slow to import: each is imported when it is needed."""
    match wire:
        case "openai":
            from .openai_compatible import OpenAICompatible  # noqa: PLC0415 - as above

            return OpenAICompatible
        case "anthropic":
            from .anthropic_messages import AnthropicMessages  # noqa: PLC0415 - as above

            return AnthropicMessages
        case "google":
            from .google_generate import GoogleGenerate  # noqa: PLC0415 - as above

            return GoogleGenerate


def _provider(name: AgentName, environ: Mapping[str, str]) -> Provider:
    known = providers(environ)
    if name.provider not in known:
        raise UsageError(f"there is no provider {name.provider!r}", mend=f"there are: {', '.join(known)}")
    return known[name.provider]


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


def _with_path(url: str, path: str) -> str:
    bare = url.rstrip("/")
    return bare if urlsplit(bare).path else f"{bare}{path}"
