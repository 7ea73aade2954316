"""The first layer: what was sent is what the record says, and each message in it is addressed to whom it was sent."""

from collections import Counter
from collections.abc import Iterator

from palaver_gamemasters.teams import Voice
from palaver_protocols.messages import SeatChanged, TurnTaken
from palaver_protocols.seating import handoff_of
from palaver_protocols.transcript import Message

from .findings import Finding, hint_at
from .rebuilding import Rebuilt, Sent

__all__ = ["check_addressing", "names_of", "unproven"]


def check_addressing(rebuilt: Rebuilt, checked: Counter[str]) -> Iterator[Finding]:
    """Yield what was sent to somebody to whom it is not addressed, and answers of somebody who was not asked.

    Args:
        rebuilt: all that was sent.
        checked: counts the messages and, by how they are proven, the questions.
    """
    episode = rebuilt.started.episode_id
    for sent in rebuilt.sent:
        checked["questions"] += 1
        checked[sent.proof] += 1
        checked["messages"] += len(sent.request.view)
        for what in (*_answered(sent), *_misaddressed(sent, rebuilt), *_handed_on(sent, rebuilt)):
            yield Finding("addressing", episode, sent.request.turn, sent.voice, what)


def names_of(team: Voice, voice: str, seat: str) -> frozenset[str]:
    """Return whose messages a voice may read: its own, and those of whoever leads it where its team is shown all.

    Args:
        team: the voices behind the seat.
        voice: one of them.
        seat: the seat.
    """
    above = frozenset((seat,))
    at = team
    if voice == team.name:
        return above
    while True:
        below = next(
            (each for each in at.members if voice == each.name or voice.startswith(f"{each.name}_")),
            None,
        )
        if below is None:
            return frozenset((voice,))
        above = (above if at.show != "nothing" else frozenset()) | {below.name}
        if below.name == voice:
            return above
        at = below


def unproven(rebuilt: Rebuilt) -> str:
    """Say what of a record does not show what was sent: it was changed, or played by other rules; else nothing."""
    answered = [sent for sent in rebuilt.sent if sent.entry is not None]
    wrong = [sent for sent in answered if sent.proof == "differs" or _other_prompts(sent)]
    turns = [sent.request.turn for sent in wrong] + [entry.reply.turn for entry in rebuilt.strangers]
    if not turns:
        return ""
    return (
        f"{len(turns)} of {len(answered) + len(rebuilt.strangers)} questions, the first at turn "
        f"{min(turns)}, are not those that the record gives by the rules of today"
    )


def _other_prompts(sent: Sent) -> bool:
    entry = sent.entry
    return entry is not None and sent.proof == "proven" and not entry.copied_from and entry.prompts != sent.prompts


def _answered(sent: Sent) -> Iterator[str]:
    entry = sent.entry
    if entry is not None and entry.copied_from is None and entry.reply.agent != sent.request.agent:
        yield f"{entry.reply.agent} has answered, and {sent.request.agent} was asked"


def _misaddressed(sent: Sent, rebuilt: Rebuilt) -> Iterator[str]:
    names = names_of(sent.team, sent.voice, sent.seat)
    for message in sent.request.view:
        if not _may_read(message, names, sent, rebuilt):
            to = "all" if message.audience is None else ", ".join(message.audience) or "nobody"
            yield f"a message from {message.speaker} to {to}: {_gist(message)}"


def _may_read(message: Message, names: frozenset[str], sent: Sent, rebuilt: Rebuilt) -> bool:
    if message.audience is None:
        return sent.seat in names
    if message.speaker == sent.voice or not names.isdisjoint(message.audience):
        return True
    # the word of the seat itself, to its team: its lead has said it aloud
    return sent.seat in names and any(
        isinstance(entry, TurnTaken) and entry.reply.seat == sent.seat and entry.reply.text == message.text
        for entry in rebuilt.entries[: sent.at]
    )


def _handed_on(sent: Sent, rebuilt: Rebuilt) -> Iterator[str]:
    """Say that a newcomer was shown more than it may know of what was said before it came."""
    handoff = handoff_of(rebuilt.started.handoff)
    if handoff.kind == "all" or not sent.tenure or sent.request.role != "player":
        return
    before = (sent.seat, sent.tenure - 1, "leaver")
    if handoff.kind == "summary" and before not in {
        (each.seat, each.tenure, each.request.role) for each in rebuilt.sent
    }:
        return  # who left was asked for no summary: then all is shown
    seats = rebuilt.started.seats
    since = Counter(entry.reply.seat for entry in rebuilt.entries[sent.came : sent.at] if isinstance(entry, TurnTaken))
    if isinstance(rebuilt.entries[sent.came - 1], SeatChanged):
        since.update(list(seats))  # by hand, it may have come in the midst of a round, whose words are new to it
    shown = Counter(message.speaker for message in sent.request.view if message.speaker in seats)
    old = (shown - since).total()
    if old > handoff.messages:
        may = f"{handoff.messages} at most" if handoff.messages else "none"
        yield f"it was shown {old} messages from before it took over, and may know {may} (handoff {handoff.kind})"


def _gist(message: Message) -> str:
    return hint_at(message.text) if message.text else "a picture"
