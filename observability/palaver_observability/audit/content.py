"""The second layer: what a game has told one seat alone stands in nothing that it tells another.

What both are told is not always a leak: rules are the same for all. The bounds are these. A message that names both in
its audience tells both. What stands in the openings of both, line by line, is common: that is how a game shares its
task. What a seat has said aloud before may be told on: quoting is collaboration. And a phrase that the game says
whatever the instance is boilerplate, and no content, unless it stands in the opening of one and turns up later at
another.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from palaver_protocols.messages import TurnTaken
from palaver_protocols.transcript import Message

from .findings import Finding, hint_at
from .rebuilding import Holder, Rebuilt, Sent
from .words import atoms, passages, pictures, says, squeezed, squeezed_message, texts

__all__ = ["Doubt", "Told", "Words", "check_content", "told_in"]


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the game's as a holder was told it first: at which place in the log, whether at its beginning."""

    message: Message
    sent: Sent
    opening: bool

    @property
    def pieces(self) -> dict[str, str]:
        """What it tells: passages by their squeezed text, and pictures by their digest."""
        return passages(self.message) | {picture.sha256: "" for picture in pictures(self.message)}

    def holds(self, piece: str) -> bool:
        """Whether a piece stands in it."""
        return piece in squeezed_message(self.message) or any(
            picture.sha256 == piece for picture in pictures(self.message)
        )


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is a leak unless the game says these very pieces whatever the instance is."""

    finding: Finding
    pieces: frozenset[str]


class Words:
    """What seats have said aloud, in order."""

    def __init__(self, rebuilt: Rebuilt) -> None:
        self._said = [
            (at, entry.reply.text) for at, entry in enumerate(rebuilt.entries) if isinstance(entry, TurnTaken)
        ]

    def quoted(self, piece: str, before: int) -> bool:
        """Whether a seat has said a passage (squeezed) before a place in the log."""
        return any(at < before and piece in squeezed(text) for at, text in self._said)

    def told(self, secret: str, before: int) -> bool:
        """Whether a seat has said a declared secret before a place in the log."""
        return any(at < before and says(text, secret) for at, text in self._said)


@dataclass(slots=True)
class _Pair:
    """What one holder may have learnt of another's by one message: surely, or unless it is boilerplate."""

    owner: Told
    receiver: Told
    sure: dict[str, str] = field(default_factory=dict)
    doubtful: dict[str, str] = field(default_factory=dict)


def told_in(sent: Sequence[Sent]) -> dict[Holder, list[Told]]:
    """Return by holder what the game has told it, each message once, in order."""
    told: dict[Holder, list[Told]] = {}
    known: set[tuple[Holder, bytes]] = set()
    for each in sorted(sent, key=lambda one: one.at):
        opening = each.holder not in told
        first = told.setdefault(each.holder, [])
        for message in each.games:
            if (each.holder, message.digest) not in known:
                known.add((each.holder, message.digest))
                first.append(Told(message, each, opening))
    return told


def check_content(rebuilt: Rebuilt, words: Words, checked: Counter[str]) -> Iterator[Finding | Doubt]:
    """Yield what a holder was told of what the game had told another alone.

    Args:
        rebuilt: all that was sent.
        words: what seats have said aloud.
        checked: counts passages and pictures, and those that are common.
    """
    told = {holder: messages for holder, messages in told_in(rebuilt.sent).items() if messages}
    pieces = {holder: _first_told(messages) for holder, messages in told.items()}
    for owner, owned in pieces.items():
        checked["passages"] += sum(bool(text) for _, text in owned.values())
        checked["pictures"] += sum(not text for _, text in owned.values())
        for receiver, messages in told.items():
            if _are_apart(owner, receiver):
                pairs = _compare(owned, messages, pieces[receiver], words, checked)
                for pair in pairs:
                    yield from _say(pair, owner, rebuilt.started.episode_id)


def _are_apart(owner: Holder, receiver: Holder) -> bool:
    """Whether one is not to know what the other is told: who sits at a seat may know what was told there before."""
    if owner.seat != receiver.seat:
        return True
    return owner != receiver and owner.tenure == receiver.tenure and bool(owner.voice and receiver.voice)


def _first_told(messages: Sequence[Told]) -> dict[str, tuple[Told, str]]:
    found: dict[str, tuple[Told, str]] = {}
    for told in messages:
        for piece, text in told.pieces.items():
            found.setdefault(piece, (told, text))
    return found


def _compare(
    owned: dict[str, tuple[Told, str]],
    messages: Sequence[Told],
    theirs: dict[str, tuple[Told, str]],
    words: Words,
    checked: Counter[str],
) -> list[_Pair]:
    pairs: dict[tuple[bytes, bytes], _Pair] = {}
    openings = [told.message for told in messages if told.opening]
    shared = frozenset(atom for message in openings for text in texts(message) for atom in atoms(text))
    for piece, (owner, text) in owned.items():
        receiver = next((told for told in messages if told.holds(piece)), None)
        if receiver is None or _to_both(owner, receiver):
            continue
        equal = piece in theirs
        if (owner.opening and receiver.opening and (equal or atoms(text) <= shared)) or words.quoted(
            piece, receiver.sent.at
        ):
            checked["common"] += 1
            continue
        if not owner.opening and (owner.sent.at, not equal) > (receiver.sent.at, equal):
            continue  # the other was told first, and is judged as the owner
        pair = pairs.setdefault((owner.message.digest, receiver.message.digest), _Pair(owner, receiver))
        (pair.sure if owner.opening and not receiver.opening else pair.doubtful)[piece] = text
    return list(pairs.values())


def _to_both(owner: Told, receiver: Told) -> bool:
    """Whether both were meant: one message names both seats, or what the one was told first was for all.

    What somebody was told alone and all are told later is none of these: whoever forgets an audience tells all.
    """
    if owner.message.audience is None:
        return True
    both = {owner.sent.seat, receiver.sent.seat}
    return len(both) > 1 and any(both <= {*(told.message.audience or ())} for told in (owner, receiver))


def _say(pair: _Pair, owner: Holder, episode: str) -> Iterator[Finding | Doubt]:
    sent = pair.receiver.sent

    def finding(pieces: dict[str, str]) -> Finding:
        longest = max(pieces.values(), key=len)
        shown = hint_at(longest) if longest else "a picture"
        what = f"what only {owner} was told (turn {pair.owner.sent.request.turn}): {shown}"
        return Finding("content", episode, sent.request.turn, sent.voice, what)

    if pair.sure:
        yield finding(pair.sure | pair.doubtful)
    elif pair.doubtful:
        yield Doubt(finding(pair.doubtful), frozenset(pair.doubtful))
