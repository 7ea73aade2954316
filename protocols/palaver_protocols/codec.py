"""The one door through which messages become bytes, and bytes messages."""

from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from .errors import ProtocolError, VersionError, one_line
from .messages import MAJOR, VERSION, BusMessage, Wire

__all__ = ["decode", "encode", "explain"]

_adapter: TypeAdapter[Any] = TypeAdapter(BusMessage)


def encode(message: Wire) -> bytes:
    """Write a message as UTF-8 JSON, on one line."""
    return message.model_dump_json().encode()


def decode(raw: bytes | str) -> Any:
    """Read one message (any of :data:`BusMessage`).

    Raises:
        VersionError: it speaks another major version.
        ProtocolError: it is no JSON, of an unknown type, or a field is missing or wrong.
    """
    try:
        return _adapter.validate_json(raw)
    except ValidationError as error:
        raise explain(raw, error) from error


def explain(raw: bytes | str, error: ValidationError) -> ProtocolError:
    """Say in one line what is wrong with a message that did not validate."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return ProtocolError(f"this message is no JSON: {first['msg']}")
    said = from_json(raw)
    version = said.get("version") if isinstance(said, dict) else None
    if isinstance(version, str) and version.partition(".")[0] != MAJOR:
        return VersionError(
            f"this message speaks version {one_line(version)} of the protocol, this palaver speaks {VERSION}",
            mend="run the same major version on both ends",
        )
    where = ".".join(str(step) for step in first["loc"]) or "message"
    more = error.error_count() - 1
    return ProtocolError(one_line(f"{where}: {first['msg']}") + (f" (and {more} more)" if more else ""))
