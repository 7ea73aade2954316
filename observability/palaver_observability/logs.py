"""Structured logs: JSON lines for machines, a readable line for people."""

import json as jsonlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TextIO

import structlog
from structlog.typing import FilteringBoundLogger, Processor

from palaver_protocols.errors import UsageError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    SeatHandedOver,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import EpisodeStarted, TurnRequest

__all__ = ["LEVELS", "LogHook", "configure_logging", "logging_to"]

LEVELS = ("debug", "info", "warning", "error")


def configure_logging(stream: TextIO, level: str = "info", *, json: bool = False) -> FilteringBoundLogger:
    """Make the logger that everything else is handed. Nothing global is touched: two runs can log to two places.

    Args:
        stream: where lines go: stderr, or a file that the caller opens and closes.
        level: the least level that is written, one of :data:`LEVELS`.
        json: one JSON object a line, with ``timestamp`` (ISO, UTC), ``level`` and ``event``; else a line for people, in
            colour on a terminal.

    Raises:
        UsageError: there is no such level.
    """
    logger: FilteringBoundLogger = structlog.wrap_logger(structlog.WriteLogger(stream), **_style(stream, level, json))
    return logger.bind()


@contextmanager
def logging_to(stream: TextIO, level: str = "info", *, json: bool = False) -> Iterator[FilteringBoundLogger]:
    """Make a logger as :func:`configure_logging` does, and for a while send there what ``structlog.get_logger`` gets.

    For the outermost layer of a program: by itself, structlog writes to stdout. On leaving, all is as it was before.
    """
    logger = configure_logging(stream, level, json=json)
    before = structlog.get_config() if structlog.is_configured() else None
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(stream), **_style(stream, level, json))
    try:
        yield logger
    finally:
        if before is None:
            structlog.reset_defaults()
        else:
            structlog.configure(**before)


def _style(stream: TextIO, level: str, json: bool) -> dict[str, Any]:
    if level not in LEVELS:
        raise UsageError(f"there is no log level {level!r}", mend=f"use one of {', '.join(LEVELS)}")
    return {
        "processors": [
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(_for_machines() if json else _for_people(stream)),
        ],
        "wrapper_class": structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        "context_class": dict,
        "cache_logger_on_first_use": False,
    }


def _for_machines() -> list[Processor]:
    serializer = partial(jsonlib.dumps, ensure_ascii=False, separators=(",", ":"))
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer)]


def _for_people(stream: TextIO) -> list[Processor]:
    return [structlog.dev.ConsoleRenderer(colors=stream.isatty())]


class LogHook:
    """A hook that logs: episodes at info, retries and refused replies at warning, turns at debug.

    Which events are logged is settled once, by the logger's level: the others cost a dictionary lookup.
    """

    def __init__(self, logger: FilteringBoundLogger) -> None:
        handlers: dict[type, tuple[int, Callable[[Any], None]]] = {
            EpisodeOpened: (logging.INFO, self._episode_opened),
            EpisodeClosed: (logging.INFO, self._episode_closed),
            TurnAsked: (logging.DEBUG, self._turn_asked),
            TurnAnswered: (logging.DEBUG, self._turn_answered),
            TurnRetried: (logging.WARNING, self._turn_retried),
            InvalidReply: (logging.WARNING, self._invalid_reply),
            SeatHandedOver: (logging.INFO, self._seat_handed_over),
        }
        self._logger = logger
        self._on = {kind: log for kind, (level, log) in handlers.items() if logger.is_enabled_for(level)}

    def __call__(self, event: Event) -> None:
        """Log one event. A log that cannot be written (a full disk, a closed pipe) ends no episode."""
        log = self._on.get(type(event))
        if log is not None:
            with suppress(OSError, ValueError):
                log(event)

    def _episode_opened(self, event: EpisodeOpened) -> None:
        started = event.started
        self._logger.info(
            "episode opened",
            **_episode(started),
            game=started.game,
            variant=started.variant,
            instance=started.instance_id,
            resumed_at=event.resumed_at,
        )

    def _seat_handed_over(self, event: SeatHandedOver) -> None:
        self._logger.info(
            "seat handed over", **_episode(event.started), seat=event.seat, agent=event.agent, turn=event.turn
        )

    def _episode_closed(self, event: EpisodeClosed) -> None:
        ended = event.ended
        facts: dict[str, Any] = {"outcome": ended.outcome, "turns": event.turns, "scores": ended.scores}
        if ended.error is not None:
            facts["error"] = ended.error
        self._logger.info("episode closed", **_episode(event.started), **facts)

    def _turn_asked(self, event: TurnAsked) -> None:
        self._logger.debug("turn asked", **_turn(event.request))

    def _turn_answered(self, event: TurnAnswered) -> None:
        reply = event.reply
        self._logger.debug(
            "aside" if event.aside else "turn answered",
            **_turn(event.request),
            model=reply.model,
            finish_reason=reply.finish_reason,
            latency_s=round(reply.latency_s, 3),
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
        )

    def _turn_retried(self, event: TurnRetried) -> None:
        self._logger.warning(
            "turn retried",
            **_turn(event.request),
            code=event.code,
            message=event.message,
            wait_s=round(event.wait_s, 3),
        )

    def _invalid_reply(self, event: InvalidReply) -> None:
        self._logger.warning("invalid reply", **_turn(event.request), reason=event.reason)


def _episode(started: EpisodeStarted) -> dict[str, Any]:
    return {"run_id": started.run_id, "episode_id": started.episode_id}


def _turn(request: TurnRequest) -> dict[str, Any]:
    return {
        "run_id": request.run_id,
        "episode_id": request.episode_id,
        "turn": request.turn,
        "seat": request.seat,
        "agent": request.agent,
    }
