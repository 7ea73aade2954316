"""How the fleet stands, for people and for programs: runs and what they wait for, agents, game masters, recorders.

All of it is computed from what the board tells (:mod:`palaver_broker.board`); nothing here asks anybody.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TextIO, get_args

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from palaver_broker.board import Kind, Member, Queue, RunStatus
from palaver_protocols.messages import Outcome

from .progress import duration
from .reading import VISIBLE
from .recorder import SERVICE
from .table import PLAIN_WIDTH, in_short

__all__ = ["fleet_as_dict", "fleet_table", "print_fleet", "seconds_left", "waits_for"]

BAR_WIDTH = 20
NONE = "-"
DOORS: dict[Kind, str] = {"gateway": "gateway", "mqtt": "MQTT bridge", "a2a": "A2A server"}
"""Ways in for programs of others."""
SERVICES: dict[Kind, str] = {"gamemaster": "game master", "recorder": "recorder", "dashboard": "dashboard", **DOORS}


def waits_for(status: RunStatus, members: Sequence[Member], queues: Sequence[Queue]) -> str | None:
    """Say in one line who is missing for a run to go on; None if nobody is.

    A game master says in ``about["games"]`` which games it knows; one that does not say is taken to know them all. A
    recorder goes by the name that runs call it by: a service's is ``service``.
    """
    missing: list[str] = []
    if status.state == "loading":
        missing.append("its submission: not all of its episodes are in")
    elif status.state == "open" and status.owed + status.playing:
        missing += _missing_players(status, members, queues)
    if status.ended and not any((member.kind, member.name) == ("recorder", status.recorder) for member in members):
        who = "no recorder" if status.recorder == SERVICE else f"recorder {status.recorder} is absent"
        missing.append(f"{who}: {_many(status.ended, 'episode')}")
    return "; ".join(missing) or None


def _missing_players(status: RunStatus, members: Sequence[Member], queues: Sequence[Queue]) -> Iterator[str]:
    gamemasters = [member for member in members if member.kind == "gamemaster"]
    game = status.config.game
    if not gamemasters:
        yield "no game master"
    elif not any(game in member.about.get("games", (game,)) for member in gamemasters):
        yield f"no game master knows game {game}"
    present = {member.name for member in members if member.kind == "agent"}
    turns = {queue.agent: queue.unread + queue.pending for queue in queues}
    for agent in dict.fromkeys(status.config.agents):
        if agent not in present:
            yield f"agent {agent} is absent" + (f": {_many(turns[agent], 'turn')}" if turns.get(agent) else "")


def seconds_left(status: RunStatus, now: datetime) -> float | None:
    """Return the seconds to the end of an open run, at its pace since it was submitted; None before its first end."""
    done = status.ended + status.archived
    elapsed = (now - status.submitted).total_seconds()
    if status.state != "open" or not done or elapsed <= 0:
        return None
    return elapsed / done * (status.owed + status.playing)


def fleet_as_dict(
    statuses: Sequence[RunStatus], members: Sequence[Member], queues: Sequence[Queue], *, now: datetime
) -> dict[str, Any]:
    """Return all of it as JSON values: ``{"runs", "agents", "gamemasters", "recorders"}``, a list of objects each."""
    return {
        "runs": [
            {
                **status.config.model_dump(mode="json", include={"run_id", "game", "agents", "priority"}),
                **{name: value for name, value in status._asdict().items() if name != "config"},
                "submitted": status.submitted.isoformat(),
                "seconds_left": seconds_left(status, now),
                "waits_for": waits_for(status, members, queues),
            }
            for status in statuses
        ],
        "agents": [
            {**queue._asdict(), "replicas": [_member_as_dict(member) for member in replicas]}
            for queue, replicas in _agents(members, queues)
        ],
        "gamemasters": [_member_as_dict(member) for member in members if member.kind == "gamemaster"],
        "recorders": [_member_as_dict(member) for member in members if member.kind == "recorder"],
        "doors": [_member_as_dict(member) for member in members if member.kind in DOORS],
    }


def print_fleet(
    statuses: Sequence[RunStatus], members: Sequence[Member], queues: Sequence[Queue], file: TextIO, *, now: datetime
) -> None:
    """Print all of it: in the width of a terminal (80 columns will do), as plain text elsewhere."""
    console = Console(file=file, highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    with console.capture() as captured:
        console.print(fleet_table(statuses, members, queues, now=now))
    file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def fleet_table(
    statuses: Sequence[RunStatus], members: Sequence[Member], queues: Sequence[Queue], *, now: datetime
) -> RenderableType:
    """Lay it out: the runs with what they wait for below, the agents, the game masters and all other services."""
    waiting = [(status.config.run_id, waits_for(status, members, queues)) for status in statuses]
    agents = list(_agents(members, queues))
    services = [member for kind in SERVICES for member in members if member.kind == kind]
    return Group(
        _runs_table(statuses, now) if statuses else "no runs",
        *(Text(_shown(f"{run_id} waits: {reason}"), style="yellow") for run_id, reason in waiting if reason),
        "",
        _agents_table(agents) if agents else "no agents",
        "",
        _services_table(services, now) if services else "no game masters",
    )


def _runs_table(statuses: Iterable[RunStatus], now: datetime) -> Table:
    table = _table()
    table.add_column("run", overflow="fold", min_width=10)
    table.add_column("state", no_wrap=True)
    table.add_column("episodes", no_wrap=True, width=BAR_WIDTH)
    table.add_column("outcomes", no_wrap=True)
    table.add_column("spent", justify="right", no_wrap=True)
    for number, status in enumerate(statuses):
        if number:
            table.add_row()
        left = seconds_left(status, now)
        counts = (f"{status.outcomes[name]:,} {name}" for name in get_args(Outcome) if name in status.outcomes)
        table.add_row(
            _lines(status.config.run_id, status.config.game),
            _lines(status.state, *([] if left is None else [f"{duration(left)} left"])),
            _episodes(status),
            _lines(*counts),
            _lines(f"{in_short(status.tokens)} tokens", f"${status.cost_usd:,.2f}"),
        )
    return table


def _episodes(status: RunStatus) -> RenderableType:
    done = status.ended + status.archived
    lines = Table.grid()
    lines.add_row(ProgressBar(total=max(1, status.total), completed=done, width=BAR_WIDTH))
    lines.add_row(f"{done:,}/{status.total:,}")
    if status.playing:
        lines.add_row(f"{status.playing:,} playing")
    return lines


def _agents_table(agents: Iterable[tuple[Queue, Sequence[Member]]]) -> Table:
    table = _table()
    table.add_column("agent", overflow="fold", min_width=16)
    for name in ("replicas", "busy", "unread", "pending", "oldest"):
        table.add_column(name, justify="right", no_wrap=True)
    for queue, replicas in agents:
        table.add_row(
            _lines(queue.agent),
            Text(str(len(replicas)), style="" if replicas else "bold red"),
            f"{sum(member.busy for member in replicas):,}/{sum(member.concurrency for member in replicas):,}",
            f"{queue.unread:,}",
            f"{queue.pending:,}",
            duration(queue.oldest_s) if queue.unread or queue.pending else NONE,
        )
    return table


def _services_table(services: Iterable[Member], now: datetime) -> Table:
    table = _table()
    table.add_column("service", no_wrap=True)
    table.add_column("name", overflow="fold", min_width=8)
    table.add_column("host", overflow="fold", min_width=8)
    table.add_column("pid", justify="right", no_wrap=True)
    table.add_column("busy", justify="right", no_wrap=True)
    table.add_column("up", justify="right", no_wrap=True)
    table.add_column("games", overflow="fold", min_width=8)
    for member in services:
        table.add_row(
            SERVICES[member.kind],
            _lines(*_called(member)),
            _lines(member.host),
            str(member.pid),
            f"{member.busy:,}/{member.concurrency:,}",
            duration(max(0.0, (now - member.since).total_seconds())),
            _lines(", ".join(map(str, member.about.get("games", ())))),
        )
    return table


def _called(member: Member) -> Iterator[str]:
    """Yield the name of a service, and where it listens or writes: all of a kind may have one name."""
    yield member.name if member.name not in (SERVICE, member.kind) else member.consumer
    yield from (str(member.about[word]) for word in ("listen", "mqtt", "url", "out") if word in member.about)


def _table() -> Table:
    return Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)


def _agents(members: Iterable[Member], queues: Iterable[Queue]) -> Iterator[tuple[Queue, list[Member]]]:
    """Pair each agent's queue with its replicas, in order of name; one without a queue has been asked nothing."""
    replicas: dict[str, list[Member]] = {}
    for member in members:
        if member.kind == "agent":
            replicas.setdefault(member.name, []).append(member)
    by_agent = {name: Queue(name, 0, 0, 0.0) for name in replicas} | {queue.agent: queue for queue in queues}
    for agent, queue in sorted(by_agent.items()):
        yield queue, replicas.get(agent, [])


def _member_as_dict(member: Member) -> dict[str, Any]:
    return {**member._asdict(), "since": member.since.isoformat()}


def _many(number: int, noun: str) -> str:
    return f"1 {noun} waits" if number == 1 else f"{number:,} {noun}s wait"


def _lines(*lines: str) -> Text:
    """Put lines under each other, dimmed from the second on. A Text, so that brackets in names stay brackets."""
    return Text("\n").join(Text(_shown(line), style="dim" if number else "") for number, line in enumerate(lines))


def _shown(text: str) -> str:
    """Make a name harmless that anybody on the bus may have chosen."""
    return text.translate(VISIBLE)
