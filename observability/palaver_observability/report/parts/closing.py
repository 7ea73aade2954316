"""How it was computed, and how to do it again."""

import shlex
from collections.abc import Iterator, Mapping

import yaml

from palaver_protocols.runs import RunConfig

from ..document import Block, Code, Note, Section, Table, words
from ..readings import RULES
from ..study import Cell, Study

__all__ = ["methods", "reproduction"]

METHODS = {
    "What counts": "Episodes that were played to an end. Outcomes error and budget say nothing about agents, and those "
    "that crash the study's own programs are missing from its averages; they are shown and count in no score. A score "
    "that is not defined for an episode is left out, and its n says so.",
    "Means": "Mean ± 1.96 standard errors (sample standard deviation, n less one): the studies' own method. A normal "
    "approximation; near the ends of a scale, or for few episodes, an interval can leave the range of its score. "
    "Charts draw it up to that end (0 for counts, 0 and 1 for shares); numbers stay as computed.",
    "Shares": "Share solved with Wilson's 95 % interval.",
    "Differences": "Gaps, order effects and gains are paired over the same instances wherever both sides have played "
    "them, with the 95 % CI of the mean difference (t); else Welch's. The method stands beside each number.",
    "Many tests": "p values are two-sided. Those of gaps, order effects and relays are also given with Holm's "
    "correction over all of their figure; no others are corrected. Sentences under figures claim a difference where "
    "the corrected p is below 0.05 and n at least 10.",
    "Pooling": "Runs are pooled only where game, options, role protocol and sampling are the same; where they differ, "
    "figures say by what. An episode that scripts have played before, in another run with the same seed, counts once "
    "wherever line-ups are compared: they answer the same every time.",
    "Published figures": "As the study prints them, matched by the last part of an agent's name (openai/o3 is o3). "
    "Models of the same name may have changed since.",
}


def methods() -> Section:
    """State the methods."""
    about = "One place for all that holds throughout. Each figure names its own n and method besides."
    rows = tuple(METHODS.items())
    return Section("methods", "Method", about, (Table("Methods", (words("what"), words("how")), rows),))


def reproduction(study: Study) -> Section:
    """Give the commands that play every run again, and the versions that they were played with."""
    blocks: list[Block] = []
    if study.cells:
        lines = "\n".join(f"# {_line(cell.id)}\n{chr(10).join(_commands(cell))}" for cell in study.cells)
        blocks.append(Code(f"Commands of the {len(study.cells)} runs", lines))
        blocks.append(_libraries(study))
    else:
        blocks.append(Note("There is no run to repeat yet."))
    about = (
        "The same seed gives the same instances on every machine. Scripts answer the same every time; models may not. "
        "A run folder's config.yaml can be run as it is, and holds what a command line cannot say."
    )
    return Section("again", "Reproduction", about, tuple(blocks))


def _commands(cell: Cell) -> Iterator[str]:
    """Yield how a run was played, and how it was graded."""
    yield _command(cell)
    votes = {
        each.grader: len(each.votes) + each.ungraded
        for record in cell.records
        for each in record.gradings
        if each.grader != RULES
    }
    for grader, number in votes.items():
        more = ["--votes", str(number)] if number > 1 else []
        yield shlex.join(["palaver", "score", "FOLDER", "--grader", grader, *more])


def _command(cell: Cell) -> str:
    config = cell.config
    if config.sampling.top_p is not None:  # the command line has no word for it
        return shlex.join(["palaver", "run", str(cell.folder / "config.yaml")])
    command = ["palaver", "run", config.game, "--agents", ",".join(config.agents)]
    command += ["-n", str(config.episodes), "--seed", str(config.seed)]
    for name, value in config.options.items():
        if value is not None:
            command += ["--set", f"{name}={_value(value)}"]
    return shlex.join([*command, "--protocol", config.protocol, *_more(config)])


def _more(config: RunConfig) -> list[str]:
    more = [
        (f"--{name.replace('_', '-')}", value)
        for name in ("temperature", "max_tokens", "reasoning_effort")
        if (value := getattr(config.sampling, name)) is not None
    ]
    more += [("--handoff", config.handoff)] if config.handoff != "all" else []
    more += [("--prefix", f"{config.prefix.folder}@{config.prefix.turns}")] if config.prefix else []
    return [str(word) for pair in more for word in pair]


def _value(value: object) -> str:
    """Write an option as ``--set`` reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    return str(yaml.safe_dump(value, default_flow_style=True, width=10_000)).strip()


def _line(text: str) -> str:
    return " ".join(text.split())


def _libraries(study: Study) -> Table:
    rows: dict[str, dict[str, None]] = {}
    for cell in study.cells:
        libraries = cell.made_with.get("libraries")
        versions = {name: cell.made_with.get(name) for name in ("palaver", "git_commit", "python", "platform")}
        for name, version in {**versions, **(libraries if isinstance(libraries, Mapping) else {})}.items():
            rows.setdefault(str(name), {})[str(version or "not recorded")] = None
    head = (words("software"), words("version"))
    return Table("Versions", head, tuple((name, "; ".join(each)) for name, each in rows.items()))
