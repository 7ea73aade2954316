"""A weak speaker: plausible failures of a small model, made by dice that the request's seed and seat throw.

Left to itself it names no convention, keeps its map to itself unless asked, heads for the goal one step at a time, and
is too agreeable to check what it agrees to. It misreads some cells of its map, loses count of the moves, and now and
then rejoices too early. The more ground others have laid (a convention, better still a map), the more it follows them
and the less it errs, as a weak model does after a strong one's opening (The Collaboration Gap, figure E.1). The rates
were chosen so that pairs and relays come out in the study's order (sections 4.2 to 4.4); they measure nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from palaver_gamemasters.dice import Dice

from ..grid import HIDDEN, PATH, WALL, Cell, Maze
from . import loose_talk, phrases
from .agreement import direction
from .manner import Manner, manner_of
from .scene import Scene
from .sight import Sight
from .solver import around, join, map_is_told
from .styles import Style
from .understanding import LOOK_AGAIN, asked_about, asks_for_map, convention, learned, states_convention

__all__ = ["LAPSES", "Lapses", "sees", "speak"]


@dataclass(frozen=True)
class Lapses:
    """How often a weak speaker errs in a dialogue of one manner.

    In per cent: ``unchecked``, it agrees to a proposal without a look at its map; ``glib``, it calls a cell open when
    asked, whatever it is; ``miscounts``, it believes to be one move behind; ``hasty``, it rejoices before the last
    move is agreed to.
    """

    unchecked: int
    glib: int
    miscounts: int
    hasty: int


LAPSES = {
    Manner.LOOSE: Lapses(unchecked=60, glib=30, miscounts=6, hasty=20),
    Manner.LOCAL: Lapses(unchecked=60, glib=30, miscounts=3, hasty=20),
    Manner.CAREFUL: Lapses(unchecked=20, glib=25, miscounts=0, hasty=15),
}
MISREAD = (2, 3, 4)
"""How many cells of its map it may misread in an episode; each number is as likely as any other."""
SOLO_SLIPS = {1: 4, 2: 16}
"""Per cent of the solo episodes in which it misreads its map, by the number of maps to be laid over each other."""


def sees(sight: Sight, own: Maze, voice: phrases.Voice) -> Maze:
    """Return what it takes its map to show: with a few cells misread, always the same ones in an episode.

    What its seat has told of the map already, it does not read anew, unless it is asked to look again.
    """
    dice = Dice("weak maze reader", voice.seed, voice.seat)
    cells = dice.sample([cell for cell in own.cells() if own[cell] in (PATH, WALL)], max(MISREAD))
    if sight.others:
        wrong = cells[: dice.pick(MISREAD)]
    else:
        slips = dice.below(100) < SOLO_SLIPS[min(sight.maps, 2)]
        noticed = bool(sight.dialogue) and dice.below(2) == 0
        wrong = cells if slips and not noticed else []
    read = {cell: _other(own[cell]) for cell in wrong}
    said = "\n\n".join(text for speaker, text in sight.dialogue if speaker == voice.seat)
    style = _shared_style(sight, own)
    read |= learned(said, convention(said, own, usual=style), own)
    again = {cell for _, text in sight.dialogue if LOOK_AGAIN in text for cell in asked_about(text, style, own)}
    return _redrawn(own, {cell: symbol for cell, symbol in read.items() if cell not in again})


def _shared_style(sight: Sight, own: Maze) -> Style | None:
    """Return the convention that was stated first."""
    return next((convention(text, own) for _, text in sight.dialogue if states_convention(text)), None)


def _other(symbol: str) -> str:
    return PATH if symbol == WALL else WALL


def _redrawn(own: Maze, read: Mapping[Cell, str]) -> Maze:
    """Draw a map as it was read; what it hides stays hidden."""
    return Maze(
        tuple(
            "".join(
                read.get((row, column), symbol) if symbol in (PATH, WALL) else symbol
                for column, symbol in enumerate(line)
            )
            for row, line in enumerate(own.rows)
        )
    )


def _common_ground(texts: Iterable[str], own: Maze) -> Manner:
    """Return the most careful manner of what was said: somebody's convention and map are there to be followed."""
    return max((manner_of(text, own) for text in texts), default=Manner.LOOSE)


def speak(scene: Scene, voice: phrases.Voice) -> str:
    """Answer what is asked, agree more often than not, and propose the next move."""
    talk, goal = scene.talk, scene.own.goal
    if talk.position == goal:
        return loose_talk.arrived(voice)
    manner = _common_ground(scene.texts, scene.own)
    mind = _Mind(scene, voice, manner)
    told = mind.told()
    position, answer = talk.position, ""
    if talk.proposal is not None and scene.seat not in talk.agreed:
        way = direction(position, talk.proposal)
        if way is None or mind.objects(talk.proposal):
            answer = loose_talk.declined(way or "there", mind.name(talk.proposal), voice)
        elif talk.agreed | {scene.seat} < scene.seats:
            return join(told, loose_talk.seconded(way, mind.name(talk.proposal)))
        else:
            answer = loose_talk.agreed(way, mind.name(talk.proposal), voice)
            position = talk.proposal
    if position == goal:
        return join(told, f"{answer} {loose_talk.arrived(voice)}")
    return join(told, f"{answer} {mind.proposes(position)}")


@dataclass(frozen=True)
class _Mind:
    """What goes on in a weak speaker in one turn: its dice are thrown anew for every question of every turn."""

    scene: Scene
    voice: phrases.Voice
    manner: Manner

    def errs(self, lapse: str) -> bool:
        """Whether it makes a mistake of some kind in this turn."""
        rate: int = getattr(LAPSES[self.manner], lapse)
        return Dice("weak maze speaker", lapse, self.voice.seed, self.voice.seat, self.voice.turn).below(100) < rate

    def name(self, cell: Cell) -> str:
        """Name a cell, if somebody has stated how."""
        return self.scene.name(cell) if self.manner > Manner.LOOSE and cell in self.scene.own else ""

    def told(self) -> str:
        """Tell what was asked for: some cells, or the map; else nothing but a greeting at the start."""
        heard = self.scene.heard[-1] if self.scene.heard else ""
        if asks_for_map(heard) and not map_is_told(self.scene):
            style, own = self.scene.style, self.scene.own
            return f"I name cells {style.statement(own)}, too.\n{phrases.map_told(style, own, self.voice)}"
        if self.scene.wanted:
            symbols = [(cell, self.scene.own[cell]) for cell in self.scene.wanted]
            if self.errs("glib"):
                symbols = [(cell, PATH) for cell, _ in symbols]
            return phrases.told([(self.scene.name(cell), symbol) for cell, symbol in symbols])
        return "" if self.scene.said else loose_talk.greeting(self.voice)

    def objects(self, cell: Cell) -> bool:
        """Whether it sees a wall there, if it looks at all."""
        if cell not in self.scene.own:
            return True
        return not self.errs("unchecked") and self._knows(cell) == WALL

    def proposes(self, position: Cell) -> str:
        """Propose the next move from where it believes that the players are."""
        track = (*self.scene.talk.track, position) if position != self.scene.talk.position else self.scene.talk.track
        believed = track[-2] if len(track) > 1 and self.errs("miscounts") else position
        step = self._next_step(believed)
        if step is None:
            return loose_talk.stuck()
        way = direction(believed, step) or ""
        if step == self.scene.own.goal and self.errs("hasty"):
            return loose_talk.too_early(way, self.name(step))
        return loose_talk.proposed(way, self.name(step), len(track) == 1, self.voice)

    def _knows(self, cell: Cell) -> str:
        """Return what it believes of a cell; what others said it keeps in mind only where cells have names."""
        return (self.scene.known if self.manner > Manner.LOOSE else self.scene.own)[cell]

    def _next_step(self, position: Cell) -> Cell | None:
        """Plan where maps have been laid side by side; else take the step that looks nearest to the goal."""
        if self.manner == Manner.CAREFUL and (step := self.scene.next_step(position)):
            return step
        goal, talk = self.scene.own.goal, self.scene.talk
        steps = [
            cell for cell in around(self.scene.own, position) if self._knows(cell) != WALL and cell not in talk.refused
        ]
        return min(
            steps,
            key=lambda cell: (
                talk.track.count(cell),
                abs(cell[0] - goal[0]) + abs(cell[1] - goal[1]),
                self._knows(cell) == HIDDEN,
            ),
            default=None,
        )
