"""Why episodes of clembench were not played: what the scores and the answers tell of those that were aborted."""

from collections import Counter
from collections.abc import Sequence

from palaver_observability.statistics.clemscore import ABORTED
from palaver_observability.stats import estimate
from palaver_protocols.runs import EpisodeRecord

from ..clembench import ClemPaper, games_of, players
from ..document import Section, Table, num, words
from ..numbers import NONE, count, number
from ..study import Study

__all__ = ["aborted"]

AT = "Aborted at "
PARSED = "Parsed Request Count"


def aborted(study: Study) -> Section | None:
    """Tabulate the episodes that were aborted."""
    rows = []
    found = players(study)
    for game in games_of(study):
        for each in (each for each in found if game in each.games):
            scored = [record for record in each.games[game].records if record.scores.get(ABORTED) is not None]
            if ended := [record for record in scored if record.scores[ABORTED]]:
                rows.append((each.name, game, *_row(scored, ended, ClemPaper.of(study, game).turn_limit)))
    if not rows:
        return None
    head = (
        words("agents"),
        words("game"),
        num("aborted"),
        words("whose answer, or what"),
        num("answers until then"),
        num("answers in the format"),
        num("cut off at the length limit"),
        num("refused or filtered"),
    )
    about = (
        "An episode is aborted by an answer that breaks the format rules, in the Map Games also by the turn limit. As "
        "far as scores and answers tell: at whose answer, or by the limit; after how many answers, how many of these "
        "were in the format (means of the aborted episodes), and in how many episodes an answer did not end by itself."
    )
    return Section("aborted", "Why episodes were aborted", about, (Table("Aborted episodes", head, tuple(rows)),))


def _row(scored: Sequence[EpisodeRecord], ended: Sequence[EpisodeRecord], limit: int | None) -> tuple[str, ...]:
    at = Counter(place for record in ended for place in _places(record, limit))
    cut = sum("length" in record.finish_reasons for record in ended)
    refused = sum(bool({"refusal", "content_filter"} & set(record.finish_reasons)) for record in ended)
    parsed = estimate(record.scores.get(PARSED) for record in ended)
    return (
        f"{count(len(ended))} of {count(len(scored))}",
        "\n".join(f"{count(each)} {name}" for name, each in sorted(at.items())) or NONE,
        number(estimate(record.turns for record in ended).mean, 1),
        number(parsed.mean, 1),
        count(cut),
        count(refused),
    )


def _places(record: EpisodeRecord, limit: int | None) -> list[str]:
    """Return at whose answer an episode was aborted; of games of one seat, whether it was by the turn limit.

    An answer that breaks the rules as the very last one counts for the limit: no score tells the two apart.
    """
    told = [name.removeprefix(AT) for name, value in record.scores.items() if name.startswith(AT) and value]
    if told or len(record.seats) != 1:
        return told
    return ["turn limit"] if limit is not None and record.turns >= limit else list(record.seats)
