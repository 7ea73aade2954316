"""What to think of what an agent has said: from questions, answers and notices to a verdict on each point."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from palaver_protocols.errors import one_line
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import Notice

from .points import CONDUCT, POINTS, Verdict
from .script import FIRST, UNICODE, WORDS, Step

__all__ = ["Heard", "Played", "Seen", "blamed", "is_over", "latencies", "verdicts"]

SHOWN = 60
"""Letters of an answer that are shown."""
OPENS_AGAIN = frozenset({"redelivery", "duplicates", "cancellation"})
"""Steps in which a question comes more than once, or is answered in vain, by our own doing."""
BLAMED = {
    "too_large": "size",
    "too_fast": "size",
    "version": "version",
    "not_text": "text",
    "mismatch": "names",
    "closed": "key",
    "revoked": "known",
}
_NAMES = re.compile(r"^(?:[\w.]*\.)?(key|run_id|episode_id|turn|seat|agent)(?:: | is )")
_CARDS = {"run_id", "episode_id", "turn", "seat", "agent"}


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a question that was asked once.

    ``after_s`` is how long the answer took, or how long it was waited for. ``refused`` is what was refused meanwhile.
    """

    request: TurnRequest
    answer: TurnReply | TurnFailure | None
    after_s: float
    refused: tuple[Notice, ...] = ()

    @property
    def in_words(self) -> str:
        """What came, in one line."""
        match self.answer:
            case TurnReply() as reply:
                said = one_line(reply.text.strip(), SHOWN)
                return f'answered in {_seconds(self.after_s)}: "{said}"'
            case TurnFailure() as failure:
                return f"it says that it cannot: {one_line(failure.code, 40)}: {one_line(failure.message, 200)}"
        if self.refused:
            return _refused(self.refused[0])
        return f"no answer within {self.after_s:.3g} s"


@dataclass(frozen=True, slots=True)
class Played:
    """A step that was gone through. ``still_there`` is whether it answered afterwards, where that was asked."""

    step: Step
    heard: tuple[Heard, ...]
    still_there: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was seen.

    ``known`` says how the bus knows the agent, ``hello`` what it has said of itself (empty: nothing). ``fetched`` is
    whether the picture was taken from the bus; None where that cannot be seen.
    """

    played: tuple[Played, ...]
    notices: tuple[Notice, ...]
    known: str
    hello: str
    fetched: bool | None = None


def is_over(played: Played) -> bool:
    """Whether there is no point in going on: nothing came that could be used, or the agent is gone."""
    if played.step.point == FIRST:
        return not isinstance(played.heard[0].answer, TurnReply)
    return not played.still_there


def blamed(notice: Notice, ours: Iterable[str]) -> str:
    """Return which point of conduct a refused message has missed; ``ours`` are the keys that we have asked."""
    if notice.reason == "malformed":
        return _of_names(notice.message) or "form"
    if notice.reason == "closed" and notice.key in ours:
        return "names"  # the key is right, and leads nowhere under another run or episode
    return BLAMED.get(notice.reason or "", "form")


def _of_names(problem: str) -> str | None:
    found = _NAMES.match(problem)
    return None if found is None else ("names" if found[1] in _CARDS else "key")


def verdicts(seen: Seen) -> list[Verdict]:
    """Return a verdict on every point, in their order."""
    found: dict[str, Verdict] = {}
    for played in seen.played:
        judged = _first(played) if played.step.point == FIRST else [_step(played)]
        found |= {verdict.point: verdict for verdict in judged}
    for verdict in (*_conduct(seen), _known(seen), _hello(seen), *_noted(seen)):
        if verdict.point not in found or found[verdict.point].mark != "missed":  # the first miss is what is told
            found[verdict.point] = verdict
    return [found.get(name) or Verdict(name, "untried", _why_untried(seen)) for name in POINTS]


def _first(played: Played) -> list[Verdict]:
    """Judge the first question: whether there is anybody, and how it says what it says."""
    (heard,) = played.heard
    if isinstance(heard.answer, TurnReply):
        return [Verdict(FIRST, "met", heard.in_words), *(Verdict(name, "met", "as it should be") for name in CONDUCT)]
    if isinstance(heard.answer, TurnFailure) or not heard.refused:
        return [Verdict(FIRST, "missed", heard.in_words)]
    notice = heard.refused[0]
    answers = Verdict(FIRST, "met", f"something came, and could not be used: see {_blame(heard)}")
    return [answers, Verdict(_blame(heard), "missed", _refused(notice))]


def _blame(heard: Heard) -> str:
    return blamed(heard.refused[0], [heard.request.key])


def _step(played: Played) -> Verdict:
    """Judge a step after the first."""
    point = played.step.point
    bad = next((heard for heard in played.heard if not _is_answered(point, heard)), None)
    if bad is not None:
        gone = "" if played.still_there else "; nothing was heard of it afterwards"
        return Verdict(point, "missed", bad.in_words + gone)
    if point == "unicode" and (wrong := _mangled(played.heard[0])):
        return Verdict(point, "missed", f"what came is not what was said: {wrong!r}")
    if point == "at-once":
        return _each_its_own(played.heard)
    if point == "time-limit":
        return _in_time(played.heard[0])
    return Verdict(point, "met", played.heard[-1].in_words)


def _is_answered(point: str, heard: Heard) -> bool:
    # A failure is a fair answer of one that cannot see; to all else, it is none.
    return isinstance(heard.answer, TurnReply) or (point == "pictures" and isinstance(heard.answer, TurnFailure))


def _mangled(heard: Heard) -> str:
    """Return letters of ours that have become others on the way, if there are some."""
    text = heard.answer.text if isinstance(heard.answer, TurnReply) else ""
    for word in UNICODE.replace(",", " ").split():
        wrong = word.encode().decode("latin-1")
        if wrong != word and wrong in text:
            return one_line(wrong, SHOWN)
    return "\ufffd" if "\ufffd" in text else ""


def _each_its_own(heard: Sequence[Heard]) -> Verdict:
    for each, word in zip(heard, WORDS, strict=True):
        text = each.answer.text.lower() if isinstance(each.answer, TurnReply) else ""
        others = [other for other in WORDS if other != word and other in text]
        if others and word not in text:
            came = f"the question about {word!r} got the answer about {others[0]!r}"
            return Verdict("at-once", "missed", came)
    slowest = max(each.after_s for each in heard)
    return Verdict("at-once", "met", f"{len(heard)} questions answered, the last after {_seconds(slowest)}")


def _in_time(heard: Heard) -> Verdict:
    came = f"{_seconds(heard.after_s)}, and {heard.request.timeout_s:.3g} s were allowed"
    return Verdict("time-limit", "met" if heard.after_s <= heard.request.timeout_s else "missed", came)


def _conduct(seen: Seen) -> Iterable[Verdict]:
    """Judge what was refused beside the answers that were taken.

    What was refused in place of an answer is what that step has missed. A refusal of something about other questions
    than ours, which are closed by now, may be of another game.
    """
    ours = {heard.request.key for played in seen.played for heard in played.heard}
    blamed_already = {
        id(notice)
        for played in seen.played
        for heard in played.heard
        if heard.answer is None
        for notice in heard.refused
    }
    for notice in seen.notices:
        if notice.code != "refused" or notice.reason == "closed" or id(notice) in blamed_already:
            continue
        yield Verdict(blamed(notice, ours), "missed", _refused(notice))


def latencies(seen: Seen) -> list[float]:
    """Return the seconds that answers took, in order; the first one waits for doors to open, and does not count."""
    return sorted(
        heard.after_s for played in seen.played[1:] for heard in played.heard if isinstance(heard.answer, TurnReply)
    )


def _known(seen: Seen) -> Verdict:
    return Verdict("known", "met", seen.known)


def _hello(seen: Seen) -> Verdict:
    return Verdict("hello", "met", seen.hello) if seen.hello else Verdict("hello", "missed", "it has not said hello")


def _noted(seen: Seen) -> Iterable[Verdict]:
    """Say what is worth a note."""
    single = {
        heard.request.key for played in seen.played if played.step.point not in OPENS_AGAIN for heard in played.heard
    }
    # One may be sent again in good faith, where its question was met again before its answer had been taken.
    more = len({notice.key for notice in seen.notices if notice.code == "duplicate" and notice.key in single})
    if any(isinstance(heard.answer, TurnReply) for heard in seen.played[0].heard):
        yield (
            Verdict("once", "missed", f"{more} questions were answered again, and had come only once")
            if more > 1
            else Verdict("once", "met", "none was answered twice")
        )
    if any(played.step.point == "pictures" for played in seen.played) and seen.fetched is not None:
        yield Verdict(
            "fetches", "met" if seen.fetched else "missed", "it was" + " not" * (not seen.fetched) + " fetched"
        )
    if took := latencies(seen):
        yield Verdict("speed", "met", f"median {_seconds(median(took))}, longest {_seconds(took[-1])}")


def _why_untried(seen: Seen) -> str:
    last = seen.played[-1]
    if last.step.point == FIRST and is_over(last):
        return "not tried: the first question has no answer that can be used"
    if is_over(last):
        return f"not tried: nothing was heard of it after {last.step.point}"
    return "it could not be seen"


def _refused(notice: Notice) -> str:
    return f"refused ({notice.reason}): {one_line(notice.message, 200)}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s"
