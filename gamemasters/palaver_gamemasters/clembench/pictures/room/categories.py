"""What may be in a room of each category, place by place: templates of pieces, and the words that fill their gaps."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.pictures.composed import Theme

__all__ = ["CATEGORIES", "WORDS"]

WORDS: Mapping[str, Sequence[str]] = {
    "paint": ("pale yellow", "pale green", "pale blue", "pale pink", "white", "terracotta"),
    "tiles": ("white", "blue", "green", "pink"),
    "stripes": ("blue", "green", "pink"),
    "stone": ("grey", "yellow", "red"),
    "planks": ("brown", "white", "green"),
    "boards": ("oak", "dark brown", "grey"),
    "carpet": ("red", "blue", "green", "beige"),
    "colour": ("red", "yellow", "green", "blue", "purple", "white"),
    "bright": ("red", "yellow", "green", "blue"),
    "wood": ("pine", "walnut", "white"),
    "metal": ("brass", "silver", "black"),
    "view": ("the sea", "mountains", "a city", "a forest", "stars"),
    "subject": ("a sailing boat", "a tulip", "a fish", "the sun"),
    "fur": ("black", "ginger", "white"),
    "coat": ("brown", "black", "white"),
    "fruit": ("apples", "oranges", "lemons"),
    "count": ("two", "three", "four"),
    "sum": ("sums", "letters", "a house", "a star"),
    "shown": ("a rocket", "a heart", "a football match"),
}

WALLS = ("{paint} paint", "{stripes} stripes")
TILED = ("{tiles} tiles",)
MASONRY = ("{stone} stone",)
PLANKED = ("{planks} planks",)
BOARDS = ("{boards} boards",)
CARPET = ("{carpet} carpet",)
TILES = ("{tiles} floor tiles", "chequered tiles")
PLAIN = ("grey concrete", "brown stone slabs")
WINDOW = ("a window with a view of {view}",)
PAINTING = ("a painting of {subject}",)
ABOVE = ("a {colour} lampshade", "a {metal} chandelier", "a row of spotlights")
RUGS = ("a {colour} rug", "a round {colour} rug", "a sleeping {fur} cat")
PLANT = ("a palm in a {colour} pot",)
WARDROBE = ("a {wood} wardrobe", "a {wood} chest of drawers")
FLOOR_LAMP = ("a floor lamp with a {colour} shade",)

CATEGORIES: Mapping[str, Theme] = {
    "kitchen": {
        "wall": ("{paint} paint", "{tiles} tiles"),
        "floor": (*BOARDS, *TILES),
        "back left": WINDOW,
        "back right": ("a shelf of {colour} plates", "a rack of {metal} pans", "a {bright} clock"),
        "above": ABOVE,
        "left": ("a {colour} fridge",),
        "centre": ("{colour} cupboards with a stove",),
        "right": ("a {wood} table with a bowl of {fruit}", "a {colour} bin", "{count} {wood} crates"),
        "front": RUGS,
    },
    "bathroom": {
        "wall": TILED,
        "floor": TILES,
        "back left": (*WINDOW, "a round {metal} mirror"),
        "back right": ("a rail with a {colour} towel", *PAINTING),
        "above": ABOVE,
        "left": ("a washbasin with a {colour} cabinet",),
        "centre": ("a {colour} bathtub",),
        "right": ("a toilet with a {colour} lid",),
        "front": ("a round {colour} rug", "a yellow rubber duck", "a {colour} laundry basket"),
    },
    "bedroom": {
        "wall": WALLS,
        "floor": (*BOARDS, *CARPET),
        "back left": (*WINDOW, *PAINTING),
        "back right": (*PAINTING, "a round {metal} mirror"),
        "above": ABOVE,
        "left": WARDROBE,
        "centre": ("a double bed with a {colour} blanket",),
        "right": ("a bedside table with a {colour} lamp", *PLANT),
        "front": RUGS,
    },
    "living_room": {
        "wall": WALLS,
        "floor": (*BOARDS, *CARPET),
        "back left": (*WINDOW, *PAINTING),
        "back right": (*PAINTING, "a {bright} clock"),
        "above": ABOVE,
        "left": (*PLANT, *FLOOR_LAMP, "a {wood} bookcase"),
        "centre": ("a {colour} sofa",),
        "right": ("a television showing {shown}", "a fireplace of {stone} stone", "a {colour} armchair"),
        "front": RUGS,
    },
}
