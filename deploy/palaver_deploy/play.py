"""``palaver play``: take a seat yourself, at this terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from palaver_gamemasters.game import AnyGame
    from palaver_gamemasters.rollout import Plan
    from palaver_observability.folder import RunFolder
    from palaver_protocols.events import Event

__all__ = ["play"]

EPILOG = """\b
Examples:
  palaver play comma --as solver --set puzzle=wire
  palaver play maze --as agent_1 --agents openai/gpt-4.1
  palaver play maze --as agent_2 --seed 7 --set size=4
  palaver play runs/maze-20260101-120000-ab12
"""


@click.command(epilog=EPILOG)
@click.argument("what", metavar="GAME|DIR")
@click.option("--as", "seat", metavar="SEAT", help="Your seat; needless where there is only one.")
@click.option(
    "--agents", "-a", metavar="A[,B...]", help="One agent for all other seats, or one for each.  [default: scripted]"
)
@click.option("--episodes", "-n", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="How many.")
@click.option(
    "--seed", type=click.IntRange(0), metavar="S", help="The same seed gives the same instances.  [default: 0]"
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set an option of the game; repeatable.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.  [default: runs/GAME-TIME-...]"
)
def play(
    *,
    what: str,
    seat: str | None,
    agents: str | None,
    episodes: int,
    seed: int | None,
    settings: tuple[str, ...],
    out: Path | None,
) -> int:
    """Play GAME with agents, at a seat of your own, in this terminal.

    You are shown what an agent at your seat is shown, and nothing else; what you type is said. Moves have numbers. Stop
    with /quit or Ctrl-C, and go on with `palaver play DIR`. The run folder is like any other: view it, score it, report
    it. For pictures in the browser, use `palaver run GAME --agents human,... --watch`.
    """
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import UsageError

    from .beforehand import check_run
    from .configure import configure, merged, new_folder, plan_of
    from .instances import settled
    from .session import environment

    if (Path(what) / "config.yaml").is_file():
        if seat or agents or settings or out:
            raise UsageError(f"{what} is a run: who plays it is settled", mend=f"go on with: palaver play {what}")
        return _go_on(RunFolder.open(Path(what)))
    game = _game(what)
    words: dict[str, Any] = {"settings": settings, "episodes": episodes, "seed": seed}
    merged_words = merged({"game": what}, words)
    options = game.configure(merged_words["options"])
    merged_words["agents"] = _cast(game, game.seats(options), seat, agents)
    path = out or new_folder(what)
    game, config = configure({**merged_words, "concurrency": 1}, path)
    planned = plan_of(game, config)
    config = settled(config, planned, path)
    check_run(game, config, planned, environment(), embedded=True, people=True)
    return _play(game, RunFolder.create(path, config), planned)


def _game(name: str) -> "AnyGame":
    """Load a game; say what else there is where it is none."""
    from palaver_gamemasters.registry import game_names, load_game
    from palaver_protocols.errors import UsageError

    from .configure import named_words

    if name not in game_names():
        named_words(name)  # raises, with what was perhaps meant, where it is no suite either
        raise UsageError(f"{name} is a suite, and a person plays a game", mend="see `palaver list games`")
    return load_game(name)


def _cast(game: "AnyGame", seats: "Sequence[str]", seat: str | None, agents: str | None) -> list[str]:
    """Say who fills each seat.

    Raises:
        UsageError: there is no such seat, or there are not as many agents as other seats.
    """
    from palaver_agents.names import parse_seats
    from palaver_protocols.errors import UsageError
    from palaver_protocols.seating import leaves, read_seat

    mine = seat or (seats[0] if len(seats) == 1 else None)
    if mine not in seats:
        said = f"{game.name} has no seat {mine!r}" if mine else "which seat is yours?"
        raise UsageError(said, mend=f"name it with --as: {', '.join(seats)}")
    others = [each for each in seats if each != mine]
    named = list(parse_seats(agents)) if agents else ["scripted" if "scripted" in game.players() else "random"]
    if len(named) == 1:
        named *= len(others)
    if len(named) != len(others):
        raise UsageError(
            f"{len(named)} agents were given for {len(others)} other seats ({', '.join(others) or 'none'})",
            mend="give one for all of them, or one for each",
        )
    if any(leaf == "human" for each in named for filler in read_seat(each) for leaf in leaves(filler.agent)):
        raise UsageError("one person sits at this terminal", mend="for several people: palaver run --watch")
    cast = dict(zip(others, named, strict=True))
    return [cast.get(each, "human") for each in seats]


def _go_on(folder: "RunFolder") -> int:
    """Go on with a run that was stopped."""
    from palaver_gamemasters.registry import load_game
    from palaver_protocols.errors import UsageError
    from palaver_protocols.seating import leaves, read_seat

    from .configure import plan_of

    config = folder.config
    fillers = (filler.agent for seat in config.agents for filler in read_seat(seat))
    if not any(leaf == "human" for agent in fillers for leaf in leaves(agent)):
        raise UsageError(f"nobody plays {folder.path} at a terminal", mend=f"palaver resume {folder.path}")
    game = load_game(config.game)
    return _play(game, folder, plan_of(game, config))


def _play(game: "AnyGame", folder: "RunFolder", planned: "Plan") -> int:
    """Play what is owed, and print what came of it; return the exit code."""
    import shlex
    import sys

    from .exits import after_signal, complain
    from .results import print_outcome
    from .session import environment
    from .session import play as play_session
    from .stopping import run_until_stopped
    from .terminal import Terminal
    from .watching import Watch, watching

    async def session() -> None:
        async with folder:
            done = folder.reconcile()
            with watching(folder, len(planned.openings), Watch(None, "info", quiet=True)) as hooks:
                click.echo(
                    "You see what your seat sees, and nothing else. Type what you want to say, or the number of a move "
                    "(`1 4 2`:\nthree of them in one message), and press Enter. /help tells what else you can type."
                )
                await play_session(
                    game,
                    folder,
                    planned,
                    done=done,
                    hooks=[*hooks, _tell],
                    environ=environment(),
                    cache=folder.config.cache,
                    human=Terminal(game, folder),
                )

    if stopped := run_until_stopped(session()):
        again = f"palaver play {shlex.quote(str(folder.path))}"
        return complain(f"stopped; nothing that was answered is lost. Go on with: {again}", after_signal(stopped))
    return print_outcome(folder, sys.stdout)


def _tell(event: "Event") -> None:
    """Say how an episode has ended."""
    from palaver_protocols.errors import one_line
    from palaver_protocols.events import EpisodeClosed

    if not isinstance(event, EpisodeClosed):
        return
    ended = event.ended
    scores = ", ".join(f"{name} {value:g}" for name, value in ended.scores.items() if value is not None)
    told = one_line(ended.error or scores or "", 500)
    click.echo(f"\n{event.started.episode_id} is over after {event.turns} turns: {ended.outcome}  {told}\n")
