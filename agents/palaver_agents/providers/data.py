"""What is known of providers and their models: ours, in ``providers.yaml``, and what a user's own file says instead.

The user's file is ``palaver.providers.yaml`` in the working folder, or the one that ``PALAVER_PROVIDERS`` names. It has
the same shape, and is laid over ours key by key: a price can be mended, a model added, a whole provider too, if it
speaks one of the wire formats that we do. A price that it changes is as of that file, unless it says otherwise.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    TypeAdapter,
    ValidationError,
    field_validator,
)

from palaver_protocols.content import MediaType
from palaver_protocols.errors import UsageError
from palaver_protocols.quirks import Quirks

from ..forms import FORMS, checked_url
from .endpoint import ModelFacts, Price

__all__ = ["OVERRIDE", "VARIABLE", "Provider", "Wire", "packaged", "providers"]

OWN = Path(__file__).with_name("providers.yaml")
OVERRIDE = "palaver.providers.yaml"
VARIABLE = "PALAVER_PROVIDERS"
SAFE_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C is ten times as quick, and not everywhere."""
WORD = re.compile(r"[a-z][a-z0-9_-]*")
"""What a provider may be called, since agents' names begin with it."""
PRICED = "for example price: {input: 1.5, output: 6}, in US dollars for a million tokens"

Wire = Literal["openai", "anthropic", "google"]
Setting = Literal["temperature", "top_p", "reasoning_effort"]


class _Words(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def given(self) -> dict[str, Any]:
        """Return what is set, without defaults."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class _Pictures(_Words):
    media_types: tuple[MediaType, ...] = ()
    most: NonNegativeInt | None = None
    size: PositiveInt | None = None
    side: PositiveInt | None = None


class _Quirks(_Words):
    system: Literal["flexible", "first_only", "none"] = "first_only"
    alternate: bool = True
    user_first: bool = True
    several_images: bool = True
    pictures: _Pictures = _Pictures()

    def over(self, quirks: Quirks) -> Quirks:
        """Return quirks, changed by what is said here."""
        pictures = replace(quirks.pictures, **self.pictures.given())
        return replace(quirks, **{**self.given(), "pictures": pictures})


class _Price(_Words):
    input: NonNegativeFloat
    output: NonNegativeFloat
    cached: NonNegativeFloat | None = None


class _Model(_Words):
    """What is known of a model, or of all whose names match a pattern; see :class:`ModelFacts`."""

    context: PositiveInt | None = None
    longest: PositiveInt | None = None
    price: _Price | None = None
    refuses: frozenset[Setting] = frozenset()
    schemas: bool = True
    thinks: bool = False
    dated: str | None = None
    as_of: str | None = None
    quirks: _Quirks = _Quirks()


class Provider(_Words):
    """A provider of models.

    ``base_url`` is where it answers, unless a name or the environment variable ``url_variable`` says otherwise.
    ``key_variables`` may hold its key; the first that is set counts. ``max_tokens`` and ``effort`` are its words for
    the limit on an answer and for the effort to reason (see :class:`Endpoint`). ``cost_in_usd`` says that it reports
    what a call has cost. ``headers`` go with every call, ``header_variables`` too, with values from the environment.
    ``models`` are names, or patterns with ``*``.
    """

    wire: Wire = "openai"
    base_url: str
    url_variable: str
    key_variables: tuple[str, ...] = Field(min_length=1)
    needs_key: bool = True
    quirks: _Quirks = _Quirks()
    max_tokens: str = "max_tokens"
    effort: str = "reasoning_effort"
    think_tags: bool = False
    cost_in_usd: bool = False
    headers: Mapping[str, str] = Field(default_factory=dict, repr=False)
    header_variables: Mapping[str, str] = Field(default_factory=dict)
    models: Mapping[str, _Model] = Field(default_factory=dict)

    @field_validator("base_url")
    @classmethod
    def _is_a_url(cls, url: str) -> str:
        try:
            return checked_url(url)
        except UsageError as error:
            raise ValueError(error.message) from error

    def facts(self, model: str) -> ModelFacts:
        """Return what is known of a model. Of the patterns that match, the longest wins, word by word."""
        known: dict[str, Any] = {}
        for entry in self._matching(model):
            known |= entry.given()
        known.pop("quirks", None)
        price = known.pop("price", None)
        return ModelFacts(**known, price=Price(price.input, price.output, price.cached) if price else None)

    def accepts(self, model: str) -> Quirks:
        """Return what a model accepts: the provider's quirks, changed by those of the model."""
        quirks = self.quirks.over(Quirks())
        for entry in self._matching(model):
            quirks = entry.quirks.over(quirks)
        return quirks

    def names(self, model: str) -> bool:
        """Say whether the table has a model by its name, its dated name or a pattern that says more than ``*``."""
        return any(model == entry.dated for entry in self.models.values()) or any(
            pattern != "*" and fnmatchcase(model, pattern) for pattern in self.models
        )

    def _matching(self, model: str) -> list[_Model]:
        """Return what is said of a model: general patterns first, its own name last. It has its dated name too."""
        names = [name for name, entry in self.models.items() if fnmatchcase(model, name) or model == entry.dated]
        return [self.models[name] for name in sorted(names, key=lambda name: (name == model, len(name)))]


TABLE = TypeAdapter(dict[str, Provider])


def providers(environ: Mapping[str, str]) -> Mapping[str, Provider]:
    """Return the providers by the words that their models' names begin with: ours, and what the user's file changes.

    Args:
        environ: the environment, with what ``.env`` adds to it.

    Raises:
        UsageError: the user's file cannot be read, or has a key or a value that makes no sense.
    """
    named = environ.get(VARIABLE, "").strip()
    file = Path(named or OVERRIDE)
    try:
        found = file.stat()
    except FileNotFoundError as error:
        if not named:
            return packaged()
        raise UsageError(
            f"{VARIABLE} names {file}, which is not there", mend=f"write it, or unset {VARIABLE}"
        ) from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    return _overridden(file.absolute(), str(file), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=1)
def packaged() -> Mapping[str, Provider]:
    """Return the providers that come along."""
    return MappingProxyType(TABLE.validate_python(_read(OWN, str(OWN))))


@lru_cache(maxsize=8)
def _overridden(file: Path, shown: str, _changed_ns: int, _size: int) -> Mapping[str, Provider]:
    """Lay a user's file over ours. Read again when it has changed."""
    changes = _read(file, shown)
    known = {word: new if word in packaged() else _named(word, new, shown) for word, new in changes.items()}
    try:
        merged = TABLE.validate_python(_over(_read(OWN, str(OWN)), known))
    except ValidationError as error:
        raise _wrong(error, shown) from None  # its text quotes the values, and headers may be secret
    return MappingProxyType({word: _sourced(merged[word], known.get(word), shown) for word in merged})


def _read(file: Path, shown: str) -> dict[Any, Any]:
    try:
        words = yaml.load(file.read_text(encoding="utf-8"), Loader=SAFE_LOADER)  # noqa: S506 - a safe loader, in C or not
    except OSError as error:
        raise UsageError(f"{shown} cannot be read: {error.strerror}") from error
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise UsageError(f"{shown} is no YAML: {_line(error)}") from None
    if not isinstance(words, dict | None):
        raise UsageError(f"{shown} names no providers", mend="begin with, for example, `openai:`")
    return words or {}


def _line(error: Exception) -> str:
    """Say what is wrong with YAML without its lines, which may hold secrets."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or type(error).__name__
    return f"{problem}, line {mark.line + 1}" if mark else str(problem)


def _named(word: object, new: object, shown: str) -> object:
    """Make sure that agents' names can begin with a new provider's word, and name its variables after it."""
    if not isinstance(word, str) or not WORD.fullmatch(word):
        raise UsageError(f"{shown}: {word!r} cannot be a provider", mend="use small letters, digits, - and _")
    if word in FORMS:
        raise UsageError(f"{shown}: {word!r} is the name of another kind of agent", mend="call the provider otherwise")
    close = get_close_matches(word, packaged(), n=1)
    if close and not (isinstance(new, dict) and "base_url" in new):
        raise UsageError(
            f"{shown}: {word!r} is no provider that is known",
            mend=f"did you mean {close[0]}? A provider of your own needs a base_url",
        )
    variable = word.upper().replace("-", "_")
    usual = {"url_variable": f"{variable}_BASE_URL", "key_variables": [f"{variable}_API_KEY"]}
    return {**usual, **new} if isinstance(new, dict) else new


def _sourced(provider: Provider, changes: Any, shown: str) -> Provider:
    """Say of the prices that a user's file gives, and not where they are from, that they are from that file."""
    theirs = (changes or {}).get("models") or {}
    new = {name for name, entry in theirs.items() if "price" in entry and "as_of" not in entry}
    if not new:
        return provider
    models = {
        name: entry.model_copy(update={"as_of": shown if entry.price else None}) if name in new else entry
        for name, entry in provider.models.items()
    }
    return provider.model_copy(update={"models": models})


def _over(ours: dict[Any, Any], theirs: dict[Any, Any]) -> dict[Any, Any]:
    """Lay mappings over mappings, key by key; all else is replaced."""
    merged = dict(ours)
    for key, value in theirs.items():
        before = merged.get(key)
        merged[key] = _over(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def _wrong(error: ValidationError, shown: str) -> UsageError:
    """Say in one line which key of a file is wrong, and how to mend it."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    mend = PRICED if "price" in first["loc"] else ""
    match first["type"]:
        case "extra_forbidden":
            return UsageError(f"{shown}: {where} is no key that is known", mend=_meant(first["loc"]) or mend)
        case "missing":
            return UsageError(f"{shown}: {where} is missing", mend=mend)
        case "model_type" | "model_attributes_type" | "dict_type" | "mapping_type":
            return UsageError(f"{shown}: {where} holds no keys", mend=mend or "write key: value lines below it")
    said = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return UsageError(f"{shown}: {where}: {said}", mend=mend)


def _meant(where: tuple[int | str, ...]) -> str:
    """Say which key was perhaps meant by the last of some that lead to it, or where it belongs; empty if unknown."""
    kinds = (_Price,) if "price" in where[:-1] else (Provider, _Model, _Price, _Quirks, _Pictures)
    words = {name for kind in kinds for name in kind.model_fields}
    if where[-1] in _Quirks.model_fields:
        return f"write quirks: {{{where[-1]}: ...}}"
    if where[-1] in _Pictures.model_fields:
        return f"write quirks: {{pictures: {{{where[-1]}: ...}}}}"
    close = get_close_matches(str(where[-1]), sorted(words), n=1)
    return f"did you mean {close[0]}?" if close else ""
