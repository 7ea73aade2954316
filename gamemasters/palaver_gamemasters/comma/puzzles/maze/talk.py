"""How mazes are talked about: the torus' colour one way, the sphere's colour back."""

from collections.abc import Sequence

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .grid import BUTTON, MOVES, route
from .manual import COLOURS, MazeRules
from .orders import moves_named, sphere_named
from .scene import MazeScene
from .words import torus_named

__all__ = ["MazeTalk"]

ASK = "Which colour is the torus in the middle of the maze? Please tell me, for example: 'The torus is red.'"


class MazeTalk(Talk[MazeScene, MazeRules]):
    """The solver says the torus' colour and finds the way by itself; the expert names the sphere."""

    def describe(self, sight: Sight[MazeScene]) -> str:
        """Tell the colour of the torus: which sphere is right depends on nothing else."""
        scene = sight.scene
        return sight.admitting(
            f"I see a maze with a mouse in it. The torus in the middle is {scene.torus}. There are four spheres, one "
            "of each colour, and a round button with a labyrinth. Which sphere must the mouse go to?"
        )

    def obey(self, sight: Sight[MazeScene]) -> Sequence[str]:
        """Walk to the sphere that was named and press the button there; else do the single moves that were named."""
        scene = sight.scene
        colour = sphere_named(sight.advice, scene.torus)
        if colour is None:
            return moves_named(sight.advice, (*MOVES, BUTTON))
        moves = route(scene.rows, scene.mouse, scene.spheres[COLOURS.index(colour)])
        return [] if moves is None else [*moves, BUTTON]

    def advise(self, rules: MazeRules, heard: Heard) -> str:
        """Name the sphere once the torus is known; else ask for it."""
        for said in reversed(heard.of("solver")):
            torus = torus_named(said)
            if torus is not None:
                return f"Go to the {rules[torus]} sphere, and press the labyrinth button there."
        return ASK
