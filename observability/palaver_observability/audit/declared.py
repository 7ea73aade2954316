"""The third layer: what a game declares as secret from a seat, it never tells that seat."""

from collections import Counter
from collections.abc import Iterator

from palaver_gamemasters.game import AnyGame

from .content import Words
from .findings import Finding, hint_at
from .rebuilding import Rebuilt
from .words import tells

__all__ = ["check_secrets"]


def check_secrets(game: AnyGame, rebuilt: Rebuilt, words: Words, checked: Counter[str]) -> Iterator[Finding]:
    """Yield the secrets that the game itself has told; what a seat had said aloud before is none any more.

    Args:
        game: declares them (:meth:`~palaver_gamemasters.game.Game.secrets`).
        rebuilt: all that was sent.
        words: what seats have said aloud.
        checked: counts the secrets, and the messages that were searched.

    Raises:
        PalaverError: the instance or the options make no game.
    """
    started = rebuilt.started
    secrets = game.secrets(started.instance, game.configure(started.options))
    checked["secrets"] += sum(map(len, secrets.values()))
    seen: set[tuple[str, str, bytes]] = set()
    for sent in rebuilt.sent:
        for message in sent.games if secrets.get(sent.seat) else ():
            if (sent.seat, sent.voice, message.digest) in seen:
                continue
            seen.add((sent.seat, sent.voice, message.digest))
            checked["searched"] += 1
            for secret in secrets[sent.seat]:
                if tells(message, secret) and not words.told(secret, sent.at):
                    what = f"what the game declares a secret from {sent.seat}: {hint_at(secret)}"
                    yield Finding("secrets", started.episode_id, sent.request.turn, sent.voice, what)
