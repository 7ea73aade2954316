"""A server that speaks the Gemini API: real bodies, real refusals of what is not well-formed, real faults."""

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from tests.agents.providers.wire_server import Answer, Asked, WireServer, text_answer

__all__ = ["GoogleServer", "content", "error_answer", "error_info", "json_answer", "quota_failure"]

PATH = re.compile(r"/v1beta/models/([^/:]+):generateContent")
PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF"}
SETTINGS = {"temperature", "topP", "maxOutputTokens", "thinkingConfig", "responseMimeType", "responseJsonSchema"}
BUDGETS = {"gemini-2.5-pro": range(128, 32769), "gemini-2.5-flash": range(24577)}
LEVELS = {"MINIMAL", "LOW", "MEDIUM", "HIGH"}
RPC = "type.googleapis.com/google.rpc."

USAGE: dict[str, Any] = {
    "promptTokenCount": 120,
    "candidatesTokenCount": 13,
    "totalTokenCount": 165,
    "cachedContentTokenCount": 64,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 120}],
    "thoughtsTokenCount": 32,
}


def content(*parts: str | dict[str, Any], finish_reason: str | None = "STOP", **changes: Any) -> dict[str, Any]:
    """Write a whole answer; texts become parts, ``changes`` replace its fields."""
    candidate = {
        "content": {"parts": [{"text": part} if isinstance(part, str) else part for part in parts], "role": "model"},
        "finishReason": finish_reason,
        "index": 0,
    }
    return {
        "candidates": [{name: value for name, value in candidate.items() if value is not None}],
        "usageMetadata": USAGE,
        "modelVersion": "gemini-2.5-flash-001",
        "responseId": "kVJ8aM_tH6_PqtsPyeqGqAE",
        **changes,
    }


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON, indented as Google does it."""
    return text_answer(json.dumps(body, indent=2, ensure_ascii=False) + "\n", status, headers=headers)


def error_answer(
    code: int, status: str, message: str, *details: dict[str, Any], headers: Mapping[str, str] | None = None
) -> Answer:
    """Answer as Google refuses; details are named without the prefix that all their types have."""
    error: dict[str, Any] = {"code": code, "message": message, "status": status}
    if details:
        error["details"] = [{**detail, "@type": RPC + detail["@type"]} for detail in details]
    return json_answer({"error": error}, code, headers)


def quota_failure(*quota_ids: str) -> dict[str, Any]:
    """Write which quotas are used up."""
    metric = "generativelanguage.googleapis.com/generate_content_free_tier_requests"
    violations = [{"quotaMetric": metric, "quotaId": quota_id, "quotaValue": "10"} for quota_id in quota_ids]
    return {"@type": "QuotaFailure", "violations": violations}


def error_info(reason: str) -> dict[str, Any]:
    """Write the reason of an error."""
    return {"@type": "ErrorInfo", "reason": reason, "domain": "googleapis.com", "metadata": {}}


def invalid(message: str) -> Answer:
    """Refuse what is not well-formed."""
    return error_answer(400, "INVALID_ARGUMENT", message)


class GoogleServer(WireServer):
    """The server. Without ``key`` everybody may ask."""

    path = "/v1beta"

    def whole(self, text: str) -> dict[str, Any]:
        return content(text)

    def refuses(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> Answer:
        return error_answer(status, "UNKNOWN", said, headers=headers)

    def filters(self) -> Answer:
        return json_answer({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {}})

    def last_text(self, body: Any) -> str:
        return str(body["contents"][-1]["parts"][-1]["text"])

    def at_once(self, asked: Asked) -> Answer | None:
        return next(_refusals(asked, self.key), None)


def _refusals(asked: Asked, key: str | None) -> Iterator[Answer]:
    """Check a question in the order in which the API does."""
    path = PATH.fullmatch(asked.path)
    if path is None:
        yield text_answer("<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>", 404, "text/html")
        return
    if key is not None and "x-goog-api-key" not in asked.headers:
        yield error_answer(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers. Please use API Key.")
    if key is not None and asked.headers["x-goog-api-key"] != key:
        message = "API key not valid. Please pass a valid API key."
        yield error_answer(400, "INVALID_ARGUMENT", message, error_info("API_KEY_INVALID"))
    body = asked.body
    for name in body.keys() - {"contents", "systemInstruction", "generationConfig"}:
        yield invalid(f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.')
    contents = body.get("contents")
    if not contents:
        yield invalid("* GenerateContentRequest.contents: contents is not specified")
    if any(content.get("role") not in ("user", "model") for content in contents):
        yield invalid("Please use a valid role: user, model.")
    if contents[0]["role"] != "user":
        yield invalid("Please ensure that the first content is of role user.")
    for content in [*contents, body.get("systemInstruction", {"parts": [{"text": "-"}]})]:
        yield from _wrong_parts(content["parts"])
    yield from _wrong_settings(body.get("generationConfig", {}), path[1])


def _wrong_parts(parts: list[dict[str, Any]]) -> Iterator[Answer]:
    if not parts:
        yield invalid("* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.")
    for part in parts:
        if set(part) == {"text"}:
            if not part["text"]:
                yield invalid("* GenerateContentRequest.contents[0].parts[0].data: required oneof field must be set")
            continue
        if set(part) != {"inlineData"} or set(part["inlineData"]) != {"mimeType", "data"}:
            yield invalid("Invalid JSON payload received. Unknown name at 'contents[0].parts[0]': Cannot find field.")
        kind, data = part["inlineData"]["mimeType"], part["inlineData"]["data"]
        if kind not in PICTURES:
            yield invalid(f"Unsupported MIME type: {kind}")
        try:
            picture = b64decode(data, validate=True)
        except binascii.Error:
            yield invalid("Invalid value at 'contents[0].parts[0].inline_data.data': Base64 decoding failed")
            return
        if not picture.startswith(PICTURES[kind]):
            yield invalid("Unable to process input image. Please retry or report.")


def _wrong_settings(settings: dict[str, Any], model: str) -> Iterator[Answer]:
    for name in settings.keys() - SETTINGS:
        yield invalid(f"Invalid JSON payload received. Unknown name \"{name}\" at 'generation_config'.")
    if "responseJsonSchema" in settings and settings.get("responseMimeType") != "application/json":
        yield invalid("Response schema is only supported with response mime type application/json.")
    thinking = settings.get("thinkingConfig", {})
    budget, level = thinking.get("thinkingBudget"), thinking.get("thinkingLevel")
    if budget is not None and level is not None:
        yield invalid("You can only set only one of thinking budget and thinking level.")
    if level is not None and (level not in LEVELS or "gemini-2.5" in model):
        yield invalid("Thinking level is not supported for this model.")
    if level == "MINIMAL" and "-pro" in model:
        yield invalid("Thinking level MINIMAL is not supported for this model.")
    if budget is not None and budget not in BUDGETS.get(model, range(32769)):
        yield invalid(f"The thinking budget ({budget}) is invalid.")
