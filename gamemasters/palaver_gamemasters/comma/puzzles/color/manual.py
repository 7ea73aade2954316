"""The rules of the color puzzle, as its manual states them: a list of colours, and a table of groups."""

from palaver_gamemasters.comma.manual import Manual

from .groups import COLOURS, GROUPS, SQUARES, ColorRules

__all__ = ["read"]

FIRST, NEXT = "First group", "Next group"


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
        colour = item.text.strip(".").lower()
        if colour not in COLOURS:
            raise manual.error(f"{item.text!r} is no colour of a square: {', '.join(COLOURS)}", item.line)
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
        if not (count.isascii() and count.isdigit() and 1 <= int(count) < SQUARES):
            raise manual.error(f"{count!r} is no number of white squares: 1 to {SQUARES - 1}", line)
        if int(count) in found:
            raise manual.error(f"there is a second row for {count} white squares", line)
        groups = dict(zip(head, (cell.lower() for cell in cells), strict=True))
        for cell in groups.values():
            if cell not in GROUPS:
                raise manual.error(f"{cell!r} is no group: {', '.join(GROUPS)}", line)
        found[int(count)] = tuple(groups[group] for group in GROUPS)
    for white in range(1, SQUARES):
        if white not in found:
            raise manual.error(f"the table has no row for {white} white squares", section.line)
    return tuple(found[white] for white in range(1, SQUARES))
