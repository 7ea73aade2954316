"""``--dry-run``: what would be played, how many calls and tokens it would take, and what it would cost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import Plan
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import relay_of

from .configure import in_file
from .estimates import NO_LOGS, Estimate, Share, estimate_run
from .options import print_json
from .rehearsal import CHARACTERS_A_TOKEN
from .session import environment

__all__ = ["about", "assumed", "cost_in_words", "estimate_facts", "show", "tell_estimate"]

DONE = "This was a dry run: nobody was asked, nothing was written."


def show(
    config: RunConfig,
    planned: Plan,
    *,
    as_json: bool,
    game: AnyGame | None = None,
    environ: Mapping[str, str] | None = None,
    logs: Mapping[str, Sequence[LogEntry]] = NO_LOGS,
) -> int:
    """Say what a run would do; ask nobody, create nothing.

    Args:
        config: the run.
        planned: the run worked out.
        as_json: whether a program reads it.
        game: the rules; None: those that go by the configuration's name.
        environ: the environment, with what ``.env`` adds to it; None: that of this process.
        logs: what was said already in episodes that go on.

    Raises:
        UsageError: the user's file of providers makes no sense.
    """
    game = game or load_game(config.game)
    estimate = estimate_run(game, config, planned, environment() if environ is None else environ, logs=logs)
    facts = {**_facts(config, planned), **estimate_facts(estimate)}
    there = in_file(game, config.options, config.seed)
    if as_json:
        print_json(facts)
        return 0
    named = facts["instances"]
    rows = [
        ("game", f"{config.game}, variant {facts['variant']}"),
        ("episodes", f"{facts['episodes']:,}" + (f", of {there:,} instances in the file" if there else "")),
        ("instances", named[0] if len(named) == 1 else f"{named[0]} to {named[-1]}"),
        ("seats", _pairs(facts["seats"])),
        ("options", _pairs({key: value for key, value in facts["options"].items() if value is not None})),
        ("protocol", config.protocol),
        ("sampling", _pairs(facts["sampling"]) or "left to the provider"),
        *estimate_rows(estimate),
    ]
    for name, value in rows:
        click.echo(f"{name:<10} {value}")
    click.echo()
    for note in estimate_notes(estimate):
        click.echo(note)
    click.echo(DONE)
    return 0


def _facts(config: RunConfig, planned: Plan) -> dict[str, Any]:
    first, last = planned.openings[0], planned.openings[-1]
    return {
        "game": config.game,
        "variant": ", ".join(dict.fromkeys(opening.variant for opening in planned.openings)),
        "episodes": len(planned.openings),
        "instances": list(dict.fromkeys((first.instance_id, last.instance_id))),
        "seed": config.seed,
        "seats": {seat: relay_of(fillers) for seat, fillers in first.seats.items()},
        "options": first.options,
        "protocol": config.protocol,
        "sampling": config.sampling.model_dump(exclude_none=True),
        "turn_limit": planned.turn_limit,
    }


def estimate_facts(estimate: Estimate) -> dict[str, Any]:
    """Write an estimate for programs; what is not known is None. Costs (US dollars) leave unpriced models out.

    ``output_tokens_at_most`` is what ``max_tokens`` lets models write in all calls, ``output_usd_at_most`` its cost.
    """
    known = bool(estimate.played)
    priced = known and estimate.is_priced
    return {
        "calls_at_most": estimate.calls_at_most,
        "calls_about": round(estimate.calls) if known else None,
        "input_tokens_about": round(estimate.about.input_tokens) if known else None,
        "output_tokens_about": round(estimate.about.output_tokens) if known else None,
        "cost_usd_about": estimate.cost_usd if priced else None,
        "cost_usd_all_turns": estimate.most_usd if priced else None,
        "output_tokens_at_most": estimate.longest.tokens,
        "output_usd_at_most": estimate.longest.usd,
        "agents": {name: _share_facts(share) for name, share in estimate.shares.items()} if known else {},
        "unpriced": list(estimate.unpriced),
        "estimated_from": {
            "episodes": estimate.played,
            "players": list(estimate.players),
            "characters_a_message": round(estimate.characters),
        },
        "problems": list(estimate.problems),
        "warnings": list(estimate.warnings),
    }


def _share_facts(share: Share) -> dict[str, Any]:
    about, most = (
        {
            "calls": round(load.calls),
            "input_tokens": round(load.input_tokens),
            "output_tokens": round(load.output_tokens),
            "cost_usd": share.cost_usd(load),
        }
        for load in (share.about, share.most)
    )
    return {**about, "all_turns": most}


def tell_estimate(whole: Estimate) -> None:
    """Print what several runs would take together, and that nobody was asked."""
    for name, value in estimate_rows(whole):
        click.echo(f"{name:<10} {value}")
    click.echo()
    for note in estimate_notes(whole):
        click.echo(note)
    click.echo(DONE)


def estimate_rows(estimate: Estimate) -> Iterator[tuple[str, str]]:
    """Yield an estimate as names and values: calls, the tokens of each model (a name is empty below itself), cost."""
    models = {name: share for name, share in estimate.shares.items() if share.is_model}
    if not models:
        yield "calls", "none"
        yield "cost", "nothing: no model is asked"
        return
    bound = f"at most {estimate.calls_at_most:,}"
    if not estimate.played:
        yield "calls", f"{bound}, tries not counted"
        yield from _longest(estimate)
        return
    # two digits may round an estimate up beyond what can be
    usual = min(float(f"{estimate.calls:.2g}"), estimate.calls_at_most)
    yield "calls", f"about {usual:,.0f}, {bound}, tries not counted"
    name = "tokens"
    for model, share in models.items():
        read, written = about(share.about.input_tokens), about(share.about.output_tokens)
        yield name, f"{model}: about {read} in, {written} out"
        name = ""
    yield from _longest(estimate)
    yield "cost", cost_in_words(estimate)


def _longest(estimate: Estimate) -> Iterator[tuple[str, str]]:
    """Yield how much models may write, where it is bounded."""
    tokens, usd = estimate.longest.tokens, estimate.longest.usd
    if tokens is not None:
        price = "" if usd is None else f", which costs {_dollars(usd).replace('about', 'at most')}"
        yield "answers", f"at most {tokens:,} tokens by max_tokens{price}"


def cost_in_words(estimate: Estimate) -> str:
    """Say what an estimate comes to in US dollars, as far as that is known."""
    if not estimate.is_priced:
        return "not known"
    usual, whole = _dollars(estimate.cost_usd), _dollars(estimate.most_usd)
    both = usual if usual == whole else f"{usual}; {whole} if every episode took all its turns"
    return f"{both} (without {', '.join(estimate.unpriced)})" if estimate.unpriced else both


def estimate_notes(estimate: Estimate) -> Iterator[str]:
    """Yield what an estimate rests on, and what it leaves out, one sentence or two a line."""
    yield from estimate.warnings
    for problem in estimate.problems:
        yield f"Not estimated: {problem}."
    for model in estimate.unpriced:
        yield f"No price known for {model}: its cost is left out; add it to palaver.providers.yaml."
    if not estimate.played or not any(share.is_model for share in estimate.shares.values()):
        return
    episodes = "an episode" if estimate.played == 1 else f"{estimate.played} episodes"
    scripts = " and ".join(f"`{player}`" for player in estimate.players)
    yield (
        f"Estimated from {episodes} played by {scripts}: {estimate.characters:.0f} characters a message on average, "
        f"and {CHARACTERS_A_TOKEN} characters a token."
    )
    if estimate.longest.tokens is None:
        yield (
            "No max_tokens bounds all that is written: it is taken to be as long as that, and may be many times longer."
        )
    yield (
        "Models talk more or less than scripts, and the views grow with what they say. Tokens of reasoning are not "
        "counted, and nothing is taken off for input that a provider has seen before."
    )


def about(number: float) -> str:
    """Write a number with the two digits that an estimate is good for."""
    return f"{float(f'{number:.2g}'):,.0f}"


def _dollars(usd: float) -> str:
    if usd < 0.01:
        return "less than a cent" if usd else "nothing"
    return f"about ${usd:.2f}" if usd < 10 else f"about ${about(usd)}"


def assumed(estimate: Estimate) -> str:
    """Say how long answers are taken to be that nothing bounds, in the midst of a sentence; nothing where it does."""
    if estimate.longest.tokens is not None or not estimate.calls:
        return ""
    each = about(estimate.about.output_tokens / estimate.calls)
    return f"answers are taken to be of {each} tokens each, and no max_tokens bounds them"


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())
