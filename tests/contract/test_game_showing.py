"""What every game promises to those who watch and click: pictures that stand alone, moves that can be said."""

from functools import lru_cache
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from examples.count_up import GAME as COUNT_UP
from PIL import Image as Pillow

from palaver_gamemasters.game import AnyGame, Reply
from palaver_gamemasters.registry import game_names, load_game
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.messages import TurnTaken
from palaver_protocols.runs import RunConfig
from tests.gamemasters.folding import play

GAMES = [*(load_game(name) for name in game_names()), COUNT_UP]
SVG = "{http://www.w3.org/2000/svg}"
STILL = {
    *("circle", "clipPath", "defs", "desc", "ellipse", "g", "image", "line", "linearGradient", "path", "pattern"),
    *("polygon", "polyline", "radialGradient", "rect", "stop", "svg", "text", "title", "tspan", "use"),
}
"""What a still picture is made of: nothing that runs, is fetched, or styles what stands around it."""


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> AnyGame:
    found: AnyGame = request.param
    return found


@lru_cache(maxsize=len(GAMES))
def scripted(game: AnyGame) -> tuple[Any, ...]:
    """Play an episode by script; return the states at its start, in the middle and at the end."""
    opening = plan(game, RunConfig(run_id="showing", game=game.name, agents=("scripted",), seed=2)).openings[0]
    _, log, _ = play(game, opening, game.players()["scripted"])
    states, replies = [game.start(opening.instance, game.configure(opening.options))], {}
    for taken in log[1:]:
        assert isinstance(taken, TurnTaken)
        replies[taken.reply.seat] = Reply(taken.reply.parts, taken.reply.finish_reason)
        if len(replies) == len(game.pending(states[-1])):
            states.append(game.apply(states[-1], replies))
            replies = {}
    assert game.outcome(states[-1]) is not None
    return states[0], states[len(states) // 2], states[-1]


def seats_of(game: AnyGame) -> tuple[str, ...]:
    return game.seats(game.configure({}))


def moves_of(game: AnyGame) -> list[tuple[Any, str, Move]]:
    found = ((state, seat, game.moves(state, seat)) for state in scripted(game) for seat in game.pending(state))
    return [(state, seat, move) for state, seat, moves in found for move in moves]


def panels_of(game: AnyGame) -> list[Panel]:
    return [panel for state in scripted(game) for panel in game.panels(state)]


def test_a_panel_has_a_title_and_says_in_words_what_it_shows(game: AnyGame) -> None:
    for panel in panels_of(game):
        assert panel.title.strip()
        assert len(panel.title) <= 40
        assert panel.words.strip()
        assert panel.seat in ("", *seats_of(game))


def test_a_panel_is_a_drawing_a_picture_or_words_alone(game: AnyGame) -> None:
    for panel in panels_of(game):
        assert not (panel.svg and panel.png)
        assert bool(panel.svg or panel.png) == (panel.width > 0) == (panel.height > 0)


def test_a_picture_has_the_size_that_its_panel_says(game: AnyGame) -> None:
    for panel in panels_of(game):
        if panel.png:
            with Pillow.open(BytesIO(panel.png)) as picture:
                assert (picture.format, *picture.size) == ("PNG", panel.width, panel.height)


def test_a_drawing_is_xml_with_a_view_box_of_its_panels_proportions(game: AnyGame) -> None:
    for panel in panels_of(game):
        if panel.svg:
            root = ET.fromstring(panel.svg)
            assert root.tag == f"{SVG}svg"
            _, _, width, height = map(float, root.attrib["viewBox"].split())
            assert width * panel.height == pytest.approx(height * panel.width, rel=0.01)


def test_a_drawing_refers_to_nothing_outside_and_runs_nothing(game: AnyGame) -> None:
    for panel in panels_of(game):
        if panel.svg:
            assert "<!" not in panel.svg.replace("<!--", "")
            assert "<?" not in panel.svg.removeprefix('<?xml version="1.0"')
            for element in ET.fromstring(panel.svg).iter():
                assert element.tag.removeprefix(SVG) in STILL
                assert all(harmless(name, value) for name, value in element.attrib.items()), element.attrib


def harmless(name: str, value: str) -> bool:
    plain = name.rpartition("}")[2].lower()
    if plain == "href":
        return value.startswith(("#", "data:image/png;base64,", "data:image/jpeg;base64,"))
    outside = "url(" in value.replace("url(#", "").lower() or "://" in value
    return not plain.startswith("on") and plain not in ("style", "src") and not outside


def test_the_same_state_is_shown_alike_and_moved_alike(game: AnyGame) -> None:
    first = [
        (game.panels(state), [game.moves(state, seat) for seat in game.pending(state)]) for state in scripted(game)
    ]
    scripted.cache_clear()
    again = [
        (game.panels(state), [game.moves(state, seat) for seat in game.pending(state)]) for state in scripted(game)
    ]
    assert first == again


def test_a_key_means_one_thing_within_a_group_and_no_two_moves_say_the_same(game: AnyGame) -> None:
    for state in scripted(game):
        for seat in game.pending(state):
            moves = game.moves(state, seat)
            keys = [(move.group, key) for move in moves for key in move.keys]
            assert len(set(keys)) == len(keys)
            assert len({move.says for move in moves}) == len(moves)


def test_a_move_is_a_line_with_a_label(game: AnyGame) -> None:
    for _, _, move in moves_of(game):
        assert move.label.strip()
        assert move.says.strip()
        assert move.says.isprintable()


def test_every_move_can_be_said(game: AnyGame) -> None:
    for state, seat, move in moves_of(game):
        replies = {each: Reply.of(move.says if each == seat else "Hm.") for each in game.pending(state)}
        after = game.apply(state, replies)
        assert game.pending(after) or game.outcome(after) is not None


def test_moves_tell_no_secret_that_the_view_does_not(game: AnyGame) -> None:
    options = game.configure({})
    opening = plan(game, RunConfig(run_id="showing", game=game.name, agents=("scripted",), seed=2)).openings[0]
    secrets = game.secrets(opening.instance, options)
    for state, seat, move in moves_of(game):
        seen = "\n".join(message.text for message in game.view(state, seat))
        told = "\n".join((move.says, move.label, move.group))
        assert [secret for secret in secrets.get(seat, ()) if secret in told and secret not in seen] == []
