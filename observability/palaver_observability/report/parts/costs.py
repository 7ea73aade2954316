"""What it took: tokens by agent, cost by those who played."""

from collections.abc import Iterable
from statistics import mean, median

from palaver_protocols.messages import Usage
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from ..document import Headline, Section, Table, num, words
from ..numbers import NONE, count, dollars, number
from ..samples import SUCCESS
from ..speaking import messages_of
from ..study import Study

__all__ = ["costs"]


def costs(study: Study) -> Section | None:
    """Tabulate tokens and cost, of all episodes, whatever came of them."""
    records = study.records
    if not any(record.tokens for record in records):  # scripts take none
        return None
    about = (
        "All episodes, those that ended with an error too: they were paid for. Messages are told apart by who said "
        "them, of a team its lead; frozen turns were paid for in the run that they come from, and are left out. What "
        "agents read, thought, and said behind a seat is recorded by seat only: a seat that several agents filled is "
        "listed under all of them. Output includes thinking, input what a provider had cached. Cost follows the prices "
        "that were known when the run was made; an episode without one counts in no total."
    )
    blocks = (_messages(records), _tokens(records), _money(records))
    return Section("costs", "Tokens and cost", about, tuple(block for block in blocks if block), _headline(records))


def _messages(records: Iterable[EpisodeRecord]) -> Table | None:
    """Tabulate the messages that each agent itself has sent; None where no agent reports their tokens."""
    tokens: dict[str, list[int]] = {}
    for record in records:
        for said in messages_of(record):
            if not said.frozen:
                tokens.setdefault(said.agent, []).append(said.tokens)
    rows = tuple(
        (agent, count(len(each)), count(sum(each)), number(mean(each)), number(median(each)))
        for agent, each in tokens.items()
        if any(each)
    )
    head = (words("agent"), num("messages"), num("tokens in them"), num("mean of a message"), num("median"))
    return Table("Messages by agent, thinking left out", head, rows) if rows else None


def _tokens(records: Iterable[EpisodeRecord]) -> Table:
    usage: dict[str, Usage] = {}
    seats: dict[str, int] = {}
    for record in records:
        for seat, fillers in record.seats.items():
            agent = relay_of(fillers)
            usage[agent] = usage.get(agent, Usage()) + record.usage.get(seat, Usage())
            seats[agent] = seats.get(agent, 0) + 1
    rows = tuple(
        (
            agent,
            count(seats[agent]),
            count(each.input_tokens),
            count(each.cached_tokens),
            count(each.output_tokens),
            count(each.reasoning_tokens),
            count((each.input_tokens + each.output_tokens) / seats[agent]),
        )
        for agent, each in usage.items()
    )
    head = (
        words("who filled the seat"),
        num("seats filled"),
        num("input"),
        num("of it cached"),
        num("output"),
        num("of it thinking"),
        num("tokens a seat and episode"),
    )
    return Table("Tokens by who filled the seat", head, rows)


def _money(records: Iterable[EpisodeRecord]) -> Table:
    groups: dict[str, list[EpisodeRecord]] = {}
    for record in records:
        agents = ", ".join(dict.fromkeys(relay_of(fillers) for fillers in record.seats.values()))
        groups.setdefault(agents, []).append(record)
    rows = []
    for agents, each in groups.items():
        priced = [record.cost_usd for record in each if record.cost_usd is not None]
        total = sum(priced) if priced else None
        solved = sum(record.scores.get(SUCCESS) == 1 for record in each if record.cost_usd is not None)
        rows.append(
            (
                agents,
                count(len(each)),
                count(len(priced)),
                dollars(total, used=any(record.tokens for record in each)),
                dollars(total / len(priced)) if total is not None else NONE,
                dollars(total / solved) if total is not None and solved else NONE,
            )
        )
    head = (
        words("agents of the episode"),
        num("episodes"),
        num("priced"),
        num("cost"),
        num("an episode"),
        num("a solved one"),
    )
    return Table("Cost by agents", head, tuple(rows))


def _headline(records: Iterable[EpisodeRecord]) -> tuple[Headline, ...]:
    known = [record.cost_usd for record in records]
    priced = [cost for cost in known if cost is not None]
    if not priced:
        return ()
    return (
        Headline(dollars(sum(priced)), "cost", f"{count(len(priced))} of {count(len(known))} episodes have a price"),
    )
