"""The fourth layer: the pictures of a record are what they are called, and what was said behind a seat stayed there."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from palaver_gamemasters.teams import addressed
from palaver_protocols.messages import Aside
from palaver_protocols.transcript import Message

from .addressing import names_of
from .content import Words
from .findings import Finding, hint_at
from .rebuilding import Rebuilt, Sent
from .words import LEAST, pictures, squeezed, squeezed_message

__all__ = ["Pictures", "check_record"]

Pictures = Callable[[str], str]
"""Says what is wrong with the picture of a SHA-256; nothing where it is there and whole."""


@dataclass(frozen=True, slots=True)
class _Private:
    """Words said behind a seat: who may read them, and who sat there then."""

    at: int
    text: str
    short: str
    seat: str
    readers: frozenset[str]
    tenure: int
    summary: bool


def check_record(rebuilt: Rebuilt, words: Words, stored: Pictures, checked: Counter[str]) -> Iterator[Finding]:
    """Yield the pictures that are missing or damaged, and what was said behind a seat and reached somebody else.

    Args:
        rebuilt: all that was sent.
        words: what seats have said aloud.
        stored: looks for a picture.
        checked: counts pictures and asides.
    """
    yield from _pictures(rebuilt, stored, checked)
    private = list(_private(rebuilt))
    checked["asides"] += sum(isinstance(entry, Aside) for entry in rebuilt.entries)
    for sent in rebuilt.sent if private else ():
        yield from _overheard(sent, rebuilt, private, words)


def _pictures(rebuilt: Rebuilt, stored: Pictures, checked: Counter[str]) -> Iterator[Finding]:
    episode, seen = rebuilt.started.episode_id, set[str]()
    for sent in rebuilt.sent:
        said = () if sent.entry is None else (Message(speaker=sent.voice, parts=sent.entry.reply.parts),)
        for message in (*sent.request.view, *said):
            for picture in pictures(message):
                if picture.sha256 in seen or sent.entry is None:
                    continue  # what is still to be answered may not have been stored yet
                seen.add(picture.sha256)
                checked["pictures"] += 1
                if wrong := stored(picture.sha256):
                    yield Finding("record", episode, sent.request.turn, sent.voice, wrong)


def _private(rebuilt: Rebuilt) -> Iterator[_Private]:
    """Yield what was said behind seats: of a lead's question, to each member what is for it."""
    for sent in rebuilt.sent:
        aside = sent.entry
        if not isinstance(aside, Aside):
            continue
        at = next(at for at, entry in enumerate(rebuilt.entries) if entry is aside)
        speaker, text = aside.reply.seat, aside.reply.text
        told = {text: frozenset((speaker, *aside.audience))}
        if aside.kind == "question":
            told = {
                block: frozenset((speaker, *(name for name, its in _blocks(aside).items() if its == block)))
                for block in _blocks(aside).values()
            }
        for block, readers in told.items():
            short = squeezed(block)
            if len(short) >= LEAST:
                yield _Private(at, block, short, sent.seat, readers, sent.tenure, aside.kind == "summary")


def _blocks(aside: Aside) -> dict[str, str]:
    return addressed(aside.reply.text, aside.audience)


def _overheard(sent: Sent, rebuilt: Rebuilt, private: list[_Private], words: Words) -> Iterator[Finding]:
    others = [message for message in sent.request.view if message.digest not in sent.own]
    known = [each.short for each in private if each.at < sent.at and _may_know(sent, each)]
    for each in private:
        if each.at >= sent.at or _may_know(sent, each):
            continue
        if not any(each.short in squeezed_message(message) for message in others):
            continue
        if words.quoted(each.short, sent.at) or any(each.short in text for text in known):
            continue
        if any(each.short in squeezed_message(message) for message in sent.games):
            continue  # a member has read out what the game tells this seat, too
        kind = "the summary for a successor" if each.summary else "what was said"
        what = f"{kind} behind {each.seat}: {hint_at(each.text)}"
        yield Finding("record", rebuilt.started.episode_id, sent.request.turn, sent.voice, what)


def _may_know(sent: Sent, private: _Private) -> bool:
    if sent.seat != private.seat:
        return False
    if private.summary:
        return sent.tenure in (private.tenure, private.tenure + 1)
    names = names_of(sent.team, sent.voice, sent.seat)
    if sent.voice != sent.seat:
        names -= {sent.seat}  # what a lead hears from one member is not for the others
    return sent.tenure == private.tenure and not names.isdisjoint(private.readers)
