"""What to do about a question without an answer: by how the agent is there, and by what has come of it."""

from palaver_protocols.messages import TurnFailure

from .points import POINTS
from .seen import Door, Way

__all__ = ["if_failed", "if_late", "if_silent", "if_silent_since", "or_longer", "why_not_for_it"]

LONGER = "give it longer with --timeout S"
READS: dict[Door, str] = {
    "redis": "read the inbox from 0-0 when you start, and send one turn.reply for each turn.request",
    "gateway": "take each turn.request that the gateway sends, or poll for them, and send one turn.reply for each",
    "mqtt": "subscribe to your topic `in`, then say hello, and publish one turn.reply to `out` for each turn.request",
    "python": "see whether the function returns, and what `palaver serve agent` logs",
    "model": "see what `palaver serve agent` logs, and whether the provider answers",
    "script": "see what `palaver serve agent` logs",
    "a2a": "see whether the A2A server answers, and what palaver logs beside it",
    "unknown": "take each turn.request, and send one turn.reply for it",
}
"""What an agent must do that is there and silent."""
ASKED: dict[Door, str] = {
    "python": "the function",
    "model": "the provider",
    "a2a": "the A2A server",
}
"""Who answers, where it is not the agent itself."""
PASSES = frozenset({"rate_limited", "overloaded", "timeout", "server", "unreachable", "disconnected"})
"""What has nothing to do with what was asked."""
NOT_ASKED = frozenset({*PASSES, "auth", "script"})
_BUSY = "{who} was asked too much, or is too busy: wait, and check again"
_AWAY = "see that {who} is running, and can be reached from where it is asked"
_BLIND = "send `no_picture` only for a question that shows a picture, and this one does not"
OF_CODES = {
    "rate_limited": _BUSY,
    "overloaded": _BUSY,
    "timeout": f"{LONGER}, or make {{who}} quicker: games wait for a turn's timeout_s",
    "unreachable": _AWAY,
    "disconnected": _AWAY,
    "bad_card": "see that {who} has an agent card, and that its URL is right",
    "auth": "give it the right key or token: {who} does not let the question in",
    "no_picture": _BLIND,
    "pictures": _BLIND,
}


def if_silent(way: Way) -> str:
    """Say what to do about an agent that has not answered the first question."""
    if not way.is_there:
        return f"is it running? start it, let it log in to this bus and say hello; {_then(way)}; or {LONGER}"
    return f"{READS[way.door]}; if it only thinks for longer, {LONGER}"


def _then(way: Way) -> str:
    return f"then {READS[way.door]}" if way.door in ("redis", "gateway", "mqtt", "unknown") else READS[way.door]


def if_silent_since(way: Way, point: str) -> str:
    """Say what to do about an agent that has fallen silent at a point."""
    mend = POINTS[point].mend
    perhaps = f" If it was that question: {mend}." if mend else ""
    return (
        f"see in the logs whether {ASKED.get(way.door, 'it')} has died, or hangs.{perhaps} If it only thinks, {LONGER}"
    )


def if_late(way: Way) -> str:
    """Say what to do about an answer that came too late."""
    return _of_code("timeout", way)


def or_longer(point: str) -> str:
    """Say what to do about a point at which nothing came."""
    return f"{POINTS[point].mend}; if it only thinks for longer, {LONGER}"


def if_failed(failure: TurnFailure, way: Way, point: str = "") -> str:
    """Say what to do about a turn.failure that came in place of an answer; ``point`` is what was tried by it."""
    hint = POINTS[point].mend if point and failure.code not in NOT_ASKED else ""
    return _of_code(failure.code, way) + (f"; and mind: {hint}" if hint else "")


def _of_code(code: str, way: Way) -> str:
    who = ASKED.get(way.door, "it")
    if code == "script" and why_not_for_it(way):
        return "none is needed: seat it in a game that it knows"
    if code == "bug" and way.door == "python":
        return "mend the function: it must return a str (or a Completion), and raise nothing; the log has more"
    return OF_CODES.get(code, "mend what {who} complains of: these are its own words").format(who=who)


def why_not_for_it(way: Way) -> str:
    """Say why an agent that gave the failure ``script`` cannot be tried; nothing if only its own words say so."""
    if way.door not in ("script", "a2a"):
        return ""
    games = f": {', '.join(way.games)}" if way.games else ""
    return f"it is a script, which plays only the games that it knows{games}; the one of check-agent is not among them"
