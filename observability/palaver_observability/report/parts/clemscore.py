"""The leaderboard of clembench: % played, quality and clemscore over games (Hakimov et al., table 1)."""

from collections.abc import Iterable, Sequence

from palaver_observability.statistics import ClemScore, Interval, clemscore_ci

from ..charts.scatter import Contour, Spot, scatter
from ..clembench import ClemPaper, Lineups, PaperBoard, games_of, on_instances_of_ours, players
from ..document import Block, Chart, Figure, Headline, Note, Section, Table, num, words
from ..numbers import NONE, TIMES, between, count, number, percent
from ..study import Study

__all__ = ["leaderboard"]

ALL = "all games"
LEVELS = (20, 40, 60, 80)
WHOLE = (0.0, 100.0)


def leaderboard(study: Study) -> Section | None:
    """Rank who has played games that tell what was played from how well; a table and a chart for each board."""
    games = games_of(study)
    if not games:
        return None
    found = players(study)
    paper = ClemPaper.of(study, games[0])
    blocks: list[Block] = []
    headlines: list[Headline] = []
    for board, members in (paper.boards or {ALL: tuple(games)}).items():
        shown = [each for each in found if any(game in each.games for game in members)]
        if shown:
            ranked = sorted(shown, key=lambda each: _rank(each, members))
            theirs = paper.leaderboard if paper.leaderboard.board == board else PaperBoard()
            blocks += _board(board, members, ranked, theirs, paper)
            headlines += _headlines(board, members, ranked)
    about = (
        "% played is the share of episodes that were not aborted, quality the mean Main Score of those that were "
        "played, both over all episodes of a game; the averages are over games, and clemscore is average % played "
        f"{TIMES} average quality / 100. Each step is rounded to two decimals, as clembench does. A game of which "
        "nothing was played counts 0 for % played and is left out of the average quality; episodes that crash the "
        "study's own programs are missing from all, and their number is told. 95 % CI: Wilson's for % played, mean ± "
        "1.96 standard errors for quality, no farther than 0 and 100, and for the clemscore a percentile bootstrap of "
        "the episodes of each game; the study prints none. Who has played more games of a board comes first."
    )
    return Section("clemscore", "clemscore", about, tuple(blocks), tuple(headlines))


def _rank(each: Lineups, members: Sequence[str]) -> tuple[int, float]:
    """Put the best first, after those who have played more games: an average over others is no better one."""
    return -sum(game in each.standing.games for game in members), -(_over(each, members).clemscore or -1.0)


def _over(each: Lineups, members: Iterable[str]) -> ClemScore:
    return each.standing.over(members)


def _ci(each: Lineups, members: Iterable[str]) -> Interval:
    return clemscore_ci(each.standing.samples(members))


def _board(
    board: str, members: Sequence[str], ranked: Sequence[Lineups], theirs: PaperBoard, paper: ClemPaper
) -> list[Block]:
    title = f"clemscore, {board}"
    crashed = any(_crashed(each, members) for each in ranked)
    head = (
        *_HEAD,
        *([num("crashed")] if crashed else []),
        *([num("published clemscore")] if theirs.rows else []),
    )
    table = Table(title, head, tuple(_row(each, members, theirs, paper, crashed=crashed) for each in ranked))
    spots = _spots(ranked, members, theirs, paper)
    differ = on_instances_of_ours(ranked, paper) if theirs.rows else ""
    blocks: list[Block] = [table, *([Note(differ)] if differ else []), _by_game(board, ranked, members)]
    if spots:
        levels = [_level(level) for level in LEVELS]
        svg = scatter(
            f"Quality against % played, {board}",
            "average % played",
            "average quality",
            spots,
            levels,
            within=WHOLE,
            include=WHOLE,
            linear=WHOLE,
        )
        caption = (
            f"{board.capitalize()}: average quality against average % played, the clemscore in parentheses; dashed "
            f"lines where it is {', '.join(map(str, LEVELS))}."
        )
        if any(spot.hollow for spot in spots):
            caption += f" Hollow marks: the study's, {theirs.where}{', on other instances' if differ else ''}."
        blocks.append(
            Figure((Chart(f"Quality against % played, {board}", svg),), caption, _games(board, ranked, members))
        )
    if theirs.rows:
        blocks.append(_published(theirs))
    return blocks


_HEAD = (
    words("agents"),
    num("clemscore"),
    num("95 % CI"),
    num("average % played"),
    num("average quality"),
    num("games"),
    num("episodes"),
)


def _crashed(each: Lineups, members: Iterable[str]) -> int:
    return sum(each.standing.crashed.get(game, 0) for game in members)


def _row(
    each: Lineups, members: Sequence[str], theirs: PaperBoard, paper: ClemPaper, *, crashed: bool
) -> tuple[str, ...]:
    score, interval = _over(each, members), _ci(each, members)
    played = [game for game in members if game in each.standing.games]
    model = paper.model(each.agents)
    row = theirs.rows.get(model) if model else None
    return (
        each.name,
        percent(score.clemscore),
        between(interval.ci_low, interval.ci_high) or NONE,
        percent(score.average_played),
        percent(score.average_quality),
        f"{len(played)} of {len(members)}",
        count(sum(len(each.standing.games[game]) for game in played)),
        *([count(_crashed(each, members))] if crashed else []),
        *([f"{percent(row[0])}\n{model}" if row else NONE] if theirs.rows else []),
    )


def _by_game(board: str, ranked: Sequence[Lineups], members: Sequence[str]) -> Table:
    """Tabulate % played and quality of every game, as clembench lays its leaderboard out."""
    played = [game for game in members if any(game in each.standing.games for each in ranked)]
    rows = tuple(
        (
            each.name,
            *(f"{percent(found.percent_played)}\n{percent(found.quality)}" for found in map(each.standing.of, played)),
        )
        for each in ranked
    )
    return Table(
        f"{board.capitalize()}: % played of each game, and the quality below it",
        (words("agents"), *map(num, played)),
        rows,
    )


def _games(board: str, ranked: Sequence[Lineups], members: Sequence[str]) -> Table:
    """Tabulate each game of each player."""
    rows = []
    for each in ranked:
        for game in (game for game in members if game in each.standing.games):
            found, interval = each.standing.of(game), _ci(each, [game])
            rows.append(
                (
                    each.name,
                    game,
                    f"{count(found.n)}\n{count(gone)} crashed" if (gone := _crashed(each, [game])) else count(found.n),
                    f"{percent(found.percent_played)}\n{between(found.played_low, found.played_high)}",
                    f"{percent(found.quality)}\n{between(found.quality_low, found.quality_high)}".rstrip(),
                    percent(found.quality_std),
                    f"{percent(_over(each, [game]).clemscore)}\n{between(interval.ci_low, interval.ci_high)}".rstrip(),
                )
            )
    head = (
        words("agents"),
        words("game"),
        num("scored episodes"),
        num("% played"),
        num("quality"),
        num("standard deviation of quality"),
        num("clemscore of this game alone"),
    )
    return Table(f"Each game, {board}", head, tuple(rows))


def _spots(ranked: Sequence[Lineups], members: Sequence[str], theirs: PaperBoard, paper: ClemPaper) -> list[Spot]:
    spots = []
    of_paper: dict[str, int] = {}
    for at, each in enumerate(ranked):
        score = _over(each, members)
        if model := paper.model(each.agents):
            of_paper.setdefault(model, at)
        if score.average_played is not None and score.average_quality is not None:
            name = f"{each.name} ({number(score.clemscore)})"
            spots.append(Spot(name, score.average_played, score.average_quality, at))
    for model, (clemscore, played, quality, *_) in theirs.rows.items():
        if played is not None and quality is not None:
            spots.append(Spot(f"{model} ({number(clemscore)})", played, quality, of_paper.get(model), hollow=True))
    return spots


def _level(level: int) -> Contour:
    """Return where the clemscore has a value: average quality by average % played."""
    points = [(step / 2, 100 * level / (step / 2)) for step in range(2 * level, 201)]
    return Contour(str(level), tuple(points))


def _published(theirs: PaperBoard) -> Table:
    groups = [num(f"{group}, {measure}") for group in theirs.groups for measure in ("% played", "quality")]
    head = (words("model"), num("clemscore"), num("average % played"), num("average quality"), *groups)
    rows = tuple((model, *map(percent, row)) for model, row in theirs.rows.items())
    return Table(f"The study's leaderboard, {theirs.where}, as published", head, rows, folded=True)


def _headlines(board: str, members: Sequence[str], ranked: Sequence[Lineups]) -> list[Headline]:
    """Give the best of those who have played most games of a board."""
    best = ranked[0]
    score, interval = _over(best, members), _ci(best, members)
    if score.clemscore is None:
        return []
    played = sum(game in best.standing.games for game in members)
    detail = (
        f"{f'CI {spread}, ' if (spread := between(interval.ci_low, interval.ci_high)) else ''}"
        f"% played {percent(score.average_played)}, quality {percent(score.average_quality)}, "
        f"{played} of {len(members)} games"
        f"{f', {count(gone)} more episodes crashed' if (gone := _crashed(best, members)) else ''}"
    )
    return [Headline(percent(score.clemscore), f"best clemscore, {board}: {best.name}", detail)]
