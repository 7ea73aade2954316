"""Links that nobody can guess, the same after every restart: each is derived from what it leads to and a secret.

The secret is made once and kept in a file that only its owner can read. Nothing else need be remembered of a link.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Self

from palaver_protocols.errors import UsageError

from .places import Place

__all__ = ["DOOR", "Tokens", "badge_of", "new_cookie"]

DOOR = 8
"""How many of a token's letters say which door it is for; the others are the key."""
TOKEN_BYTES = 24
SECRET_BYTES = 32


class Tokens:
    """Makes the links of seats and studies.

    Args:
        secret: what they are derived from; whoever knows it can sit down anywhere.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def kept_in(cls, folder: Path) -> Self:
        """Read the secret of a state folder; make it if there is none.

        Raises:
            UsageError: the folder cannot be used, or the secret is damaged.
        """
        file = folder / "secret"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _make(file)
            secret = file.read_bytes()
        except OSError as error:
            raise UsageError(
                f"cannot keep the secret of people's links in {folder}: {error.strerror}",
                mend="name a folder that can be written with PALAVER_STATE",
            ) from error
        if len(secret) != SECRET_BYTES:
            raise UsageError(f"{file} is damaged", mend="delete it: links that were given out are then void")
        return cls(secret)

    def of_seat(self, place: Place) -> str:
        """Return the token of a seat (32 letters that a URL can hold)."""
        return self._derived("seat", *place)

    def of_study(self, name: str) -> str:
        """Return the token of a study."""
        return self._derived("study", name)

    def _derived(self, *words: str) -> str:
        digest = hmac.digest(self._secret, json.dumps(words).encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def new_cookie() -> str:
    """Return what a person's browser is told to remember, so that it is known again (43 letters)."""
    return secrets.token_urlsafe(32)


def badge_of(cookie: str) -> str:
    """Return what is remembered of a person's cookie: who reads our files cannot make the cookie of it."""
    return hashlib.sha256(cookie.encode()).hexdigest()


def _make(file: Path) -> None:
    """Make the secret whole or not at all; whoever is first has made it."""
    if file.exists():
        return
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, secrets.token_bytes(SECRET_BYTES))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(part, file)
    except FileExistsError:
        pass
    finally:
        part.unlink()
