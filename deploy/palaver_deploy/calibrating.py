"""A calibration worked out and told: a grading of labelled examples, which belong to no run."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from palaver_agents.names import parse_agent
from palaver_gamemasters.game import AnyGame, Instance
from palaver_gamemasters.grading import GradingGame, GradingOptions
from palaver_gamemasters.rollout import plan
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord, Grading, RunConfig

from .bills import grading_bill, overspent
from .configure import tuned
from .exits import FAILED, complain
from .grading import GradingRun
from .labelled import Example, Verdict, agreement, calibration_of, verdict
from .labelled_words import told
from .options import print_json
from .session import environment

__all__ = ["AGAIN", "plan_calibration", "tell", "tell_bill", "verdicts_of"]

AGAIN = "the same command asks for what is owed; nothing that was answered is lost"


def plan_calibration(
    game: AnyGame,
    examples: Sequence[Example],
    *,
    file: Path,
    out: Path | None,
    grader: str,
    options: Mapping[str, Any],
    how: Mapping[str, Any],
) -> GradingRun:
    """Work the grading out: each example is an instance of it, named by its line.

    Raises:
        UsageError: the grader or an option makes no sense.
    """
    grader = str(parse_agent(grader))
    grading = GradingGame(
        game, [Instance(f"line-{each.line:05d}", each.played.model_dump(mode="json")) for each in examples]
    )
    chosen = grading.configure({key: value for key, value in options.items() if key != "temperature"})
    digest = _digest(game, grading, chosen, file)
    stem, name = (re.sub(r"[^A-Za-z0-9.+-]+", "-", text).strip("-.") for text in (file.stem, grader))
    config = tuned(
        RunConfig(
            run_id=f"calibrate-{digest}",
            game=grading.name,
            agents=(grader,),
            episodes=len(examples),
            options=chosen.model_dump(mode="json"),
        ),
        {"sampling": {"temperature": options.get("temperature")}, **how},
    )
    shape = hashlib.sha256(json.dumps([digest, options], sort_keys=True).encode()).hexdigest()[:8]
    path = out or Path("runs") / f"calibrate-{stem}-{name}-{shape}"
    return GradingRun(grading, config, path, plan(grading, config))


def _digest(game: AnyGame, grading: GradingGame, options: GradingOptions, file: Path) -> str:
    """Digest what graders are asked: whoever changes an example or the prompt calibrates anew.

    Raises:
        UsageError: an example cannot be graded; names its line.
    """
    digest = hashlib.sha256()
    for instance in grading.instances(options, 0):
        try:
            played = grading.start(instance.data, options).played
        except UsageError as error:
            line = int(instance.id.rpartition("-")[2])
            raise UsageError(f"{file}, line {line} cannot be graded: {error.message}", mend=error.mend) from error
        digest.update(b"".join(message.digest for view in game.grading_views(played) for message in view))
    return digest.hexdigest()[:16]


def verdicts_of(
    game: AnyGame, planned: GradingRun, examples: Sequence[Example], gradings: Mapping[str, Grading]
) -> list[Verdict]:
    """Return what the grader made of the examples that it has graded, in order.

    Args:
        game: whose episodes they are.
        planned: the calibration.
        examples: all of them.
        gradings: what has been graded, by the episode of the grading.
    """
    labels = calibration_of(game).labels
    by_line = {opening.instance_id: opening.episode_id for opening in planned.plan.openings}
    graded = [(each, gradings.get(by_line[f"line-{each.line:05d}"])) for each in examples]
    return [verdict(each, labels, grading) for each, grading in graded if grading is not None]


def tell(game: AnyGame, file: Path, planned: GradingRun, verdicts: Sequence[Verdict], *, as_json: bool) -> None:
    """Say how often the grader was right, and where it was not."""
    found = agreement(tuple(calibration_of(game).labels.values()), verdicts)
    wrong = [each for each in verdicts if not each.right]
    if as_json:
        print_json(
            {
                "file": str(file),
                "game": game.name,
                "grader": planned.grader,
                "folder": str(planned.path),
                "examples": len(planned.plan.openings),
                **found.model_dump(mode="json"),
                "wrong": [
                    {
                        "line": each.example.line,
                        "variant": each.example.variant,
                        "expected": each.example.label,
                        "said": each.said,
                        "reason": each.reason,
                    }
                    for each in wrong
                ],
            }
        )
        return
    with suppress(BrokenPipeError):  # a reader who has left makes no calibration a failure
        for line in (
            f"{planned.grader} on {file}: {len(planned.plan.openings)} labelled episodes of {game.name}",
            *told(game, found, wrong),
            "",
            f"answers: {planned.path}",
        ):
            click.echo(line)


def tell_bill(
    planned: GradingRun, records: Sequence[EpisodeRecord], owed: Sequence[EpisodeRecord], *, as_json: bool
) -> int:
    """Say what it has cost and what is owed; return the exit code: 1 if the grader has failed."""
    if not as_json and (said := grading_bill(planned.grader, records, environment())):
        click.echo(said)
    if said := overspent(planned.config, records):
        complain(said, 0)
    if not owed:
        return 0
    extent = f"{len(owed)} of {len(planned.plan.openings)} examples are left out"
    if errors := [record for record in owed if record.outcome == "error"]:
        return complain(f"{extent}, the first since {errors[0].error} ({AGAIN})", FAILED)
    return complain(f"the budget is spent: {extent} (raise it; {AGAIN})", 0)
