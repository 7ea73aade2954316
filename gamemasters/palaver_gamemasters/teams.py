"""Teams: a lead that consults members in private before it speaks for its seat. Pure: who is asked what, and who hears.

A team is a tree of voices. The lead's voice is the seat's own (or, in a team within a team, its member's); members are
``member_1``, ``member_2``, and those of the team behind ``member_1`` are ``member_1_1``, ``member_1_2``. What is said
behind a seat is a list of :class:`~palaver_protocols.messages.Aside`, each with its audience. No game and no other seat
hears of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import NamedTuple

from palaver_protocols.content import Text
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Aside, Role
from palaver_protocols.seating import Show, team_of
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message

__all__ = ["Asked", "Said", "Talk", "Voice", "addressed", "ask_next", "said", "team_at"]

LEAD = "lead"
"""What members call the lead of a seat's team."""

LEAD_TOLD = """\
You lead a team that speaks with one voice, as {voice}. The others do not know of your team.
Your team: {members}. {seen}
Before you speak you may consult your team, at most {rounds} in a turn. To do so, begin your message with "@{first}:", \
or with "@all:" to ask everybody; further lines that begin so are for others. Only those you address will read it.
A message that does not begin so is what {voice} says."""
MEMBER_TOLD = """\
You are {voice}, in a team that speaks with one voice, as {seat}. Only your lead talks to others.
{seen} Answer what your lead asks you; nobody else reads your answer. Messages of your lead are those of "{lead}"."""
SEEN_BY_LEAD: dict[Show, str] = {
    "all": "They are shown all that you are shown, but not what you and the others of the team say to each other.",
    "nothing": "They know only what you write to them.",
    "split": "Each of them is shown a part that only it can see; you are not.",
}
SEEN_BY_MEMBER: dict[Show, str] = {
    "all": "You are shown what your lead is shown.",
    "nothing": "You know only what your lead writes to you.",
    "split": "You are shown a part that only you can see.",
}

NAME = r"(?:all|everyone|everybody|team|members?(?:[ _-]?\d+(?:[ _-]\d+)*)?)"
ADDRESS = re.compile(
    rf"^[ \t>*_`•\u200b-]*@(?P<names>{NAME}(?:[ \t]*(?:,|and|&|\+)[ \t]*@?{NAME})*)[*_`]*[ \t]*[:,][ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
FENCE = re.compile(r"\A[\s\u200b]*(?:```\w*\s*)?\Z")
"""What may stand before the first address: nothing, or the beginning of a block of code."""

Split = Callable[[int], Sequence[tuple[Message, ...]]]
"""Divides what a seat is shown: the lead's part first, then one for each of so many members."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks at one place of a team. ``members`` is empty for those who consult nobody.

    ``name`` is the voice's own, ``lead`` what those below call it; ``show`` and ``rounds`` are those of its team.
    """

    name: str
    agent: str
    lead: str = LEAD
    members: tuple["Voice", ...] = ()
    show: Show = "all"
    rounds: int = 0


class Asked(NamedTuple):
    """One who is to be asked, with all that it is shown."""

    voice: str
    agent: str
    role: Role
    partners: tuple[str, ...]
    members: tuple[str, ...]
    view: tuple[Message, ...]


class Said(NamedTuple):
    """What an answer is: the seat's own word, or an aside of a kind, with its audience."""

    final: bool
    kind: str
    audience: tuple[str, ...]


Talk = Sequence[Aside | None]
"""What was said behind a seat, in order; None where the seat itself spoke."""


def team_at(seat: str, agent: str) -> Voice:
    """Return the voices behind a seat: one without members for an agent that is no team."""
    return _voice(seat, agent, LEAD, "member")


def _voice(name: str, agent: str, lead: str, below: str) -> Voice:
    team = team_of(agent)
    if team is None:
        return Voice(name, agent, lead)
    members = tuple(
        _voice(f"{below}_{number}", member, f"{below}_{number}", f"{below}_{number}")
        for number, member in enumerate(team.members, 1)
    )
    return Voice(name, team.lead, lead, members, team.show, team.rounds)


def ask_next(
    voice: Voice, base: tuple[Message, ...], partners: tuple[str, ...], talk: Talk, split: Split
) -> list[Asked]:
    """Return who is to be asked next, so that a voice comes to its word.

    Args:
        voice: who is to speak.
        base: what the voice is shown apart from the talk with its team.
        partners: whom it talks with apart from its team.
        talk: what was said behind the seat so far.
        split: divides the seat's view, for teams that hold a part each.

    Raises:
        UsageError: the game cannot divide the view.
    """
    if not voice.members:
        return [Asked(voice.name, voice.agent, "player", partners, (), base)]
    open_now = _segments(voice, talk)[-1]
    parts = split(len(voice.members)) if voice.show == "split" else ()
    unanswered = _unanswered(voice, open_now)
    if not unanswered:
        names = tuple(member.name for member in voice.members)
        view = _lead_view(voice, parts[0] if parts else base, talk)
        return [Asked(voice.name, voice.agent, "lead", (*partners, *names), names, view)]
    asked: list[Asked] = []
    for number, member in enumerate(voice.members, 1):
        if member.name in unanswered:
            shown = parts[number] if parts else base if voice.show == "all" else ()
            view = _member_view(voice, member, shown, talk)
            others = partners if voice.show != "nothing" else ()
            below = ask_next(member, view, (voice.lead, *others), talk, _undivided)
            asked += below if member.members else [each._replace(role="member") for each in below]
    return asked


def said(voice: Voice, name: str, text: str, talk: Talk) -> Said:
    """Tell what an answer is: a question to members, an answer to the lead, or the seat's own word.

    A lead that has used up its rounds, or addresses nobody that there is, speaks for its seat.

    Args:
        voice: the voices behind the seat.
        name: the voice that has answered.
        text: what it said.
        talk: what was said behind the seat before.
    """
    speaker, above = _find(voice, name, None)
    if speaker.members:
        asked = sum(aside.kind == "question" for aside in _segments(speaker, talk)[-1] if aside.reply.seat == name)
        audience = tuple(addressed(text, [member.name for member in speaker.members]))
        if audience and asked < speaker.rounds:
            return Said(False, "question", audience)
    if above is None:
        return Said(True, "", ())
    return Said(False, "answer", (above.name,))


def addressed(text: str, names: Sequence[str]) -> dict[str, str]:
    """Find whom a lead's message addresses, and what it says to each: nobody, unless the message begins with it."""
    found = [match for match in ADDRESS.finditer(text) if _names(match["names"], names)]
    if not found or not FENCE.match(text[: found[0].start()]):
        return {}
    blocks: dict[str, list[str]] = {}
    for match, following in zip(found, [*found[1:], None], strict=True):
        block = text[match.end() : following.start() if following else len(text)].strip().removesuffix("```").rstrip()
        for name in _names(match["names"], names):
            blocks.setdefault(name, []).append(block)
    return {name: "\n\n".join(blocks[name]) for name in names if name in blocks}


def _names(words: str, names: Sequence[str]) -> list[str]:
    """Return the members that some words mean, in their order."""
    meant: set[str] = set()
    for word in re.findall(NAME, words, re.IGNORECASE):
        numbers = re.findall(r"\d+", word)
        meant |= {"_".join(["member", *numbers])} if numbers else set(names)
    return [name for name in names if name in meant]


def _find(voice: Voice, name: str, above: Voice | None) -> tuple[Voice, Voice | None]:
    """Find a voice by its name, and who leads it."""
    if voice.name == name:
        return voice, above
    for member in voice.members:
        if name == member.name or name.startswith(f"{member.name}_"):
            return _find(member, name, voice)
    raise KeyError(name)


def _segments(voice: Voice, talk: Talk) -> list[list[Aside]]:
    """Divide the talk within a voice's own team at its own words; the last segment is the one that is going on."""
    names = {member.name for member in voice.members}
    segments: list[list[Aside]] = [[]]
    for aside in talk:
        if aside is None:
            if voice.lead == LEAD:
                segments.append([])
        elif aside.kind == "answer" and aside.reply.seat == voice.name:
            segments.append([])
        elif aside.reply.seat == voice.name or (aside.reply.seat in names and aside.kind == "answer"):
            segments[-1].append(aside)
    order = {member.name: number for number, member in enumerate(voice.members)}
    return [_in_order(segment, order) for segment in segments]


def _in_order(segment: Sequence[Aside], order: Mapping[str, int]) -> list[Aside]:
    """Put the answers to a question in the order of the members: a lead must not see who was quicker."""
    return [
        aside
        for _, run in groupby(segment, key=lambda aside: aside.kind)
        for aside in sorted(run, key=lambda aside: order.get(aside.reply.seat, -1))
    ]


def _unanswered(voice: Voice, going_on: Sequence[Aside]) -> set[str]:
    """Name the members that were asked last and have not answered."""
    waiting: set[str] = set()
    for aside in going_on:
        if aside.kind == "question":
            waiting = set(aside.audience)
        else:
            waiting.discard(aside.reply.seat)
    return waiting


def _lead_view(voice: Voice, base: tuple[Message, ...], talk: Talk) -> tuple[Message, ...]:
    names = [_spoken(member.name) for member in voice.members]
    briefing = LEAD_TOLD.format(
        voice=_spoken(voice.name),
        members=", ".join(names),
        seen=SEEN_BY_LEAD[voice.show],
        rounds="once" if voice.rounds == 1 else f"{voice.rounds} times",
        first=names[0],
    )
    segments = [
        [
            Message(speaker=aside.reply.seat, parts=aside.reply.parts, audience=(voice.name, *aside.audience))
            for aside in segment
        ]
        for segment in _segments(voice, talk)
    ]
    return tuple(_woven(base, voice.name, Message.text_from(USER, briefing, (voice.name,)), segments))


def _member_view(voice: Voice, member: Voice, shown: tuple[Message, ...], talk: Talk) -> tuple[Message, ...]:
    briefing = MEMBER_TOLD.format(
        voice=_spoken(member.name), seat=_spoken(voice.name), seen=SEEN_BY_MEMBER[voice.show], lead=_spoken(voice.lead)
    )
    names = [each.name for each in voice.members]
    segments: list[list[Message]] = []
    for segment in _segments(voice, talk):
        heard: list[Message] = []
        for aside in segment:
            if aside.reply.seat == member.name:
                heard.append(_heard(aside, (member.name,)))
            elif aside.kind == "question" and member.name in aside.audience:
                block = addressed(aside.reply.text, names).get(member.name)
                if block is not None:  # else it was said in another team, whose turns are frozen here
                    heard.append(Message(speaker=voice.lead, parts=(Text(text=block),), audience=(member.name,)))
        segments.append(heard)
    if not shown:
        segments = [[message for segment in segments for message in segment]]
    base = tuple(
        message.model_copy(update={"speaker": voice.lead}) if message.speaker == voice.name else message
        for message in shown
    )
    return tuple(_woven(base, voice.lead, Message.text_from(USER, briefing, (member.name,)), segments))


def _heard(aside: Aside, audience: tuple[str, ...]) -> Message:
    return Message(speaker=aside.reply.seat, parts=aside.reply.parts, audience=tuple(dict.fromkeys(audience)))


def _woven(
    base: tuple[Message, ...], speaker: str, briefing: Message, segments: Sequence[Sequence[Message]]
) -> Iterator[Message]:
    """Put the briefing after the game's opening, and each segment before the word that it led to.

    A view that shows only the latest of what was said shows only the latest of the talk.
    """
    *closed, going_on = segments
    opening = sum(1 for _ in takewhile(lambda message: message.speaker in (USER, SYSTEM, ENVIRONMENT), base))
    words = sum(message.speaker == speaker for message in base)
    missing = len(closed) - words
    led_to = iter(closed[missing:] if missing >= 0 else [[]] * -missing + closed)
    yield from base[:opening]
    yield briefing
    for message in base[opening:]:
        if message.speaker == speaker:
            yield from next(led_to)
        yield message
    yield from going_on


def _undivided(_: int) -> Sequence[tuple[Message, ...]]:
    """Stand for the division of a member's view: :mod:`palaver_protocols.seating` lets no inner team ask for it."""
    raise UsageError("a team within a team cannot hold parts", mend="let the outer team have show=split")


def _spoken(name: str) -> str:
    return name.replace("_", " ")
