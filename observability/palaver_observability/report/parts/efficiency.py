"""What a solution costs in words: tokens and messages by range of outcome (The Collaboration Gap, appendix C)."""

from collections.abc import Iterable, Sequence

from palaver_observability.statistics import RangeRow, by_range
from palaver_protocols.runs import EpisodeRecord

from ..charts.bars import Bar, bars
from ..document import Block, Chart, Figure, Note, Section, Table, num, words
from ..lineups import lineups
from ..numbers import count, number
from ..study import Study
from .verbosity import by_agent

__all__ = ["efficiency"]

RANGES = "fail below 0.25, partial fail 0.25 to 0.5, partial success 0.5 to 0.75, success from 0.75"


def efficiency(study: Study) -> Section | None:
    """Stratify tokens and messages by the primary score, for all episodes and for each set of agents."""
    blocks: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        primary = study.primary(game)
        groups: dict[str, list[EpisodeRecord]] = {}
        for lineup in lineups(study, game):
            for record in lineup.records:
                groups.setdefault(f"{record.variant}: {', '.join(lineup.agents)}", []).append(record)
        records = [record for each in groups.values() for record in each]
        records = [record for record in records if len(record.seats) > 1] or records
        scores = [score for record in records if (score := record.scores.get(primary)) is not None]
        if not scores or any(not -2 <= score <= 1 for score in scores):
            continue  # the ranges of the study are for scores that end at 1
        blocks += _blocks(game, primary, records, groups)
        blocks += by_agent(study, game)
    if not blocks:
        return None
    about = (
        "Tokens a solution are the median tokens of a message times the messages of an episode; thinking is left out. "
        f"Episodes are told apart by what they came to: {RANGES} (a value on a boundary belongs to the upper range)."
    )
    return Section("efficiency", "Token and message efficiency", about, tuple(blocks))


def _blocks(
    game: str, primary: str, records: Sequence[EpisodeRecord], groups: dict[str, list[EpisodeRecord]]
) -> list[Figure | Note]:
    overall = _ranges(records, primary)
    measured = f"{game}: {count(len(records))} {_kind(records)} by {primary.replace('_', ' ')}"
    charts = [
        Chart(
            "Messages an episode, mean",
            bars(f"Messages an episode by range, {measured}", "messages", _bars(overall, "messages")),
        )
    ]
    spoken = any(row.tokens_per_solution for row in overall)
    if spoken:
        svg = bars(f"Tokens a solution by range, {measured}", "tokens", _bars(overall, "tokens_per_solution"))
        charts.append(Chart("Tokens a solution, mean", svg))
    rows = [("all", *_numbers(row)) for row in overall]
    rows += [(name, *_numbers(row)) for name, each in groups.items() for row in _ranges(each, primary) if row.n]
    head = (
        words("agents"),
        words("range"),
        num("n"),
        num("tokens a message"),
        num("messages"),
        num("tokens a solution"),
    )
    caption = f"{measured}; n of each range beside its bar. The table gives the same for each set of agents."
    figure = Figure(tuple(charts), caption, Table("Efficiency by range of outcome", head, tuple(rows), folded=True))
    return (
        [figure] if spoken else [figure, Note("These runs recorded no tokens of messages: their agents report none.")]
    )


def _kind(records: Sequence[EpisodeRecord]) -> str:
    return "dialogues, all runs together," if len(records[0].seats) > 1 else "episodes, all runs together,"


def _ranges(records: Iterable[EpisodeRecord], primary: str) -> tuple[RangeRow, ...]:
    """Stratify episodes; the tokens of all seats' messages together."""
    known = [record for record in records if record.scores.get(primary) is not None]
    outcomes = [record.scores[primary] for record in known]
    tokens = list(map(_spoken, known))
    return by_range(outcomes, tokens, [record.turns for record in known])


def _spoken(record: EpisodeRecord) -> Sequence[int]:
    """Return the tokens of all messages; those of agents that report none are 0, and are left out by themselves."""
    return [each for said in record.message_tokens.values() if any(said) for each in said]


def _bars(rows: Iterable[RangeRow], what: str) -> list[Bar]:
    return [Bar(row.range, getattr(row, what), f"n {count(row.n)}") for row in rows]


def _numbers(row: RangeRow) -> tuple[str, ...]:
    return (
        row.range,
        count(row.n),
        number(row.tokens_per_message),
        number(row.messages),
        number(row.tokens_per_solution),
    )
