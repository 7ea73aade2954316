"""What the pages of people's seats stand on: the hall, the bus, the studies, and who else may sit down."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

import structlog

from palaver_agents.human import Hall, Place, Study
from palaver_agents.human.places import HUMAN, Chair
from palaver_agents.names import parse_agent, parse_seats
from palaver_broker import Broker
from palaver_broker.board import RunStatus
from palaver_broker.topics import episode_log
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.showing import Move
from palaver_gamemasters.taking_over import change_seat, filler_of
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.messages import EpisodeStarted, LogEntry, TurnRequest, TurnTaken
from palaver_protocols.seating import leaves, read_seat

__all__ = ["Help", "Room"]

KEPT = 256
"""Of how many questions it is remembered what helps to answer them."""


async def _nobody() -> Sequence[str]:
    return ()


async def _no_runs() -> Sequence[RunStatus]:
    return ()


@dataclass(frozen=True, slots=True)
class Help:
    """What helps a person to answer: moves that can be clicked, and how long an episode can be (None: not known)."""

    moves: tuple[Move, ...] = ()
    turn_limit: int | None = None


@dataclass(slots=True)
class Room:
    """What is known where people sit down by a page.

    Args:
        hall: who sits where.
        broker: the bus of the episodes.
        studies: what is handed out to many people.
        gamemasters: names those who may be playing: they are told of a seat that changes hands.
        served: the agents that answer on this bus, where they are known; None: any agent may be given a seat.
        runs: tells how the runs on the bus stand, so that a study knows when its list has ended.
    """

    hall: Hall
    broker: Broker
    studies: Sequence[Study] = ()
    gamemasters: Callable[[], Awaitable[Sequence[str]]] = _nobody
    served: Collection[str] | None = None
    runs: Callable[[], Awaitable[Sequence[RunStatus]]] = _no_runs
    _helps: OrderedDict[str, Help] = field(default_factory=OrderedDict, init=False)
    _reminded: set[Place] = field(default_factory=set, init=False)

    def study_of(self, chair: Chair) -> Study | None:
        """Return the study that hands a place out."""
        return next((study for study in self.studies if study.has(chair)), None)

    async def may_open(self, study: Study) -> bool:
        """Whether seats may open yet that nobody has seen: of runs to come, or of episodes that wait for their turn."""
        there = {status.config.run_id: status for status in await self.runs()}
        return any(self._may_open(study, run_id, there.get(run_id)) for run_id in study.plan.runs)

    def _may_open(self, study: Study, run_id: str, status: RunStatus | None) -> bool:
        if status is None:  # it is to come, or has been played and forgotten
            return not study.has_played(run_id)
        if status.state in ("done", "cancelled"):
            return False
        begun = {
            chair.place.episode_id
            for chair in self.hall.chairs()
            if chair.place.run_id == run_id and chair.outcome is None
        }
        return status.state == "loading" or status.owed > 0 or status.playing > len(begun)

    async def remind(self, chair: Chair) -> None:
        """Find in the log what a person was asked last, and said, if this process has not heard it itself."""
        if chair.last is not None or chair.place in self._reminded:
            return
        self._reminded.add(chair.place)
        entries = await self.broker.read(episode_log(*chair.place.episode))
        found = await asyncio.to_thread(_last_turn, entries, chair.place.seat)
        if found is not None and chair.last is None:
            chair.last, said = found
            chair.said.setdefault(chair.last.key, said)

    async def help_for(self, request: TurnRequest) -> Help:
        """Return what helps to answer a question; nothing where the game or its log do not tell."""
        known = self._helps.get(request.key)
        if known is None:
            entries = await self.broker.read(episode_log(request.run_id, request.episode_id))
            known = self._helps[request.key] = await asyncio.to_thread(_help, entries, request)
            while len(self._helps) > KEPT:
                self._helps.popitem(last=False)
        return known

    async def take(self, place: Place) -> Chair:
        """Put a person behind a seat, unless one sits there already; return the place.

        Raises:
            UsageError: there is no such seat in an episode that goes on.
        """
        entries = await self.broker.read(episode_log(*place.episode))
        if await asyncio.to_thread(filler_of, entries, place.seat) != HUMAN:
            await self._change(place, HUMAN)
        elif (there := self.hall.chair_of(place)) is not None:
            return there
        self.hall.learn(*place.episode, await self.broker.read(episode_log(*place.episode)))
        chair = self.hall.chair_of(place)
        if chair is None:
            raise UsageError(f"{place.episode_id} has ended", mend="take a seat of an episode that goes on")
        return chair

    async def give(self, place: Place, agent: str | None) -> str:
        """Give a seat to an agent; None: to who had it before a person took it. Return who has it.

        Raises:
            UsageError: there is no such seat in an episode that goes on, or the agent cannot have it.
        """
        if agent is not None:
            agent = _one_agent(agent)
        now = await self._change(place, agent)
        self.hall.learn(*place.episode, await self.broker.read(episode_log(*place.episode)))
        return now

    async def _change(self, place: Place, agent: str | None) -> str:
        masters = await self.gamemasters()
        return await change_seat(self.broker, *place, agent, gamemasters=masters, check=self._check)

    def _check(self, game: AnyGame, agent: str) -> None:
        """Look whether an agent may sit down.

        Raises:
            UsageError: it may not.
        """
        for leaf in leaves(agent):
            name = parse_agent(leaf)
            if name.kind == "script" and name.model not in game.players():
                raise UsageError(
                    f"{game.name} has no player {name.model!r}", mend=f"it has: {', '.join(game.players())}"
                )
            if name.kind != "human" and self.served is not None and leaf not in self.served:
                raise UsageError(
                    f"nobody answers for {leaf} in this run", mend=f"there are: {', '.join(sorted(self.served))}"
                )


def _one_agent(text: str) -> str:
    """Read the name of one agent or team.

    Raises:
        UsageError: it is none, or several.
    """
    named = parse_seats(text)
    if len(named) != 1 or len(read_seat(named[0])) != 1:
        raise UsageError("a seat is given to one agent, or one team", mend="name one, such as scripted")
    return named[0]


def _last_turn(entries: Sequence[LogEntry], seat: str) -> tuple[TurnRequest, str] | None:
    """Return what a seat was asked last and has answered, with the answer; None where nothing tells."""
    turns = (n for n, entry in enumerate(entries) if isinstance(entry, TurnTaken) and entry.reply.seat == seat)
    at = max(turns, default=0)
    started, taken = entries[0] if entries else None, entries[at] if at else None
    if not isinstance(started, EpisodeStarted) or not isinstance(taken, TurnTaken):
        return None
    try:
        episode = Episode.from_log(load_game(started.game), entries[:at])
        asked = next((each for each in episode.requests(timeout_s=1.0) if each.key == taken.key), None)
    except PalaverError:
        return None
    except Exception as error:
        structlog.get_logger().warning("game raises", game=started.game, episode_id=started.episode_id, exc_info=error)
        return None
    return None if asked is None else (asked, taken.reply.text)


def _help(entries: Sequence[LogEntry], request: TurnRequest) -> Help:
    """Fold a log for what helps; a game that raises must not keep a person from answering."""
    started = entries[0] if entries else None
    if not isinstance(started, EpisodeStarted):
        return Help()
    try:
        game = load_game(started.game)
        limit = game.turn_limit(game.configure(started.options))
        seat = request.seat if request.role == "player" else ""
        return Help(Episode.from_log(game, entries).moves(seat) if seat else (), limit)
    except PalaverError:
        return Help()
    except Exception as error:
        structlog.get_logger().warning("game raises", game=started.game, episode_id=started.episode_id, exc_info=error)
        return Help()
