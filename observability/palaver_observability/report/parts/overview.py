"""What was run: games, versions, dates, seeds, agents; and what is missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from palaver_protocols.messages import Outcome

from ..document import Block, Headline, Note, Section, Table, num, words
from ..naming import CHANCE, SCRIPTS, agents_of, is_script
from ..numbers import NONE, count
from ..readings import RULES, scored_by
from ..study import Cell, Study

__all__ = ["overview", "warning"]

MISSING_SHOWN = 5
"""Lines up to which what is missing is shown unasked."""


def warning(study: Study) -> str:
    """Say plainly that agents are scripts, where some are; empty where none is, or only chance beside models."""
    agents = _agents(study)
    scripts = [agent for agent in agents if is_script(agent)]
    if scripts and len(scripts) == len(agents):
        return SCRIPTS
    if all(agent == CHANCE for agent in scripts):
        return ""
    return f"{SCRIPTS} This holds for {', '.join(scripts)}; the other agents are no scripts."


def overview(study: Study) -> Section:
    """Tell what was run."""
    outcomes = Counter(record.outcome for record in study.records)
    asked = sum(cell.config.episodes for cell in study.cells)
    played = sum(len(cell.played) for cell in study.cells)
    there = sum(len(cell.records) - len(cell.owed) for cell in study.cells)
    told = ", ".join(f"{count(outcomes[name])} {name}" for name in get_args(Outcome) if outcomes[name])
    blocks: list[Block] = []
    if study.missing:
        owed = f" {count(asked - there)} of {count(asked)} episodes of the runs that have begun are not there."
        said = f"Not complete.{owed if asked > there else ''} Take runs up with: palaver resume DIR"
        blocks.append(Note(said, loud=True))
        rows = tuple((line,) for line in study.missing)
        blocks.append(Table("What is missing", (words("run"),), rows, folded=len(rows) > MISSING_SHOWN))
    blocks += [_facts(study, f"{count(played)} of {count(asked)}; {told or 'none yet'}"), _agents_table(study)]
    runs = len(study.cells)
    detail = f"in {count(runs)} run{'' if runs == 1 else 's'}; {told or 'none yet'}"
    headline = Headline(count(played), "episodes played", detail)
    return Section("run", "What was run", study.about, tuple(blocks), (headline,) if played else ())


def _facts(study: Study, episodes: str) -> Table:
    records, cells = study.records, study.cells
    when = [record.started for record in records] + [record.ended for record in records]
    rows = [
        ("Games", _listed(_variants(study)) or _listed(_games(cells))),
        ("Runs", count(len(cells))),
        ("Episodes", episodes),
        ("Instances", count(len({(record.game, record.instance_id) for record in records}))),
        ("Seeds", _listed(str(cell.config.seed) for cell in cells)),
        ("Scores from", _scored(study)),
        ("Role protocols", _listed(cell.config.protocol for cell in cells)),
        ("Dates", f"{min(when):%Y-%m-%d %H:%M} to {max(when):%Y-%m-%d %H:%M} UTC" if when else "not begun"),
        ("palaver", _listed(_version(cell, "palaver") for cell in cells)),
        ("Git commit", _listed(_version(cell, "git_commit") for cell in cells)),
        ("Python", _listed(_version(cell, "python") for cell in cells)),
    ]
    return Table("The runs", (words("what"), words("value")), tuple(rows))


def _variants(study: Study) -> Iterator[str]:
    """Name the games, with the variant of one that was played in one only, or how many there are."""
    found: dict[str, dict[str, None]] = {}
    for record in study.records:
        found.setdefault(record.game, {})[record.variant] = None
    for game, variants in found.items():
        kind = "experiments" if "clemscore" in study.published(game) else "variants"
        yield f"{game}, {next(iter(variants))}" if len(variants) == 1 else f"{game} ({count(len(variants))} {kind})"


def _scored(study: Study) -> str:
    names = [name for cell in study.cells for name in scored_by(cell.played, study.primary(cell.config.game))]
    told = {RULES: "the game's own rules"}
    lines = [told.get(name, f"{name}, which has graded the episodes") for name in dict.fromkeys(names)]
    for grader, scores in _beside(study).items():
        if grader not in names:
            lines.append(f"{grader}, which has given {', '.join(scores)}")
    return "; ".join(lines) or NONE


def _beside(study: Study) -> dict[str, dict[str, None]]:
    """Name the scores that only a grader has given, by grader."""
    found: dict[str, dict[str, None]] = {}
    for record in study.records:
        by_rules = {name for each in record.gradings if each.grader == RULES for name in each.scores}
        for each in record.gradings:
            if own := [name for name in each.scores if name not in by_rules]:
                found.setdefault(each.grader, {}).update(dict.fromkeys(own))
    return found


def _agents_table(study: Study) -> Table:
    models: dict[str, set[str]] = {}
    for record in study.records:
        for fillers in record.seats.values():
            for filler in fillers:
                models.setdefault(filler.agent, set()).add(filler.model or "")
    played = Counter(agent for record in study.records for agent in set(agents_of(record)))
    rows = [
        (
            agent,
            "script" if is_script(agent) else "agent",
            ", ".join(sorted(name for name in models.get(agent, ()) if name and name != agent)) or NONE,
            count(played[agent]),
        )
        for agent in _agents(study)
    ]
    head = (words("agent"), words("kind"), words("model, as its provider calls it"), num("episodes"))
    return Table("The agents", head, tuple(rows))


def _agents(study: Study) -> list[str]:
    return list(dict.fromkeys(agent for record in study.records for agent in agents_of(record)))


def _games(cells: Sequence[Cell]) -> Iterable[str]:
    return (cell.config.game for cell in cells)


def _version(cell: Cell, name: str) -> str:
    return str(cell.made_with.get(name) or "not recorded")


def _listed(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values))
