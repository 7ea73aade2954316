"""``palaver list``: what there is."""

from collections.abc import Iterator, Mapping
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from .options import as_json, print_json

if TYPE_CHECKING:
    from palaver_agents.providers.endpoint import Price
    from palaver_gamemasters.game import AnyGame

__all__ = ["list_"]

Row = dict[str, Any]
NARROW, WIDE = 60, 120
"""Columns: no text is set narrower or wider, whatever the terminal."""


@click.command("list")
@click.argument(
    "what", type=click.Choice(["games", "agents", "models", "suites"]), metavar="games|agents|models|suites"
)
@click.argument("name", required=False)
@as_json
def list_(what: str, name: str | None, as_json: bool) -> None:
    """Say what there is: games, agents, suites, or models (with US dollars for a million tokens, as far as known).

    With a NAME, that one alone; of a game, what can be set and who plays it without a model.
    """
    rows = {"games": _games, "agents": _agents, "models": _models, "suites": _suites}[what]()
    if name is not None:
        rows = _named(rows, name, what)
    if as_json:
        print_json(rows)
        return
    width = min(max(get_terminal_size().columns, NARROW), WIDE)
    formatter = click.HelpFormatter(width=width)
    if what == "games" and name is not None:
        for row in rows:
            _write_game(row, formatter)
    else:
        formatter.write_dl([(row["name"], row["summary"] + _note(row)) for row in rows], col_max=width // 2)
    if what == "games" and name is None:
        formatter.write_paragraph()
        formatter.write_text("palaver list games NAME says what can be set, and who plays without a model.")
    click.echo(formatter.getvalue().rstrip("\n"))


def _named(rows: list[Row], name: str, what: str) -> list[Row]:
    """Return the row of this name.

    Raises:
        UsageError: there is none.
    """
    from difflib import get_close_matches

    from palaver_protocols.errors import UsageError

    found = [row for row in rows if row["name"] == name]
    if not found:
        names = [row["name"] for row in rows]
        close = get_close_matches(name, names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"see `palaver list {what}`"
        raise UsageError(f"there is no {what.removesuffix('s')} {name!r}", mend=hint)
    return found


def _games() -> list[Row]:
    from palaver_gamemasters.registry import game_names, load_game
    from palaver_protocols.errors import UsageError

    rows: list[Row] = []
    for name in game_names():
        try:
            rows.append(_game(load_game(name)))
        except UsageError as error:  # one broken package must not hide the others
            rows.append({"name": name, "summary": str(error), "options": [], "about": "", "players": []})
    return rows


def _game(game: "AnyGame") -> Row:
    schema = game.options_type.model_json_schema()
    return {
        "name": game.name,
        "summary": game.summary,
        "options": [
            {
                "name": name,
                "default": option.get("default"),
                "values": _values(option),
                "description": option.get("description", ""),
            }
            for name, option in schema.get("properties", {}).items()
        ],
        "about": _body(schema.get("description", "")),
        "players": list(game.players()),
        "score": game.primary_score,
    }


def _body(docstring: str) -> str:
    """Return what follows the first paragraph of a docstring, as plain text."""
    return " ".join(docstring.partition("\n\n")[2].replace("``", "").split())


KINDS = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true | false", "array": "a,b,..."}
BOUNDS = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "exclusiveMaximum": "below"}


def _values(option: Mapping[str, Any]) -> str:
    """Say in words what a JSON Schema accepts."""
    if choices := option.get("anyOf"):
        return " or ".join(_values(choice) for choice in choices if choice.get("type") != "null")
    if "enum" in option:
        return " | ".join(map(str, option["enum"]))
    if option.get("format") == "path":
        return "file"
    bounds = [f"{word} {option[name]:g}" for name, word in BOUNDS.items() if name in option]
    return " ".join([KINDS.get(option.get("type", ""), "anything"), *bounds])


def _write_game(row: Row, formatter: click.HelpFormatter) -> None:
    formatter.write_text(f"{row['name']}: {row['summary']}")
    with formatter.indentation():
        formatter.write_dl([*_settings(row), ("players", ", ".join(row["players"]))])
        if row["about"]:
            formatter.write_paragraph()
            formatter.write_text(row["about"])
    formatter.write_paragraph()


def _settings(row: Row) -> Iterator[tuple[str, str]]:
    for option in row["options"]:
        said = [option["description"].rstrip("."), option["values"]]
        yield f"--set {option['name']}={_typed(option['default'])}", ": ".join(words for words in said if words)


def _typed(default: object) -> str:
    """Write a default as one would type it."""
    match default:
        case None:
            return "..."
        case bool():
            return str(default).lower()
        case list():
            return ",".join(map(str, default))
    return str(default)


def _agents() -> list[Row]:
    from palaver_agents.names import FORMS, Form
    from palaver_agents.providers.data import providers

    from .session import environment

    environ = environment()
    known = providers(environ)
    own = {word: Form(f"{word}/MODEL[@URL]", "your own", "model") for word in known if word not in FORMS}
    rows: list[Row] = []
    for word, form in {**FORMS, **own}.items():
        provider = known.get(word)
        key = provider and {
            "variable": provider.key_variables[0],
            "needed": provider.needs_key,
            "set": any(environ.get(variable, "").strip() for variable in provider.key_variables),
        }
        rows.append({"name": form.shape, "summary": form.summary, "available": True, "key": key})
    return rows


def _models() -> list[Row]:
    from palaver_agents.names import AgentName
    from palaver_agents.providers import facts
    from palaver_agents.providers.data import providers

    from .session import environment

    environ = environment()
    rows: list[Row] = []
    for word, provider in providers(environ).items():
        for model in provider.models:
            if "*" in model:
                continue
            known = facts(AgentName("model", model, word), environ)
            price = known.price
            rows.append(
                {
                    "name": f"{word}/{model}",
                    "summary": _price(price),
                    "context": known.context,
                    "longest": known.longest,
                    "price": price and {"input": price.input, "output": price.output, "cached": price.cached},
                    "refuses": sorted(known.refuses),
                    "thinks": known.thinks,
                    "dated": known.dated,
                    "as_of": known.as_of,
                }
            )
    return rows


def _price(price: "Price | None") -> str:
    return f"${price.input:g} in, ${price.output:g} out" if price else "no price known"


def _note(row: Row) -> str:
    """Say what else there is to know of an agent."""
    if as_of := row.get("as_of"):
        return f" ({as_of})"
    if experiments := row.get("experiments"):
        optional = row.get("optional", [])
        usual = [each for each in experiments if each not in optional]
        named = f"only with --only: {', '.join(optional)}" if optional else ""
        return f" (experiments: {'; '.join(filter(None, (', '.join(usual), named)))})"
    key = row.get("key")
    if not key or not (key["needed"] or key["set"]):
        return ""
    return f" ({key['variable']} is {'set' if key['set'] else 'not set'})"


def _suites() -> list[Row]:
    from .suites import packaged_suites, read_suite

    rows = []
    for name, file in packaged_suites().items():
        words = read_suite(file)
        experiments = words.get("experiments") or {}
        games = dict.fromkeys(each.get("game", words.get("game")) for each in experiments.values()) or [words["game"]]
        row: Row = {"name": name, "summary": words.get("about", ""), "file": str(file), "game": ", ".join(games)}
        if experiments:
            row["experiments"] = list(experiments)
            row["optional"] = [each for each, said in experiments.items() if said.get("optional")]
        rows.append(row)
    return rows
