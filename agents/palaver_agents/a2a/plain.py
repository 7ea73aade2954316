"""What is needed of protobuf itself, in one place: its types are nobody's but its own."""

from typing import Any

from google.protobuf.json_format import Error as FormatError  # type: ignore[import-untyped]  # it ships no stubs
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct  # type: ignore[import-untyped]  # as above

__all__ = ["FormatError", "plain"]


def plain(metadata: Struct) -> dict[str, Any]:
    """Return metadata as plain values."""
    values: dict[str, Any] = MessageToDict(metadata)
    return values
