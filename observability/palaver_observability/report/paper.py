"""What a game's study prints of each variant: its tables, read from ``published()``, and whose rows stand beside ours.

    study: COMMA
    variant: puzzle                    what variants are called; also the option that chooses one
    variants: [wire, telehealth, ...]  in the order of the columns
    usual: {memory: full, ...}         the options of the tables' rows; of a list, any
    by_variant:
      success:                         a score
        where: table 3
        percent: true                  printed as 57, measured as 0.57
        rows:
          - {agents: [gpt-4o], n: 100, mean: [...], error: [...], overall: [32.5, 1.5], options: {memory: none}}

``error``, and the second number of ``overall``, are standard errors; left out where the study prints none.

``agents`` are one name where every seat has the same, else one for each seat; names are compared by their last part.
"""

from collections.abc import Iterator, Mapping

from pydantic import ConfigDict, JsonValue, model_validator

from palaver_protocols.content import Frozen

from .lineups import Lineup, lineups
from .naming import model_of
from .study import Study

__all__ = ["Paper", "PaperRow", "PaperTable", "Printed", "same_agents"]


class Printed(Frozen):
    """A printed mean with its standard error, in the units of our scores; ``error`` is None where none is printed."""

    mean: float
    error: float | None = None


class PaperRow(Frozen):
    """A row of a table: a printed mean of each variant, and of all."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    agents: tuple[str, ...]
    n: int | None = None
    mean: tuple[float, ...]
    error: tuple[float, ...] = ()
    overall: tuple[float, ...]
    options: dict[str, JsonValue] = {}
    where: str = ""

    @property
    def name(self) -> str:
        """How the row is headed."""
        options = ", ".join(f"{name} {value}" for name, value in self.options.items() if not isinstance(value, list))
        who = " + ".join(self.agents)
        return f"{who} ({options})" if options else who


class PaperTable(Frozen):
    """A table of one score."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    where: str = ""
    percent: bool = False
    rows: tuple[PaperRow, ...]


class Paper(Frozen):
    """All tables by variant of a study."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    study: str = ""
    variant: str = "variant"
    variants: tuple[str, ...] = ()
    usual: dict[str, JsonValue] = {}
    by_variant: dict[str, PaperTable] = {}

    @classmethod
    def of(cls, study: Study, game: str) -> "Paper":
        """Read the tables of a game; an empty paper where there are none.

        Raises:
            UsageError: they are malformed; names the place.
        """
        return study.figures(cls, game)

    @model_validator(mode="after")
    def _whole(self) -> "Paper":
        for score, table in self.by_variant.items():
            for row in table.rows:
                whole = len(row.mean) == len(self.variants) and len(row.error) in (0, len(self.variants))
                if not whole or len(row.overall) not in (1, 2):
                    raise ValueError(f"{score}, {row.name}: not as many means and errors as there are variants")
        return self

    def lineups(self, study: Study, game: str) -> list[Lineup]:
        """Return the line-ups of a game; what is usual goes without saying in their names."""
        return lineups(study, game, self.variant, self.usual)

    def row(self, score: str, lineup: Lineup) -> PaperRow | None:
        """Return the row of a line-up: the same agents under the same options."""
        table = self.by_variant.get(score)
        rows = table.rows if table else ()
        return next((row for row in rows if same_agents(row.agents, lineup.agents) and self._like(row, lineup)), None)

    def printed(self, score: str, row: PaperRow) -> Mapping[str, Printed]:
        """Return the means of a row by variant."""
        unit = self.unit(score)
        errors = row.error or (None,) * len(row.mean)
        return {
            variant: Printed(mean=mean / unit, error=None if error is None else error / unit)
            for variant, mean, error in zip(self.variants, row.mean, errors, strict=True)
        }

    def overall(self, score: str, row: PaperRow) -> Printed:
        """Return the mean of a row over all variants, as printed."""
        mean, *error = (each / self.unit(score) for each in row.overall)
        return Printed(mean=mean, error=error[0] if error else None)

    def unit(self, score: str) -> float:
        """Return by how much printed figures of a score are larger than measured ones."""
        return 100.0 if score in self.by_variant and self.by_variant[score].percent else 1.0

    def rounding(self, score: str) -> float:
        """Return half a unit of the last place that the standard errors of a score are printed with, in our units.

        An error that is printed as 0.0 may be as large as that.
        """
        table = self.by_variant.get(score)
        errors = [error for row in table.rows for error in (*row.error, *row.overall[1:])] if table else []
        places = max((len(f"{error:.6f}".rstrip("0").partition(".")[2]) for error in errors), default=0)
        return 0.5 * 10.0**-places / self.unit(score)

    def others(self, score: str, shown: "list[PaperRow]") -> Iterator[PaperRow]:
        """Yield the rows that stand beside no line-up of ours."""
        if score in self.by_variant:
            yield from (row for row in self.by_variant[score].rows if row not in shown)

    def _like(self, row: PaperRow, lineup: Lineup) -> bool:
        asked = {**self.usual, **row.options}
        return all(
            str(lineup.options[name]) in map(str, value if isinstance(value, list) else [value])
            for name, value in asked.items()
            if name in lineup.options
        )


def same_agents(theirs: tuple[str, ...], ours: tuple[str, ...]) -> bool:
    """Whether a printed row is of our agents: one name stands for all seats."""
    known = tuple(model_of(agent).lower() for agent in ours)
    printed = tuple(agent.lower() for agent in theirs)
    return known == printed or (len(printed) == 1 and set(known) == set(printed))
