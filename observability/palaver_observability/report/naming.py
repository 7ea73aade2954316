"""Agents' names in a report: which are scripts, and what to call them where room is short. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Iterator

from palaver_agents.names import FORMS
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import leaves

__all__ = ["CHANCE", "SCRIPTS", "agents_of", "is_script", "model_of", "short_names"]

SCRIPTS = "These agents are scripts, written to show such effects; they say nothing about models."

CHANCE = "random"
"""The script that picks at random: beside models it is their baseline, and nobody takes it for one of them."""


def agents_of(record: EpisodeRecord) -> Iterator[str]:
    """Yield the agents that were asked in an episode: those of relays and teams one by one."""
    for fillers in record.seats.values():
        for filler in (filler for filler in fillers if filler.from_turn is not None):  # others never came in
            try:
                yield from leaves(filler.agent)
            except UsageError:  # another program's record; its name stands for itself
                yield filler.agent


def is_script(agent: str) -> bool:
    """Whether a name is that of a game's own script."""
    form = FORMS.get(agent.partition("/")[0])
    return form is not None and form.kind == "script"


def model_of(agent: str) -> str:
    """Return the last part of a name, as papers write it: ``openai/o3`` is ``o3``."""
    return agent.partition("@http")[0].rpartition("/")[2] or agent


def short_names(agents: Iterable[str]) -> dict[str, str]:
    """Name agents by their last part, where no other agent has the same."""
    known = list(dict.fromkeys(agents))
    often = Counter(map(model_of, known))
    return {agent: short if often[short := model_of(agent)] == 1 else agent for agent in known}
