"""Models that cannot see, of which nobody knew it: how what they answer is told, and what helps."""

import pytest

from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_agents.providers.failures import code_of
from palaver_agents.providers.openai_compatible import OpenAICompatible
from palaver_broker.memory import MemoryBlobs
from tests.agents.providers.asking import KEY, failure
from tests.agents.providers.openai_server import OpenAIServer, error_answer

MEND = (
    "(if gpt-test cannot see, play with --set modality=text where the game has it, or write "
    "`quirks: {pictures: {most: 0}}` for it into palaver.providers.yaml)"
)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "image input is not supported"),
        (400, "Invalid content type. image_url is only supported by certain models."),
        (400, "At most 0 image(s) may be provided in one prompt."),
        (400, "Qwen/Qwen3-8B is not a multimodal model"),
        (400, "Image input modality is not enabled for models/gemma-3-1b-it"),
        (404, "No endpoints found that support image input"),
        (422, "unknown variant `image_url`, expected `text`"),
        (400, "This model does not support images."),
    ],
)
def test_a_model_that_cannot_see_is_told_from_other_bad_requests(status: int, said: str) -> None:
    assert code_of(status, said) == "pictures"


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (400, "Unsupported value: 'temperature'", "bad_request"),
        (404, "The model `image-gpt` does not exist", "unknown_model"),
        (401, "No image input for you", "auth"),
        (429, "Too many requests with image input", "rate_limited"),
        (500, "image input worker died", "server"),
    ],
)
def test_other_refusals_are_what_they_were(status: int, said: str, code: str) -> None:
    assert code_of(status, said) == code


async def test_what_helps_is_said_in_the_same_line() -> None:
    async with OpenAIServer() as server:
        server.will(error_answer(400, "image input is not supported"))
        endpoint = resolve(parse_agent(f"openai/gpt-test@{server.base_url}"), {"OPENAI_API_KEY": KEY})
        async with OpenAICompatible(endpoint, blobs=MemoryBlobs()) as model:
            error = await failure(model)
    assert (error.code, error.retryable) == ("pictures", False)
    assert str(error) == f"openai/gpt-test: image input is not supported (status 400) {MEND}"
