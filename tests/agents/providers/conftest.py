"""Where all tests of providers take place."""

import pytest

from palaver_broker.memory import MemoryBlobs

AMBIENT = {
    "OPENAI_API_KEY": "sk-ambient",
    "OPENAI_ORG_ID": "org-ambient",
    "OPENAI_BASE_URL": "http://ambient.invalid/v1",
    "ANTHROPIC_API_KEY": "sk-ambient",
    "ANTHROPIC_AUTH_TOKEN": "token-ambient",
    "ANTHROPIC_BASE_URL": "http://ambient.invalid",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Ambient: ambient\nanthropic-version: ambient\nContent-Type: text/ambient",
    "ANTHROPIC_PROFILE": "ambient",
    "ANTHROPIC_LOG": "ambient",
    "GOOGLE_API_KEY": "AIza-ambient-google",
    "GEMINI_API_KEY": "AIza-ambient-gemini",
    "GOOGLE_GEMINI_BASE_URL": "http://ambient.invalid",
    "GOOGLE_GENAI_API_VERSION": "v7",
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_HTTP_CLIENT": "carrier pigeon",
    "GOOGLE_GENAI_USE_ENTERPRISE": "0",
    "GOOGLE_GENAI_USE_VERTEXAI": "1",
    "GOOGLE_CLOUD_PROJECT": "ambient-project",
    "GOOGLE_CLOUD_LOCATION": "ambient-location",
}
"""What the SDKs would read, were they left to themselves."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No proxy between us and the servers; and keys, servers and headers that are none of ours."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in AMBIENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path_factory.getbasetemp() / "nothing-here"))


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()
