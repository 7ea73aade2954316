"""People on a bus and in a run: where their seats are remembered, and the one process that lets them answer."""

import asyncio
import hashlib
import socket
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from pathlib import Path

import structlog

from palaver_agents.human import HUMAN, Hall, PeopleStore, Study, Tokens, people_service, read_study, serve_people
from palaver_agents.journal import AgentJournal
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.link import briefly
from palaver_broker.redis.reserve import alone
from palaver_protocols.errors import BrokerError, UsageError, one_line
from palaver_protocols.events import ModelCalled

from .members import BEAT_S, myself
from .way_back import place

__all__ = ["gamemasters_of", "keep_people", "open_hall", "open_studies"]

PLACE = "people"
"""What the one hall of a bus is called among the places that one process at a time may have."""
LEASE_S = 10.0
"""How soon another dashboard takes over from one that has gone silent."""
LOOK_S = 1.0


def open_hall(where: str, folder: Path) -> tuple[Hall, PeopleStore]:
    """Make the hall of a bus, or of a run that this process plays, and what remembers its people.

    Args:
        where: the bus's URL, or the run's id: each has people of its own.
        folder: the state folder.

    Raises:
        UsageError: the folder cannot be used.
    """
    named = place(where) if "://" in where else where
    people = folder / "people"
    tokens = Tokens.kept_in(people)
    store = PeopleStore(people / hashlib.sha256(named.encode()).hexdigest()[:16])
    return Hall(tokens, store), store


def open_studies(
    texts: Sequence[str], hall: Hall, store: PeopleStore, *, consent: Path | None = None, each: int | None = None
) -> tuple[Study, ...]:
    """Make studies of what the command line says.

    Args:
        texts: ``NAME=RUN[,RUN...]`` each.
        hall: where people sit.
        store: where they are remembered, and written down as ``people.jsonl``.
        consent: a file with what people agree to; None: a text of ours.
        each: how many episodes a person plays at most; None: all there are.

    Raises:
        UsageError: one of them makes no sense, or two have the same name or run, or the file cannot be read.
    """
    words: str | None = None
    if consent is not None:
        try:
            words = consent.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
            raise UsageError(f"the consent text {consent} cannot be read: {why}", mend="name a text file") from error
    plans = [read_study(text, words, each) for text in texts]
    for what in ([plan.name for plan in plans], [run for plan in plans for run in plan.runs]):
        if twice := next((each for each in what if what.count(each) > 1), None):
            raise UsageError(f"{twice!r} stands twice among the studies", mend="name each study and each run once")
    return tuple(Study(plan, hall, store) for plan in plans)


async def gamemasters_of(board: Board) -> Sequence[str]:
    """Name the game masters of a bus."""
    return [member.name for member in await board.members() if member.kind == "gamemaster"]


async def keep_people(
    broker: RedisBroker,
    board: Board,
    hall: Hall,
    address: str,
    folder: Path,
    *,
    on_call: Callable[[ModelCalled], None] | None = None,
) -> None:
    """Let the people in a hall answer on a bus while no other process does, until cancelled.

    Two halls would split the questions between them: who comes second stands by, and says where people sit.

    Args:
        broker: the bus.
        board: its registry.
        hall: where people sit.
        address: where their pages are.
        folder: the state folder.
        on_call: told of every answer.
    """
    me = f"{address} {socket.gethostname()}"  # who starts again at the same address need not wait for its own lease
    sitting = asyncio.create_task(_tell_where(broker, hall, me), name="where people sit")
    try:
        await alone(
            broker.link,
            PLACE,
            me,
            lease_s=LEASE_S,
            work=lambda: _work(broker, board, hall, address=address, folder=folder, on_call=on_call),
        )
    finally:
        sitting.cancel()
        await asyncio.gather(sitting, return_exceptions=True)


async def _work(
    broker: RedisBroker,
    board: Board,
    hall: Hall,
    *,
    address: str,
    folder: Path,
    on_call: Callable[[ModelCalled], None] | None,
) -> None:
    async with aclosing(AgentJournal.open(folder, HUMAN)) as journal:
        service = people_service(broker, hall, journal=journal, consumer=journal.consumer, on_call=on_call)
        about = {"kind": HUMAN, "provider": HUMAN, "model": HUMAN, "pages": address}
        me = myself("agent", HUMAN, journal.consumer, service.concurrency, about)

        async def beat() -> None:
            while True:
                await board.beat("agent", me(service.busy), 3 * BEAT_S)
                await asyncio.sleep(BEAT_S)

        beating = asyncio.create_task(beat(), name="heartbeat of people")
        try:
            await serve_people(broker, hall, service)
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
            async with briefly():
                await board.leave("agent", me(0))


async def _tell_where(broker: RedisBroker, hall: Hall, me: str) -> None:
    """Keep the hall told of where people sit, while that is not here."""
    while True:
        with suppress(BrokerError):
            held: bytes | None = await broker.link.call("GET", broker.link.prefix + PLACE)
            holder = one_line((held or b"").decode(errors="replace"), 200)
            if holder and holder != me:
                if hall.is_open:
                    structlog.get_logger().warning("people sit at another dashboard", address=holder)
                hall.close(holder.partition(" ")[0])
            elif not hall.is_open:
                hall.close()
        await asyncio.sleep(LOOK_S)
