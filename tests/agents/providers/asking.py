"""What tests of all providers need: a key, a picture, and an error that is fit to be shown."""

import io
from typing import Any

import pytest
from PIL import Image as Pillow

from palaver_agents import Model
from palaver_protocols.errors import AgentError
from tests.support import a_request

__all__ = ["KEY", "a_picture", "failure"]

KEY = "secret-0123456789abcdef"
"""It looks like nobody's key: whoever hides it must know it."""


def a_picture(colour: str, kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (2, 2), colour).save(buffer, kind)
    return buffer.getvalue()


async def failure(model: Model, **changes: Any) -> AgentError:
    """Ask, and return the error that it ends in: one line that names the model and tells no secret."""
    with pytest.raises(AgentError, match=r"^(openai/gpt-test|anthropic/claude-test|google/gemini-)") as raised:
        await model.complete(a_request(**changes))
    assert len(str(raised.value).splitlines()) == 1
    assert KEY not in str(raised.value)
    return raised.value
