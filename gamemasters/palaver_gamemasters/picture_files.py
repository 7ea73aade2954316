"""Pictures in files that instances name, with the SHA-256 that they had when the run was planned."""

import hashlib
from pathlib import Path

from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError

__all__ = ["read_picture"]


def read_picture(name: str, file: Path, sha256: str | None) -> Image:
    """Read a picture.

    Args:
        name: what the instance calls it, for errors.
        file: where it is.
        sha256: that of its bytes; None if nobody knows yet.

    Raises:
        InstanceError: it cannot be had, is no picture, or is another than when the run was planned.
    """
    try:
        data = file.read_bytes()
        if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
            raise InstanceError(f"{file} is another picture than when the run was planned", mend="restore it")
        return Image.from_bytes(data)
    except OSError as error:
        raise InstanceError(
            f"cannot read picture {file}: {error.strerror}", mend="every game master needs it at this place"
        ) from error
    except ValueError as error:
        raise InstanceError(f"picture {name}: {file} is no PNG, JPEG, GIF or WebP picture") from error
