"""An episode that clembench has recorded, played again: its answers through our game master, into a log of ours.

The log is made as the engine makes one, by driving an :class:`~palaver_gamemasters.episode.Episode`: folding it again
gives the same state. What we make of the answers is compared with what the record says.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, zip_longest
from typing import Any, Literal

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.records import Answer, Event, answers_of, decided, other_scores, prompts_of
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import Scores
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, SeatFiller, TurnReply
from palaver_protocols.runs import RunConfig

from .files import Models

__all__ = ["PROVIDER", "Played", "Verdict", "agents_of", "play_again", "verdict_of"]

PROVIDER = "clembench"
"""What the names of imported agents begin with: they were not asked by us."""

NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""When an episode was played whose record tells no time."""

Status = Literal["equal", "different", "incomplete", "unscored"]


@dataclass(frozen=True, slots=True)
class Played:
    """An episode as our game master has played it.

    ``pictures`` are those that the log refers to. ``strange`` says in words where the record did not fit our game.
    """

    entries: tuple[LogEntry, ...]
    pictures: tuple[bytes, ...]
    episode: Episode
    strange: tuple[str, ...]

    @property
    def ended(self) -> EpisodeEnded:
        """How it ended."""
        ended = self.entries[-1]
        assert isinstance(ended, EpisodeEnded), "a log that was written to its end"
        return ended


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison came to.

    ``unscored``: the record has nothing to compare with, or neither side has scores, since the original programs raise.
    ``differences`` say what is not the same, ``remarks`` what is worth knowing and changes no score.
    """

    status: Status
    differences: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def agents_of(game: ClemGame[Any, Any], models: Models) -> tuple[str, ...]:
    """Name who fills the seats of a game, in their order."""
    numbers = (int(name.rpartition(" ")[2]) for name in game.names.values())
    return tuple(f"{PROVIDER}/{models.seated(number)}" for number in numbers)


def play_again(
    game: ClemGame[Any, Any],
    config: RunConfig,
    episode_id: str,
    instance: ClemInstance,
    events: Sequence[Event],
) -> Played:
    """Play recorded answers.

    Args:
        game: whose answers they are.
        config: of the run that the episode becomes part of.
        episode_id: what it is called there.
        instance: what was played on.
        events: the whole record.

    Raises:
        InstanceError: the instance makes no game.
    """
    times = [event.at for event in events if event.at is not None]
    started = _started(game, config, episode_id, instance, min(times, default=NO_TIME))
    episode = Episode(game, started)
    answers = list(answers_of(events, game.names.values()))
    entries: list[LogEntry] = [started]
    pictures: dict[str, bytes] = {}
    strange: list[str] = []
    at = started.at
    while answers and episode.outcome is None:
        (request,) = episode.requests(timeout_s=config.timeout_s)
        answer = answers[0]
        if answer.player != game.names[request.seat]:
            strange.append(
                f"answer {episode.turns + 1} is {answer.player}'s, where our game asks {game.names[request.seat]}"
            )
            break
        del answers[0]
        at = max(at, answer.at or at)
        step = episode.step(request, _reply(request, answer), at)
        pictures |= _pictures(step.prompts)
        entries.append(step)
        episode.take(step)
    if answers and not strange:
        strange.append(f"recorded after our game is over: {len(answers)} more")
    elif episode.outcome is None and not strange:
        strange.append(f"it has {episode.turns} answers, and the game asks for more")
    entries.append(_end(episode, len(entries), max([*times, at])))
    return Played(tuple(entries), tuple(pictures.values()), episode, tuple(strange))


def _started(
    game: ClemGame[Any, Any], config: RunConfig, episode_id: str, instance: ClemInstance, at: datetime
) -> EpisodeStarted:
    return EpisodeStarted(
        key="started:" + hashlib.sha256(f"{config.run_id}/{episode_id}".encode()).hexdigest()[:16],
        run_id=config.run_id,
        episode_id=episode_id,
        game=game.name,
        variant=instance.name,
        instance_id=instance.id,
        instance=instance.model_dump(mode="json"),
        options=game.configure(config.options).model_dump(mode="json"),
        seats={seat: (SeatFiller(agent=agent),) for seat, agent in zip(game.names, config.agents, strict=True)},
        protocol=config.protocol,
        sampling=config.sampling,
        at=at,
    )


def _reply(request: Any, answer: Answer) -> TurnReply:
    took = (answer.at - answer.asked).total_seconds() if answer.at and answer.asked else 0.0
    return TurnReply(
        key=request.key,
        run_id=request.run_id,
        episode_id=request.episode_id,
        turn=request.turn,
        seat=request.seat,
        agent=request.agent,
        parts=(Text(text=answer.text),),
        provider=PROVIDER,
        model=request.agent.removeprefix(f"{PROVIDER}/"),
        latency_s=max(0.0, took),
    )


def _pictures(prompts: Sequence[Any]) -> dict[str, bytes]:
    parts = chain.from_iterable(message.parts for message in prompts)
    return {part.sha256: part.data for part in parts if isinstance(part, Image) and part.data is not None}


def _end(episode: Episode, length: int, at: datetime) -> EpisodeEnded:
    """End a log. An episode whose answers have run out counts nowhere: nobody knows how it would have gone on."""
    outcome = episode.outcome
    if outcome is None:
        return EpisodeEnded(key=f"ended:{length}", outcome="error", error="the record ends before the game", at=at)
    return EpisodeEnded(key=f"ended:{length}", outcome=outcome, scores=dict(episode.scores), at=at)


def verdict_of(game: ClemGame[Any, Any], played: Played, events: Sequence[Event], recorded: Scores | None) -> Verdict:
    """Compare what we made of an episode with what is recorded of it.

    Args:
        game: whose answers they are.
        played: by us.
        events: of its ``interactions.json``.
        recorded: the measures of its ``scores.json``; None if there is none.
    """
    minutes = list(chain.from_iterable(game.minutes(played.episode.state)))
    seated = list(game.names.values())
    remarks = list(_other_words(prompts_of(minutes, seated), prompts_of(events, seated)))
    outcome = played.ended.outcome
    if outcome == "error":
        return Verdict("incomplete", played.strange, tuple(remarks))
    differences = list(played.strange)
    if recorded is not None and outcome == "crashed":
        differences.append("it is scored there, and its scorer raises here")
    elif recorded is not None:
        ours = played.episode.scores
        differences += [
            f"{name} is {_number(here)}, and {_number(there)} there"
            for name, (here, there) in other_scores(ours, recorded).items()
        ]
        if unknown := [name for name in recorded if name not in ours and name != "effieciency"]:
            remarks.append(f"measures of theirs alone: {', '.join(unknown)}")
    elif noted := decided(events):
        ours_noted = decided(minutes)
        if ours_noted != noted:
            differences.append(f"noted here: {_notes(ours_noted)}; there: {_notes(noted)}")
    elif not differences:
        return Verdict("unscored", (), tuple(remarks))
    if not differences and outcome == "crashed":
        return Verdict("unscored", (), ("the original programs raise here: it counts nowhere", *remarks))
    return Verdict("different" if differences else "equal", tuple(differences), tuple(remarks))


def _other_words(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[str]:
    """Say where the game master's words were others; nothing of a record that has none."""
    if not theirs:
        return
    other = [at for at, (here, there) in enumerate(zip_longest(ours, theirs), 1) if here != there]
    if other:
        yield f"{len(other)} of {len(theirs)} questions are worded otherwise, the first is question {other[0]}"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.6g}"


def _notes(notes: Sequence[tuple[str, str]]) -> str:
    shown = [f"{kind} {content}".strip() for kind, content in notes]
    return ", ".join(shown[-3:]) or "nothing"
