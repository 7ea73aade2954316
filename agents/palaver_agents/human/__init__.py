"""People as agents: who sits where, what they are asked, and what they say.

``human`` is an agent like any other: it takes questions from the inbox ``in:human`` and answers them. Behind the name
is a hall (:class:`.hall.Hall`): a seat of an episode that is to be filled by ``human`` is a place in it, which one
person may claim by a link. A question waits until somebody has the place and has answered. Nothing here knows of HTTP:
the pages are the business of whoever lets people in.
"""

from .hall import Hall
from .model import HUMAN, HumanModel
from .places import Claim, Place, SeatingError
from .serving import people_service, serve_people
from .store import PeopleStore
from .study import Participant, Study, read_study
from .tokens import Tokens

__all__ = [
    "HUMAN",
    "Claim",
    "Hall",
    "HumanModel",
    "Participant",
    "PeopleStore",
    "Place",
    "SeatingError",
    "Study",
    "Tokens",
    "people_service",
    "read_study",
    "serve_people",
]
