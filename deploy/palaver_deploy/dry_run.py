"""``--dry-run``: what would be played, and how many calls it would take."""

from typing import Any

import click

from palaver_gamemasters.rollout import Plan
from palaver_protocols.runs import RunConfig

from .options import print_json

__all__ = ["show"]


def show(config: RunConfig, planned: Plan, *, as_json: bool) -> int:
    """Say what a run would do; ask nobody, create nothing."""
    facts = _facts(config, planned)
    if as_json:
        print_json(facts)
        return 0
    named = facts["instances"]
    rows = [
        ("game", f"{config.game}, variant {facts['variant']}"),
        ("episodes", f"{facts['episodes']:,}"),
        ("instances", named[0] if len(named) == 1 else f"{named[0]} to {named[-1]}"),
        ("seats", _pairs(facts["seats"])),
        ("options", _pairs({key: value for key, value in facts["options"].items() if value is not None})),
        ("protocol", config.protocol),
        ("sampling", _pairs(facts["sampling"]) or "left to the provider"),
        ("calls", f"at most {facts['calls_at_most']:,} ({planned.turn_limit:,} an episode), tries not counted"),
    ]
    for name, value in rows:
        click.echo(f"{name:<10} {value}")
    click.echo("\nThis was a dry run: nobody was asked, nothing was written.")
    return 0


def _facts(config: RunConfig, planned: Plan) -> dict[str, Any]:
    first, last = planned.openings[0], planned.openings[-1]
    return {
        "game": config.game,
        "variant": first.variant,
        "episodes": len(planned.openings),
        "instances": list(dict.fromkeys((first.instance_id, last.instance_id))),
        "seed": config.seed,
        "seats": {seat: fillers[0].agent for seat, fillers in first.seats.items()},
        "options": first.options,
        "protocol": config.protocol,
        "sampling": config.sampling.model_dump(exclude_none=True),
        "turn_limit": planned.turn_limit,
        "calls_at_most": len(planned.openings) * planned.turn_limit,
    }


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())
