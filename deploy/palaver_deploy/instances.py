"""What a run was planned with: a digest of its instances, kept in ``config.yaml``, so that no run mixes two datasets.

Instances are worked out anew whenever a run is taken up, and those of a dataset or a file come from whatever lies there
by then.
"""

from pathlib import Path

from palaver_gamemasters.rollout import Plan
from palaver_observability.folder import RunFolder
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import INSTANCES, RunConfig

__all__ = ["check_instances", "check_same_instances", "planned_with", "settled"]


def planned_with(config: RunConfig, planned: Plan) -> RunConfig:
    """Return the configuration of a new run, which says what it is planned with."""
    known = {"instances_sha256": planned.instances_sha256, "instances_revision": planned.instances_revision}
    return config.model_copy(update=known)


def settled(config: RunConfig, planned: Plan, path: Path) -> RunConfig:
    """Return a run's configuration as its folder has it or will have it: with what it is or was planned with.

    Args:
        config: the run.
        planned: the run worked out.
        path: its folder, which may not be there yet. One of before there were digests stays without.

    Raises:
        UsageError: it was planned with other instances.
    """
    if not (path / "config.yaml").is_file():
        return planned_with(config, planned)
    there = RunFolder.open(path).config
    now = planned_with(config, planned)
    check_same_instances(there, now, planned)
    kept = {"instances_sha256": there.instances_sha256, "instances_revision": there.instances_revision}
    return config.model_copy(update=kept) if there.is_same_run(now) else now


def check_same_instances(there: RunConfig, now: RunConfig, planned: Plan) -> None:
    """Make sure that a run that is there already has the instances of the same run as it is planned now.

    Another run of that name is nothing that is said here.

    Raises:
        UsageError: it was planned with other instances.
    """
    if set(there.differences(now)) <= set(INSTANCES):
        check_instances(there, planned)


def check_instances(config: RunConfig, planned: Plan) -> None:
    """Make sure that what is about to be played is what the run was planned with, where that is known.

    Args:
        config: the run, as it was planned.
        planned: the run worked out now.

    Raises:
        UsageError: it is not; says which run, and the mend.
    """
    if config.instances_sha256 in (None, planned.instances_sha256):
        return
    was, now = config.instances_revision, planned.instances_revision
    of = f", of revision {was} (now {now or 'unknown'})" if was and was != now else ""
    raise UsageError(
        f"the instances of {config.game} are not those that {config.run_id} was planned with{of}",
        mend=f"put its files back as they were{f', at revision {was}' if was else ''}, or go on with the version of "
        "palaver that config.yaml names, or start a new run",
    )
