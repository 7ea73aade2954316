"""The places that are known, and what becomes of the episodes that they are in: the hall without its people.

What is committed on the bus is heard, and logs are read where something was missed.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from hmac import compare_digest
from math import isfinite
from typing import Any

from palaver_broker.base import Committed
from palaver_broker.topics import episode_log
from palaver_protocols.gist import gist_of

from .places import Chair, Place, Scene, SeatingError, is_for_people
from .store import PeopleStore
from .tokens import DOOR, Tokens

__all__ = ["Floor", "ReadLog"]

KEPT = 5000
"""How many places are remembered whose episodes are over."""
CLOCKS_S = 60.0
"""How much the clocks of two machines may differ."""
ENDED = "ended"
"""The outcome of an episode of which nobody here knows how it ended."""

ReadLog = Callable[[str], Awaitable[Sequence[Any]]]
"""Returns the entries of a log; none of one that is not there."""


class Floor(ABC):
    """The places of a hall.

    Args:
        tokens: makes the links.
        store: remembers claims between two starts; None: they end with the process.
    """

    def __init__(self, tokens: Tokens, store: PeopleStore | None) -> None:
        self.tokens = tokens
        self._store = store
        self._read: ReadLog | None = None
        self._chairs: dict[Place, Chair] = {}
        self._doors: defaultdict[str, list[Chair]] = defaultdict(list)
        """By the first letters of a link: what is compared with the rest takes the same time wherever it differs."""
        self._scenes: dict[tuple[str, str], Scene] = {}
        self._bells: defaultdict[Place | None, set[asyncio.Event]] = defaultdict(set)

    @abstractmethod
    def _take_back(self, key: str, why: str) -> None:
        """Ask a question no more."""

    @abstractmethod
    def _watch_over(self, chair: Chair) -> None:
        """See to it that a place is freed whose person stays away."""

    def chair_at(self, token: str) -> Chair:
        """Return the place that a link leads to.

        Raises:
            SeatingError: it leads nowhere.
        """
        found = None
        for chair in self._doors.get(token[:DOOR], ()):
            if compare_digest(chair.token.encode(), token.encode()):
                found = chair
        if found is None:
            raise SeatingError(
                "this link leads to no seat", "unknown", mend="ask whoever gave it to you; its episode may be over"
            )
        return found

    def chairs(self) -> list[Chair]:
        """Return all places that are known, the oldest first."""
        return list(self._chairs.values())

    def chair_of(self, place: Place) -> Chair | None:
        """Return a place, if it is known."""
        return self._chairs.get(place)

    def seats_beside(self, chair: Chair) -> tuple[str, ...]:
        """Name the seats of a place's episode, in the game's order, as far as they are known."""
        return chair.seats if chair.place.seat in chair.seats else (chair.place.seat, *chair.seats)

    def others(self, chair: Chair) -> tuple[tuple[str, ...], int]:
        """Return whom a seat waits for, as far as the log tells, and how many turns were taken."""
        scene = self._scenes.get(chair.place.episode)
        if scene is None:
            return (), 0
        here = chair.place.seat
        return tuple(seat for seat in scene.seats if seat in (scene.asked or scene.seats) and seat != here), scene.turns

    def _save(self) -> None:
        if self._store is not None:
            self._store.save_claims(self._chairs.values())

    def _remember(self) -> None:
        """Give the places back to those who had them when we were here last."""
        for place, claim, game, variant, outcome in self._store.claims() if self._store else ():
            chair = self._chair(place, game, variant)
            if chair.claim is None:
                chair.claim, chair.outcome, chair.is_restored = claim, outcome, True
                self._watch_over(chair)

    # --- what becomes of episodes ---

    async def hear(self, committed: Committed) -> None:
        """Take note of a commit."""
        run_id, _, episode_id = committed.log.removeprefix("log:").partition("/")
        scene = self._scenes.get((run_id, episode_id))
        changed = committed.gist["type"] == "seat.changed" and is_for_people(str(committed.gist["agent"]))
        if committed.at == 0 and (scene is None or not scene.length):
            scene = Scene(run_id, episode_id)
            scene.hear(committed.gist)
        elif scene is None:
            scene = await self._learn((run_id, episode_id)) if changed else None
        elif committed.at == scene.length:
            scene.hear(committed.gist)
        elif committed.at > scene.length:
            scene = await self._learn((run_id, episode_id))
        else:
            return
        if scene is not None:
            self._follow(scene)

    def learn(self, run_id: str, episode_id: str, entries: Sequence[Any]) -> Scene | None:
        """Take note of the whole log of an episode; None if there is nothing in it."""
        if not entries:
            return None
        scene = Scene(run_id, episode_id)
        for entry in entries:
            scene.hear(gist_of(entry))
        self._follow(scene)
        return scene

    async def catch_up(self) -> None:
        """Look what has become of the episodes in which people had seats when we were here last.

        One whose log is gone has been written down elsewhere: it is over.
        """
        there = {
            chair.place.episode for chair in self._chairs.values() if chair.claim is not None and not chair.is_over
        }
        for episode in there - self._scenes.keys():
            if await self._learn(episode) is None:
                gone = Scene(*episode, outcome=ENDED)
                self._follow(gone)

    async def _learn(self, episode: tuple[str, str]) -> Scene | None:
        entries = await self._read(episode_log(*episode)) if self._read is not None else ()
        return self.learn(*episode, entries)

    def _follow(self, scene: Scene) -> None:
        """Bring the places of an episode to where its log is."""
        episode = (scene.run_id, scene.episode_id)
        ours = [chair for place, chair in self._chairs.items() if place.episode == episode]
        if scene.outcome is None:
            known = {chair.place.seat for chair in ours}
            ours += [
                self._chair(Place(*episode, seat), scene.game, scene.variant)
                for seat in scene.seats_of_people
                if seat not in known
            ]
        if ours and scene.outcome is None:
            self._scenes[episode] = scene
        else:
            self._scenes.pop(episode, None)
        before = [(chair.agent, chair.outcome) for chair in ours]
        for chair in ours:
            self._bring_up(chair, scene)
        if before != [(chair.agent, chair.outcome) for chair in ours]:
            self._save()
        self._ring(*(chair.place for chair in ours))

    def _bring_up(self, chair: Chair, scene: Scene) -> None:
        """Bring one place to where its episode is."""
        if chair.is_restored and chair.claim is not None and chair.claim.at < scene.began - CLOCKS_S:
            chair.claim = None  # of another run that was called the same
        agent = scene.seats.get(chair.place.seat)
        if agent is not None and agent != chair.agent and not is_for_people(agent):
            for key in list(chair.questions):
                self._take_back(key, f"the seat was given to {agent}")
        elif agent is not None and is_for_people(agent) and not is_for_people(chair.agent):
            chair.claim = None  # it was given away, and is open again
        chair.agent = agent or chair.agent
        chair.seats = tuple(scene.seats) or chair.seats
        chair.outcome = scene.outcome
        if scene.outcome is not None:
            scores = scene.scores.items()
            chair.scores = {name: value for name, value in scores if isinstance(value, int | float) and isfinite(value)}
            for key in list(chair.questions):
                self._take_back(key, "the episode is over")
            if chair.claim is None:
                self._forget(chair)
            self._forget_old()
        self._watch_over(chair)

    def _chair(self, place: Place, game: str, variant: str) -> Chair:
        chair = self._chairs.get(place)
        if chair is None:
            chair = self._chairs[place] = Chair(place, self.tokens.of_seat(place), game, variant)
            self._doors[chair.token[:DOOR]].append(chair)
        chair.game, chair.variant = game or chair.game, variant or chair.variant
        return chair

    def _forget(self, chair: Chair) -> None:
        self._chairs.pop(chair.place, None)
        at_door = self._doors[chair.token[:DOOR]]
        if chair in at_door:
            at_door.remove(chair)

    def _forget_old(self) -> None:
        over = [chair for chair in self._chairs.values() if chair.outcome is not None]
        for chair in over[: max(0, len(over) - KEPT)]:
            self._forget(chair)

    # --- who is told ---

    @contextmanager
    def bell(self, place: Place | None) -> Iterator[asyncio.Event]:
        """Yield what is set whenever something changes at a place; None: at any place."""
        bell = asyncio.Event()
        self._bells[place].add(bell)
        try:
            yield bell
        finally:
            self._bells[place].discard(bell)
            if not self._bells[place]:
                del self._bells[place]

    def _ring(self, *places: Place | None) -> None:
        for place in {*places, None}:
            for bell in self._bells.get(place, ()):
                bell.set()
