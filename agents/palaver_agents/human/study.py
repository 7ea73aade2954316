"""A study: many people come by one link, agree, and are handed one seat after the other.

Seats are handed out in the order of the study's list of runs, and within a run in the order of its episodes, so that
two people meet where an episode has two seats for people; nobody gets two seats of one episode. Of each person there is
a pseudonym, when it agreed, and to which text.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from palaver_protocols.errors import UsageError

from .hall import Hall
from .places import HUMAN, Chair, Place, SeatingError
from .pseudonyms import new_pseudonym
from .store import PeopleStore

__all__ = ["PEOPLE_FILE", "Participant", "Study", "read_study"]

PEOPLE_FILE = "people.jsonl"
"""Who has agreed to what: a line a person."""
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
LONGEST_CONSENT = 64 * 1024
DEFAULT_CONSENT = """\
You are about to take part in a game with others: people, or programs that answer by themselves.

What you write is recorded, with the time that you took, under a pseudonym that we make for you. No name and no \
address is kept. Do not write anything that tells who you are.

You may stop at any time by closing this page."""


@dataclass(slots=True)
class Participant:
    """Somebody who has agreed, and where this person has sat, the latest last."""

    pseudonym: str
    badge: str
    seats: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study was asked to be. ``each`` is how many episodes a person plays at most; None: all there are."""

    name: str
    runs: tuple[str, ...]
    consent: str = DEFAULT_CONSENT
    each: int | None = None

    @property
    def consent_sha256(self) -> str:
        """The digest of what people agree to."""
        return hashlib.sha256(self.consent.encode()).hexdigest()


def read_study(text: str, consent: str | None = None, each: int | None = None) -> Plan:
    """Read ``NAME=RUN[,RUN...]``.

    Raises:
        UsageError: it does not read so, or the consent text is empty or too long.
    """
    name, equals, listed = text.partition("=")
    runs = tuple(run.strip() for run in listed.split(","))
    if not equals or not NAME.fullmatch(name.strip()) or not all(runs):
        raise UsageError(
            f"the study {text!r} does not read NAME=RUN[,RUN...]",
            mend="take 1 to 32 of a-z, 0-9 and '-' for the name, such as --study pilot=maze-1,maze-2",
        )
    if consent is not None and not consent.strip():
        raise UsageError("the consent text is empty", mend="write what people agree to into the file")
    if consent is not None and len(consent.encode()) > LONGEST_CONSENT:
        raise UsageError(f"the consent text is longer than {LONGEST_CONSENT:,} bytes", mend="make it shorter")
    return Plan(name.strip(), runs, DEFAULT_CONSENT if consent is None else consent, each)


class Study:
    """The people of a study, and what each of them plays next.

    Args:
        plan: what it was asked to be.
        hall: where people sit.
        store: where people are remembered; None: they end with the process.

    Raises:
        UsageError: what was remembered is damaged.
    """

    def __init__(self, plan: Plan, hall: Hall, store: PeopleStore | None = None) -> None:
        self.plan = plan
        self.token = hall.tokens.of_study(plan.name)
        self._hall = hall
        self._store = store
        self._people: dict[str, Participant] = {}
        for each in self._remembered():
            self._people[each.badge] = each

    @property
    def people(self) -> int:
        """How many have agreed."""
        return len(self._people)

    def participant(self, badge: str) -> Participant | None:
        """Return who comes with a cookie, if this person has agreed."""
        return self._people.get(badge)

    def agree(self, badge: str) -> Participant:
        """Take note that somebody has agreed. Again: nothing changes.

        Raises:
            UsageError: it cannot be written down.
        """
        if (known := self._people.get(badge)) is not None:
            return known
        person = Participant(new_pseudonym({each.pseudonym for each in self._people.values()}), badge)
        if self._store is not None:
            self._store.append(
                PEOPLE_FILE,
                {
                    "pseudonym": person.pseudonym,
                    "consented": datetime.now(UTC).isoformat(timespec="seconds"),
                    "consent_sha256": self.plan.consent_sha256,
                    "study": self.plan.name,
                },
            )
        self._people[badge] = person
        self._save()
        return person

    def has(self, chair: Chair) -> bool:
        """Whether a place is one of this study's."""
        return chair.place.run_id in self.plan.runs

    def has_played(self, run_id: str) -> bool:
        """Whether anybody has ever been handed a seat of a run."""
        return any(place.run_id == run_id for person in self._people.values() for place in person.seats)

    def hand(self, person: Participant) -> Chair | None:
        """Return the place where a person sits, or give it the next; None where there is none for it now."""
        here = self._hall.chair_of(person.seats[-1]) if person.seats else None
        if here is not None and not here.is_over:
            if here.claim is not None and here.claim.badge == person.badge:
                return here
            if here.claim is None:  # gone for long, and back before anybody else came
                self._hall.claim(here, person.badge, person.pseudonym)
                return here
        if self.is_done(person):
            return None
        played = {place.episode for place in person.seats}
        for chair in self._open():
            if chair.place.episode in played:
                continue
            try:
                self._hall.claim(chair, person.badge, person.pseudonym)
            except SeatingError:
                continue
            person.seats.append(chair.place)
            self._save()
            return chair
        return None

    def done(self, person: Participant) -> int:
        """Return how many episodes of a person are over."""
        return sum(self._is_over(place) for place in person.seats)

    def is_done(self, person: Participant) -> bool:
        """Whether a person has played as many as there are for each."""
        return self.plan.each is not None and len(person.seats) >= self.plan.each

    def episodes(self) -> tuple[int, int]:
        """Return how many episodes with people are over, and how many have a seat that is open."""
        over = {place.episode for each in self._people.values() for place in each.seats if self._is_over(place)}
        return len(over), len({chair.place.episode for chair in self._open()})

    def _is_over(self, place: Place) -> bool:
        chair = self._hall.chair_of(place)
        return chair is None or chair.is_over

    def _open(self) -> Sequence[Chair]:
        """Return the places that nobody has, in the order in which they are handed out."""
        there = [
            chair
            for chair in self._hall.chairs()
            if self.has(chair) and chair.claim is None and not chair.is_over and HUMAN in chair.agent
        ]
        return sorted(there, key=self._order)

    def _order(self, chair: Chair) -> tuple[Any, ...]:
        run_id, episode_id, _ = chair.place
        numbers = re.findall(r"\d+", episode_id)  # the last says which of its run it is
        return self.plan.runs.index(run_id), int(numbers[-1]) if numbers else 0, episode_id

    def _save(self) -> None:
        if self._store is not None:
            self._store.write(
                self._file,
                [{"pseudonym": p.pseudonym, "badge": p.badge, "seats": p.seats} for p in self._people.values()],
            )

    def _remembered(self) -> list[Participant]:
        if self._store is None:
            return []
        try:
            return [
                Participant(each["pseudonym"], each["badge"], [Place(*place) for place in each["seats"]])
                for each in self._store.read(self._file) or ()
            ]
        except (KeyError, TypeError) as error:
            raise UsageError(
                f"{self._store.folder / self._file} is damaged", mend="move it away: people then begin anew"
            ) from error

    @property
    def _file(self) -> str:
        return f"study-{self.plan.name}.json"
