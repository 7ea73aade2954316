"""Content parts: what a message is made of, in the order in which it is to be read.

An image travels by reference. Its bytes lie in the blob store under their SHA-256, so that a message stays small, a
picture that is shown twice is stored once, and a transcript names exactly what was seen.
"""

import hashlib
from io import BytesIO
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, NonNegativeInt, PositiveInt, PrivateAttr
from pydantic_core import core_schema

__all__ = ["Frozen", "Image", "MediaType", "Part", "Text", "text_of"]

MediaType = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


class Frozen(BaseModel):
    """An immutable value. Unknown fields are dropped, so that a newer minor version can add some."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Text(Frozen):
    """A run of text."""

    type: Literal["text"] = "text"
    text: str


class Image(Frozen):
    """A picture by reference.

    ``width`` and ``height`` are pixels, ``size`` is bytes. ``alt`` says all that the picture shows, for whoever cannot
    see it: scripts, models that take no pictures. An image made by :meth:`from_bytes` carries its bytes along inside
    this process until the engine has put them into the blob store; they never go onto the wire.
    """

    type: Literal["image"] = "image"
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    media_type: MediaType
    width: PositiveInt
    height: PositiveInt
    size: NonNegativeInt
    alt: Annotated[str | None, Field(exclude_if=lambda alt: alt is None)] = None

    _data: bytes | None = PrivateAttr(default=None)

    @classmethod
    def from_bytes(cls, data: bytes, alt: str | None = None) -> Self:
        """Describe an encoded picture (PNG, JPEG, GIF or WebP).

        Raises:
            ValueError: the bytes are no picture of one of these kinds.
        """
        from PIL import Image as Pillow  # noqa: PLC0415 - text games and --help do without

        try:
            with Pillow.open(BytesIO(data), formats=["PNG", "JPEG", "GIF", "WEBP"]) as picture:
                # a JPEG file of several pictures, as cameras write them, opens as MPO and begins as any JPEG does
                media_type = Pillow.MIME["JPEG" if picture.format == "MPO" else picture.format or ""]
                width, height = picture.size
        except (OSError, SyntaxError, Pillow.DecompressionBombError) as error:
            raise ValueError("these bytes are no PNG, JPEG, GIF or WebP picture") from error
        image = cls.model_validate(
            {
                "sha256": hashlib.sha256(data).hexdigest(),
                "media_type": media_type,
                "width": width,
                "height": height,
                "size": len(data),
                "alt": alt,
            }
        )
        image._data = data
        return image

    @property
    def data(self) -> bytes | None:
        """The bytes, where this very object was made from them; else None: ask the blob store."""
        return self._data

    def __eq__(self, other: object) -> bool:
        """Compare by content: whether the bytes are at hand makes no difference."""
        return isinstance(other, Image) and (self.sha256, self.alt) == (other.sha256, other.alt)

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(self.sha256)


class _InstanceFirst:
    """Takes a part as it is where it is one already; what comes from outside is told apart by its type.

    By itself pydantic reads the type off every object, and to find out how costs more than the rest of a message.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        by_type = handler(source)
        part = core_schema.is_instance_schema((Text, Image))
        return core_schema.json_or_python_schema(
            by_type, core_schema.union_schema([part, by_type], mode="left_to_right")
        )


Part = Annotated[Text | Image, Field(discriminator="type"), _InstanceFirst()]


def text_of(parts: tuple[Text | Image, ...]) -> str:
    """Join the text parts by newlines, in order; pictures are left out."""
    return "\n".join([part.text for part in parts if isinstance(part, Text)])
