"""What may be in a scene of each setting, place by place: templates of pieces."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.pictures.composed import Theme

__all__ = ["SETTINGS"]

Templates = Sequence[str]

FAIR = ("{clear} sky", "blue sky with a rainbow")
ANY = (*FAIR, "{weather} sky")
FLYING = ("a {bright} kite", "a {bright} hot-air balloon", "a {bright} plane", "{birds} birds")
TREES = ("a {season} tree", "a tree with {apples} apples", "a {fir} fir tree")
PETS = ("a {coat} dog", "a {bright} ball")
VILLAGE = ("a church with a {sail} roof", "a house with a {sail} roof")
CITY = ("{towers} towers", "a church with a {sail} roof")


def _scene(skies: Templates, backs: tuple[Templates, Templates], *places: Templates) -> Theme:
    """Return what may be in a scene; ``places`` are the left, the centre, the right and the front."""
    others = dict(zip(("left", "centre", "right", "front"), places, strict=True))
    return {"sky": skies, "above": FLYING, "back left": backs[0], "back right": backs[1], **others}


SETTINGS: Mapping[str, Theme] = {
    "beach": _scene(
        ANY[:2],
        (("a {sail} and white lighthouse",), ("a {sail} sailing boat", "an island with {few} palm trees")),
        ("a {bright} parasol", "a palm tree with {few} coconuts", "a {bright} surfboard"),
        ("a sandcastle with a {bright} flag", "a {bright} beach hut"),
        ("a {bright} deckchair", "a {bright} rowing boat"),
        ("a {bright} ball", "a {bright} towel", "a {crab} crab", "a {bright} swimming ring"),
    ),
    "farm": _scene(
        ANY,
        (("a {barn} barn",), ("a windmill with a {sail} cap", "{few} poplars")),
        ("a tree with {apples} apples", "a {bright} tractor", "a haystack"),
        ("a {coat} cow", "{few} sheep", "a {coat} horse"),
        ("a scarecrow with a {bright} coat", "a well with a {bright} roof", "a pile of {count} hay bales"),
        ("{few} pumpkins", "a {coat} hen", "a {coat} dog"),
    ),
    "street": _scene(
        ANY,
        (CITY, ("a house with a {sail} roof", "{towers} towers")),
        ("a {post} lamp post", "a {season} tree"),
        ("a {car} car",),
        ("a {bright} letter box", "a {bright} bicycle"),
        ("a {cone} cone", "a {coat} dog", "a {bright} suitcase lying down"),
    ),
    "park": _scene(
        ANY,
        (CITY, ("{few} poplars", "a house with a {sail} roof")),
        TREES,
        ("a {fountain} fountain", "a {bright} bench"),
        ("a {bright} bicycle", "a {post} lamp post", "a {season} tree"),
        ("a pond with {few} ducks", "a row of {petals} flowers", *PETS),
    ),
    "playground": _scene(
        ANY,
        (("a house with a {sail} roof", "{towers} towers"), ("{few} poplars", "a church with a {sail} roof")),
        ("a {bright} swing", "a {season} tree"),
        ("a {bright} slide",),
        ("a {bright} seesaw", "a {bright} play tent"),
        ("a {bright} ball", "a {bright} toy train", "a {coat} dog"),
    ),
    "market": _scene(
        ANY,
        (VILLAGE, ("a house with a {sail} roof", "{towers} towers")),
        ("a {post} lamp post", "a {season} tree"),
        ("a market stall with a {bright} roof",),
        ("a stack of {count} crates", "a well with a {bright} roof", "a {bright} bicycle"),
        ("{few} pumpkins", "a row of {petals} flowers", "a {coat} dog", "a sleeping {fur} cat"),
    ),
    "harbour": _scene(
        ANY,
        (("a {sail} and white lighthouse",), ("a {sail} sailing boat", "{towers} towers")),
        ("a {bright} crane", "a {post} lamp post"),
        ("a {bright} fishing boat",),
        ("a stack of {count} crates", "a pile of {count} tyres"),
        ("a {crab} crab", "a {bright} swimming ring", "a sleeping {fur} cat"),
    ),
    "mountains": _scene(
        ANY,
        (("{few} snowy peaks",), (*VILLAGE, "{few} poplars")),
        ("a {fir} fir tree", "a {season} tree"),
        ("a {bright} tent", "a {coat} cow", "{few} sheep"),
        ("a {fir} fir tree", "a {bright} bicycle"),
        ("a campfire", "a row of {petals} flowers", "a pond with {few} ducks", "a {coat} dog"),
    ),
    "desert": _scene(
        FAIR[:1],
        (("{few} pyramids",), ("{few} pyramids", "{towers} towers")),
        ("a palm tree with {few} coconuts", "a tall cactus with {few} flowers"),
        ("{few} camels", "a {bright} tent"),
        ("a tall cactus with {few} flowers", "a well with a {bright} roof"),
        ("a campfire", "a pond with {few} ducks", "a {bright} towel"),
    ),
    "snow_field": _scene(
        ("{clear} sky", "{weather} sky"),
        (("{few} snowy peaks", *VILLAGE), VILLAGE),
        ("a {fir} fir tree",),
        ("a snowman with a {bright} scarf",),
        ("a {bright} sledge", "a {fir} fir tree"),
        ("a {coat} dog", "a {bright} ball", "a pair of {bright} shoes"),
    ),
}
