"""What is answered to requests that come to no page: those that cannot be read, and those that ask for the impossible.

The HTTP server answers them by itself, with plain text and the versions of its software; here they get a notice.
"""

from aiohttp import web

from palaver_protocols.errors import one_line

from ..unread import what_is_wrong
from .answers import TurnedAwayError, as_ours

__all__ = ["Connected"]


class Connected(web.RequestHandler):
    """One connection to the HTTP server."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Log it as the server does, and answer with a notice."""
        super().handle_error(request, status, exc, message)
        why = (
            TurnedAwayError.failed()
            if status == 500
            else TurnedAwayError(status, what_is_wrong(message or "this cannot be read"))
        )
        response = why.response()
        response.force_close()
        return response

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send an answer; one of the server's own as a notice."""
        if isinstance(resp, web.HTTPException) and resp.status >= 400:
            resp = TurnedAwayError(resp.status, one_line(resp.text or resp.reason)).response()
        if not resp.prepared:
            await as_ours(request, resp)
        return await super().finish_response(request, resp, start_time)
