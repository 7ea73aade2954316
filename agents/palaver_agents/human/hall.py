"""The hall: where people sit, as far as one process knows. A thin shell of futures and timers round :mod:`.places`.

A question to a seat that nobody has claimed waits for ever. Once somebody has, its time (``timeout_s``) runs from when
it was first seen, and only while that person is there: who loses the connection loses no turn. When it is over, the
question has failed in a way that may be tried again, and whoever asked asks once more.

Who has gone for long has left: then the seat is open to others.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hmac import compare_digest

from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest

from ..model import Completion
from .floor import Floor, ReadLog
from .places import HUMAN, Asked, Chair, Claim, Place, SeatingError
from .store import PeopleStore
from .tokens import Tokens

__all__ = ["AWAY_S", "LONGEST", "Hall"]

AWAY_S = 1800.0
"""How long a person's pages may be closed before the seat is open to others."""
LONGEST = 32 * 1024
"""The longest answer, in bytes of UTF-8."""
HEARD = 4
"""How many answers of a seat are remembered, in case that one is sent again."""


class Hall(Floor):
    """Who sits where, what they are asked, and what they say. For one event loop.

    Args:
        tokens: makes the links.
        store: remembers claims between two starts; None: they end with the process.
        clock: the time, in seconds since 1970.
        away_s: how long a person may be gone.

    Attributes:
        elsewhere: where people sit instead, if the hall of this bus is another's: an address, for people.
    """

    def __init__(
        self,
        tokens: Tokens,
        store: PeopleStore | None = None,
        *,
        clock: Callable[[], float] = time.time,
        away_s: float = AWAY_S,
    ) -> None:
        super().__init__(tokens, store)
        self.elsewhere = ""
        self._clock = clock
        self._away_s = away_s
        self._answers: dict[str, asyncio.Future[Completion]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._leaving: dict[Place, asyncio.TimerHandle] = {}

    def open(self, read: ReadLog) -> None:
        """Let people in; who had a seat when we were here last has it still.

        Args:
            read: reads the log of an episode.

        Raises:
            UsageError: what was remembered is damaged.
        """
        self._read, self.elsewhere = read, ""
        self._remember()

    @property
    def is_open(self) -> bool:
        """Whether people sit here, and not in another process."""
        return self._read is not None and not self.elsewhere

    def close(self, elsewhere: str = "") -> None:
        """Let nobody in any more; say where people sit instead."""
        self._read, self.elsewhere = None, elsewhere
        for timer in (*self._timers.values(), *self._leaving.values()):
            timer.cancel()
        self._ring(*self._chairs)

    # --- what is asked ---

    async def ask(self, request: TurnRequest) -> Completion:
        """Ask whoever has a seat, or will have it; return what is said.

        Raises:
            AgentError: the time was over, or the seat was given to another.
        """
        place = Place(request.run_id, request.episode_id, request.seat)
        if place.episode not in self._scenes:
            await self._learn(place.episode)
        chair = self._chair(place, request.game, request.variant)
        if request.role == "player":
            for stale in list(chair.questions):  # a seat is asked one thing at a time
                self._take_back(stale, "the episode has gone on without this question")
        chair.agent, chair.outcome, chair.last = HUMAN, None, request
        chair.questions[request.key] = Asked(request, self._clock(), earlier=_seen_earlier(chair, request.key))
        answer: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._answers[request.key] = answer
        self._ring(place)
        try:
            return await answer
        finally:
            self._answers.pop(request.key, None)
            chair.questions.pop(request.key, None)
            self._stop(request.key)
            self._let_run(chair)
            self._ring(place)

    def _take_back(self, key: str, why: str) -> None:
        self._fail(key, "overtaken", why, retryable=False)

    def _fail(self, key: str, code: str, message: str, *, retryable: bool) -> None:
        answer = self._answers.get(key)
        if answer is not None and not answer.done():
            answer.set_exception(AgentError(message, code=code, retryable=retryable))

    # --- who sits where ---

    def claim(self, chair: Chair, badge: str, who: str) -> Claim:
        """Give a place to a person; the first who comes has it. Again: nothing changes.

        Raises:
            SeatingError: it is somebody else's, or its episode is over.
        """
        if chair.claim is not None:
            if not compare_digest(chair.claim.badge, badge):
                raise SeatingError("this seat is taken", "taken", mend="ask for another link")
            return chair.claim
        if chair.is_over:
            raise SeatingError("nobody is asked at this seat any more", "over", mend="ask for another link")
        for asked in chair.questions.values():
            asked.begin_again()
        chair.claim, chair.is_restored = Claim(who, badge, self._clock()), False
        try:
            self._save()
        except BaseException:
            chair.claim = None
            raise
        self._watch_over(chair)
        self._ring(chair.place)
        return chair.claim

    def leave(self, chair: Chair, badge: str) -> None:
        """Free a place: it is open to whoever has the link.

        Raises:
            SeatingError: it is not this person's.
        """
        self._check(chair, badge)
        self._free(chair)

    def see(self, chair: Chair, badge: str) -> Asked | None:
        """Return what a person is asked, and take note that it is seen from now on.

        Raises:
            SeatingError: the place is not this person's.
        """
        self._check(chair, badge)
        if (asked := chair.asked) is not None:
            asked.show(self._clock())
            self._let_run(chair)
        return asked

    @property
    def now(self) -> float:
        """The time by which deadlines are told, in seconds since 1970."""
        return self._clock()

    def deadline(self, chair: Chair) -> float | None:
        """Return when the time of the open question will be over; None while it stands."""
        asked = chair.asked
        if asked is None or asked.running is None:
            return None
        now = self._clock()
        return now + asked.left_s(now)

    def say(self, chair: Chair, badge: str, key: str, text: str) -> None:
        """Answer a question. Saying the same again does no harm.

        Raises:
            SeatingError: the place is not this person's, the question is no longer asked, or the answer cannot be used.
        """
        claim = self._check(chair, badge)
        text = text.encode("utf-8", "replace").decode()
        if not text.strip():
            raise SeatingError("the answer is empty", "malformed", mend="write something")
        if len(text.encode()) > LONGEST:
            raise SeatingError(f"the answer is longer than {LONGEST:,} bytes", "too_large", mend="make it shorter")
        if key in chair.said:
            return
        asked, answer = chair.questions.get(key), self._answers.get(key)
        if asked is None or answer is None or answer.done():
            raise SeatingError("this question is no longer asked", "stale", mend="look at what is asked now")
        chair.said[key] = text
        while len(chair.said) > HEARD:
            del chair.said[next(iter(chair.said))]
        latency_s = asked.took_s(self._clock())
        chair.late = False
        answer.set_result(Completion((Text(text=text),), HUMAN, claim.who, latency_s=latency_s))

    @contextmanager
    def present(self, chair: Chair, badge: str) -> Iterator[None]:
        """Count a person as being there while the context lasts.

        Raises:
            SeatingError: the place is not this person's.
        """
        claim = self._check(chair, badge)
        chair.presences += 1
        self._watch_over(chair)
        self._let_run(chair)
        self._ring(None)
        try:
            yield
        finally:
            if chair.claim == claim:
                chair.presences -= 1
                self._let_run(chair)
                self._watch_over(chair)
                self._ring(None)

    def _check(self, chair: Chair, badge: str) -> Claim:
        claim = chair.claim
        if claim is None or not compare_digest(claim.badge, badge):
            raise SeatingError("this seat is not yours", "stranger", mend="open its link and take it first")
        return claim

    def _free(self, chair: Chair) -> None:
        chair.claim, chair.presences = None, 0
        for asked in chair.questions.values():
            asked.begin_again()
            self._stop(asked.request.key)
        self._watch_over(chair)
        if chair.is_over:
            self._forget(chair)
        self._save()
        self._ring(chair.place)

    # --- time ---

    def _let_run(self, chair: Chair) -> None:
        """Let the time of the question that is shown run while somebody is there, and stand otherwise."""
        asked, now = chair.asked, self._clock()
        if asked is None or chair.claim is None:
            return
        key = asked.request.key
        self._stop(key)
        if not chair.presences:
            asked.stand(now)
            return
        asked.run(now)
        if asked.running is not None:
            self._timers[key] = asyncio.get_running_loop().call_later(
                max(0.0, asked.left_s(now)), self._time_is_over, chair, key
            )

    def _time_is_over(self, chair: Chair, key: str) -> None:
        asked = chair.questions.get(key)
        if asked is None:
            return
        if asked.left_s(self._clock()) > 0.001:  # the two clocks differ, or ours was set
            self._let_run(chair)
            return
        chair.late = True
        if chair.claim is not None and asked.first_seen is not None:
            chair.overdue = (key, chair.claim.badge, asked.first_seen)
        self._fail(key, "timeout", f"no answer within {asked.request.timeout_s:g} s", retryable=True)

    def _stop(self, key: str) -> None:
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()

    def _watch_over(self, chair: Chair) -> None:
        """Free a place whose person stays away."""
        if (timer := self._leaving.pop(chair.place, None)) is not None:
            timer.cancel()
        if chair.claim is not None and not chair.presences and not chair.is_over:
            self._leaving[chair.place] = asyncio.get_running_loop().call_later(self._away_s, self._free, chair)


def _seen_earlier(chair: Chair, key: str) -> float | None:
    """Return when a question was first seen that was not answered in time, if the same person is asked again."""
    if chair.overdue is None or chair.claim is None or chair.overdue[:2] != (key, chair.claim.badge):
        return None
    return chair.overdue[2]
