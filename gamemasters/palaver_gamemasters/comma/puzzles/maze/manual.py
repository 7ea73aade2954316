"""The rule of the maze puzzle, as its manual states it: which sphere is meant by which torus."""

from collections.abc import Mapping

from palaver_gamemasters.comma.manual import Manual

__all__ = ["COLOURS", "MazeRules", "read"]

COLOURS = ("red", "blue", "green", "yellow")
"""The colours of spheres and of tori."""

MazeRules = Mapping[str, str]
"""The colour of the accepting sphere by the colour of the torus."""

SECTION = "Accepting position"


def read(manual: Manual) -> MazeRules:
    """Read the table of the section "Accepting position": a row for each colour of the torus.

    Raises:
        InstanceError: a row is missing, is there twice, or names no colour that there is.
    """
    section = manual.section(SECTION)
    table = section.table
    if tuple(title.lower() for title in table.head) != ("torus", "sphere"):
        raise manual.error("the table's columns must be 'Torus' and 'Sphere'", section.line)
    rules: dict[str, str] = {}
    for line, cells in table.rows:
        torus, sphere = (manual.one_of(COLOURS, "colour", cell, line) for cell in cells)
        if torus in rules:
            raise manual.error(f"the {torus} torus has two rows", line)
        rules[torus] = sphere
    for colour in COLOURS:
        if colour not in rules:
            raise manual.error(f"the table has no row for the {colour} torus", section.line)
    return rules
