"""What an agent under trial is asked: a short game, the same for all, but for its run id and keys."""

import hashlib
from io import BytesIO
from typing import Literal, NamedTuple

from PIL import Image as Pillow
from PIL import ImageDraw
from PIL.PngImagePlugin import PngInfo
from pydantic import Field

from palaver_protocols.content import Image, Text
from palaver_protocols.messages import Sampling, TurnRequest
from palaver_protocols.strangers import Notice
from palaver_protocols.transcript import USER, Message

__all__ = ["FIRST", "GAME", "UNICODE", "WORDS", "Manner", "Step", "picture", "refusal", "script", "still_there"]

GAME, VARIANT = "check-agent", "protocol"
FIRST = "answers"
WORDS = ("heron", "otter", "maple", "quartz")
"""What each of several questions asks for: who mixes them up gives itself away."""
UNICODE = 'Grüße, ¿qué tal? Ελλάδα, 東京, עברית, العربية, 🦜🏴‍☠️, e\u0301, \u2028, "quoted", back\\slash, \ttab'
LONG_BYTES = 200_000
SHORT_S = 5.0
"""A time limit that quick agents keep and slow ones do not."""
NEWER = "1.99"

Manner = Literal["plain", "again", "told", "twice", "withdrawn"]
"""How questions are asked.

``plain``: all at once. ``again``: the one, and once more under the same key when it was answered. ``told``: one after
the other, once the agent was told that something was refused. ``twice``: the first is withdrawn as soon as it is out
and asked again, and when it is answered, the second is asked. ``withdrawn``: the first is withdrawn as soon as it is
out, and the second asked.
"""


class Step(NamedTuple):
    """A step of the game; ``point`` is what it is about."""

    point: str
    questions: tuple[TurnRequest, ...]
    manner: Manner = "plain"


class _NewerMessage(Message):
    """A message as it may look one day."""

    tone: str = "friendly"


class _NewerSampling(Sampling):
    """Sampling as it may look one day."""

    top_k: int = 40


class _NewerRequest(TurnRequest):
    """A request as it may look one day."""

    view: tuple[_NewerMessage, ...] = ()
    sampling: _NewerSampling = _NewerSampling()
    mood: dict[str, bool] = Field(default={"curious": True})


def script(run_id: str, agent: str, timeout_s: float, image: Image) -> tuple[Step, ...]:
    """Return the steps of the game, in order.

    Args:
        run_id: the run that the questions are of.
        agent: who is asked: ``bus/NAME``.
        timeout_s: what each question allows, in seconds.
        image: what is shown in the step about pictures.
    """

    def ask(
        episode: str, *said: Message | str, turn: int = 0, seat: str = "agent_1", limit_s: float = 0
    ) -> TurnRequest:
        view = tuple(Message.text_from(USER, each) if isinstance(each, str) else each for each in said)
        return TurnRequest(
            key=_key(run_id, episode, turn, seat), run_id=run_id, episode_id=episode, game=GAME, variant=VARIANT,
            turn=turn, seat=seat, agent=agent, view=view, timeout_s=limit_s or timeout_s,
        )  # fmt: skip

    def one(point: str, *said: Message | str, manner: Manner = "plain", limit_s: float = 0) -> Step:
        return Step(point, (ask(point, *said, limit_s=limit_s),), manner)

    def two(point: str, manner: Manner) -> Step:
        return Step(point, tuple(ask(point, _repeat(word), turn=turn) for turn, word in enumerate(WORDS[:2])), manner)

    newer = ask("unknown-fields", _repeat(WORDS[1]))
    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    partner = Message.text_from("agent_2", f"I say: {UNICODE}")
    shown = Message(speaker=USER, parts=(Text(text="What does this picture show? A few words will do."), image))
    # Two seats of one episode and two of another: an answer under a wrong key gives other names than that question.
    several = [
        ask(f"at-once-{number // 2}", _repeat(word), turn=number, seat=f"agent_{number % 2 + 1}")
        for number, word in enumerate(WORDS)
    ]
    return (
        one(FIRST, _repeat(WORDS[0])),
        Step("unknown-fields", (_NewerRequest.model_validate({**newer.model_dump(), "version": NEWER}),)),
        Step(
            "answer-schema",
            (ask("answer-schema", f'Answer with {{"word": "{WORDS[2]}"}}.').model_copy(
                update={"answer_schema": schema}
            ),),
        ),
        Step(
            "unicode",
            (ask("unicode", "Repeat what agent_2 says.", partner).model_copy(update={"partners": ("agent_2",)}),),
        ),
        one("long-view", *_long(), _repeat(WORDS[3])),
        Step("at-once", tuple(several)),
        one("redelivery", _repeat(WORDS[0]), manner="again"),
        two("refusals", "told"),
        two("duplicates", "twice"),
        two("cancellation", "withdrawn"),
        one("pictures", shown),
        one("time-limit", _repeat(WORDS[3]), limit_s=min(SHORT_S, timeout_s / 2)),
    )  # fmt: skip


def still_there(run_id: str, agent: str, timeout_s: float, number: int) -> TurnRequest:
    """Return a plain question, for an agent that may have died of the last one."""
    first, *_ = script(run_id, agent, timeout_s, _NO_IMAGE)
    episode = f"still-there-{number}"
    key = _key(run_id, episode, 0, "agent_1")
    return first.questions[0].model_copy(update={"episode_id": episode, "key": key})


def refusal(run_id: str, agent: str) -> Notice:
    """Return a refusal of something that the agent never said."""
    key = _key(run_id, "refusals", 99, "agent_1")
    message = "no such question is open to you (part of palaver check-agent)"
    return Notice(key=key, agent=agent, code="refused", reason="closed", message=message)


def picture(mark: str) -> bytes:
    """Draw a picture that is like no other by a mark that nobody sees: a red disc on white, as PNG."""
    canvas = Pillow.new("RGB", (96, 96), "white")
    ImageDraw.Draw(canvas).ellipse((16, 16, 80, 80), fill="red")
    info = PngInfo()
    info.add_text("mark", mark)
    file = BytesIO()
    canvas.save(file, "PNG", pnginfo=info)
    return file.getvalue()


_NO_IMAGE = Image(sha256="0" * 64, media_type="image/png", width=1, height=1, size=0)


def _key(run_id: str, episode: str, turn: int, seat: str) -> str:
    return hashlib.blake2b(f"{run_id}/{episode}/{turn}/{seat}".encode(), digest_size=16).hexdigest()


def _repeat(word: str) -> str:
    return f"This is `palaver check-agent`: no game, just a word. Please answer with the word {word}."


def _long() -> list[Message]:
    """Say very much, as a long game would have: seats speak in turn."""
    line = "We have been here before: the corridor turns left, then right, and ends at a door. "
    each = line * (LONG_BYTES // 20 // len(line) + 1)
    return [Message.text_from(f"agent_{number % 2 + 1}", f"{number}: {each}") for number in range(20)]
