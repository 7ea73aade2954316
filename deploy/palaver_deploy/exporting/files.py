"""What an episode of ours is in clembench's words: the documents of its folder."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.play import REPROMPT, SEND, Play
from palaver_gamemasters.clembench.records import interactions, scores_document
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.minutes import GM
from palaver_protocols.content import Image, text_of
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, SeatChanged, TurnReply, TurnTaken
from palaver_protocols.seating import relay_of
from palaver_protocols.transcript import Message

__all__ = ["Documents", "documents", "models_folder"]

UNSAFE = re.compile(r"[^A-Za-z0-9._+=-]+")
IMPORTED = "clembench/"
"""What the names of agents begin with that were imported: without it, they are clembench's own again."""

PROGRAM = "programmatic"
"""What clembench calls a player that is no model."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The files of an episode's folder, by name, and what it was played on.

    Where the original programs raise, fewer are there, as they leave it.
    """

    instance: ClemInstance
    files: Mapping[str, Any]


def models_folder(game: ClemGame[Any, Any], started: EpisodeStarted) -> str:
    """Name the folder of who played: ``MODEL-t0.0--MODEL-t0.0``, first player first, doubled where one plays alone."""
    temperature = started.sampling.temperature
    end = "" if temperature is None else f"-t{float(temperature)}"
    names = [f"{_model(relay_of(started.seats[seat]))}{end}" for seat in game.names]
    return "--".join(names if len(names) > 1 else names * 2)


def _model(agent: str) -> str:
    return UNSAFE.sub("_", agent.removeprefix(IMPORTED)).replace("--", "-_").strip("_")


def documents(game: ClemGame[Any, Any], entries: Sequence[LogEntry]) -> Documents:
    """Write an episode that has ended as the documents of its folder.

    Raises:
        ProtocolError: the log is damaged.
        InstanceError: its instance makes no game.
    """
    started = entries[0]
    assert isinstance(started, EpisodeStarted), "the log of an episode"
    episode = Episode(game, started)
    requests: list[dict[str, Any]] = []
    times: list[tuple[datetime, datetime]] = []
    for entry in entries[1:]:
        if isinstance(entry, SeatChanged):
            episode.change(entry)
        if not isinstance(entry, TurnTaken | Aside):
            continue
        asked = entry.at - timedelta(seconds=entry.reply.latency_s)
        requests.append(_request(episode, entry, asked))
        if isinstance(entry, TurnTaken):
            times.append((asked, entry.at))
        episode.take(entry)
    play: Play[Any] = episode.state
    files: dict[str, Any] = {"instance.json": play.instance.instance}
    if play.ending != "crashed":  # there, the original has skipped the episode
        players = dict(_players(game, started, play))
        files["interactions.json"] = interactions(play.minutes, players, game.names.values(), started.at, times)
        files["requests.json"] = requests
        if episode.outcome != "crashed":  # here, its scorer has
            files["scores.json"] = scores_document(episode.scores)
    return Documents(play.instance, files)


def _players(game: ClemGame[Any, Any], started: EpisodeStarted, play: Play[Any]) -> Iterator[tuple[str, str]]:
    """Say who is who: the game master, then the players in the order of their names."""
    yield GM, f"Game master for {game.name}"
    models = {name: _model(relay_of(started.seats[seat])) for seat, name in game.names.items()}
    named = {who for minute in chain.from_iterable(play.minutes) for who in (minute.sender, minute.receiver)} - {GM}
    yield from ((name, f"{name}: {models.get(name, PROGRAM)}") for name in sorted(named | set(models)))


def _request(episode: Episode, entry: TurnTaken | Aside, asked: datetime) -> dict[str, Any]:
    """Write what a model was asked and what it answered, as far as our log knows."""
    reply, sampling = entry.reply, episode.started.sampling
    view = next((each.view for each in episode.requests(timeout_s=1.0) if each.key == entry.key), ())
    prompt = {
        "model": reply.model or reply.agent,
        "messages": [_message(message, reply.seat, _pictures(episode.state, reply.seat)) for message in view],
        **sampling.model_dump(mode="json", exclude_none=True),
    }
    return {
        "timestamp": asked.isoformat(),
        "manipulated_prompt_obj": prompt,
        "raw_response_obj": _response(reply),
    }


def _response(reply: TurnReply) -> dict[str, Any]:
    return {
        "model": reply.model or reply.agent,
        "choices": [{"message": {"role": "assistant", "content": reply.text}, "finish_reason": reply.finish_reason}],
        "usage": reply.usage.model_dump(mode="json"),
        "latency_s": reply.latency_s,
        "cost_usd": reply.cost_usd,
    }


def _message(message: Message, seat: str, pictures: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    text = text_of(message.parts)
    written = {"role": "assistant" if message.speaker == seat else "user", "content": text}
    images = [part for part in message.parts if isinstance(part, Image)]
    if not images:
        return written
    return {**written, "image": list(pictures.get(text, [image.sha256 for image in images]))}


def _pictures(play: Play[Any], seat: str) -> dict[str, Sequence[str]]:
    """Return the names of the pictures that went with each text that a player was told, of the last time it was."""
    name = play.names.get(seat, seat)
    told = (minute for minute in chain.from_iterable(play.minutes) if minute.receiver == name and minute.pictures)
    return {str(minute.content): minute.pictures for minute in told if minute.kind in (SEND, REPROMPT)}
