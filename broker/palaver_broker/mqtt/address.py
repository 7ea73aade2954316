"""Where an MQTT broker is, as its URL says: ``mqtt://USER[:PASSWORD]@HOST[:PORT]``; ``mqtts://…[?ca=FILE]``: TLS."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from palaver_protocols.errors import UsageError, one_line

__all__ = ["Address"]

PORTS = {"mqtt": 1883, "mqtts": 8883}
SHAPE = "like mqtts://USER@HOST:8883, with %-escapes for / @ : # ? % in user and password"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a broker is, and who we are there. ``where`` is for people, ``variable`` what may hold the password."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False, compare=False)
    variable: str = field(default="", compare=False)

    @classmethod
    def of(cls, url: str, password: str = "", *, variable: str = "") -> "Address":
        """Read a URL.

        Args:
            url: where the broker is.
            password: what to log in with, where the URL has none.
            variable: where in the environment that was looked for; for people.

        Raises:
            UsageError: it is none of ours. Says what is wrong with it, and quotes nothing that may be a password.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise UsageError("the MQTT URL is wrong: its host or port cannot be read", mend=SHAPE) from None
        if parts.scheme not in PORTS:
            raise UsageError(f"MQTT is not at {one_line(parts.scheme, 20)}://", mend="but at mqtt:// or mqtts://")
        if parts.fragment or "@" in parts.path + parts.query or parts.path.strip("/"):
            raise UsageError("the MQTT URL has something after its host that does not belong there", mend=SHAPE)
        if not parts.hostname or not parts.username:
            missing = "user" if parts.hostname else "host"
            raise UsageError(f"the MQTT URL names no {missing}", mend=SHAPE)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        ca = query.pop("ca", None)
        if query or (ca is not None and parts.scheme == "mqtt"):
            raise UsageError("the MQTT URL sets something that is no setting", mend="mqtts:// may have ?ca=FILE")
        said = unquote(parts.password or "") or password
        tls = _tls(ca) if parts.scheme == "mqtts" else None
        return cls(parts.hostname, port or PORTS[parts.scheme], unquote(parts.username), said, tls, variable)

    @property
    def where(self) -> str:
        """Host and port; never a password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}{' with TLS' if self.tls else ''}"


def _tls(ca: str | None) -> ssl.SSLContext:
    if ca is not None and not Path(ca).is_file():
        raise UsageError(f"there is no {ca!r}, which the MQTT URL names as ca", mend="a file of certificates (PEM)")
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise UsageError(f"{ca!r} holds no certificates", mend="a file of certificates (PEM)") from None
