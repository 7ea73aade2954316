"""How wires are talked about: one message that tells all, one that names the wire."""

from collections.abc import Sequence

from palaver_gamemasters.comma.speech import ORDINALS
from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .hearing import told
from .manual import WireRules, wire_to_cut
from .orders import wire_ordered
from .scene import WireScene

__all__ = ["WireTalk"]

ASK = (
    "Please tell me the colours of all wires from top to bottom, and the serial number: "
    "for example 'red, blue, blue, white; serial number ABC123'."
)
ASK_SERIAL = "Please tell me the serial number too: for example 'The serial number is ABC123'."


class WireTalk(Talk[WireScene, WireRules]):
    """The solver lists the wires; the expert applies the manual."""

    def describe(self, sight: Sight[WireScene]) -> str:
        """List the wires."""
        scene = sight.scene
        return sight.admitting(
            f"I see {len(scene.wires)} wires. From top to bottom they are {', '.join(scene.wires)}. "
            f"The serial number is {scene.serial}. Which wire should I cut?"
        )

    def obey(self, sight: Sight[WireScene]) -> Sequence[str]:
        """Cut the wire that was named last, unless it is cut already."""
        wire = wire_ordered(sight.last_advice, sight.scene.wires)
        return [] if wire is None or wire in sight.scene.cut else [sight.actions[wire]]

    def advise(self, rules: WireRules, heard: Heard) -> str:
        """Name the wire, once all that matters has been told; else ask."""
        known = told(heard.of("solver"))
        if known.wires is None:
            return ASK
        if known.serial is None and any(
            condition.kind == "serial" for rule in rules[len(known.wires)] for condition in rule.conditions
        ):
            return ASK_SERIAL
        return f"Cut the {ORDINALS[wire_to_cut(rules, known.wires, known.serial or '0')]} wire."
