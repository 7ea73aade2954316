"""Who fills a seat: one agent, a relay of several, a team; as users type it and as records keep it.

    openai/gpt-5                                    one agent
    openai/o3@4>openai/gpt-4.1-mini                 the first for 4 turns of the episode, then the second
    scripted@stall:6>openai/o3                      the second as soon as 6 turns have brought no progress
    openai/o3@tokens:5000>vllm/small@http://h:8000  as soon as the first has used 5,000 tokens; ``usd:0.5`` for dollars
    team(lead=A,members=B+C)                        a lead that consults members before it speaks for the seat
    team(lead=A,members=B+C,show=split,rounds=2)    each member holds a part of what the seat is shown

Blanks round a rule do not count. A relay may be of teams, and a member may be a team; a team's own members do not
change. Agents that stand at the leaves are named by :mod:`palaver_agents.names`; here their names are opaque, but for
``>``, which none of them has.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Literal, get_args

from .errors import UsageError
from .messages import SeatFiller

__all__ = [
    "RULES",
    "SHOWS",
    "Handoff",
    "Rule",
    "Show",
    "Team",
    "handoff_of",
    "leaves",
    "misspelt_relay",
    "read_seat",
    "relay_of",
    "rule_like",
    "rule_of",
    "split_top",
    "team_of",
]

Show = Literal["all", "nothing", "split"]
"""What members see of what their seat is shown: all of it, only what their lead writes, or each a part of its own."""
SHOWS: tuple[Show, ...] = get_args(Show)

RELAY = re.compile(r"\s*@\s*(?P<rule>\d+|stall:\d+|tokens:\d+|usd:\d+(?:\.\d+)?)\s*>\s*")
RULES = "A@4>B, A@stall:6>B, A@tokens:5000>B or A@usd:0.5>B"
"""Every rule of a relay, for those who miswrote one."""
ALMOST_A_RULE = re.compile(r"(?P<word>[A-Za-z]*)\W*(?P<limit>\d+(?:\.\d+)?)")
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """When the next agent of a relay comes in: ``turn``, ``stall``, ``tokens``, ``usd`` or ``hand``, and how many."""

    kind: Literal["turn", "stall", "tokens", "usd", "hand"]
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class Handoff:
    """What a newcomer is shown of what was said before it came: ``messages`` is for ``last``."""

    kind: Literal["all", "last", "summary", "nothing"]
    messages: int = 0


@dataclass(frozen=True, slots=True)
class Team:
    """A lead and those it may consult, at most ``rounds`` times a turn. ``members`` may be teams themselves."""

    lead: str
    members: tuple[str, ...]
    show: Show = "all"
    rounds: int = ROUNDS


def read_seat(text: str) -> tuple[SeatFiller, ...]:
    """Read who fills a seat, in order of appearance.

    Raises:
        UsageError: it makes no sense; says why.
    """
    text = text.strip()
    fillers: list[SeatFiller] = []
    start, when = 0, "0"
    for found in [*_relays(text), None]:
        agent = text[start : found.start() if found else len(text)].strip()
        if error := misspelt_relay(agent):
            raise error
        if not agent:
            raise UsageError(f"the relay {text!r} names nobody at one of its ends", mend="write A@4>B")
        for leaf in leaves(agent):
            if not leaf:
                raise UsageError(f"{agent!r} names nobody somewhere", mend="write team(lead=A,members=B+C)")
        turn = int(when) if when.isdecimal() else None
        if fillers and turn is not None and turn <= (fillers[-1].from_turn or 0):
            raise UsageError(f"the turns of the relay {text!r} do not rise", mend="write A@4>B@8>C")
        fillers.append(SeatFiller(agent=agent, from_turn=turn, when=None if turn is not None else when))
        if found:
            start, when = found.end(), found["rule"]
    return tuple(fillers)


def misspelt_relay(agent: str) -> UsageError | None:
    """Return what to say of a ``>`` that ends no rule of a relay; None if an agent's name has no such mark."""
    left, mark, _ = RELAY.sub(" ", agent).partition(">")
    if not mark:
        return None
    first = left.partition("@")[0].strip()
    where = f"after {first!r}" if first else "in a relay"
    rule = left.rpartition("@")[2].strip() if "@" in left else ""
    if not rule or "/" in rule:
        # Between the two may stand a URL, and in it a secret: it is not repeated.
        return UsageError(f"{where} stands a > that ends no rule of a relay", mend=f"write {RULES}")
    written, meant = f"@{rule}>", _meant(rule)
    return UsageError(
        f"{where}, {written!r} is no rule of a relay",
        mend=f"did you mean {meant}? A relay is {RULES}" if meant else f"write {RULES}",
    )


def rule_like(text: str) -> bool:
    """Whether a text is a rule of a relay, or nearly one."""
    return bool(_meant(text))


def _meant(rule: str) -> str:
    """Return the rule that was perhaps meant by one that is none; empty if nothing is like it."""
    found = ALMOST_A_RULE.fullmatch(rule)
    if found is None:
        return ""
    close = get_close_matches(found["word"].lower(), ("turns", "stall", "tokens", "usd"), n=1)
    if found["word"] and not close:
        return ""
    meant = found["limit"] if not close or close[0] == "turns" else f"{close[0]}:{found['limit']}"
    return meant if RELAY.fullmatch(f"@{meant}>") else ""


def relay_of(fillers: Sequence[SeatFiller]) -> str:
    """Write who fills a seat as the command line does; the other way round than :func:`read_seat`."""
    first, *others = fillers
    return first.agent + "".join(f"@{filler.when or filler.from_turn}>{filler.agent}" for filler in others)


def rule_of(filler: SeatFiller) -> Rule:
    """Return when a filler comes in."""
    if filler.when is None:
        return Rule("turn", filler.from_turn or 0)
    kind, _, limit = filler.when.partition(":")
    match kind:
        case "stall" | "tokens" | "usd":
            return Rule(kind, float(limit))
    return Rule("hand")


@cache
def handoff_of(text: str) -> Handoff:
    """Read what newcomers are shown: ``all``, ``last:M``, ``summary`` or ``nothing``.

    Raises:
        UsageError: it is none of these.
    """
    kind, _, number = text.partition(":")
    if kind == "last" and number.isdecimal() and int(number):
        return Handoff("last", int(number))
    match text:
        case "all" | "summary" | "nothing":
            return Handoff(text)
    raise UsageError(f"handoff cannot be {text!r}", mend="use all, last:M, summary or nothing")


@cache
def team_of(agent: str) -> Team | None:
    """Read a team; None for an agent that is none.

    Raises:
        UsageError: it begins like a team and makes none; says why.
    """
    if not agent.startswith("team("):
        return None
    usage = "write team(lead=A,members=B+C[,show=all|nothing|split][,rounds=N])"
    if not agent.endswith(")"):
        raise UsageError(f"the team {agent!r} does not end with its parenthesis", mend=usage)
    words: dict[str, str] = {}
    for pair in split_top(agent[5:-1], ","):
        name, equals, value = pair.partition("=")
        if not equals or name.strip() not in ("lead", "members", "show", "rounds") or name.strip() in words:
            raise UsageError(f"the team {agent!r} cannot have {pair.strip()!r}", mend=usage)
        words[name.strip()] = value.strip()
    members = tuple(name.strip() for name in split_top(words.get("members", ""), "+"))
    lead, show, rounds = words.get("lead", ""), words.get("show", "all"), words.get("rounds", str(ROUNDS))
    if not lead or not all(members):
        raise UsageError(f"the team {agent!r} lacks its {'members' if lead else 'lead'}", mend=usage)
    if lead.startswith("team("):
        raise UsageError(f"the lead of {agent!r} is a team", mend="make the inner team a member")
    if show not in SHOWS or not rounds.isdecimal() or int(rounds) < 1:
        raise UsageError(f"the team {agent!r} makes no sense: show={show}, rounds={rounds}", mend=usage)
    if any((inner := team_of(member)) and inner.show == "split" for member in members):
        raise UsageError(f"a team within {agent!r} has show=split", mend="only the outer team can hold parts")
    if any(True for name in (lead, *members) if any(_relays(name))):
        raise UsageError(
            f"a relay stands within the team {agent!r}", mend="write a relay of teams: team(...)@4>team(...)"
        )
    return Team(lead, members, show, int(rounds))


def leaves(agent: str) -> Iterator[str]:
    """Yield the agents that are asked where one fills a seat: itself, or a team's lead and members.

    Raises:
        UsageError: it makes no team.
    """
    team = team_of(agent)
    if team is None:
        yield agent
        return
    yield team.lead
    for member in team.members:
        yield from leaves(member)


def split_top(text: str, mark: str) -> list[str]:
    """Split at a mark outside parentheses.

    Raises:
        UsageError: the parentheses do not match.
    """
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == mark and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    if depth != 0:
        raise UsageError(f"the parentheses in {text!r} do not match", mend="write team(lead=A,members=B+C)")
    return [*parts, text[start:]]


def _relays(text: str) -> Iterator[re.Match[str]]:
    """Find where one agent follows another, outside parentheses."""
    for found in RELAY.finditer(text):
        before = text[: found.start()]
        if before.count("(") == before.count(")"):
            yield found
