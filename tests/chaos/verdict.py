"""What came of a run that was disturbed: what was lost, what happened twice, and what the provider bills for it.

Pure: it compares files with files. The run folder says what was recorded, the provider's calls say what was paid, and
an undisturbed run of the same configuration says how it should have been.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from tests.chaos.provider import NOBODY, Call, said_in

__all__ = ["Run", "Story", "Turn", "Verdict", "judge", "read_run"]


class Turn(NamedTuple):
    """One turn as the transcript tells it."""

    number: int
    seat: str
    key: str
    text: str


class Story(NamedTuple):
    """A transcript: its turns in the order of the lines, and how it ended, as often as it did."""

    turns: tuple[Turn, ...]
    ends: tuple[str, ...] = ()


class Run(NamedTuple):
    """A run folder: which episode each line of ``episodes.jsonl`` is about and how it ended, and the transcripts."""

    lines: tuple[tuple[str, str], ...]
    stories: Mapping[str, Story]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What went wrong. All are counts; what must never happen comes first, what it cost after that."""

    lost_episodes: int
    """Without a line, without a transcript that ends, or ended as nothing that counts."""
    double_turns: int
    """Lines of a transcript for a turn that it has already."""
    holes: int
    """Turns missing before the last one of a transcript."""
    forks: int
    """Turns that were built on another answer than the one before them in the transcript."""
    strays: int
    """Answers in a transcript that were given to another question than the one they stand for."""
    double_scores: int
    """Further lines of ``episodes.jsonl`` for an episode, and further ends of a transcript."""
    unlike: int
    """Episodes that do not read as in the undisturbed run, keys included."""
    calls: int
    """Answers that the provider bills."""
    ideal: int
    """Answers that an undisturbed run needs."""
    paid_again: int
    """Answers billed for a question after an earlier answer to it had been delivered."""
    lost_in_flight: int
    """Answers billed whose every asker had hung up before they were there."""
    at_once: int
    """Calls begun while another one for the same question was open."""
    other_histories: int
    """Questions asked that are in no transcript."""

    def broken(self, *, but: Collection[str] = ()) -> dict[str, int]:
        """Return the promises that were broken, with their counts; ``but`` names those that were not given."""
        promised = [each.name for each in fields(self) if each.name not in {"calls", "ideal", *but}]
        return {name: count for name in promised if (count := getattr(self, name))}


def read_run(folder: Path) -> Run:
    """Read a run folder as any other program would; none of palaver's own readers is asked."""
    lines = tuple((line["episode_id"], _end(line)) for line in _json_lines(folder / "episodes.jsonl"))
    stories = {file.stem: _story(_json_lines(file)) for file in sorted((folder / "transcripts").glob("*.jsonl"))}
    return Run(lines, stories)


def _story(entries: Iterable[Mapping[str, Any]]) -> Story:
    turns, ends = [], []
    for entry in entries:
        if entry["type"] == "turn.taken":
            reply = entry["reply"]
            turns.append(Turn(reply["turn"], reply["seat"], entry["key"], reply["parts"][0]["text"]))
        elif entry["type"] == "episode.ended":
            ends.append(_end(entry))
    return Story(tuple(turns), tuple(ends))


def _end(said: Mapping[str, Any]) -> str:
    """Write outcome and scores in one line: ``solved {"reached": 20.0, "success": 1.0}``."""
    return f"{said['outcome']} {json.dumps(said['scores'], sort_keys=True)}"


def _json_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def judge(run: Run, undisturbed: Run, calls: Sequence[Call]) -> Verdict:
    """Compare a run with the undisturbed one, and with the provider's bill.

    Args:
        run: what was disturbed.
        undisturbed: what it should have been; its episodes are those that were owed.
        calls: what the provider was asked, in order.
    """
    owed = undisturbed.stories
    stories = {episode_id: run.stories.get(episode_id, Story(())) for episode_id in owed}
    turns = [turn for story in stories.values() for turn in story.turns]
    ends = dict(run.lines)
    paid = {call.generation for call in calls}
    return Verdict(
        lost_episodes=sum(_is_lost(ends.get(episode_id), story) for episode_id, story in stories.items()),
        double_turns=sum(len(story.turns) - len(_numbers(story)) for story in stories.values()),
        holes=sum(max(_numbers(story), default=-1) + 1 - len(_numbers(story)) for story in stories.values()),
        forks=sum(_forks(story) for story in stories.values()),
        strays=sum(_is_stray(turn) for turn in turns),
        double_scores=len(run.lines) - len(ends) + sum(len(story.ends[1:]) for story in stories.values()),
        unlike=sum(stories[episode_id] != story for episode_id, story in owed.items()),
        calls=len(paid),
        ideal=sum(len(story.turns) for story in owed.values()),
        paid_again=_paid_again(calls),
        lost_in_flight=len(paid - {call.generation for call in calls if call.answered is not None}),
        at_once=_at_once(calls),
        other_histories=len({call.key for call in calls} - {turn.key for turn in turns}),
    )


def _is_lost(end: str | None, story: Story) -> bool:
    return end is None or end.startswith("error") or end not in story.ends


def _numbers(story: Story) -> set[int]:
    return {turn.number for turn in story.turns}


def _forks(story: Story) -> int:
    """Count the turns that name another answer than the one before them."""
    said = [said_in(turn.text) for turn in story.turns]
    names = [NOBODY, *[each.name if each else "" for each in said]]
    return sum(each is None or each.after != before for each, before in zip(said, names[:-1], strict=True))


def _is_stray(turn: Turn) -> bool:
    said = said_in(turn.text)
    return said is None or said.name.partition(".")[0] != turn.key[:8]


def _paid_again(calls: Sequence[Call]) -> int:
    """Count the generations that were begun for a question that had an answer by then."""
    answered: dict[str, float] = {}
    for call in calls:
        if call.answered is not None:
            answered[call.key] = min(call.answered, answered.get(call.key, call.answered))
    first = {call.generation: call for call in reversed(calls)}
    return sum(call.key in answered and answered[call.key] <= call.begun for call in first.values())


def _at_once(calls: Sequence[Call]) -> int:
    """Count the calls that were begun while another one for the same question was open."""
    open_until: defaultdict[str, float] = defaultdict(float)
    count = 0
    for call in calls:
        count += call.begun < open_until[call.key]
        over = call.answered if call.lost is None else call.lost
        open_until[call.key] = max(open_until[call.key], inf if over is None else over)
    return count
