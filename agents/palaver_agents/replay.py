"""A seat filled by a recording: it says what was said before, at the same turn.

The recording is a run folder (its transcripts are asked by episode, seat and turn) or a replay file (asked by turn, the
same for every episode). So a partner can be held still while the other seat's model changes.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from palaver_protocols.codec import decode
from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError, PalaverError, UsageError
from palaver_protocols.messages import TurnReply, TurnRequest, TurnTaken

from .model import Completion, Model

__all__ = ["ReplayModel"]

Lookup = Callable[[TurnRequest], Completion | None]


class ReplayModel(Model):
    """Answers from a recording.

    Args:
        path: a run folder, or a replay file.

    Raises:
        UsageError: it is neither, or cannot be read.
    """

    provider = "replay"

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lookup = _folder(self._path) if self._path.is_dir() else _file(self._path)

    async def complete(self, request: TurnRequest) -> Completion:
        """Return what was said at this turn."""
        found = self._lookup(request)
        if found is None:
            raise AgentError(
                f"{self._path} has nothing for seat {request.seat} at turn {request.turn} of {request.episode_id}",
                code="not_recorded",
                retryable=False,
            )
        return found

    async def aclose(self) -> None:
        """Nothing to release."""


def _folder(path: Path) -> Lookup:
    transcripts = path / "transcripts"
    if not transcripts.is_dir():
        raise UsageError(f"{path} has no transcripts", mend="name a run folder, or a replay file")
    episodes: dict[str, dict[tuple[str, int], TurnReply]] = {}

    def look_up(request: TurnRequest) -> Completion | None:
        episode = episodes.get(request.episode_id)
        if episode is None:
            episode = episodes[request.episode_id] = _turns(transcripts / f"{request.episode_id}.jsonl")
        said = episode.get((request.seat, request.turn))
        return Completion(said.parts, "replay", said.model, said.finish_reason) if said else None

    return look_up


def _turns(transcript: Path) -> dict[tuple[str, int], TurnReply]:
    try:
        entries = [decode(line) for line in transcript.read_bytes().splitlines()]
    except OSError:
        return {}
    except PalaverError as error:
        raise AgentError(f"{transcript}: {error}", code="not_recorded", retryable=False) from error
    return {(each.reply.seat, each.reply.turn): each.reply for each in entries if isinstance(each, TurnTaken)}


def _file(path: Path) -> Lookup:
    try:
        recorded: Any = json.loads(path.read_text(encoding="utf-8"))
        replies = recorded.get("replies") or [{"text": text} for text in recorded.get("texts", ())]
        texts = [(reply.get("seat"), str(reply["text"])) for reply in replies]
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}", mend="name a run folder, or a replay file"
        ) from error
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} is no replay file", mend="it holds one JSON object with 'replies' or 'texts'"
        ) from error

    def look_up(request: TurnRequest) -> Completion | None:
        if request.turn >= len(texts):
            return None
        seat, text = texts[request.turn]
        return None if seat not in (None, request.seat) else Completion((Text(text=text),), "replay")

    return look_up
