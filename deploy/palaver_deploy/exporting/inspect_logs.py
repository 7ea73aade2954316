"""Runs as logs of Inspect's, with its own classes: one log a run, one sample an episode."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaver_gamemasters.game import AnyGame
from palaver_observability.stats import NOT_COUNTED, Estimate, estimate, pooled
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import OWED
from palaver_protocols.runs import EpisodeRecord

from .grains import Tick
from .pictures import pictures_in, read_pictures
from .sources import Source, game_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalResults, EvalSample, EvalScore, EvalSpec

__all__ = ["check_extra", "write_logs"]


def check_extra() -> None:
    """Ask for inspect-ai where it is missing.

    Raises:
        UsageError: it is.
    """
    if find_spec("inspect_ai") is None:
        raise UsageError("Inspect's logs need inspect-ai", mend="pip install 'palaver[inspect]'")


def write_logs(sources: Sequence[Source], there: Path, tick: Tick) -> dict[str, int]:
    """Write a log for each run that has episodes; return how many samples each has, by its file's name.

    Raises:
        UsageError: inspect-ai is not installed.
        ProtocolError: a log is damaged; names file and line.
    """
    check_extra()
    from inspect_ai.log import write_eval_log

    written = {}
    for source in sources:
        if not source.records:
            continue
        log = _log(source, tick)
        file = there / f"{log.eval.created.replace(':', '-')}_{log.eval.task}_{log.eval.task_id}.eval"
        write_eval_log(log, str(file), format="eval")
        written[file.name] = len(source.records)
    return written


def _log(source: Source, tick: Tick) -> "EvalLog":
    from inspect_ai.log import EvalLog, EvalStats
    from inspect_ai.model import ModelUsage

    from .inspect_samples import usage_of

    game = game_of(source)
    samples = _samples(source, game, tick)
    used: dict[str, ModelUsage] = {}
    roles: dict[str, ModelUsage] = {}
    for sample in samples:
        for agent, usage in sample.model_usage.items():
            used[agent] = used.get(agent, ModelUsage()) + usage
    for record in source.records:
        for seat, tokens in record.usage.items():
            roles[seat] = roles.get(seat, ModelUsage()) + usage_of(tokens, None)
    done = not source.left_out and not any(record.outcome in OWED for record in source.records)
    return EvalLog(
        status="success" if done else "cancelled",
        eval=_spec(source, samples, game),
        results=_results(source.records, game),
        stats=EvalStats(
            started_at=min(record.started for record in source.records).isoformat(),
            completed_at=max(record.ended for record in source.records).isoformat(),
            model_usage=used,
            role_usage=roles,
        ),
        samples=samples,
    )


def _samples(source: Source, game: AnyGame | None, tick: Tick) -> "list[EvalSample]":
    from .inspect_samples import data_url, sample_of

    names = _sample_names(source.records)
    epochs: Counter[str] = Counter()
    urls: dict[str, str] = {}
    samples = []
    for record in source.records:
        entries = source.run.read_log(record.episode_id)
        shown = pictures_in(entries)
        found = read_pictures(source.run, (sha256 for sha256 in shown if sha256 not in urls))
        urls |= {sha256: data_url(shown[sha256], data) for sha256, data in found.items()}
        name = names[record.variant, record.instance_id]
        epochs[name] += 1
        samples.append(sample_of(record, entries, id_=name, epoch=epochs[name], game=game, pictures=urls))
        tick()
    return samples


def _sample_names(records: Sequence[EpisodeRecord]) -> Mapping[tuple[str, str], str]:
    """Name instances: by their ids, with the variant in front where two variants have one id in common."""
    kinds = dict.fromkeys((record.variant, record.instance_id) for record in records)
    times = Counter(instance for _, instance in kinds)
    return {
        (variant, instance): (instance if times[instance] == 1 else f"{variant} {instance}").replace("/", "|")
        for variant, instance in kinds
    }


def _spec(source: Source, samples: "Sequence[EvalSample]", game: AnyGame | None) -> "EvalSpec":
    from inspect_ai.log import EvalConfig, EvalDataset, EvalRevision, EvalSpec
    from inspect_ai.model import GenerateConfig, ModelConfig

    config = source.run.config
    started = min(record.started for record in source.records)
    ids = list(dict.fromkeys(str(sample.id) for sample in samples))
    made_with = source.written.get("made_with")
    made: Mapping[str, Any] = made_with if isinstance(made_with, Mapping) else {}
    commit = str(made.get("git_commit") or "")
    sampling = config.sampling
    seats = {
        seat: ModelConfig(
            model=fillers[0].agent,
            args={"then": [filler.model_dump(mode="json") for filler in fillers[1:]]} if len(fillers) > 1 else {},
        )
        for seat, fillers in source.records[0].seats.items()
    }
    written = {"study": source.study, "experiment": source.experiment, "labels": dict(source.labels)}
    name = hashlib.sha256(config.run_id.encode()).hexdigest()[:22]
    return EvalSpec(
        eval_id=name,
        run_id=config.run_id,
        created=started.isoformat(timespec="seconds"),
        task=config.game,
        task_id=name,
        task_display_name=config.game,
        task_description=game.summary if game is not None else None,
        task_args=dict(config.options),
        tags=[config.run_id],
        dataset=EvalDataset(name=config.game, samples=len(ids), sample_ids=list(ids)),
        model=" + ".join(dict.fromkeys(config.agents)),
        model_generate_config=GenerateConfig(
            temperature=sampling.temperature, top_p=sampling.top_p, max_tokens=sampling.max_tokens
        ),
        model_roles=dict(seats),
        config=EvalConfig(epochs=max(sample.epoch for sample in samples), fail_on_error=False),
        revision=EvalRevision(type="git", origin="", commit=commit) if commit else None,
        packages={"palaver": str(made["palaver"])} if "palaver" in made else {},
        metadata={
            "run": config.run_id,
            "protocol": config.protocol,
            "handoff": config.handoff,
            "seed": config.seed,
            # no setting of Inspect's: it knows a few words, and providers others
            **({"reasoning_effort": sampling.reasoning_effort} if sampling.reasoning_effort else {}),
            **{key: value for key, value in written.items() if value},
        },
    )


def _results(records: Sequence[EpisodeRecord], game: AnyGame | None) -> "EvalResults":
    """Sum up as our own tables do: what counts in no score counts here in none either."""
    from inspect_ai.log import EvalResults, HeadlineMetric

    counted = [record for record in records if record.outcome not in NOT_COUNTED]
    names = list(dict.fromkeys(name for record in counted for name in record.scores))
    main = game.primary_score if game is not None else ""
    names.sort(key=lambda name: name != main)
    return EvalResults(
        total_samples=len(records),
        completed_samples=sum(record.outcome not in OWED for record in records),
        scores=[
            _score(name, counted, len(records), by_episode=game is not None and game.pools_episodes) for name in names
        ],
        headline=HeadlineMetric(scorer=names[0], metric="mean") if names else None,
    )


def _score(name: str, counted: Sequence[EpisodeRecord], total: int, *, by_episode: bool) -> "EvalScore":
    from inspect_ai.log import EvalMetric, EvalScore

    variants = list(dict.fromkeys(record.variant for record in counted))
    each = {
        variant: estimate(record.scores.get(name) for record in counted if record.variant == variant)
        for variant in variants
    }
    found: Estimate = pooled(each.values(), by_episode=by_episode) if len(each) > 1 else next(iter(each.values()))
    metrics = {}
    if found.mean is not None:
        metrics["mean"] = EvalMetric(name="mean", value=found.mean)
    if found.standard_error is not None:
        metrics["stderr"] = EvalMetric(name="stderr", value=found.standard_error)
    # with a metric a variant, the viewer's heading would show those of few variants only, and leave the main one out
    means = {variant: one.mean for variant, one in each.items()}
    return EvalScore(
        name=name,
        scorer=name,
        scored_samples=found.n,
        unscored_samples=total - found.n,
        metrics=metrics,
        metadata={"mean by variant": means} if len(each) > 1 else None,
    )
