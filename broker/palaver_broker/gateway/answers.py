"""What a gateway answers over HTTP where it does not do as it was asked, and how it reads what it is asked."""

import math
from collections.abc import Mapping

from aiohttp import hdrs, web

from palaver_protocols.codec import encode
from palaver_protocols.strangers import Notice, Reason

__all__ = ["STATUS", "TurnedAwayError", "as_json", "as_ours", "number"]

STATUS: dict[Reason | None, int] = {
    "too_large": 413,
    "not_json": 400,
    "version": 400,
    "malformed": 400,
    "not_text": 400,
    "mismatch": 403,
    "closed": 409,
    "too_fast": 429,
    "revoked": 401,
}
"""The HTTP status of a refusal."""


class TurnedAwayError(Exception):
    """A request that is answered by a notice.

    Args:
        status: of HTTP.
        message: one line.
        reason: why, where the protocol has a word for it.
        retry_s: when to come again, in seconds.
    """

    def __init__(self, status: int, message: str, reason: Reason | None = None, retry_s: float | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.reason, self.retry_s = status, message, reason, retry_s

    @classmethod
    def away(cls, why: str) -> "TurnedAwayError":
        """Ask somebody to come again soon."""
        return cls(503, f"{why}; nothing is lost, try again", retry_s=1.0)

    @classmethod
    def failed(cls) -> "TurnedAwayError":
        """Take the blame."""
        return cls(500, "the gateway failed; this is its own fault")

    def response(self) -> web.Response:
        """Say so."""
        headers: dict[str, str] = {}
        if self.retry_s is not None:
            headers[hdrs.RETRY_AFTER] = str(max(1, math.ceil(self.retry_s)))
        if self.status == 401:
            headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
        notice = Notice(key="", agent="", code="refused", reason=self.reason, message=self.message)
        return as_json(encode(notice), self.status, headers)


def as_json(body: bytes, status: int, headers: Mapping[str, str] | None = None) -> web.Response:
    """Answer with one line of JSON."""
    said = {hdrs.CONTENT_TYPE: "application/json", hdrs.CACHE_CONTROL: "no-store", **(headers or {})}
    return web.Response(body=body + b"\n", status=status, headers=said)


async def as_ours(_: web.BaseRequest, response: web.StreamResponse) -> None:
    """Leave out which versions of which software have made an answer: that is nobody's business."""
    response.headers[hdrs.SERVER] = "palaver"


def number(request: web.Request, name: str, usual: float, most: float) -> float:
    """Read a number of the query, between 0 and ``most``; more counts as ``most``.

    Raises:
        TurnedAwayError: it is none.
    """
    word = request.query.get(name)
    if word is None:
        return min(usual, most)
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise TurnedAwayError(400, f"{name}: not a number from 0 on")
    return min(value, most)
