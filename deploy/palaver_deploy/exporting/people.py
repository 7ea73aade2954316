"""What people said at their seats: a line an answer, for studies with people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime

from palaver_observability.files import read_lines
from palaver_protocols.content import Frozen
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, TurnTaken
from palaver_protocols.runs import EpisodeRecord

from .grains import Tick
from .sources import Source

__all__ = ["HUMAN", "PEOPLE", "Consent", "human_rows", "write_people"]

HUMAN = "human"
"""The provider of what a person says."""
PEOPLE = "people.jsonl"
"""Who has agreed to take part, in the folder of a run or of a study."""


class Consent(Frozen):
    """Somebody has agreed to take part: when, to which words (SHA-256), in which study."""

    pseudonym: str
    consented: AwareDatetime
    consent_sha256: str
    study: str | None = None


def write_people(sources: Sequence[Source], folders: Sequence[Path], there: Path, tick: Tick) -> dict[str, int]:
    """Write ``turns.jsonl``, and ``people.jsonl`` with the consents of those who have said something.

    Args:
        sources: the runs.
        folders: where consents may lie: those of runs and studies.
        there: the folder to write to.
        tick: told of each episode.

    Returns:
        How many turns, people, consents, and people without a consent there are.

    Raises:
        UsageError: nobody has played in any of them.
        ProtocolError: a log, or a list of consents, is damaged; names file and line.
    """
    consents = _consents([*folders, *(source.run.path for source in sources)])
    turns, people = 0, set()
    with (there / "turns.jsonl").open("w", encoding="utf-8") as file:
        for source in sources:
            for record in source.records:
                for row in human_rows(record, source.run.read_log(record.episode_id), consents):
                    file.write(f"{json.dumps(row, ensure_ascii=False)}\n")
                    turns += 1
                    people.add(row["pseudonym"])
                tick()
    if not turns:
        raise UsageError("no person has said anything in these runs", mend="palaver play, or --agents human --watch")
    agreed = [consent for name, consent in consents.items() if name in people]
    (there / PEOPLE).write_text("".join(f"{each.model_dump_json()}\n" for each in agreed), encoding="utf-8")
    return {"turns": turns, "people": len(people), "consents": len(agreed), "without": len(people) - len(agreed)}


def human_rows(
    record: EpisodeRecord, entries: Sequence[LogEntry], consents: Mapping[str, Consent]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each answer of a person in an episode."""
    started = entries[0] if entries and isinstance(entries[0], EpisodeStarted) else None
    for n, entry in enumerate(entries):
        if started is None or not isinstance(entry, TurnTaken | Aside) or entry.reply.provider != HUMAN:
            continue
        reply = entry.reply
        consent = consents.get(reply.model)
        yield {
            "pseudonym": reply.model,
            "run_id": record.run_id,
            "episode_id": record.episode_id,
            "game": record.game,
            "variant": record.variant,
            "instance_id": record.instance_id,
            "seat": entry.seat if isinstance(entry, Aside) else reply.seat,
            "turn": reply.turn,
            "n": n,
            "kind": "aside" if isinstance(entry, Aside) else "turn",
            "asked": (entry.at - timedelta(seconds=reply.latency_s)).isoformat(),
            "answered": entry.at.isoformat(),
            "latency_s": reply.latency_s,
            "text": reply.text,
            "outcome": record.outcome,
            "scores": dict(record.scores),
            "consent": None if consent is None else consent.model_dump(mode="json", exclude={"pseudonym"}),
        }


def _consents(folders: Sequence[Path]) -> dict[str, Consent]:
    """Read who has agreed; of who has done so twice, the last."""
    found: dict[str, Consent] = {}
    for folder in dict.fromkeys(each.resolve() for each in folders):
        for consent, _ in read_lines(folder / PEOPLE, Consent.model_validate_json, mend="mend or delete the line"):
            found[consent.pseudonym] = consent
    return found
