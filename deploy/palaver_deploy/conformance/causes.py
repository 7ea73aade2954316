"""Why a question has no answer: what was refused at that time, what came too late, or nothing that can be seen.

A question that tries something out may go without an answer for reasons that have nothing to do with what it tries. So
before its point is blamed, all that the agent was told meanwhile is held against it, and so is what became of the plain
question that was asked next.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from palaver_protocols.messages import TurnFailure
from palaver_protocols.strangers import Notice

from .script import FIRST
from .seen import Heard, Played, refused_in_words

__all__ = ["EARLIER", "Cause", "blamed", "cause_of"]

BLAMED = {
    "too_large": "size",
    "too_fast": "size",
    "version": "version",
    "not_text": "text",
    "mismatch": "names",
    "closed": "key",
    "revoked": "known",
}
EARLIER = "an answer came under the key of an earlier question"
_FIELD = re.compile(r"^(?:[\w.]*\.)?(version|key|run_id|episode_id|turn|seat|agent)(: | is )(it is missing|Field req)?")
OF_OTHERS = frozenset({"mismatch", "closed"})
"""What is refused where an answer has the key of one question and the names of another."""


class Cause(NamedTuple):
    """Why there is no answer. ``point`` is what was missed in truth; ``came`` says how.

    ``failure`` is the agent's own word for it; ``is_slow`` is whether there was an answer that came too late.
    """

    point: str
    came: str
    failure: TurnFailure | None = None
    is_slow: bool = False


def blamed(notice: Notice, ours: Iterable[str]) -> str:
    """Return which point of conduct a refused message has missed; ``ours`` are the keys that we have asked."""
    if notice.reason == "malformed":
        return _of_field(notice.message)
    if notice.reason == "closed" and notice.key in ours:
        return "names"  # the key is right, and leads nowhere under another run or episode
    return BLAMED.get(notice.reason or "", "form")


def _of_field(problem: str) -> str:
    """Return what a message misses that breaks the schema: a name that is there, and of a wrong type, is bad form."""
    found = _FIELD.match(problem)
    if found is None:
        return "form"
    field, verb, is_missing = found.groups()
    if field in ("version", "key"):
        return field
    return "names" if is_missing or verb == " is " else "form"


def cause_of(played: Played, before: Sequence[Played]) -> Cause | None:
    """Return why a step has no answer, where that is not the point of the step; None if it is, or if all is well.

    Args:
        played: the step.
        before: the steps before it, in order.
    """
    bad = [heard for heard in played.heard if not heard.is_answered]
    if not bad:
        return None
    after = played.afterwards
    if not any(isinstance(heard.answer, TurnFailure) for heard in bad):
        history = [*_all_of(before), *_all_of([played])]
        found = (
            _under_earlier_key(bad, played, history)
            or _refused(bad, played, history)
            or _again_and_again(bad, played)
            or _too_late(bad, played)
        )
        if found:
            return found
    if after is None or after.is_answered:
        return None
    return _since(played, bad[0], after, sum(heard.is_answered for heard in (*_all_of(before), *played.heard)))


def _all_of(steps: Sequence[Played]) -> list[Heard]:
    return [heard for each in steps for heard in (*each.heard, *([each.afterwards] if each.afterwards else []))]


def _under_earlier_key(bad: Sequence[Heard], played: Played, history: Sequence[Heard]) -> Cause | None:
    """Look whether the answer came under the key of a question that had been answered before."""
    mine = {request.key for request in played.step.questions}
    answered = {heard.request.key for heard in history if heard.is_answered} - mine
    told = [notice for heard in bad for notice in heard.stray if notice.key in answered]
    for notice in told:
        # Had it been that question's own answer, sent again, it would be a duplicate.
        if notice.reason in OF_OTHERS:
            return Cause("key", f"{EARLIER}: {refused_in_words(notice)}")
    after, open_before = played.afterwards, {heard.request.key for heard in bad}
    # A duplicate alone may be an answer that was sent again in good faith. So it must have happened again.
    went_on = (
        after is not None
        and after.answer is None
        and any(each.code != "accepted" or each.key in open_before for each in after.stray)
    )
    if went_on and any(notice.code == "duplicate" for notice in told):
        return Cause("key", f"{EARLIER}, and was a duplicate there")
    return None


def _refused(bad: Sequence[Heard], played: Played, history: Sequence[Heard]) -> Cause | None:
    """Look whether there was an answer, which was refused."""
    # What is refused beside answers that are taken is something else that the agent says.
    beside = {each.reason for other in history if other.is_answered for each in other.refused}
    after = [played.afterwards] if played.afterwards is not None and played.afterwards.answer is None else []
    again = {notice.reason for heard in after for notice in heard.refused}
    for heard in (*bad, *after):
        for notice in heard.refused:
            if played.step.point == "at-once" and notice.reason in OF_OTHERS:
                continue  # who mixes up answers is found by this
            is_ours = notice.key == heard.request.key or (not notice.key and notice.reason not in beside)
            # What names a question that we never asked may be about another game, unless the plain one fares the same.
            if is_ours or (heard not in after and notice.reason in again):
                return Cause(blamed(notice, [heard.request.key]), refused_in_words(notice))
    return None


def _again_and_again(bad: Sequence[Heard], played: Played) -> Cause | None:
    """Look whether it was busy with saying again what had been refused."""
    withdrawn = {request.key for request in played.step.questions} - {heard.request.key for heard in played.heard}
    refused = [notice for heard in bad for notice in heard.stray if notice.code == "refused"]
    if sum(notice.key in withdrawn for notice in refused) < 2:
        return None
    return Cause(played.step.point, f"the answer to a question that was withdrawn came {len(refused)} times")


def _too_late(bad: Sequence[Heard], played: Played) -> Cause | None:
    """Look whether the answer came when it was waited for no more."""
    if played.afterwards is None:
        return None
    keys = {heard.request.key for heard in bad}
    # Some doors take what comes soon after a question was withdrawn; others refuse it.
    if any(notice.key in keys and notice.reason in (None, "closed") for notice in played.afterwards.stray):
        came = f"its answer to {played.step.point!r} came after more than {bad[0].after_s:.3g} s"
        return Cause(FIRST, came, is_slow=True)
    return None


def _since(played: Played, heard: Heard, after: Heard, answers: int) -> Cause:
    """Say since when nothing has come that is of use."""
    since = f"since its {_ordinal(answers)} answer"
    failure = next((each.answer for each in (after, heard) if isinstance(each.answer, TurnFailure)), None)
    if failure is not None:
        words = after if after.answer is failure else heard
        return Cause(FIRST, f"{since}, {words.in_words}", failure)
    came = f"silent {since}: no answer to {played.step.point!r}, nor to a plain question after it"
    return Cause(FIRST, came)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
