"""How it travels: one interface for every transport, the blob store and the transports themselves."""

from .base import (
    AskResult,
    BlobStore,
    Broker,
    Budget,
    Commit,
    CommitResult,
    Committed,
    DeadLetter,
    Delivery,
    Question,
    Spent,
    Subscription,
)
from .topics import answer_box, inbox, outbox

__all__ = [
    "AskResult",
    "BlobStore",
    "Broker",
    "Budget",
    "Commit",
    "CommitResult",
    "Committed",
    "DeadLetter",
    "Delivery",
    "Question",
    "Spent",
    "Subscription",
    "answer_box",
    "inbox",
    "outbox",
]
