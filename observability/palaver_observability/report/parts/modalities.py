"""The same games in text and with pictures, by the same agents (Hakimov et al., section 5.2 and figure 5)."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from palaver_observability.statistics import (
    Interval,
    clemscore,
    clemscore_difference,
    difference,
    game_score,
    played_difference,
)
from palaver_observability.statistics.clemscore import Episode

from ..charts.dots import Dot, DotRow, dot_plot
from ..clembench import ClemPaper, Lineups, Twin, games_of, players
from ..document import Chart, Figure, Note, Section, Table, num, words
from ..numbers import NONE, percent, with_interval
from ..study import Study

__all__ = ["modalities"]

ALL = "all of these"
MARK = "*"
AS_PUBLISHED = "published"
SCORED_DIFFERENTLY = f"Scored differently under profile={AS_PUBLISHED}, as the study's own programs do"
ALIKE = (
    "A part of these differences is the scoring's and not the players': the same play comes to less in one of the two. "
    "profile=clean scores both alike."
)
Sample = tuple[Episode, ...]


class _Pair(NamedTuple):
    """What some agents came to in a game in text and with pictures; in several games, one sample each."""

    who: str
    game: str
    textual: tuple[Sample, ...]
    multimodal: tuple[Sample, ...]
    unlike: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called here: with a mark where a part of the difference comes from the scoring alone."""
        return f"{self.game} {MARK}" if self.unlike else self.game

    @property
    def apart(self) -> Interval:
        """The clemscore in text minus that with pictures."""
        return clemscore_difference(self.textual, self.multimodal)


def modalities(study: Study) -> Section | None:
    """Compare twins that the same agents have played."""
    games = games_of(study)
    twins = ClemPaper.of(study, games[0]).twins if games else ()
    pairs = [pair for each in players(study) for pair in _pairs(each, twins)] if twins else []
    if not pairs:
        return None
    drawn = {pair.who: pair for pair in pairs}
    rows = []
    for who in drawn:
        for pair in (pair for pair in pairs if pair.who == who):
            apart = pair.apart
            if apart.estimate is not None:
                n = sum(map(len, (*pair.textual, *pair.multimodal)))
                name = f"{who}: {pair.name}" if len(drawn) > 1 else pair.name
                rows.append(DotRow(name, (Dot(0, apart.estimate, apart.ci_low, apart.ci_high, n),)))
    svg = dot_plot("clemscore in text minus clemscore with pictures", "difference in clemscore", rows, differences=True)
    caption = (
        "clemscore of each game in text minus that with pictures, 95 % CI by bootstrap of the episodes of both. Above "
        "0: better in text. Figure 5 of the study draws the same differences, and prints no numbers."
    )
    head = (
        words("agents"),
        words("game"),
        num("% played, text"),
        num("pictures"),
        num("difference"),
        num("quality, text"),
        num("pictures"),
        num("difference"),
        num("clemscore, text"),
        num("pictures"),
        num("difference"),
    )
    table = Table("In text and with pictures", head, tuple(map(_row, pairs)))
    about = (
        "Each game with pictures has a twin in text. Differences are text minus pictures; the instances are others, so "
        "that samples are independent: Newcombe's interval for % played, Welch's for quality, a bootstrap for the "
        "clemscore."
    )
    chart = Chart("clemscore, text minus pictures", svg)
    unlike = dict.fromkeys(said for pair in pairs for said in pair.unlike)
    notes = [Note(f"{MARK} {SCORED_DIFFERENTLY}: {'; '.join(unlike)}. {ALIKE}")] if unlike else []
    return Section("modalities", "In text and with pictures", about, (*notes, Figure((chart,), caption, table)))


def _pairs(each: Lineups, twins: Sequence[Twin]) -> Iterator[_Pair]:
    played = each.standing.games
    both = [twin for twin in twins if twin.textual in played and twin.multimodal in played]
    said = {twin.name: _unlike(each, twin) for twin in both}
    for twin in both:
        yield _Pair(each.name, twin.name, (played[twin.textual],), (played[twin.multimodal],), said[twin.name])
    if len(both) > 1:
        textual, multimodal = (tuple(played[game] for game in games) for games in zip(*map(_games, both), strict=True))
        yield _Pair(each.name, ALL, textual, multimodal, tuple(chain.from_iterable(said.values())))


def _unlike(each: Lineups, twin: Twin) -> tuple[str, ...]:
    """Say how a twin was scored differently; nothing where one of both was played with that mended."""
    as_published = all(each.games[game].options.get("profile") == AS_PUBLISHED for game in _games(twin))
    return (f"{twin.name}: {twin.unlike}",) if twin.unlike and as_published else ()


def _games(twin: Twin) -> tuple[str, str]:
    return twin.textual, twin.multimodal


def _row(pair: _Pair) -> tuple[str, ...]:
    sides = [clemscore(map(game_score, side)) for side in (pair.textual, pair.multimodal)]
    one, other = sides
    played = quality = NONE
    if len(pair.textual) == 1:  # averages over games have no interval but the bootstrap's
        text, pictures = pair.textual[0], pair.multimodal[0]
        played = with_interval(played_difference(text, pictures), sign=True)
        quality = with_interval(difference(_mains(text), _mains(pictures), paired=False), sign=True)
    return (
        pair.who,
        pair.name,
        percent(one.average_played),
        percent(other.average_played),
        played,
        percent(one.average_quality),
        percent(other.average_quality),
        quality,
        percent(one.clemscore),
        percent(other.clemscore),
        with_interval(pair.apart, sign=True),
    )


def _mains(sample: Sample) -> list[float | None]:
    return [episode.main for episode in sample]
