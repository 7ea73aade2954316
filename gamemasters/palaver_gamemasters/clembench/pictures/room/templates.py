"""What rooms have in common: lists of templates of pieces, and the places of a room."""

from collections.abc import Sequence

from palaver_gamemasters.clembench.pictures.composed import Theme

__all__ = [
    "ARMCHAIR",
    "BARE_LAMP",
    "BOARDS",
    "CABINET",
    "CARPET",
    "CLOCK",
    "FLOOR_LAMP",
    "GAY_LAMP",
    "HARD",
    "LAMP",
    "LANTERN",
    "MIRROR",
    "NATURAL",
    "PAINTED",
    "PAINTING",
    "PLAIN",
    "PLANKS",
    "PLANT",
    "POSTER",
    "RUG",
    "STONE",
    "TILED",
    "TILES",
    "TOYS",
    "WINDOW",
    "room",
]

Templates = Sequence[str]

PAINTED = ("{paint} paint", "{stripes} stripes")
PLAIN = ("{paint} paint",)
TILED = ("{tiles} tiles",)
STONE = ("{stone} stone",)
PLANKS = ("{planks} planks",)

BOARDS = ("{boards} boards",)
CARPET = ("{carpet} carpet",)
TILES = ("{tiles} floor tiles", "chequered tiles")
HARD = ("grey concrete", "brown stone slabs")
NATURAL = ("grass", "gravel", "brown stone slabs")

WINDOW = ("a window with a view of {view}",)
PAINTING = ("a painting of {subject}",)
CLOCK = ("a {bright} clock",)
MIRROR = ("a round {metal} mirror",)
POSTER = ("a poster of {poster}",)

LAMP = ("a {colour} lampshade", "a {metal} chandelier", "a row of spotlights")
BARE_LAMP = ("a neon tube", "a row of spotlights", "a {metal} lantern")
GAY_LAMP = ("a {colour} paper lantern", "{bright} bunting", "a {colour} lampshade")
LANTERN = ("a {metal} lantern", "a {metal} chandelier")

PLANT = ("a palm in a {colour} pot", "a cactus in a {colour} pot")
CABINET = ("a {wood} wardrobe", "a {wood} chest of drawers", "a {wood} bookcase")
FLOOR_LAMP = ("a floor lamp with a {colour} shade",)
ARMCHAIR = ("a {colour} armchair",)

RUG = ("a {colour} rug", "a round {colour} rug", "a sleeping {fur} cat")
TOYS = ("a {bright} ball", "a {bright} toy train", "{count} building blocks")


def room(walls: Templates, floors: Templates, backs: tuple[Templates, Templates], *places: Templates) -> Theme:
    """Return what may be in a room of a category.

    Args:
        walls: what they may be.
        floors: what they may be.
        backs: what may hang on the back wall or stand behind, on the left and on the right.
        places: what may be above, on the left, in the centre, on the right and in front.
    """
    others = dict(zip(("above", "left", "centre", "right", "front"), places, strict=True))
    return {"wall": walls, "floor": floors, "back left": backs[0], "back right": backs[1], **others}
