"""How a competent speaker talks: it answers the proposal on the table, tells its map, and proposes the next move.

In the careful manner it tells all that its map shows before the first move, wants to be told the same, and enters no
cell of which nothing is known. In the local manner (The Collaboration Gap, figure 4.4) it names cells as carefully, but
tells only those around the players, takes a partner's word for what it cannot see, and tries its luck.
"""

from collections.abc import Iterator

from ..grid import HIDDEN, MOVES, PATH, WALL, Cell, Maze
from . import phrases
from .agreement import affirms, direction
from .manner import Manner
from .scene import Scene
from .understanding import LOOK_AGAIN, asked_about, learned, states_convention

__all__ = ["around", "join", "map_is_told", "speak"]


def speak(scene: Scene, voice: phrases.Voice, manner: Manner = Manner.CAREFUL) -> str:
    """Answer the proposal on the table, tell the map if that is not done, and propose the next move."""
    talk, goal = scene.talk, scene.own.goal
    if talk.position == goal:
        return phrases.arrived(scene.name(goal), voice)
    opening = _opening(scene, voice, manner)
    answer, position = phrases.here(scene.name(talk.position)) if scene.moved else "", talk.position
    if talk.proposal is not None and scene.seat not in talk.agreed:
        if objection := _objection(scene, talk.proposal, manner):
            answer = phrases.declined(direction(position, talk.proposal), scene.name(talk.proposal), objection, voice)
        elif manner == Manner.CAREFUL and _needs_word(scene, talk.proposal):
            return join(opening, f"Is {scene.name(talk.proposal)} open on your map?")
        else:
            way = direction(position, talk.proposal) or ""
            if talk.agreed | {scene.seat} < scene.seats:
                return join(opening, phrases.second(way, scene.name(talk.proposal)))
            answer = phrases.agreed(way, scene.name(talk.proposal), talk.proposal == goal, voice)
            position = talk.proposal
    if position == goal:
        return answer
    said = opening or _facts(scene)
    return join(said, phrases.corrected(_mistakes(scene)), f"{answer} {_next(scene, position, voice, manner)}")


def join(*paragraphs: str) -> str:
    """Put paragraphs together, without those that are empty."""
    return "\n\n".join(paragraph.strip() for paragraph in paragraphs if paragraph.strip())


def _opening(scene: Scene, voice: phrases.Voice, manner: Manner) -> str:
    """Greet, state the convention and tell the map, as far as this seat has not done so."""
    own = scene.own
    greeting = phrases.greeting(scene.style, own, scene.adopts, voice)
    if manner == Manner.CAREFUL:
        return "" if map_is_told(scene) else f"{greeting}\n{phrases.map_told(scene.style, own, voice)}"
    if any(states_convention(text) for text in scene.said):
        return ""
    nearby = [(scene.name(cell), own[cell]) for cell in around(own, scene.talk.position)]
    return f"{greeting}\n{phrases.around_told(nearby)}"


def map_is_told(scene: Scene) -> bool:
    """Whether this seat has told what its map shows, or all but a tenth of it."""
    seen = {cell for cell in scene.own.cells() if scene.own[cell] in (PATH, WALL)}
    told = {cell for text in scene.said for cell in learned(text, scene.style, scene.own)}
    return bool(scene.said) and len(seen & told) >= 0.9 * len(seen)


def _facts(scene: Scene) -> str:
    """Answer what the partner asked about cells."""
    return phrases.told([(scene.name(cell), scene.own[cell]) for cell in scene.wanted])


def _mistakes(scene: Scene) -> list[tuple[str, str]]:
    """Find what others just said of cells that this seat sees to be otherwise."""
    return [(scene.name(cell), scene.own[cell]) for cell in scene.mistaken]


def _objection(scene: Scene, cell: Cell, manner: Manner) -> str:
    """Say why a proposal is no good; an empty string if it is good, or may be."""
    return _against_rules(scene, cell) or _against_reason(scene, cell, manner)


def _against_rules(scene: Scene, cell: Cell) -> str:
    """Say why a move is illegal, as far as this seat knows."""
    position = scene.talk.position
    if cell not in scene.own:
        return "the board ends here"
    if direction(position, cell) is None:
        return f"it is not next to {scene.name(position)}, where we are, and we can only take one step at a time"
    if scene.known[cell] == WALL:
        witness = "my map shows" if scene.own[cell] == WALL else "you told me of"
        return f"{witness} a wall at {scene.name(cell)}"
    return ""


def _against_reason(scene: Scene, cell: Cell, manner: Manner) -> str:
    """Say why a legal move would not help."""
    step = scene.next_step(scene.talk.position)
    if step is None or step == cell:
        return ""
    if cell in scene.talk.track:
        return "we have been there before"
    if not scene.leads_on(cell):
        return "no way leads on from there to the goal"
    if manner == Manner.CAREFUL and scene.known[cell] == HIDDEN != scene.known[step]:
        return "I cannot see it on my map, and I know of another way"
    return ""


def _needs_word(scene: Scene, cell: Cell) -> bool:
    """Whether to ask first if a cell is open: nothing is known of it, and its proposer neither says so nor insists."""
    asked, asked_twice = scene.talk.age >= 2, scene.talk.age >= 4
    return scene.known[cell] == HIDDEN and not asked_twice and not (asked and affirms(scene.heard[-1]))


def _next(scene: Scene, position: Cell, voice: phrases.Voice, manner: Manner) -> str:
    """Propose the next move, or ask for what must be known first."""
    hidden = [scene.name(cell) for cell in around(scene.own, position) if scene.known[cell] == HIDDEN]
    if scene.silent and manner == Manner.CAREFUL:
        return phrases.asked(hidden, True, voice)
    step = scene.next_step(position)
    if step is None:
        doubtful = [scene.name(cell) for cell in _doubtful(scene, position)]
        name = scene.name(position)
        return phrases.look_again(name, doubtful) if doubtful else phrases.stuck(name)
    way = direction(position, step) or ""
    if scene.known[step] != HIDDEN:
        proposal = phrases.proposed(way, scene.name(step), step == scene.own.goal, voice)
        return f"{_progress(scene, position)} {proposal}".strip()
    if scene.asked or manner == Manner.LOCAL:
        return phrases.uncertain(way, scene.name(step))
    return phrases.asked(hidden, False, voice)


def _doubtful(scene: Scene, position: Cell) -> list[Cell]:
    """Return the cells on the most direct way that others say are walls; it asks about each of them once."""
    own, known = scene.own, scene.known
    asked = {cell for text in scene.said if LOOK_AGAIN in text for cell in asked_about(text, scene.style, own)}
    told = {cell for cell in own.cells() if own[cell] == HIDDEN and known[cell] == WALL and cell not in asked}
    believed = Maze(
        tuple(
            "".join(PATH if symbol == HIDDEN or (row, column) in told else symbol for column, symbol in enumerate(line))
            for row, line in enumerate(known.rows)
        )
    )
    return [cell for cell in believed.route(position) if cell in told]


def _progress(scene: Scene, position: Cell) -> str:
    """Say how far the players have come, when their position has just changed and the way is known."""
    if position == scene.talk.position and scene.said:
        return ""
    left, whole = (scene.known.to_goal.get(cell) for cell in (position, scene.own.start))
    return phrases.progress(left, whole, position != scene.own.start) if left and whole else ""


def around(maze: Maze, cell: Cell) -> Iterator[Cell]:
    """Yield the cells of the board next to a cell."""
    steps = ((cell[0] + down, cell[1] + right) for down, right in MOVES.values())
    return (step for step in steps if step in maze)
