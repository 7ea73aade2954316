"""What the solver of the wire puzzle sees."""

import re
from dataclasses import dataclass

__all__ = ["WireScene", "read", "write"]

SERIAL = re.compile(r"Serial number: (\w+)")
WIRE = re.compile(r"^(\d+)\. (\w+)( \(cut\))?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WireScene:
    """The serial number, the wires' colours from top to bottom, and which of them are cut (from 0)."""

    serial: str
    wires: tuple[str, ...]
    cut: frozenset[int] = frozenset()


def write(scene: WireScene) -> str:
    """List the wires from top to bottom."""
    lines = [f"{number + 1}. {wire}{' (cut)' * (number in scene.cut)}" for number, wire in enumerate(scene.wires)]
    return "\n".join([f"Serial number: {scene.serial}", "Wires from top to bottom:", *lines])


def read(text: str) -> WireScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such list.
    """
    serial, wires = SERIAL.search(text), WIRE.findall(text)
    if serial is None or not wires:
        raise ValueError("this text shows no wires")
    cut = frozenset(number for number, (_, _, is_cut) in enumerate(wires) if is_cut)
    return WireScene(serial[1], tuple(colour for _, colour, _ in wires), cut)
