"""A seat filled by a script: a game's own baselines, and anything else that is a plain function of the question."""

from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError, PalaverError
from palaver_protocols.messages import Player, TurnRequest

from .model import Completion, Model

__all__ = ["ScriptedModel"]


class ScriptedModel(Model):
    """Answers with what a :data:`~palaver_protocols.messages.Player` says.

    Args:
        name: what records call the model, such as ``scripted``.
        player: the script.
    """

    provider = "script"

    def __init__(self, name: str, player: Player) -> None:
        self._name = name
        self._player = player

    async def complete(self, request: TurnRequest) -> Completion:
        """Ask the script."""
        try:
            text = self._player(request)
        except PalaverError as error:
            raise AgentError(str(error), code="script", retryable=False) from error
        return Completion(parts=(Text(text=text),), provider=self.provider, model=self._name)

    async def aclose(self) -> None:
        """Nothing to release."""
