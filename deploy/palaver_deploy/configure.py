"""What a run is asked to do: a suite and the command line, merged, checked and resolved."""

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from palaver_agents.names import parse_seats
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import game_names, load_game
from palaver_gamemasters.rollout import Plan, plan
from palaver_observability.writing import counted
from palaver_protocols.errors import UsageError, one_line
from palaver_protocols.runs import RunConfig

from .freezing import parse_prefix
from .instances import check_instances
from .options import parse_settings
from .studies import is_study
from .suites import packaged_suites, read_suite

__all__ = [
    "check_run_id",
    "configure",
    "in_file",
    "merged",
    "named_words",
    "new_folder",
    "plan_of",
    "tuned",
    "words_of",
]

ALL_OF_A_FILE = 1_000_000
"""More instances than any file holds, in case that a game makes its own in spite of it."""

RUN_ID = re.compile(r"(?!-)(?!\.+$)[A-Za-z0-9._-]{1,100}")
"""What a run may be called: it becomes a folder, a part of keys, and a word on command lines."""


def words_of(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge what a suite says with what the command line says, which wins.

    Args:
        what: a game, a suite that comes along, or a suite's file.
        given: what the command line says, None for what it does not.

    Raises:
        UsageError: there is no such game or suite, or the suite makes no sense, or it is a study.
    """
    named = named_words(what)
    if is_study(named):
        raise UsageError(f"{what} is a study of many runs", mend=f"play it with: palaver run {what}")
    return merged(named, given)


def merged(words: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge a run's words with what the command line says, which wins."""
    said = {key: value for key, value in given.items() if value is not None}
    options = parse_settings(said.pop("settings", ()))
    if "prefix" in said:
        said["prefix"] = parse_prefix(said["prefix"])
    sampling = {key: said.pop(key) for key in ("temperature", "max_tokens", "reasoning_effort") if key in said}
    return {
        **{key: value for key, value in words.items() if key != "about"},
        **said,
        "options": {**words.get("options", {}), **options},
        "sampling": {**words.get("sampling", {}), **sampling},
    }


def named_words(what: str) -> dict[str, Any]:
    """Return what a name on the command line stands for: a game, or the words of a suite or a study.

    Raises:
        UsageError: there is no such game or suite, or its file makes no sense.
    """
    games, suites = game_names(), packaged_suites()
    if what in games:
        return {"game": what}
    if what.endswith((".yaml", ".yml")):
        return read_suite(Path(what) if Path(what).exists() else suites.get(Path(what).stem, Path(what)))
    if what in suites:
        return read_suite(suites[what])
    close = get_close_matches(what, [*games, *suites], n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join([*games, *suites])}"
    raise UsageError(f"there is no game and no suite {what!r}", mend=hint)


def check_run_id(run_id: str) -> None:
    """Accept what a run may be called by whoever hands it over.

    Raises:
        UsageError: this is no such name.
    """
    if not RUN_ID.fullmatch(run_id):
        mend = "take up to 100 letters, digits, '.', '_' and '-', no '-' first and not only dots"
        raise UsageError(f"{one_line(run_id, 100)!r} is no name for a run", mend=mend)


def configure(words: Mapping[str, Any], folder: Path) -> tuple[AnyGame, RunConfig]:
    """Resolve a run: its game, and its configuration with the game's own defaults filled in.

    Args:
        words: what :func:`words_of` returned.
        folder: the run folder; its name is the run's, unless the words say otherwise.

    Raises:
        UsageError: a word is missing or makes no sense; names it.
    """
    run_id = words.get("run_id") or Path(os.path.realpath(folder)).name
    if not run_id:
        raise UsageError(f"{folder} cannot be a run folder", mend="give a new folder")
    game = load_game(words["game"])
    agents = parse_seats(_agents(words.get("agents")))
    options = game.configure(words["options"]).model_dump(mode="json")
    seed = words.get("seed") or 0
    usual: dict[str, Any] = {"protocol": game.usual.protocol}
    if "episodes" not in words:
        usual["episodes"] = _usual_episodes(game, options, seed) if isinstance(seed, int) else game.usual.episodes
    sampling = {**game.usual.sampling.model_dump(exclude_none=True), **words.get("sampling", {})}
    resolved = {"run_id": run_id, "agents": agents, "options": options, "sampling": sampling}
    return game, _checked({**usual, **words, **resolved})


def _usual_episodes(game: AnyGame, options: Mapping[str, Any], seed: int) -> int:
    """Return how many episodes are played where nobody says it.

    All that a file holds; else as many as usual, or those that there are, if that is fewer. What is left of the usual
    number when the variants have taken their turns alike is not played.
    """
    usual = game.usual.episodes
    if (there := in_file(game, options, seed)) is not None:
        return there or usual
    variants = [instance.variant for instance in islice(game.instances(game.configure(options), seed), usual)]
    left = len(variants) % len(set(variants)) if len(variants) == usual else 0
    return len(variants) - left or usual


def in_file(game: AnyGame, options: Mapping[str, Any], seed: int) -> int | None:
    """Count the instances of a file that is played; None where the game makes its own."""
    if options.get("instances") is None:
        return None
    return sum(1 for _ in islice(game.instances(game.configure(options), seed), ALL_OF_A_FILE))


def tuned(config: RunConfig, given: Mapping[str, Any]) -> RunConfig:
    """Return a run that is played in another way: with another concurrency, patience or budget.

    Raises:
        UsageError: a word makes no sense; names it.
    """
    return _checked({**config.model_dump(mode="json"), **given})


def _checked(words: Mapping[str, Any]) -> RunConfig:
    try:
        return RunConfig.model_validate(words)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{where} cannot be {first['input']!r}: {said}") from error


def _agents(given: object) -> str:
    """Return agents as the command line gives them; a suite may list them."""
    if not given:
        raise UsageError("no agents were given", mend="for example --agents scripted; `palaver list agents` names more")
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"agents cannot be {given!r}", mend="write a name, or a list of names")
    return ",".join(names)


def plan_of(game: AnyGame, config: RunConfig) -> Plan:
    """Work a run out.

    Raises:
        UsageError: options, agents and game do not fit together, or there are too few instances, or others than those
            that the run was planned with.
    """
    planned = plan(game, config)
    check_instances(config, planned)
    if (found := len(planned.openings)) < config.episodes:
        mend = f"use -n {found}" if found else "look at the options"
        there = counted(found, "instance")
        asked = f"{config.episodes} episode{' was' if config.episodes == 1 else 's were'}"
        raise UsageError(f"{config.game} has {there}, {asked} asked for", mend=mend)
    return planned


def new_folder(game: str) -> Path:
    """Name a run folder that nobody else has: by game, by local time, and a few random letters."""
    return Path("runs") / f"{game}-{datetime.now().astimezone():%Y%m%d-%H%M%S}-{uuid4().hex[:4]}"
