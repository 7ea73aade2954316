"""``palaver list``: what there is."""

import json
from typing import Any

import click

from .options import as_json

__all__ = ["list_"]


@click.command("list")
@click.argument("what", type=click.Choice(["games", "agents", "suites"]))
@as_json
def list_(what: str, as_json: bool) -> None:
    """Say what there is: games, agents or suites."""
    rows = {"games": _games, "agents": _agents, "suites": _suites}[what]()
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    if not rows:
        click.echo(f"no {what} yet")
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        click.echo(f"{row['name']:<{width}}  {row['summary']}")
        for line in row.get("details", ()):
            click.echo(f"{'':<{width}}  {line}")


def _games() -> list[dict[str, Any]]:
    from palaver_gamemasters.registry import game_names, load_game

    rows = []
    for name in game_names():
        game = load_game(name)
        options = game.options_type.model_fields
        details = [f"--set {option}=...  {field.description or ''}".rstrip() for option, field in options.items()]
        details.append(f"players: {', '.join(game.players())}")
        rows.append({"name": name, "summary": game.summary, "details": details})
    return rows


def _agents() -> list[dict[str, Any]]:
    from palaver_agents.names import FORMS

    later = " (not built into this version)"
    return [{"name": form.shape, "summary": form.summary + ("" if form.kind else later)} for form in FORMS.values()]


def _suites() -> list[dict[str, Any]]:
    from importlib.resources import files

    import yaml

    folder = files("palaver_deploy") / "suites"
    found = []
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        words = yaml.safe_load(file.read_text(encoding="utf-8"))
        found.append({"name": str(file), "summary": f"{words['game']}, {words.get('episodes', 1)} episodes"})
    return found
