"""What is remembered of people between two starts: who has which place, and who takes part in a study.

Each file is replaced whole or not at all, and only its owner can read it. There are no names in it, no addresses, and
no cookies: of a person's cookie there is a digest.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

from palaver_broker.disk import sync_folder
from palaver_protocols.errors import UsageError

from .places import Chair, Claim, Place

__all__ = ["PeopleStore", "Remembered"]

Remembered = tuple[Place, Claim, str, str, str | None]
"""A place, who has it, its game and variant, and how its episode ended, if it did."""


class PeopleStore:
    """A folder of what is remembered of people.

    Args:
        folder: where; made if it is missing.

    Raises:
        UsageError: it cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(folder, error) from error

    def claims(self) -> list[Remembered]:
        """Return who had which place.

        Raises:
            UsageError: the file is damaged or cannot be read.
        """
        try:
            return [
                (
                    Place(each["run"], each["episode"], each["seat"]),
                    Claim(each["who"], each["badge"], float(each["at"])),
                    str(each["game"]),
                    str(each["variant"]),
                    each["outcome"],
                )
                for each in self.read("claims.json") or ()
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged("claims.json") from error

    def save_claims(self, chairs: Iterable[Chair]) -> None:
        """Remember who has which place.

        Raises:
            UsageError: it cannot be written.
        """
        claims = [
            {
                **dict(zip(("run", "episode", "seat"), chair.place, strict=True)),
                **chair.claim._asdict(),
                "game": chair.game,
                "variant": chair.variant,
                "outcome": chair.outcome,
            }
            for chair in chairs
            if chair.claim is not None
        ]
        self.write("claims.json", claims)

    def read(self, name: str) -> Any:
        """Return what a file holds; None where there is none.

        Raises:
            UsageError: it is damaged or cannot be read.
        """
        file = self.folder / name
        try:
            return json.loads(file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(file, error) from error
        except ValueError as error:
            raise self._damaged(name) from error

    def write(self, name: str, value: Any) -> None:
        """Replace a file.

        Raises:
            UsageError: it cannot be written.
        """
        file = self.folder / name
        part = file.with_name(f".{name}.{uuid4().hex[:8]}")
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(json.dumps(value).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(file)
            sync_folder(self.folder)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise _unusable(file, error) from error

    def append(self, name: str, value: Any) -> None:
        """Add a line to a file of records, durably.

        Raises:
            UsageError: it cannot be written.
        """
        file = self.folder / name
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as stream:
                stream.write(json.dumps(value).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            sync_folder(self.folder)
        except OSError as error:
            raise _unusable(file, error) from error

    def _damaged(self, name: str) -> UsageError:
        return UsageError(f"{self.folder / name} is damaged", mend="move it away: people then sit down anew")


def _unusable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f"cannot keep {path}: {error.strerror}", mend="name a folder that can be written with PALAVER_STATE"
    )
