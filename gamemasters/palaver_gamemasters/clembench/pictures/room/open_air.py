"""What may be in places with a view of the sky or with animals, place by place."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Theme

from .templates import BOARDS, PLANKS, PLANT, TILES, WINDOW, room

__all__ = ["OPEN_AIR"]

OPEN_AIR: Mapping[str, Theme] = {
    "balcony": room(
        ("a {frames} railing",),
        (*BOARDS, *TILES),
        (
            ("a church with a {sail} roof", "{towers} towers"),
            ("{few} snowy peaks", "a {sail} and white lighthouse", "{few} poplars"),
        ),
        ("a chain of {bright} lights", "{bright} bunting", "a {bright} hot-air balloon"),
        PLANT,
        ("a {colour} garden table with two chairs",),
        ("a {bright} parasol", "a {bright} sun lounger"),
        ("a sleeping {fur} cat", "a {colour} rug"),
    ),
    "greenhouse": room(
        ("glass in {frames} frames",),
        ("gravel", "brown stone slabs", "grey concrete"),
        (
            ("a hanging basket of {petals} flowers",),
            ("a hanging basket of {petals} flowers", "tools with {bright} handles"),
        ),
        ("a {metal} lantern", "a {wood} ceiling fan"),
        ("plants with {fruits} tomatoes",),
        ("a bench with {petals} flowers in pots",),
        PLANT,
        ("{few} pumpkins", "a {bright} watering can"),
    ),
    "stable": room(
        PLANKS,
        ("straw", "brown stone slabs"),
        (("a {bright} horse blanket on a rail", "a golden horseshoe"), ("tools with {bright} handles", *WINDOW)),
        ("a {metal} lantern",),
        ("a pile of {count} hay bales",),
        ("a {coat} horse",),
        ("a {bright} saddle", "a {bright} wheelbarrow"),
        ("a {coat} hen", "a sleeping {fur} cat", "a {coat} dog"),
    ),
    "garden": room(
        ("a {planks} fence", "a {stone} stone wall", "a hedge"),
        ("grass", "gravel"),
        (("a {season} tree", "a tree with {apples} apples"), ("a {fir} fir tree", "a {season} tree")),
        ("a {bright} hot-air balloon", "{birds} birds", "a {bright} kite"),
        ("a {bright} shed", "a {bright} parasol"),
        ("a {bright} bench", "a {fountain} fountain"),
        ("a {bright} wheelbarrow", "a well with a {bright} roof"),
        ("a row of {petals} flowers", "a pond with {few} ducks", "a {coat} dog"),
    ),
}
