"""How it travels: one interface for every transport, the blob store and the transports themselves."""

from .base import BlobStore, Broker, Commit, CommitResult, Delivery, Subscription
from .topics import inbox, outbox

__all__ = ["BlobStore", "Broker", "Commit", "CommitResult", "Delivery", "Subscription", "inbox", "outbox"]
