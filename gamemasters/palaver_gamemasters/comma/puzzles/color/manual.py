"""The rules of the color puzzle, as its manual states them: a list of colours, and a table of groups."""

from palaver_gamemasters.comma.manual import Manual

from .groups import COLOURS, GROUPS, SQUARES, ColorRules

__all__ = ["read"]

FIRST, NEXT = "First group", "Next group"

COUNTS = tuple(str(count) for count in range(1, SQUARES))
"""Numbers of white squares, as the table writes them."""


def read(manual: Manual) -> ColorRules:
    """Read the rules.

    Raises:
        InstanceError: the list or the table is missing, incomplete, or names what is no group.
    """
    return ColorRules(_order(manual), _table(manual))


def _order(manual: Manual) -> tuple[str, ...]:
    section = manual.section(FIRST)
    order: list[str] = []
    for item in section.items:
        colour = manual.one_of(COLOURS, "colour", item.text.strip("."), item.line)
        if colour in order:
            raise manual.error(f"{item.text!r} is in the list twice", item.line)
        order.append(colour)
    missing = [colour for colour in COLOURS if colour not in order]
    if missing:
        raise manual.error(f"the list in {section.title!r} lacks {', '.join(missing)}", section.line)
    return tuple(order)


def _table(manual: Manual) -> tuple[tuple[str, ...], ...]:
    section = manual.section(NEXT)
    table = section.table
    head = [cell.lower() for cell in table.head[1:]]
    if sorted(head) != sorted(GROUPS):
        raise manual.error(
            f"the table's columns must be White squares, {', '.join(map(str.capitalize, GROUPS))}; "
            f"they are {', '.join(table.head)}",
            section.line,
        )
    found: dict[int, tuple[str, ...]] = {}
    for line, (count, *cells) in table.rows:
        if count not in COUNTS:
            raise manual.error(f"{count[:40]!r} is no number of white squares: 1 to {SQUARES - 1}", line)
        if int(count) in found:
            raise manual.error(f"there is a second row for {count} white squares", line)
        groups = dict(zip(head, (manual.one_of(GROUPS, "group", cell, line) for cell in cells), strict=True))
        found[int(count)] = tuple(groups[group] for group in GROUPS)
    for white in range(1, SQUARES):
        if white not in found:
            raise manual.error(f"the table has no row for {white} white squares", section.line)
    return tuple(found[white] for white in range(1, SQUARES))
