"""What people are shown of a game: how it stands, as pictures, and the moves that can be clicked instead of typed.

Models see neither. A panel may show what seats may not know, so that it is for those who watch, not for those who play;
a move helps to say what could be typed as well, and tells nothing that the seat's own view does not.
"""

from dataclasses import dataclass

__all__ = ["Move", "Panel"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture of how a game stands.

    ``svg`` is a whole SVG document that refers to nothing outside itself, ``png`` the bytes of a picture; where there
    is neither, ``words`` are shown as they are, in letters of one width. ``words`` say what the picture shows, for
    those who cannot see it; ``title`` is what stands above it, short. ``seat`` names the one seat that sees just this,
    where there is one. ``width`` and ``height`` are in pixels; of words alone they are 0.
    """

    title: str
    words: str
    svg: str = ""
    png: bytes = b""
    width: int = 0
    height: int = 0
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """Something that a seat can say by a click or a key.

    ``says`` is the line that is said, to the letter; ``label`` stands on the button, ``group`` above those that belong
    together. ``keys`` are keys that say it, as browsers name them (``ArrowUp``, ``w``). ``ends`` says whether it is a
    whole answer, sent at once; else it becomes a line of what is being written.
    """

    says: str
    label: str
    group: str = ""
    keys: tuple[str, ...] = ()
    ends: bool = False
