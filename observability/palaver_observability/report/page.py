"""The page: all parts in their order, set in one file that needs nothing else."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from .document import Section
from .parts.ablations import ablations, groups
from .parts.aborted import aborted
from .parts.allowed import allowed
from .parts.changes import changes
from .parts.clemscore import leaderboard
from .parts.closing import methods, reproduction
from .parts.conciseness import conciseness
from .parts.costs import costs
from .parts.efficiency import efficiency
from .parts.errors import errors
from .parts.experiments import experiments
from .parts.gap import gap
from .parts.graders import graders
from .parts.labels import labels
from .parts.modalities import modalities
from .parts.order import order
from .parts.overview import overview, warning
from .parts.pairings import pairings
from .parts.prefixes import prefixes
from .parts.privacy import privacy
from .parts.published import reference
from .parts.relays import relays
from .parts.results import results
from .parts.segments import segments
from .parts.teams import teams
from .parts.variants import variants
from .study import Study

__all__ = ["page", "sections"]

PARTS: tuple[Callable[[Study], Section | None], ...] = (
    overview,
    results,
    leaderboard,
    modalities,
    experiments,
    aborted,
    variants,
    labels,
    pairings,
    gap,
    order,
    relays,
    allowed,
    privacy,
    conciseness,
    efficiency,
    errors,
    changes,
    ablations,
    segments,
    groups,
    teams,
    graders,
    prefixes,
    costs,
    reference,
    lambda _: methods(),
    reproduction,
)
"""In the order in which they are read."""

TEMPLATES = Path(__file__).parent / "page"
BREAKS = re.compile(r"(?<=[/,+])(?=\S)")
"""Where a name may go on in the next line."""
HEAD_BREAKS = re.compile(r"(?<=[/,+])(?=\S)|(?<=\w_)(?=\w)")
"""The same for the head of a column, which is to be no wider than what stands below it."""
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that no page may hold; a name can."""


def sections(study: Study) -> list[Section]:
    """Return the parts for which the study has something."""
    return [section for part in PARTS if (section := part(study)) is not None]


def page(study: Study, found: list[Section], *, at: datetime, version: str) -> str:
    """Set the page.

    Args:
        study: what it is about.
        found: its parts.
        at: when it was made.
        version: of the software that made it.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = _breakable
    environment.filters["foldable"] = _foldable
    text = environment.get_template("page.html.j2").render(
        study=study,
        sections=found,
        headlines=[headline for section in found for headline in section.headlines],
        warning=warning(study),
        at=f"{at:%Y-%m-%d %H:%M} UTC",
        version=version,
        css=_own("page.css"),
        js=_own("page.js"),
    )
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _breakable(text: str) -> Markup:
    """Let a name break after its slashes, commas and pluses, rather than within its words."""
    return Markup("<wbr>").join(escape(part) for part in BREAKS.split(text))


def _foldable(text: str) -> Markup:
    """Let the head of a column break after underscores too."""
    return Markup("<wbr>").join(escape(part) for part in HEAD_BREAKS.split(text))


def _own(name: str) -> Markup:
    """Return a file of ours, to be set as it is."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - no user's words are in it
