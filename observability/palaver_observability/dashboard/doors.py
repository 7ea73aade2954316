"""Who may do what: roles, cookies, whose address a browser used, and the headers that every answer carries.

An operator has the token: it comes once in the address, and from then on in a cookie. A person has a link to a seat,
which is theirs to show at the routes for people. Everybody else is a visitor, who sees nothing unless they are let in.
Writing needs more than a cookie: a header and an origin that no other site's page can send.
"""

import hmac
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlencode, urlsplit

from aiohttp import hdrs, web

__all__ = [
    "BOARD_HEADERS",
    "EVERYWHERE",
    "HEADERS",
    "LOOPBACK",
    "REPORT_HEADERS",
    "Doors",
    "Role",
    "is_open",
    "is_personal",
]

Role = Literal["operator", "visitor"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""On every answer that does not say otherwise."""
BOARD_HEADERS = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'",
}
"""A drawing is a document when it is opened by itself: nothing in it runs."""
REPORT_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
}
"""A report is a document with a style and a script of its own, and has no business with the pages."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised, not chosen
OURS = "1"
"""What ``X-Palaver`` says: a header that a page of another site cannot add without being asked first."""

OPEN_PREFIXES = ("/static/",)
OPEN = frozenset({"/healthz", "/favicon.ico"})
PERSONAL_PREFIXES = ("/sit/", "/join/", "/api/sit/", "/api/join/")
"""Pages of people: their own routes look at their links and cookies."""
VISITOR_PAGES = frozenset({"/", "/runs", "/agents", "/results"})
VISITOR_API = ("/api/hello", "/api/stream", "/api/cards", "/api/runs", "/api/agents", "/api/results")


def is_open(path: str) -> bool:
    """Whether a path is for everybody."""
    return path in OPEN or path.startswith(OPEN_PREFIXES)


def is_personal(path: str) -> bool:
    """Whether a path is for whoever has a link to a seat or a study."""
    return path.startswith(PERSONAL_PREFIXES)


@dataclass(frozen=True, slots=True)
class Doors:
    """What the server knows of who may come in.

    ``listens`` is the host that it listens on, ``names`` are others by which it may be called (behind a proxy), and
    ``visitors`` whether those without the token may see how things stand.
    """

    token: str = field(repr=False)
    listens: str = "127.0.0.1"
    names: Collection[str] = ()
    visitors: bool = False

    @property
    def cookie(self) -> str:
        """The name of the operator's cookie: dashboards on one machine share a host, and each has its own."""
        return f"palaver_{sha256(b'name:' + self.token.encode()).hexdigest()[:12]}"

    @property
    def cookie_value(self) -> str:
        """What it holds: not the token, but what nobody without the token can work out."""
        return hmac.digest(self.token.encode(), b"palaver dashboard operator", "sha256").hex()

    def is_token(self, given: str) -> bool:
        """Whether that is the token."""
        return _is_same(given, self.token)

    def role(self, request: web.Request) -> Role:
        """Tell an operator by the cookie, or by ``Authorization: Bearer TOKEN``."""
        held = request.cookies.get(self.cookie, "")
        if _is_same(held, self.cookie_value):
            return "operator"
        scheme, _, given = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        return "operator" if scheme.lower() == "bearer" and self.is_token(given.strip()) else "visitor"

    def may_see(self, role: Role, path: str) -> bool:
        """Whether somebody may look at a path."""
        if role == "operator" or is_open(path) or is_personal(path):
            return True
        if not self.visitors:
            return False
        return (
            path in VISITOR_PAGES
            or path.startswith(("/runs/", "/results/"))
            or any(path == each or path.startswith(f"{each}/") for each in VISITOR_API)
        )

    def is_our_host(self, host: str) -> bool:
        """Whether the address that a browser used is ours, and no name that somebody has let point to us."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in LOOPBACK or name == self.listens.lower() or name in {each.lower() for each in self.names}:
            return True
        return self.listens in EVERYWHERE and _is_address(name)

    def is_our_origin(self, request: web.Request) -> bool:
        """Whether a page of ours sends a request: by its origin, or where there is none by what the browser says."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            return request.headers.get("Sec-Fetch-Site") == "same-origin"
        try:
            split = urlsplit(origin)
        except ValueError:
            return False
        if split.scheme not in ("http", "https"):
            return False
        # Another port of this host may be somebody else's; behind a proxy the name is one that we were told.
        return split.netloc == request.host or (split.hostname or "") in {each.lower() for each in self.names}

    def why_not_write(self, request: web.Request) -> str:
        """Say what a request to change something lacks; empty where it may."""
        if request.content_type != "application/json":
            return "the body has to be application/json"
        if request.headers.get("X-Palaver") != OURS:
            return "the header X-Palaver: 1 is missing"
        return "" if self.is_our_origin(request) else "it comes from another site"

    def carries_token(self, request: web.Request) -> bool:
        """Whether an address carries the token, as the printed one does."""
        given = request.query.get("token")
        is_read = request.method in (hdrs.METH_GET, hdrs.METH_HEAD)
        return given is not None and is_read and self.is_token(given)

    def let_in(self, request: web.Request) -> web.Response | None:
        """Answer an address that carries the token: the cookie is set, and the token leaves the address."""
        if not self.carries_token(request):
            return None
        rest = [(name, value) for name, value in request.query.items() if name != "token"]
        path = "/" + request.rel_url.raw_path.lstrip("/\\")  # two slashes would be another host; so browsers read \
        response = web.Response(status=303, headers={hdrs.LOCATION: f"{path}?{urlencode(rest)}" if rest else path})
        is_secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
        response.set_cookie(
            self.cookie, self.cookie_value, httponly=True, samesite="Strict", path="/", secure=is_secure
        )
        return response


def _is_same(given: str, secret: str) -> bool:
    """Compare what somebody has sent, which may be any bytes, in a time that tells nothing."""
    return hmac.compare_digest(given.encode(errors="surrogatepass"), secret.encode())


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
