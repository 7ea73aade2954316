"""How one voice is asked, turn after turn: keys that grow with the view, and what was shown for the first time."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from palaver_protocols.content import Image
from palaver_protocols.keys import hash_view, key_prefix, request_key
from palaver_protocols.messages import TurnRequest, make_request
from palaver_protocols.transcript import Message

__all__ = ["Asking", "marks"]


def marks(message: Message) -> Iterator[bytes]:
    """Yield the digests by which a message is known again that was shown: its own, and that without its pictures.

    A game may take pictures out of what it showed before (clembench's walker sees the current room only). What is left
    of a message then is nothing new.
    """
    yield message.digest
    left = tuple(part for part in message.parts if not isinstance(part, Image))
    if left != message.parts:
        yield message.model_copy(update={"parts": left}).digest


class Asking:
    """How an agent is asked at a seat, and what it was shown there last.

    Views mostly grow: what was hashed for one request is not hashed again for the next, so that a turn costs what is
    new in it, however long the episode has become.

    Args:
        fields: what all requests have in common.
        seats: who else may speak in a view than the game: other seats, and voices of a team.
        shown: the digests of the game's own messages that the seat has been shown for good, and how often each: a
            game may say the same again. Grows elsewhere.
    """

    __slots__ = ("_fields", "_hash", "_own", "_prefix", "_seats", "_shown", "_view", "prompts")

    def __init__(self, fields: Mapping[str, Any], seats: Collection[str], shown: Mapping[bytes, int]) -> None:
        self.prompts: tuple[Message, ...] = ()
        self._own: list[Message] = []
        self._fields = fields
        self._seats = seats
        self._shown = shown
        self._prefix = key_prefix(fields)
        self._hash = self._prefix.copy()
        self._view: tuple[Message, ...] = ()

    def request(self, turn: int, view: tuple[Message, ...], timeout_s: float) -> TurnRequest:
        """Make a question, and find the game's own messages that it is the first to show."""
        known = len(self._view)
        if view[:known] != self._view:
            known, self._hash, self._own = 0, self._prefix.copy(), []
        new = view[known:]
        hash_view(self._hash, new)
        self._view = view
        self._own += [message for message in new if message.speaker not in self._seats]
        self.prompts = tuple(self._shown_first())
        key = request_key(self._hash, turn)
        return make_request({**self._fields, "key": key, "turn": turn, "view": view, "timeout_s": timeout_s})

    def _shown_first(self) -> Iterator[Message]:
        """Yield the game's own messages of the view that it shows for the first time, or once more than before."""
        seen: dict[bytes, int] = {}
        for message in self._own:
            digest = message.digest
            seen[digest] = often = seen.get(digest, 0) + 1
            if often > self._shown.get(digest, 0):
                yield message
