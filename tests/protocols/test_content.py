"""Content parts: pictures by reference."""

import hashlib
import struct
import zlib
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow
from pydantic import TypeAdapter, ValidationError

from palaver_protocols.content import Image, Part, Text, text_of


def encoded(kind: str, size: tuple[int, int] = (7, 5)) -> bytes:
    file = BytesIO()
    Pillow.new("RGB", size).save(file, kind)
    return file.getvalue()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG file whose header claims any size at all."""
    png = bytearray(encoded("PNG"))
    png[16:24] = struct.pack(">II", width, height)
    png[29:33] = struct.pack(">I", zlib.crc32(png[12:29]))
    return bytes(png)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_an_image_describes_its_bytes(kind: str) -> None:
    data = encoded(kind)
    image = Image.from_bytes(data)
    assert image.media_type == f"image/{kind.lower()}"
    assert (image.width, image.height, image.size) == (7, 5, len(data))
    assert image.sha256 == hashlib.sha256(data).hexdigest()
    assert image.data == data


def test_a_jpeg_of_several_pictures_is_a_jpeg() -> None:
    file = BytesIO()
    Pillow.new("RGB", (7, 5)).save(file, "MPO", save_all=True, append_images=[Pillow.new("RGB", (7, 5))])
    assert Image.from_bytes(file.getvalue()).media_type == "image/jpeg"


def test_a_picture_can_say_what_it_shows() -> None:
    data = encoded("PNG")
    told = Image.from_bytes(data, alt="a black rectangle")
    assert told.alt == "a black rectangle"
    assert told != Image.from_bytes(data)
    assert "alt" in told.model_dump()
    assert "alt" not in Image.from_bytes(data).model_dump(), "older readers know no such field"


@pytest.mark.parametrize("data", [b"", b"hello", encoded("PNG")[:20], encoded("BMP"), png_of_size(0, 5)])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="these bytes are no PNG, JPEG, GIF or WebP picture"):
        Image.from_bytes(data)


def test_a_decompression_bomb_is_refused() -> None:
    with pytest.raises(ValueError, match="these bytes are no"):
        Image.from_bytes(png_of_size(100_000, 100_000))


@given(st.binary(max_size=60))
def test_garbage_after_a_signature_is_refused_or_described(tail: bytes) -> None:
    for start in (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF\x00\x00\x00\x00WEBP"):
        try:
            image = Image.from_bytes(start + tail)
        except ValueError:
            continue
        assert image.size == len(start + tail)


def test_bytes_stay_out_of_the_message() -> None:
    image = Image.from_bytes(encoded("PNG"))
    again = Image.model_validate_json(image.model_dump_json())
    assert again.data is None
    assert again == image
    assert hash(again) == hash(image)


def test_images_differ_by_content() -> None:
    assert Image.from_bytes(encoded("PNG")) != Image.from_bytes(encoded("PNG", (8, 5)))


def test_parts_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Text(text="a").text = "b"  # type: ignore[misc]  # the point of the test


def test_text_of_leaves_pictures_out() -> None:
    image = Image.from_bytes(encoded("PNG"))
    assert text_of((Text(text="a"), image, Text(text="b"))) == "a\nb"
    assert text_of((image,)) == ""


class TestParts:
    parts: TypeAdapter[Text | Image] = TypeAdapter(Part)

    def test_a_part_is_taken_as_it_is(self) -> None:
        for part in (Text(text="hi"), Image.from_bytes(encoded("PNG"))):
            assert self.parts.validate_python(part) is part

    def test_what_comes_from_outside_is_told_apart_by_its_type(self) -> None:
        for part in (Text(text="hi"), Image.from_bytes(encoded("PNG"))):
            assert self.parts.validate_python(part.model_dump()) == part
            assert self.parts.validate_json(part.model_dump_json()) == part

    @pytest.mark.parametrize("stranger", [{"type": "video"}, {"type": "text"}, {"text": "hi"}, "hi", 7, None])
    def test_anything_else_is_refused(self, stranger: object) -> None:
        with pytest.raises(ValidationError):
            self.parts.validate_python(stranger)

    def test_on_the_wire_an_error_is_about_the_type_that_was_said(self) -> None:
        with pytest.raises(ValidationError) as caught:
            self.parts.validate_json('{"type": "text"}')
        assert [error["loc"] for error in caught.value.errors()] == [("text", "text")]
