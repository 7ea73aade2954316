"""The pieces that rooms and scenes are composed of: flat, friendly drawings of things, each by its template.

Sizes are pixels of a picture of 640 by 480: what stands at a side is at most 130 wide and 215 high, what stands in the
middle 250 wide.
"""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw

from .animals import ANIMALS
from .distance import DISTANCE
from .fittings import FITTINGS
from .ground import GROUND
from .hanging import HANGING
from .household import HOUSEHOLD
from .lamps import LAMPS
from .leisure import LEISURE
from .nature import NATURE
from .nearby import NEARBY
from .outdoors import OUTDOORS
from .public import PUBLIC
from .seats import SEATS
from .shown import SHOWN
from .storage import STORAGE
from .vehicles import VEHICLES

__all__ = ["HUNG", "LAMPS", "PIECES"]

HUNG: Mapping[str, Draw] = {**HANGING, **SHOWN}
"""The pieces that hang on a wall."""

PIECES: Mapping[str, Draw] = {
    **ANIMALS,
    **DISTANCE,
    **FITTINGS,
    **GROUND,
    **HUNG,
    **HOUSEHOLD,
    **LAMPS,
    **LEISURE,
    **NATURE,
    **NEARBY,
    **OUTDOORS,
    **PUBLIC,
    **SEATS,
    **STORAGE,
    **VEHICLES,
}
"""What draws the pieces of a template, by the template."""
