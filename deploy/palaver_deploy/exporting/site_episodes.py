"""An episode of a site: its log folded for the story, the boards, and what seats were shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from palaver_deploy.crashes import why_crashed
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.minutes import Minutes
from palaver_gamemasters.showing import Panel
from palaver_observability.transcripts.boards import Board, View
from palaver_observability.transcripts.story import Story, story_of
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import LogEntry, TurnTaken

from .folding import asked_in, folded

__all__ = ["Told", "tell"]

Place = Callable[[Panel], str]
"""Puts a panel's picture somewhere; returns where it lies, or nothing where it has none."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that the page of an episode holds."""

    story: Story
    boards: dict[int, tuple[Board, ...]]
    views: tuple[View, ...]
    why: str


def tell(game: AnyGame | None, entries: Sequence[LogEntry], place: Place) -> Told:
    """Fold a log for its page. Where it cannot be folded, the page shows what the log says.

    Args:
        game: its rules; None where they are not installed.
        entries: the log; it begins with its start.
        place: where the pictures of boards are put.
    """
    last = {entry.reply.seat: n for n, entry in enumerate(entries) if isinstance(entry, TurnTaken)}
    boards: dict[int, tuple[Board, ...]] = {}
    views: dict[str, View] = {}
    episode: Episode | None = None
    before: tuple[Board, ...] = ()

    def look(at: Episode) -> None:
        nonlocal before
        now = tuple(_board(panel, place) for panel in _panels(at))
        if now != before:
            boards[at.turns] = before = now

    for step in folded(game, entries):
        episode = step.episode
        if isinstance(step.entry, TurnTaken):
            look(episode)
            seat = step.entry.reply.seat
            if last[seat] == step.n and (asked := asked_in(step)) is not None:
                views[seat] = View(seat, asked.turn, asked.view)
    minutes: Minutes = ()
    names: Mapping[str, str] = {}
    if game is not None and episode is not None:
        look(episode)
        if episode.turns == sum(isinstance(entry, TurnTaken) for entry in entries):
            minutes, names = game.minutes(episode.state), game.names
    story = story_of(entries, minutes, names)
    in_order = tuple(views[seat] for seat in story.started.seats if seat in views)
    return Told(story, boards, in_order, why_crashed(game, entries))


def _panels(episode: Episode) -> Sequence[Panel]:
    """Draw how the game stands; nothing where it cannot be drawn: the dialogue can be read all the same."""
    try:
        return episode.panels
    except (PalaverError, OSError, ValueError):
        return ()


def _board(panel: Panel, place: Place) -> Board:
    return Board(panel.title, panel.words, place(panel), panel.width, panel.height, panel.seat)
