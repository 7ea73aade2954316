"""How the golden transcripts are made: ``python -m tests.deploy.conformance.golden_lines`` writes them anew.

Each line is an object: ``transcript`` names the conversation, ``channel`` where the message travels, and ``message`` is
the message; of a picture, ``base64`` is what lies under its name. What agents say is as short as it may be.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from palaver_deploy.conformance.script import WORDS, Step, picture, script
from palaver_protocols.codec import encode
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import Notice, RefusedError, read_stranger, vetted

AGENT = "bus/my-agent"
RUN = "check-golden"
FOLDER = Path(str(files("palaver_deploy.conformance"))) / "golden"

Plain = dict[str, Any]
Lines = list[Plain]


def stored() -> dict[str, Lines]:
    """Read the transcripts that are there, by name."""
    return {file.stem: in_lines(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.jsonl")}


def in_lines(text: str) -> Lines:
    """Read JSON lines; they end with a line feed, and hold other letters that end lines elsewhere."""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def blob() -> bytes:
    """Return the picture that is shown: the one that is there, since other versions draw other bytes."""
    for line in stored().get("picture", []):
        if "base64" in line:
            return b64decode(line["base64"])
    return picture(RUN)


def steps(data: bytes) -> dict[str, Step]:
    shown = Image.from_bytes(data, alt="a red disc on white")
    return {step.point: step for step in script(RUN, AGENT, 30.0, shown)}


def asked(request: TurnRequest) -> Plain:
    return {"channel": f"in:{AGENT}", "message": json.loads(encode(request))}


def said(message: Plain) -> Plain:
    return {"channel": f"out:{AGENT}", "message": message}


def told(notice: Notice) -> Plain:
    return {"channel": f"note:{AGENT}", "message": json.loads(encode(notice))}


def names(request: TurnRequest) -> Plain:
    return {name: getattr(request, name) for name in ("key", "run_id", "episode_id", "turn", "seat", "agent")}


def reply(request: TurnRequest, text: str = "heron", **changes: Any) -> Plain:
    parts = [{"type": "text", "text": text}]
    return {"type": "turn.reply", "version": "1.0", **names(request), "parts": parts, **changes}


def failure(request: TurnRequest) -> Plain:
    why = {"code": "rate_limited", "message": "the provider asks us to wait", "retryable": True, "retry_after_s": 0.5}
    return {"type": "turn.failure", "version": "1.0", **names(request), **why}


def accepted(request: TurnRequest) -> Plain:
    return told(Notice(key=request.key, agent=AGENT, code="accepted"))


def refused(message: Plain, request: TurnRequest) -> Plain:
    """Refuse a message as a door does."""
    try:
        answer = read_stranger(json.dumps(message).encode(), AGENT)
        vetted(answer, request, 0.0)  # type: ignore[arg-type] # it is no greeting
    except RefusedError as error:
        return told(error.notice(AGENT))
    raise AssertionError("nothing is wrong with it")


def conversations(data: bytes) -> Iterator[tuple[str, Lines]]:
    """Yield the name and the lines of each conversation."""
    plan = steps(data)
    (first,) = plan["answers"].questions
    hello = {
        "type": "agent.hello", "version": "1.0", "key": "hello-1", "agent": AGENT, "software": "my-agent 0.1",
        "provider": "example", "model": "example-1", "pictures": True, "concurrency": 4,
    }  # fmt: skip
    yield "hello", [said(hello)]

    full: Plain = {
        "provider": "example", "model": "example-1", "finish_reason": "stop", "cost_usd": 0.0004,
        "usage": {"input_tokens": 38, "output_tokens": 2, "reasoning_tokens": 0},
    }  # fmt: skip
    yield "answer", [asked(first), said(reply(first, **full)), accepted(first)]

    second = first.model_copy(update={"attempt": 2})
    yield (
        "failure",
        [asked(first), said(failure(first)), accepted(first), asked(second), said(reply(first)), accepted(first)],
    )

    twice = told(Notice(key=first.key, agent=AGENT, code="duplicate"))
    yield "duplicate", [asked(first), said(reply(first)), accepted(first), said(reply(first)), twice]

    wrong = reply(first, turn=7)
    yield "refusal", [asked(first), said(wrong), refused(wrong, first), said(reply(first)), accepted(first)]

    withdrawn, after = plan["cancellation"].questions
    cancelled = told(Notice(key=withdrawn.key, agent=AGENT, code="cancelled"))
    closed = RefusedError("closed", "no such question is open to you", withdrawn.key).notice(AGENT)
    yield (
        "cancellation",
        [
            *(asked(withdrawn), cancelled, said(reply(withdrawn)), told(closed)),
            *(asked(after), said(reply(after, "otter")), accepted(after)),
        ],
    )

    several = plan["at-once"].questions
    answered = [(question, said(reply(question, word))) for question, word in zip(several, WORDS, strict=True)]
    yield (
        "several",
        [
            *(asked(question) for question in several),
            *(line for question, answer in reversed(answered) for line in (answer, accepted(question))),
        ],
    )

    for name, point, text in (
        ("newer", "unknown-fields", "otter"),
        ("schema", "answer-schema", '{"word": "maple"}'),
        ("unicode", "unicode", "Grüße, 東京, 🦜"),
    ):
        (question,) = plan[point].questions
        yield name, [asked(question), said(reply(question, text)), accepted(question)]

    (shown,) = plan["pictures"].questions
    image = shown.view[0].parts[1]
    assert isinstance(image, Image)
    lies = {"channel": f"blob:{image.sha256}", "base64": b64encode(data).decode()}
    yield "picture", [lies, asked(shown), said(reply(shown, "A red disc.")), accepted(shown)]


def made() -> dict[str, Lines]:
    """Make the transcripts anew, by name."""
    return {name: [{"transcript": name, **line} for line in lines] for name, lines in conversations(blob())}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, lines in made().items():
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
