"""A run graded by models, without replaying it: each of its episodes is played as a :class:`GradingGame`.

The grading is a run of its own, in a folder within the folder of the run that it grades: what a grader has answered is
on disk before it is used, and whoever is stopped goes on with the same command.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from palaver_agents.names import parse_agent
from palaver_gamemasters.episode import seed_for
from palaver_gamemasters.game import AnyGame, Instance
from palaver_gamemasters.grading import GradingGame, GradingOptions, GradingState
from palaver_gamemasters.majority import majority
from palaver_gamemasters.played import PlayedEpisode, final_state
from palaver_gamemasters.rollout import Plan, seat_agents
from palaver_observability.folder import RunFolder
from palaver_observability.writing import counted
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import OWED, EpisodeStarted, Outcome, Usage
from palaver_protocols.runs import EpisodeRecord, Grading, RunConfig

__all__ = ["RULES", "GradingRun", "kept_beside", "plan_grading", "regraded", "rules_first"]

RULES = "rules"
"""What records call the game's own reading."""


@dataclass(frozen=True, slots=True)
class GradingRun:
    """A grading worked out, before anybody is asked.

    ``path`` is its folder, within that of the run that it grades; ``left_out`` names the episodes about which there is
    nothing to ask.
    """

    game: GradingGame
    config: RunConfig
    path: Path
    plan: Plan
    left_out: tuple[str, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether somebody has been asked already."""
        return (self.path / "config.yaml").is_file()

    @property
    def grader(self) -> str:
        """The agent that grades."""
        return self.config.agents[0]

    def still_to_ask(self) -> Plan | None:
        """Return what has not been graded yet; None if nothing is left."""
        if not self.begun:
            return self.plan
        done = {record.episode_id for record in RunFolder.open(self.path).records() if record.outcome not in OWED}
        openings = tuple(opening for opening in self.plan.openings if opening.episode_id not in done)
        limits = {opening.episode_id: self.plan.turn_limit_of(opening) for opening in openings}
        return replace(self.plan, openings=openings, turn_limits=limits) if openings else None

    def read(self, folder: RunFolder) -> dict[str, Grading]:
        """Return what the graders have made of each episode, by the rules of today.

        An episode that is owed (``error``, ``budget``) is left out until it has been taken up again.

        Raises:
            UsageError: an answer that is there was given to another dialogue, or is read in another way by now.
        """
        opened = {opening.episode_id: opening for opening in self.plan.openings}
        return {
            record.episode_id: self._grading(folder, record, opened[record.episode_id])
            for record in folder.records()
            if record.episode_id in opened and record.outcome not in OWED
        }

    def owed(self, folder: RunFolder) -> list[EpisodeRecord]:
        """Return the gradings that came to no end."""
        opened = {opening.episode_id for opening in self.plan.openings}
        return [record for record in folder.records() if record.episode_id in opened and record.outcome in OWED]

    def _grading(self, folder: RunFolder, record: EpisodeRecord, opening: EpisodeStarted) -> Grading:
        entries = folder.read_log(record.episode_id)
        mend = f"delete {self.path} to have it graded anew"
        if getattr(entries[0] if entries else None, "instance", None) != opening.instance:
            raise UsageError(f"the grading of {record.episode_id} is not of the dialogue that is there now", mend=mend)
        try:
            state: GradingState = final_state(self.game, PlayedEpisode.from_log(entries))
        except (ProtocolError, UsageError) as error:
            raise UsageError(
                f"the grading of {record.episode_id} cannot be read: {error.message}", mend=mend
            ) from error
        reads = state.reads
        return Grading(
            grader=self.grader,
            scores=majority([read.scores for read in reads]),
            votes=tuple(dict(read.scores) for read in reads),
            ungraded=len(state.ungraded),
            reason=next(iter(state.ungraded), None),
            detail=[read.detail for read in reads],
            usage=sum(record.usage.values(), Usage()),
            cost_usd=record.cost_usd,
        )


def plan_grading(
    game: AnyGame, run: RunFolder, grader: str, options: Mapping[str, Any], how: Mapping[str, Any]
) -> GradingRun:
    """Work a grading out. Every episode is folded once, so that what cannot be graded is named before anybody is asked.

    Args:
        game: the game that was played.
        run: the run to be graded: each of its episodes that ended by the rules of the game.
        grader: the agent that grades, for every vote.
        options: ``votes``, ``reasks`` and ``temperature``, where they are given.
        how: how it is played (:data:`palaver_protocols.runs.HOW`).

    Raises:
        UsageError: there is nothing to grade, or nothing for a model to grade, or a word makes no sense.
    """
    grader = str(parse_agent(grader))
    chosen = {name: value for name, value in options.items() if name != "temperature"}
    temperature = options.get("temperature")
    episodes = tuple(_episodes(run))
    grading = GradingGame(game, episodes)
    asked = grading.configure(chosen)
    name = _safe(grader) + "".join(
        f"-{word}{value:g}"
        for word, value, usual in (
            ("votes", asked.votes, 1),
            ("reasks", asked.reasks, 2),
            ("t", temperature, None),
        )
        if value != usual and value is not None
    )
    try:
        config = RunConfig.model_validate(
            {
                "run_id": f"{run.config.run_id}.gradings.{name}",
                "game": grading.name,
                "agents": [grader],
                "episodes": run.config.episodes,
                "seed": run.config.seed,
                "options": asked.model_dump(mode="json"),
                "sampling": {"temperature": temperature},
                **how,
            }
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(f"{first['loc'][-1]} cannot be {first['input']!r}: {first['msg']}") from error
    if not episodes:
        raise UsageError(f"{run.path} has no episode to grade: none has ended by the rules of {game.name}")
    limits = {episode.id: limit for episode in episodes if (limit := _turn_limit(grading, episode, asked))}
    if not limits:
        raise UsageError(
            f"{run.path}: {game.name} has nothing for a model to grade in {counted(len(episodes), 'episode')}",
            mend="score it without --grader",
        )
    openings = tuple(_openings(grading, config, [episode for episode in episodes if episode.id in limits]))
    named = {record.episode_id: f"{record.episode_id} ({record.instance_id})" for record in run.records()}
    left_out = tuple(named[episode.id] for episode in episodes if episode.id not in limits)
    plan = Plan(openings, max(limits.values()), limits)
    return GradingRun(grading, config, run.path / "gradings" / name, plan, left_out)


def _episodes(run: RunFolder) -> Iterable[Instance]:
    for record in sorted(run.records(), key=lambda record: record.episode_id):
        if record.outcome not in OWED:
            entries = run.read_log(record.episode_id)
            if not entries:
                raise UsageError(f"{record.episode_id} cannot be graded: it has no transcript")
            yield Instance(record.episode_id, PlayedEpisode.from_log(entries).model_dump(mode="json"))


def _turn_limit(game: GradingGame, episode: Instance, options: GradingOptions) -> int:
    """Return how many answers the grading of an episode can take; 0 if there is nothing to ask about it.

    Raises:
        UsageError: it cannot be graded; names it.
    """
    try:
        return game.turn_limit_of(episode, options)
    except UsageError as error:
        raise UsageError(f"{episode.id} cannot be graded: {error.message}", mend=error.mend) from error


def _openings(game: GradingGame, config: RunConfig, episodes: Iterable[Instance]) -> Iterable[EpisodeStarted]:
    """Yield the beginning of each grading; it has the name of the episode that is graded."""
    options = game.configure(config.options)
    at = datetime.now(UTC)
    for instance in episodes:
        yield EpisodeStarted(
            key=f"started:{config.run_id}/{instance.id}",
            run_id=config.run_id,
            episode_id=instance.id,
            game=game.name,
            variant=game.variant(options),
            instance_id=instance.id,
            instance=instance.data,
            options=config.options,
            seed=seed_for(config.seed, game.name, instance.id),
            seats=seat_agents(game.seats(options), config.agents),
            protocol=config.protocol,
            sampling=config.sampling,
            at=at,
        )


def _safe(name: str) -> str:
    """Write an agent's name so that every file system takes it."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip("-.")


# ---- what becomes of the records


def rules_first(record: EpisodeRecord) -> EpisodeRecord:
    """Return a record that the rules have scored with their own reading at the head of its gradings, if it has any."""
    if not record.gradings:
        return record
    return record.model_copy(update={"gradings": (_rules(record), *_of_models(record))})


def regraded(
    scored: Sequence[EpisodeRecord], gradings: Mapping[str, Grading], graded: Sequence[str]
) -> list[EpisodeRecord]:
    """Return records with the scores of a grader in front.

    What a grader says counts; what it says nothing of, such as the number of messages, stays as the rules have it. An
    ungraded episode keeps its outcome, and has None for what the grader would have said.

    Args:
        scored: records that the rules have scored, in order.
        gradings: what one grader made of them, by episode.
        graded: the scores that the game's graders give (:meth:`~palaver_gamemasters.game.Game.graded_scores`), for
            the case that this one has given none at all.
    """
    names = tuple(dict.fromkeys(name for grading in gradings.values() for name in grading.scores)) or graded
    return [_in_front(record, gradings.get(record.episode_id), names) for record in kept_beside(scored, gradings)]


def kept_beside(scored: Iterable[EpisodeRecord], gradings: Mapping[str, Grading]) -> list[EpisodeRecord]:
    """Return records with what a grader made of them, and the scores of the rules in front.

    For a grading that is not whole: the scores of a run are all by the same reader, or they cannot be compared.

    Args:
        scored: records that the rules have scored, in order.
        gradings: what one grader made of some of them, by episode.
    """
    return [_beside(record, gradings.get(record.episode_id)) for record in scored]


def _beside(record: EpisodeRecord, grading: Grading | None) -> EpisodeRecord:
    if grading is None:
        return rules_first(record)
    others = [other for other in _of_models(record) if other.grader != grading.grader]
    return record.model_copy(update={"gradings": (_rules(record), *others, grading)})


def _in_front(record: EpisodeRecord, grading: Grading | None, names: Iterable[str]) -> EpisodeRecord:
    if grading is None:
        return record
    return record.model_copy(
        update={
            "scores": {**record.scores, **(grading.scores or dict.fromkeys(names))},
            "outcome": _outcome(record.outcome, grading.scores),
        }
    )


def _outcome(outcome: Outcome, scores: Mapping[str, float | None]) -> Outcome:
    match scores.get("success"):
        case None:
            return outcome
        case success:
            return "solved" if success else "failed"


def _rules(record: EpisodeRecord) -> Grading:
    return Grading(grader=RULES, scores=record.scores)


def _of_models(record: EpisodeRecord) -> list[Grading]:
    return [grading for grading in record.gradings if grading.grader != RULES]
