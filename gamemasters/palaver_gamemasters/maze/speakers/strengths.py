"""Scripts of different strength, so that a whole study with its ordering effects and relays runs without a model.

These are scripts that were made to have the effects that The Collaboration Gap found (sections 4.2 to 4.4): what they
score says something about the harness, and is no evidence about any model. Each knows its request and nothing else: no
script sees the whole maze, the setting, the grader, or who its partner is.
"""

from palaver_protocols.messages import TurnRequest

from . import phrases, solver, weak
from .manner import Manner, opening_manner
from .scene import Scene
from .scripted import Character, favourite_of, play

__all__ = ["imitator_player", "strong_player", "weak_player"]


def strong_player(request: TurnRequest) -> str:
    """Play as the careful one, but less so once the first message of the dialogue was a loose one (figure 4.4)."""
    return play(request, STRONG, favourite_of(request))


def weak_player(request: TurnRequest) -> str:
    """Play as a small model does: loosely and agreeably, with mistakes, and better where others laid common ground."""
    return play(request, WEAK, favourite_of(request))


def imitator_player(request: TurnRequest) -> str:
    """Play a competent game in the manner of the first message it hears; when it opens, in a manner between the two."""
    return play(request, IMITATOR, favourite_of(request))


def _speak_strongly(scene: Scene, voice: phrases.Voice) -> str:
    loose = opening_manner(scene.texts, scene.own) == Manner.LOOSE
    return solver.speak(scene, voice, Manner.LOCAL if loose else Manner.CAREFUL)


def _speak_alike(scene: Scene, voice: phrases.Voice) -> str:
    manner = opening_manner(scene.heard, scene.own)
    if manner == Manner.LOOSE:
        return weak.speak(scene, voice)
    return solver.speak(scene, voice, Manner.LOCAL if manner is None else manner)


STRONG = Character(_speak_strongly)
WEAK = Character(weak.speak, sees=weak.sees, consults=False)
IMITATOR = Character(_speak_alike)
