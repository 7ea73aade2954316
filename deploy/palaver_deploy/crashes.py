"""Why an episode crashed: what the original programs could not do with it."""

from collections.abc import Sequence

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import EpisodeEnded, LogEntry

__all__ = ["why_crashed"]


def why_crashed(game: AnyGame | None, log: Sequence[LogEntry]) -> str:
    """Say why an episode crashed. A log holds no reason, so it is folded by its game again.

    Args:
        game: whose log it is; None where it is not installed.
        log: of one episode.

    Returns:
        One line; empty for an episode that did not crash, and where its game does not tell.
    """
    if game is None or not log or not isinstance(log[-1], EpisodeEnded) or log[-1].outcome != "crashed":
        return ""
    try:
        return game.why(Episode.from_log(game, log).state)
    except PalaverError:  # another version's log: it can be shown all the same
        return ""
