"""What reports make of games that tell what was played from how well: who has played them, and what their study prints.

Read from ``published()["clemscore"]`` of each such game:

    models: {GPT-4o (Aug): [gpt-4o-2024-08-06]}     other names of the paper's models
    variant: experiment                              the option that chooses one
    usual: {profile: published}                      what goes without saying of how a game was played; of a list, any
    instances: The published figures are of ...      what to say where they stand beside those of instances of our own
    boards: {multimodal: [matchit, ...]}             games that are averaged together
    twins: [{name, multimodal, textual, unlike}]     a game with pictures and in text; how the study's own profile
                                                     scores the same play differently in the two
    leaderboard: {where, board, groups, rows: {model: [clemscore, % played, quality, then both of each group]}}
    turn_limit: 20                                   answers after which an episode of this game is aborted
    experiments: [small, ...]                        of this game, in the order of the columns
    tables: [{where, measure, rows: {model: [...]}}] by experiment; the measure is quality or weighted
    whole: {where, measure, rows: {model: 30.4}}     of the whole game
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict, JsonValue, model_validator

from palaver_observability.standings import Standing, crashes, one_name
from palaver_observability.statistics import GameScore, episodes_of, game_score
from palaver_observability.statistics.clemscore import ABORTED
from palaver_protocols.content import Frozen

from .lineups import Lineup, leaf_names, lineups, who
from .naming import model_of
from .study import Study

__all__ = [
    "ClemPaper",
    "Figures",
    "Lineups",
    "Measure",
    "PaperBoard",
    "Twin",
    "WholeFigures",
    "games_of",
    "measured",
    "on_instances_of_ours",
    "players",
]

Measure = Literal["quality", "weighted"]
"""``weighted`` is % played x quality / 100: the mean of the Main Score, in which aborted episodes count 0."""

IMPORTED = "clembench/"
"""How the names of agents begin whose episodes were imported: they have played the study's instances."""

TEMPERATURE = re.compile(r"-t\d+(\.\d+)?$")
"""How clembench's folders end the name of a model."""


class _Read(Frozen):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PaperBoard(_Read):
    """The study's leaderboard: of each model clemscore, average % played, average quality, and both of each group."""

    where: str = ""
    board: str = ""
    groups: tuple[str, ...] = ()
    rows: dict[str, tuple[float | None, ...]] = {}

    @model_validator(mode="after")
    def _whole(self) -> "PaperBoard":
        for model, row in self.rows.items():
            if len(row) != 3 + 2 * len(self.groups):
                raise ValueError(f"{model} has {len(row)} figures, not three and two for each of {self.groups}")
        return self


class Twin(_Read):
    """A game that is played with pictures and in text. ``unlike``: how the same play is scored otherwise in them."""

    name: str
    multimodal: str
    textual: str
    unlike: str = ""


class Figures(_Read):
    """A table of one game: by experiment, in their order."""

    where: str = ""
    measure: Measure
    rows: dict[str, tuple[float | None, ...]] = {}


class WholeFigures(_Read):
    """A table over games: of all experiments of this one."""

    where: str = ""
    measure: Measure
    rows: dict[str, float] = {}


class ClemPaper(_Read):
    """What a game publishes; empty where it publishes nothing of the kind."""

    models: dict[str, tuple[str, ...]] = {}
    variant: str = "experiment"
    usual: dict[str, JsonValue] = {}
    instances: str = ""
    boards: dict[str, tuple[str, ...]] = {}
    twins: tuple[Twin, ...] = ()
    leaderboard: PaperBoard = PaperBoard()
    turn_limit: int | None = None
    experiments: tuple[str, ...] = ()
    tables: tuple[Figures, ...] = ()
    whole: WholeFigures | None = None

    @classmethod
    def of(cls, study: Study, game: str) -> "ClemPaper":
        """Read what a game publishes.

        Raises:
            UsageError: it is malformed; names the place.
        """
        return study.figures(cls, game, "clemscore")

    @model_validator(mode="after")
    def _whole_rows(self) -> "ClemPaper":
        for table in self.tables:
            for model, row in table.rows.items():
                if len(row) != len(self.experiments):
                    raise ValueError(f"{table.where}, {model}: not as many figures as there are experiments")
        return self

    def model(self, agents: tuple[str, ...]) -> str | None:
        """Return the paper's name of who plays all seats; None for a pair, and for a model that it does not know."""
        if len(agents) != 1:
            return None
        ours = TEMPERATURE.sub("", model_of(agents[0]).lower())
        known = {*self.models, *self.leaderboard.rows, *(model for table in self.tables for model in table.rows)}
        return next(
            (name for name in sorted(known) if ours in map(str.lower, (name, *self.models.get(name, ())))), None
        )


@dataclass(frozen=True, slots=True)
class Lineups:
    """The same agents under the same conditions in several games. ``agents`` are one name where all seats have it."""

    name: str
    agents: tuple[str, ...]
    games: Mapping[str, Lineup]

    @property
    def standing(self) -> Standing:
        """The scored episodes of each game."""
        found = {game: tuple(episodes_of(r.scores for r in each.records)) for game, each in self.games.items()}
        crashed = {game: crashes(each.left_out) for game, each in self.games.items()}
        return Standing(
            self.name,
            {game: episodes for game, episodes in found.items() if episodes},
            {game: number for game, number in crashed.items() if number},
        )


def on_instances_of_ours(found: Iterable[Lineups], paper: ClemPaper) -> str:
    """Say that published figures are of other instances, if these agents have played some that we have made; else "".

    Instances of ours are those of runs that were given no others, and were not imported.
    """
    told = list(found)
    ours = [each.name for each in told if any(map(_is_ours, each.games.values()))]
    if not ours or not paper.instances:
        return ""
    return paper.instances if len(ours) == len(told) else f"{paper.instances} This holds for {', '.join(ours)}."


def _is_ours(lineup: Lineup) -> bool:
    imported = all(agent.startswith(IMPORTED) for agent in lineup.agents)
    return lineup.options.get("instances") is None and not imported


def games_of(study: Study) -> list[str]:
    """Name the games whose episodes say whether they were aborted, in the order in which they were played."""
    games = (cell.config.game for cell in study.cells if any(ABORTED in record.scores for record in cell.played))
    return list(dict.fromkeys(games))


def players(study: Study) -> list[Lineups]:
    """Return who has played such games, each with a line-up a game, in the study's order."""
    found: dict[tuple[tuple[str, ...], str], dict[str, Lineup]] = {}
    for game in games_of(study):
        paper = ClemPaper.of(study, game)
        for lineup in lineups(study, game, paper.variant, paper.usual):
            if any(ABORTED in record.scores for record in lineup.records):
                found.setdefault((one_name(lineup.agents), lineup.how), {})[game] = lineup
    names = leaf_names(agents for agents, _ in found)
    return [
        Lineups(f"{who(agents, names)} ({how})" if how else who(agents, names), agents, games)
        for (agents, how), games in found.items()
    ]


def measured(lineup: Lineup) -> Iterator[tuple[str, GameScore]]:
    """Yield what each experiment came to, in the order in which they were played."""
    for experiment, records in lineup.variants.items():
        yield experiment, game_score(episodes_of(record.scores for record in records))
