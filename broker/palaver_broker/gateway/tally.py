"""What a gateway counts, for whoever shows it."""

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """Counts from the start of the process on.

    ``said`` is by type what agents have said, ``told`` what they were told; ``refused`` by reason what was not taken.
    ``bytes_in`` and ``bytes_out`` are of these messages and of pictures. ``turned_away`` are requests without a token
    that opens this door; ``cut_off`` connections that the gateway ended: ``revoked``, ``slow``, ``bus``, or ``full``:
    there were as many as there may be.
    """

    said: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    cut_off: Counter[str] = field(default_factory=Counter)
    bytes_in: int = 0
    bytes_out: int = 0
    turned_away: int = 0
