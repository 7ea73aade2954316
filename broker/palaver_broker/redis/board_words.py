"""What the board's scripts are told, and what they reply: values into words, and words into values."""

import json
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

from palaver_protocols.codec import encode
from palaver_protocols.messages import EpisodeStarted, Outcome
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import leaves

from ..base import Budget
from ..board import Member, RunState, RunStatus

__all__ = [
    "ROOM",
    "Held",
    "by_run",
    "ms",
    "pairs",
    "read_config",
    "read_member",
    "read_status",
    "word_run",
    "word_slice",
]

ROOM = 1000
"""Episodes a claim, a renewal or a release goes through at most in one call: scripts cannot take many more words."""

Held = Collection[tuple[str, str]]
"""Episodes by (run id, episode id)."""


@lru_cache(maxsize=256)
def read_config(raw: bytes) -> RunConfig:
    """Read a configuration; claims bring the same ones again and again."""
    return RunConfig.model_validate_json(raw)


def word_run(config: RunConfig, spelling: bytes, recorder: str) -> list[str | bytes | int]:
    """Word a run for ``board_submit.lua``; an empty word is no bound."""
    bounds = ("" if bound is None else bound for bound in Budget.of(config))
    return [config.run_id, spelling, config.game, config.priority, config.concurrency, recorder, *bounds]


def word_slice(openings: Collection[EpisodeStarted], again: Collection[str]) -> Iterator[str | bytes | int]:
    """Word a slice of openings for ``board_add.lua``."""
    fillers = (filler for opening in openings for seat in opening.seats.values() for filler in seat)
    agents = {leaf for filler in fillers for leaf in leaves(filler.agent)}
    yield len(agents)
    yield from sorted(agents)
    for opening in openings:
        yield opening.episode_id
        yield int(opening.episode_id in again)
        yield zlib.compress(encode(opening), 1)


def by_run(held: Held) -> Iterator[tuple[str, list[str]]]:
    """Sort episodes by run, in slices."""
    runs: defaultdict[str, list[str]] = defaultdict(list)
    for run_id, episode_id in held:
        runs[run_id].append(episode_id)
    for run_id, episodes in runs.items():
        for start in range(0, len(episodes), ROOM):
            yield run_id, episodes[start : start + ROOM]


def read_status(reply: Sequence[Any]) -> RunStatus:
    """Read a reply of ``board_status.lua``."""
    fields, owed, playing, ended, archived, spent = reply
    of_run = {name.decode(): value for name, value in pairs(fields)}
    outcomes = {name.removeprefix("outcome:"): int(n) for name, n in of_run.items() if name.startswith("outcome:")}
    tokens, micro_usd = (int(number or 0) for number in spent)
    return RunStatus(
        config=read_config(of_run["config"]),
        state=cast("RunState", of_run["state"].decode()),
        recorder=of_run["recorder"].decode(),
        total=owed + playing + ended + archived,
        owed=owed,
        playing=playing,
        ended=ended,
        archived=archived,
        outcomes={cast("Outcome", outcome): n for outcome, n in outcomes.items() if n},
        tokens=tokens,
        cost_usd=micro_usd / 1e6,
        submitted=datetime.fromtimestamp(int(of_run["submitted"]) / 1000, UTC),
    )


def read_member(said: bytes) -> Member:
    """Read what a member said; a newer version may have said more."""
    fields = json.loads(said)
    fields["since"] = datetime.fromisoformat(fields["since"])
    return Member(**{name: fields[name] for name in Member._fields})


def pairs(flat: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Pair what a hash is replied as: names and values in turn."""
    return zip(flat[::2], flat[1::2], strict=True)


def ms(seconds: float) -> int:
    """Turn seconds into milliseconds."""
    return round(seconds * 1000)
