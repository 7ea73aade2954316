"""An instance as files and logs hold it: clembench's own fields, and where its pictures come from."""

from pydantic import ConfigDict, JsonValue

from palaver_protocols.content import Frozen

from .pictures import Picture

__all__ = ["ClemInstance"]


class ClemInstance(Frozen):
    """One game instance of one experiment (clembench's ``instances.json``, divided).

    ``experiment`` holds all of an experiment's fields but ``game_instances``, ``instance`` those of the instance.
    ``pictures`` says where each picture comes from that they name; a replay does without.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    experiment: dict[str, JsonValue]
    instance: dict[str, JsonValue]
    pictures: dict[str, Picture] = {}

    @property
    def name(self) -> str:
        """The experiment's name."""
        return str(self.experiment.get("name", ""))

    @property
    def id(self) -> str:
        """What it is called where experiments are played together: by experiment and ``game_id``."""
        number = self.instance.get("game_id")
        return f"{self.name}-{number:04d}" if isinstance(number, int) else f"{self.name}-{number}"

    @property
    def fields(self) -> dict[str, JsonValue]:
        """All fields together, as game masters and scorers see them."""
        return {**self.experiment, **self.instance}
