"""Frozen prefixes: episodes that begin with turns that were said in another run.

The Collaboration Gap, section 3, "Relay Inference": a set of dialogues is generated once, their first K turns are
frozen, and every continuation begins with those very turns. They are copied to the letter, each names where it comes
from, and nobody pays for them twice.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from palaver_observability.folder import RunFolder
from palaver_observability.recorder import pictures_in
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import OWED, Aside, EpisodeEnded, EpisodeStarted, LogEntry, TurnTaken
from palaver_protocols.runs import Prefix, RunConfig
from palaver_protocols.seating import leaves

from .studies import check_no_study

__all__ = ["freeze", "frozen_logs", "over_by_then", "parse_prefix"]

PLACE = re.compile(r"(?P<folder>.+)@(?P<turns>\d+)")


def parse_prefix(text: str) -> Prefix:
    """Read ``DIR@K``: the first K turns of the run in DIR.

    Raises:
        UsageError: it is no such text, or there is no run.
    """
    found = PLACE.fullmatch(text.strip())
    if found is None or not int(found["turns"]):
        raise UsageError(f"the prefix {text!r} is no DIR@K", mend="write, for example, --prefix runs/base@4")
    folder = Path(found["folder"]).expanduser().absolute()
    check_no_study(folder)
    return Prefix(folder=str(folder), run_id=RunFolder.open(folder).config.run_id, turns=int(found["turns"]))


async def freeze(folder: RunFolder, owed: Iterable[EpisodeStarted]) -> None:
    """Lay the frozen turns of a run's configuration into its folder, where an episode has not begun yet.

    Raises:
        UsageError: the run that they come from has not played them, or plays something else.
    """
    new = [opening for opening in owed if not folder.read_log(opening.episode_id)]
    if folder.config.prefix is not None and new:
        source = RunFolder.open(Path(folder.config.prefix.folder))
        for episode_id, entries in frozen_logs(folder.config.prefix, new).items():
            for sha256 in pictures_in(entries):
                await folder.blobs.put(await source.blobs.get(sha256))
            await folder.write_log(episode_id, entries)


def frozen_logs(prefix: Prefix, openings: Collection[EpisodeStarted]) -> dict[str, list[LogEntry]]:
    """Return the log with which each episode begins, by episode: its start, and the frozen turns.

    Raises:
        UsageError: the run that they come from has not played them, or plays something else.
    """
    source = RunFolder.open(Path(prefix.folder))
    if source.config.run_id != prefix.run_id:
        raise UsageError(
            f"{prefix.folder} holds the run {source.config.run_id}, and not {prefix.run_id}",
            mend="put the run back whose turns are frozen",
        )
    logs = _by_instance(source)
    return {opening.episode_id: _beginning(opening, prefix, source.config, logs) for opening in openings}


def over_by_then(prefix: Prefix, openings: Collection[EpisodeStarted]) -> str:
    """Say how many episodes are frozen to their end, so that nobody plays on; nothing if all of them go on."""
    records = RunFolder.open(Path(prefix.folder)).records()
    turns = {(each.instance_id, each.seed): each.turns for each in records if each.outcome not in OWED}
    taken = [turns[place] for each in openings if (place := (each.instance_id, each.seed)) in turns]
    over = [number for number in taken if number <= prefix.turns]
    if not over:
        return ""
    which = f"all {len(openings):,}" if len(over) == len(openings) else f"{len(over):,} of {len(openings):,}"
    return (
        f"{which} episodes of {prefix.run_id} were over within {prefix.turns} turns, the longest of them after "
        f"{max(over)}: they are copied whole, and nobody plays on"
    )


def _by_instance(source: RunFolder) -> dict[tuple[str, int], Sequence[LogEntry]]:
    logs: dict[tuple[str, int], Sequence[LogEntry]] = {}
    for episode_id in source.episode_ids_with_logs():
        entries = source.read_log(episode_id)
        if entries and isinstance(entries[0], EpisodeStarted):
            logs[entries[0].instance_id, entries[0].seed] = entries
    return logs


def _beginning(
    opening: EpisodeStarted,
    prefix: Prefix,
    source: RunConfig,
    logs: Mapping[tuple[str, int], Sequence[LogEntry]],
) -> list[LogEntry]:
    base = logs.get((opening.instance_id, opening.seed), ())
    resume = f"play it first: palaver resume {prefix.folder}"
    if not base:
        raise UsageError(
            f"the run {source.run_id} has no {opening.instance_id} to begin with",
            mend=f"use -n {len(logs)}" if logs and len(logs) == source.episodes else resume,
        )
    first = base[0]
    assert isinstance(first, EpisodeStarted)
    if (first.game, first.instance, first.options) != (opening.game, opening.instance, opening.options):
        raise UsageError(
            f"{opening.instance_id} is played otherwise in {source.run_id}: its turns cannot be continued",
            mend="give both runs the same game, options and seed",
        )
    name = f"{first.run_id}/{first.episode_id}"
    # By their numbers, not by when they came: of seats that speak at once, one is quicker than the other.
    frozen = [entry for entry in base if isinstance(entry, TurnTaken | Aside) and entry.reply.turn < prefix.turns]
    taken = {entry.reply.turn for entry in frozen if isinstance(entry, TurnTaken)}
    frozen = [entry for entry in frozen if entry.reply.turn in taken]
    turns = len(taken)
    for entry in frozen:
        _check_speaker(opening, entry, prefix, source)
    copied = [entry.model_copy(update={"copied_from": entry.copied_from or name}) for entry in frozen]
    last = base[-1]
    over = isinstance(last, EpisodeEnded) and last.outcome not in OWED
    if turns < prefix.turns and not over:
        raise UsageError(
            f"{first.episode_id} of {source.run_id} has {turns} turns, {prefix.turns} are to be frozen", mend=resume
        )
    return [opening, *copied]


def _check_speaker(opening: EpisodeStarted, entry: TurnTaken | Aside, prefix: Prefix, source: RunConfig) -> None:
    """Make sure that what was said is not credited to somebody else.

    Raises:
        UsageError: by the agents of this run, another agent would have spoken.
    """
    seat, turn = entry.seat if isinstance(entry, Aside) else entry.reply.seat, entry.reply.turn
    came = [filler for filler in opening.seats[seat] if filler.from_turn is None or filler.from_turn <= turn]
    ruled = any(filler.from_turn is None for filler in came)
    present = came if ruled else came[-1:]
    if isinstance(entry, Aside) and entry.kind == "summary":
        return
    if entry.reply.agent not in {leaf for filler in present for leaf in leaves(filler.agent)}:
        raise UsageError(
            f"turn {turn} of {source.run_id} was spoken by {entry.reply.agent} at {seat}, "
            f"where {present[-1].agent} would sit by now",
            mend=f"seat who spoke there, such as '{entry.reply.agent}@{prefix.turns}>{opening.seats[seat][-1].agent}', "
            "or freeze fewer turns",
        )
