"""Line-ups: the same agents, playing in the same way, over all that they have played of a game. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from palaver_observability.stats import NOT_COUNTED, Estimate, estimate, pooled
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import leaves, relay_of, team_of

from .naming import agents_of, is_script, short_names
from .study import Cell, Study

__all__ = ["Lineup", "leaf_names", "lineups", "variants_of", "who"]

Conditions = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who played, and how; ``name`` tells it from the other line-ups of the study, ``is_usual`` whether as usual.

    ``agents`` are in seat order, a relay written as ``A@4>B``. ``how`` is what of its conditions has to be said beside
    its agents. ``options`` are those of its game, ``cells`` the runs in which it played, ``records`` its
    episodes that were played to an end.
    """

    name: str
    is_usual: bool
    agents: tuple[str, ...]
    options: Mapping[str, JsonValue]
    cells: tuple[Cell, ...]
    records: tuple[EpisodeRecord, ...]
    how: str = ""
    by_episode: bool = False

    @property
    def left_out(self) -> tuple[EpisodeRecord, ...]:
        """The episodes of the same agents in the same runs that count in no score."""
        return tuple(
            record
            for cell in self.cells
            for record in cell.records
            if record.outcome in NOT_COUNTED
            and tuple(relay_of(fillers) for fillers in record.seats.values()) == self.agents
        )

    @property
    def variants(self) -> dict[str, tuple[EpisodeRecord, ...]]:
        """The episodes of each variant, in the order in which these come."""
        found: dict[str, list[EpisodeRecord]] = {}
        for record in self.records:
            found.setdefault(record.variant, []).append(record)
        return {variant: tuple(records) for variant, records in found.items()}

    def of(self, variant: str, score: str) -> Estimate:
        """Estimate a score in one variant."""
        return estimate(record.scores.get(score) for record in self.records if record.variant == variant)

    def overall(self, score: str) -> Estimate:
        """Estimate a score over all variants, each counting the same; each episode, where the game has it so."""
        return pooled((self.of(variant, score) for variant in self.variants), by_episode=self.by_episode)


def lineups(study: Study, game: str, variant: str = "", usual: Mapping[str, JsonValue] | None = None) -> list[Lineup]:
    """Return the line-ups of a game that have episodes to count, in the study's order.

    Args:
        study: where from.
        game: its name.
        variant: the option that chooses the variant, if there is one: by it alone, line-ups do not differ.
        usual: options that go without saying in a line-up's name; of a list, any.
    """
    groups: dict[tuple[tuple[str, ...], Conditions], list[tuple[Cell, EpisodeRecord]]] = {}
    for cell in study.cells:
        if cell.config.game != game:
            continue
        how = _how(cell, variant)
        for record in cell.played:
            agents = tuple(relay_of(fillers) for fillers in record.seats.values())
            groups.setdefault((agents, how), []).append((cell, record))
    common = set.intersection(*(set(how) for _, how in groups)) if groups else set()
    names = leaf_names(agents for agents, _ in groups)
    titles = _titles(groups, names, common, usual or {})
    found = []
    for ((agents, _), each), (title, said) in zip(groups.items(), titles, strict=True):
        played = _once(each)
        cells = tuple({cell.id: cell for cell, _ in played}.values())
        found.append(
            Lineup(
                name=title,
                is_usual=title == who(agents, names) and not any(agent.startswith("team(") for agent in agents),
                agents=agents,
                options=cells[0].config.options,
                cells=cells,
                records=tuple(record for _, record in played),
                how=said,
                by_episode=study.by_episode(game),
            )
        )
    return found


def variants_of(found: Iterable[Lineup], order: Sequence[str] = ()) -> list[str]:
    """Name the variants that line-ups have played, those of ``order`` first and in its order."""
    played = dict.fromkeys(variant for lineup in found for variant in lineup.variants)
    return [name for name in order if name in played] + [name for name in played if name not in order]


def _once(played: Iterable[tuple[Cell, EpisodeRecord]]) -> list[tuple[Cell, EpisodeRecord]]:
    """Leave out what scripts have played before, in another run of the same set-up: they answer the same every time.

    Models may not; whoever asks them twice has two samples.
    """
    found = []
    first: dict[tuple[str, str, int], Cell] = {}
    for cell, record in played:
        where = first.setdefault((record.variant, record.instance_id, record.seed), cell)
        if where is cell or not all(map(is_script, agents_of(record))):
            found.append((cell, record))
    return found


def _titles(
    groups: Iterable[tuple[tuple[str, ...], Conditions]],
    names: Mapping[str, str],
    common: set[tuple[str, str]],
    usual: Mapping[str, JsonValue],
) -> list[tuple[str, str]]:
    """Name line-ups by who plays and what is not as usual; by all in which they differ, where that tells too little.

    Returns:
        Names, each with what it says besides agents.
    """
    short: list[tuple[str, str]] = []
    long: list[tuple[str, str]] = []
    for agents, how in groups:
        differs = [(name, value) for name, value in how if (name, value) not in common]
        unusual = [(name, value) for name, value in differs if value not in map(str, _listed(usual.get(name)))]
        for kept, titles in ((unusual, short), (differs, long)):
            said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in kept)
            name = who(agents, names)
            titles.append((f"{name} ({said})" if said else name, said))
    often = Counter(short)
    return [one if often[one] == 1 else other for one, other in zip(short, long, strict=True)]


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _how(cell: Cell, variant: str) -> Conditions:
    config = cell.config
    options = [(name, str(value)) for name, value in config.options.items() if name != variant and value is not None]
    sampling = [(name, str(value)) for name, value in config.sampling if value is not None]
    return (*options, ("protocol", config.protocol), *sampling)


def _leaves(agent: str) -> tuple[str, ...]:
    """Return the agents behind a seat; the seat's own name where it is none that could be typed."""
    try:
        return tuple(leaves(agent))
    except UsageError:
        return (agent,)


def leaf_names(lines: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return short names of all agents behind the seats of some line-ups; a relay is named in full."""
    every = (leaf for agents in lines for agent in agents for leaf in _leaves(agent))
    return short_names(leaf for leaf in every if ">" not in leaf)


def who(agents: Sequence[str], names: Mapping[str, str]) -> str:
    """Name agents: one name where all seats have the same; ``o3, team of 3 (split)`` where a team is of the same."""
    alike = len({leaf for agent in agents for leaf in _leaves(agent)}) == 1
    said = [_seat(agent, names, alike=alike and len(agents) > 1) for agent in agents]
    return said[0] if len(set(said)) == 1 else ", ".join(said)


def _seat(agent: str, names: Mapping[str, str], *, alike: bool) -> str:
    """Name who fills a seat: a team by its lead and members, unless they are the same agent as everybody."""
    try:
        team = team_of(agent)
    except UsageError:
        team = None
    if team is None:
        return names.get(agent, agent)
    lead, *members = (names.get(leaf, leaf) for leaf in _leaves(agent))
    if alike:
        return f"team of {len(members)} ({team.show})"
    them = f"{lead}, {len(members)} members" if {lead} == set(members) else f"{lead} with {' + '.join(members)}"
    return f"team of {them} ({team.show})"
