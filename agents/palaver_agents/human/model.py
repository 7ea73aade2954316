"""What answers for ``human``: whoever has the seat."""

from palaver_protocols.messages import TurnRequest

from ..model import Completion, Model
from .hall import Hall
from .places import HUMAN

__all__ = ["HUMAN", "HumanModel"]


class HumanModel(Model):
    """Asks the people in a hall.

    Args:
        hall: where they sit; outlives the model.
    """

    provider = HUMAN
    keeps_time = True

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def complete(self, request: TurnRequest) -> Completion:
        """Wait until the person at the seat has answered."""
        return await self._hall.ask(request)

    async def aclose(self) -> None:
        """Nothing to release."""
