"""What answers to an agent's name: a provider's model, recorded replies, or a game's own script."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from palaver_agents import Completion, Model
from palaver_agents.a2a import open_a2a
from palaver_agents.callables import CallableModel
from palaver_agents.loading import load_callable
from palaver_agents.names import AgentName, parse_agent
from palaver_agents.providers import is_priced, open_model
from palaver_agents.providers.calling import Vault
from palaver_agents.providers.vault import DiskVault, default_cache
from palaver_agents.replay import ReplayModel
from palaver_agents.scripted import ScriptedModel
from palaver_broker import BlobStore
from palaver_broker.memory import MemoryBlobs
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import game_names, load_game
from palaver_protocols.errors import AgentError, UsageError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import read_seat, rule_of

__all__ = ["check_agents", "check_prices", "check_scripts", "make_model", "open_agent", "open_vault"]


async def check_agents(
    game: AnyGame, names: Iterable[str], environ: Mapping[str, str], *, people: bool = False
) -> None:
    """Make sure that all agents can be asked, before anything is begun. Asks nobody.

    Args:
        game: the rules.
        names: who will be asked.
        environ: the environment, with what ``.env`` adds to it.
        people: whether people can sit down: at pages, or at this terminal.

    Raises:
        UsageError: one of them cannot: it is unknown, has no key or no SDK, or does not know the game.
    """
    for name in names:
        if not (people and parse_agent(name).kind == "human"):
            await make_model(game, name, MemoryBlobs(), environ).aclose()


def check_prices(config: RunConfig, names: Iterable[str], environ: Mapping[str, str]) -> None:
    """Make sure that what is spent can be known, where dollars bound a run or hand a seat over.

    Raises:
        UsageError: there is no price for one of the agents; names it.
    """
    rules = [rule_of(filler).kind for seat in config.agents for filler in read_seat(seat)[1:]]
    if config.budget_usd is None and "usd" not in rules:
        return
    for name in names:
        if not is_priced(parse_agent(name), environ):
            raise UsageError(
                f"no price is known for {name}: its dollars cannot be counted",
                mend="add it to palaver.providers.yaml, or bound tokens instead",
            )


def check_scripts(game: AnyGame, names: Iterable[str]) -> None:
    """Make sure that the agents are known that need no key.

    Raises:
        UsageError: one of them is not.
    """
    for name in names:
        if parse_agent(name).kind in ("script", "replay"):
            make_model(game, name, MemoryBlobs(), {})


def make_model(
    game: AnyGame,
    text: str,
    blobs: BlobStore,
    environ: Mapping[str, str],
    vault: Vault | None = None,
    *,
    human: Model | None = None,
) -> Model:
    """Make what answers to an agent's name in a game.

    Args:
        game: the rules.
        text: the name.
        blobs: where pictures are.
        environ: the environment, with what ``.env`` adds to it.
        vault: the cache of answers; None: no cache.
        human: what answers for ``human``: people at pages, or at this terminal; None: nobody can sit down here.

    Raises:
        UsageError: nothing does.
    """
    name = parse_agent(text)
    if name.kind == "script":
        return ScriptedModel(name.model, _player(game, name))
    if name.kind == "human":
        if human is None:
            raise UsageError(
                "nobody can sit down for human: this run has no pages",
                mend="add --watch, and sit in the browser; or sit at this terminal: palaver play GAME|DIR",
            )
        return human
    return open_agent(text, blobs, environ, vault)


def open_vault(environ: Mapping[str, str]) -> Vault:
    """Open the cache of answers (``--cache``).

    Raises:
        UsageError: its folder cannot be used.
    """
    return DiskVault(default_cache(environ))


def open_agent(text: str, blobs: BlobStore, environ: Mapping[str, str], vault: Vault | None = None) -> Model:
    """Make what answers to an agent's name, whatever is played.

    Raises:
        UsageError: nothing does.
    """
    name = parse_agent(text)
    match name.kind:
        case "script":
            return _AnyGamesScript(name)
        case "replay":
            return ReplayModel(name.model)
        case "model":
            return open_model(name, blobs=blobs, environ=environ, vault=vault)
        case "python":
            os.environ.update(environ)  # whatever it imports looks for its keys there
            return CallableModel(name.model, load_callable(name.model, Path.cwd()), blobs)
        case "a2a":
            return open_a2a(name.model, blobs, environ)
        case "human":
            raise UsageError(
                "human is a person, whom no program answers for",
                mend="people sit down at the dashboard of a bus: palaver serve dashboard --broker redis://...",
            )
        case "bus":
            raise UsageError(
                f"{name} is on a bus, and nobody answers for it here",
                mend="name the bus that it is on: --broker redis://...",
            )


def _player(game: AnyGame, name: AgentName) -> Player:
    players = game.players()
    if name.model not in players:
        raise UsageError(f"{game.name} has no player {name.model!r}", mend=f"it has: {', '.join(players)}")
    return players[name.model]


class _AnyGamesScript(Model):
    """A script of this name, from whichever game asks."""

    provider = ScriptedModel.provider

    def __init__(self, name: AgentName) -> None:
        games = {game: load_game(game) for game in game_names()}
        self._name = name
        self._scripts = {
            game: ScriptedModel(name.model, rules.players()[name.model])
            for game, rules in games.items()
            if name.model in rules.players()
        }
        if not self._scripts:
            raise UsageError(f"no game has a player {name.model!r}", mend="see `palaver list agents`")

    async def complete(self, request: TurnRequest) -> Completion:
        script = self._scripts.get(request.game)
        if script is None:
            raise AgentError(f"{request.game} has no player {self._name.model!r}", code="script", retryable=False)
        return await script.complete(request)

    async def aclose(self) -> None:
        """Nothing to release."""
