"""What to think of what an agent has said: from questions, answers and notices to a verdict on each point."""

from collections.abc import Iterator, Sequence
from statistics import median

from palaver_protocols.errors import one_line
from palaver_protocols.messages import TurnFailure, TurnReply

from . import mends
from .causes import EARLIER, Cause, blamed, cause_of
from .points import CONDUCT, POINTS, Verdict
from .script import FIRST, UNICODE, WORDS
from .seen import SHOWN, Heard, Played, Seen, is_over, refused_in_words, seconds

__all__ = ["NOT_TRIED", "latencies", "verdicts", "why_not_for_it"]

OPENS_AGAIN = frozenset({"redelivery", "duplicates", "cancellation"})
"""Steps in which a question comes more than once, or is answered in vain, by our own doing."""
NOT_TRIED = "not tried: "


def verdicts(seen: Seen) -> list[Verdict]:
    """Return a verdict on every point, in their order."""
    found: dict[str, Verdict] = {}
    steps = (verdict for number in range(len(seen.played)) for verdict in _step(seen, number))
    for verdict in (*steps, *_conduct(seen), _known(seen), _hello(seen), *_words(seen), *_noted(seen)):
        if verdict.point not in found or found[verdict.point].mark != "missed":  # the first miss is what is told
            found[verdict.point] = verdict
    return [found.get(name) or Verdict(name, "untried", _why_untried(seen)) for name in POINTS]


def why_not_for_it(seen: Seen) -> str:
    """Say why nothing can be seen of this agent: it is a script; nothing if that is not so."""
    answer = seen.played[0].heard[0].answer
    return mends.why_not_for_it(seen.way) if isinstance(answer, TurnFailure) and answer.code == "script" else ""


def _first(played: Played, seen: Seen) -> Iterator[Verdict]:
    """Judge the first question: whether there is anybody, and how it says what it says."""
    (heard,) = played.heard
    match heard.answer:
        case TurnReply():
            if heard.after_s > played.may_answer_s:
                came = f"{heard.in_words}, and {played.may_answer_s:.3g} s were allowed"
                yield Verdict(FIRST, "missed", came, mends.if_late(seen.way))
            else:
                yield Verdict(FIRST, "met", heard.in_words)
            yield from (Verdict(name, "met", "as it should be") for name in CONDUCT)
        case TurnFailure() as failure:
            yield Verdict(FIRST, "missed", why_not_for_it(seen) or heard.in_words, mends.if_failed(failure, seen.way))
        case None if heard.refused:
            point = blamed(heard.refused[0], [heard.request.key])
            yield Verdict(FIRST, "met", f"something came, and could not be used: see {point}")
            yield Verdict(point, "missed", refused_in_words(heard.refused[0]))
        case None:
            nobody = "" if seen.way.is_there else "; it has not said that it is there, either: nobody is, so it seems"
            yield Verdict(FIRST, "missed", heard.in_words + nobody, mends.if_silent(seen.way))


def _step(seen: Seen, number: int) -> Iterator[Verdict]:
    """Judge a step: its point, or what has kept it from being seen."""
    played = seen.played[number]
    if played.step.point == FIRST:
        yield from _first(played, seen)
    elif cause := cause_of(played, seen.played[:number]):
        yield Verdict(cause.point, "missed", cause.came, _mend(cause, played.step.point, seen))
        if cause.point != played.step.point:
            yield Verdict(played.step.point, "untried", f"its question has no answer: see {cause.point}")
    else:
        yield _tried(played, seen)


def _mend(cause: Cause, point: str, seen: Seen) -> str:
    """Say what to do about a cause; nothing if the mend of its point will do."""
    if cause.failure is not None:
        return mends.if_failed(cause.failure, seen.way)
    if cause.point != FIRST:
        return ""
    return mends.if_late(seen.way) if cause.is_slow else mends.if_silent_since(seen.way, point)


def _tried(played: Played, seen: Seen) -> Verdict:
    """Judge a step that says something about its point."""
    point = played.step.point
    bad = next((heard for heard in played.heard if not _is_answered(point, heard)), None)
    if bad is not None:
        if isinstance(bad.answer, TurnFailure):
            mend = mends.if_failed(bad.answer, seen.way, point)
        else:
            mend = "" if bad.refused or not POINTS[point].mend else mends.or_longer(point)
        return Verdict(point, "missed", bad.in_words, mend)
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
    return Verdict("at-once", "met", f"{len(heard)} questions answered, the last after {seconds(slowest)}")


def _in_time(heard: Heard) -> Verdict:
    came = f"{seconds(heard.after_s)}, and {heard.request.timeout_s:.3g} s were allowed"
    return Verdict("time-limit", "met" if heard.after_s <= heard.request.timeout_s else "missed", came)


def _conduct(seen: Seen) -> Iterator[Verdict]:
    """Judge what was refused beside the answers that were taken.

    What was refused in place of an answer has been judged with its step. A refusal of something about other questions
    than ours, which are closed by now, may be of another game.
    """
    heard = [each for played in seen.played for each in (*played.heard, *filter(None, [played.afterwards]))]
    ours = {each.request.key for each in heard}
    judged = {id(notice) for each in heard if each.answer is None for notice in each.refused}
    stray = {id(notice) for each in heard for notice in each.stray}
    for notice in seen.notices:
        if notice.code != "refused" or notice.reason == "closed" or id(notice) in judged:
            continue
        if notice.reason == "mismatch" and id(notice) in stray:
            yield Verdict("key", "missed", f"{EARLIER}: {refused_in_words(notice)}")
        else:
            yield Verdict(blamed(notice, ours), "missed", refused_in_words(notice))


def _words(seen: Seen) -> Iterator[Verdict]:
    """Look whether it says anything at all."""
    replies = [each.answer for played in seen.played for each in played.heard if isinstance(each.answer, TurnReply)]
    empty = [reply for reply in replies if not reply.text.strip()]
    if not replies:
        return
    if len(empty) < len(replies):
        yield Verdict("words", "met", f"{len(replies) - len(empty)} of {len(replies)} answers have words")
        return
    how = "`parts` is empty" if not any(reply.parts for reply in empty) else "their text is empty"
    yield Verdict("words", "missed", f"none of {len(replies)} answers has a word: {how}")


def latencies(seen: Seen) -> list[float]:
    """Return the seconds that answers took, in order; the first one waits for doors to open, and does not count."""
    return sorted(
        heard.after_s for played in seen.played[1:] for heard in played.heard if isinstance(heard.answer, TurnReply)
    )


def _known(seen: Seen) -> Verdict:
    return Verdict("known", "met", seen.known)


def _hello(seen: Seen) -> Verdict:
    return Verdict("hello", "met", seen.hello) if seen.hello else Verdict("hello", "missed", "it has not said hello")


def _noted(seen: Seen) -> Iterator[Verdict]:
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
        yield Verdict("speed", "met", f"median {seconds(median(took))}, longest {seconds(took[-1])}")


def _why_untried(seen: Seen) -> str:
    last = seen.played[-1]
    if last.step.point == FIRST and is_over(last):
        is_late = last.heard[0].is_answered
        return NOT_TRIED + (
            "the first answer was late" if is_late else "the first question has no answer that can be used"
        )
    if is_over(last):
        return f"{NOT_TRIED}no question was answered from {last.step.point!r} on"
    return "it could not be seen"
