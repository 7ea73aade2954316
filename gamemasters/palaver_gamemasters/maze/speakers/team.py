"""What is said inside a team, and at a handoff: a lead's question, a member's answer, a leaver's summary.

A lead without a map of its own asks for what the members see and lays their parts over each other; one that has a map
asks once whether anything stands in the way it has in mind. A member tells what its map shows in the lead's convention.
"""

from collections.abc import Sequence

from ..grid import PATH, WALL, Cell, Maze
from . import phrases
from .scene import Scene
from .styles import Style
from .understanding import asked_about, asks_for_map, convention, learn, learned

__all__ = ["NO_MAP", "agreed_style", "answer", "merged", "question", "summary"]

Dialogue = Sequence[tuple[str, str]]
ALL = "@all:"
NO_MAP = "I was given no map, so I can only think along. Please go by what the others see."
"""What a member says that knows only what its lead writes."""


def agreed_style(private: Dialogue, own: Maze) -> Style | None:
    """Return the convention in which a team's private talk began; None if it has not begun."""
    return next((style for _, text in private if (style := convention(text, own))), None)


def question(scene: Scene, private: Dialogue, consults: bool) -> str:
    """Return what a lead asks its members before it speaks; nothing if it has asked, or has nothing to ask."""
    own = scene.own
    if private:
        return ""
    if not _shows_anything(own):
        start, goal = scene.name(own.start), scene.name(own.goal)
        return (
            f"{ALL} Let us name cells {scene.style.statement(own)}. The start is at {start} and the goal at {goal}. "
            "My map shows nothing else. What does your map show? Please tell me all of it."
        )
    if not consults or scene.said:
        return ""
    way = _way(scene)
    if not way:
        return ""
    names = "; ".join(scene.name(cell) for cell in way)
    return (
        f"{ALL} Let us name cells {scene.style.statement(own)}. I think of this way: {names}. Is any of these a wall?"
    )


def merged(scene: Scene, private: Dialogue, lead: str) -> Maze:
    """Add to the lead's map what its members told of theirs."""
    told: dict[Cell, str] = {}
    for speaker, text in private:
        if speaker != lead:
            told |= learned(text, convention(text, scene.own, usual=scene.style), scene.own)
    return learn(scene.own, told)


def answer(own: Maze, dialogue: Dialogue, leads: Sequence[str], favourite: Style, voice: phrases.Voice) -> str:
    """Answer the lead: about the cells it names, or with all that the own map shows.

    Args:
        own: the member's map.
        dialogue: what it can see, its own answers included.
        leads: whom it answers: one lead, or nobody that it knows of.
        favourite: how it names cells if the lead names none.
        voice: how it talks.
    """
    heard = [text for speaker, text in dialogue if speaker in leads]
    style = convention("\n\n".join(heard), own) or favourite
    if heard and not asks_for_map(heard[-1]) and (cells := asked_about(heard[-1], style, own)):
        return _checked(own, cells, style)
    return f"I name cells {style.statement(own)}.\n{phrases.map_told(style, own, voice)}"


def _checked(own: Maze, cells: Sequence[Cell], style: Style) -> str:
    """Say what the own map shows of the cells that a lead asks about."""
    seen = [(style.write(cell, own), own[cell]) for cell in cells if own[cell] in (PATH, WALL)]
    walls = [fact for fact in seen if fact[1] == WALL]
    if walls:
        return phrases.told(walls)
    if len(cells) == 1:
        return phrases.told(seen) or "My map hides it."
    return f"No, I see no wall among them. {phrases.told(seen)}".strip()


def summary(scene: Scene, solo: bool) -> str:
    """Sum up for a successor: convention, way so far, position, what is on the table, and the map as it is known."""
    talk, known = scene.talk, scene.known
    names = sorted(talk.agreed - {scene.seat})
    wanting = " and ".join([*names, *(["I"] if scene.seat in talk.agreed else [])])
    return phrases.handed_on(
        statement=scene.style.statement(known),
        walked=[scene.name(cell) for cell in talk.track],
        goal=scene.name(known.goal),
        wants=f"{wanting} wants" if len(names) == 1 and wanting == names[0] else f"{wanting} want",
        proposal=scene.name(talk.proposal) if talk.proposal and talk.proposal in known else "",
        solution=solo and bool(scene.said),
        drawn=phrases.rows_told(scene.style, known) if _shows_anything(known) else "",
    )


def _shows_anything(maze: Maze) -> bool:
    """Whether a map shows more than start and goal."""
    return any(maze[cell] in (PATH, WALL) for cell in maze.cells())


def _way(scene: Scene) -> list[Cell]:
    """Return the cells of the way that the lead has in mind, as far as it may be open."""
    way = list((scene.known if scene.known.route(scene.talk.position) else scene.hopeful).route(scene.talk.position))
    return way[1:-1]
