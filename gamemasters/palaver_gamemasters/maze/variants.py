"""What a play of the maze is called in records and plots, and which options such a name stands for."""

import re
from collections.abc import Mapping

from palaver_protocols.errors import UsageError

from .options import MazeOptions

__all__ = ["name_of", "options_of"]

_NAMES = (
    re.compile(r"(?P<setting>solo-full)"),
    re.compile(r"(?P<setting>solo-distributed)(?:-(?P<agents>[3-8]))?(?:-k(?P<cover>[2-8]))?"),
    re.compile(r"(?:(?P<setting>pair)|group-(?P<agents>[3-8]))(?:-k(?P<cover>[2-8]))?(?:-(?P<order>named))?"),
)


def name_of(options: MazeOptions) -> str:
    """Name what is played: ``pair``, ``group-3``, ``group-3-k2-named``, ``solo-full``, ``solo-distributed-3``."""
    if options.setting == "solo-full":
        return options.setting
    talk = options.setting == "pair"
    base = "group" if talk and options.agents > 2 else options.setting
    agents = f"-{options.agents}" if options.agents > 2 else ""
    cover = f"-k{options.cover}" if options.cover > 1 else ""
    order = f"-{options.order}" if talk and options.order != "round-robin" else ""
    return f"{base}{agents}{cover}{order}"


def options_of(name: str) -> Mapping[str, str]:
    """Read a name that :func:`name_of` gives.

    Raises:
        UsageError: nothing is called that.
    """
    match = next(filter(None, (pattern.fullmatch(name) for pattern in _NAMES)), None)
    if match is None:
        raise UsageError(
            f"the maze has no variant {name!r}",
            mend="it has: solo-full, solo-distributed, pair, group-3 to group-8, also with -k2 and -named behind",
        )
    return {"setting": "pair", **{option: value for option, value in match.groupdict().items() if value}}
