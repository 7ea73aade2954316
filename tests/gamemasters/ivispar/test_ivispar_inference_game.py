"""Board-state inference as a game: its question, its scripts, how it ends."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.ivispar import GAME as PUZZLE
from palaver_gamemasters.ivispar.inference import GAME
from palaver_gamemasters.ivispar.inference.answer import CLASSES
from palaver_gamemasters.ivispar.inference.game import InferenceState
from palaver_gamemasters.ivispar.inference.options import InferenceOptions
from palaver_protocols.content import Image
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import in_words
from tests.gamemasters.ivispar.inference_cases import BOARD, LINES, board_with, listed

BOARDS = Path(__file__).parents[4] / "shared" / "data" / "ivispar" / "boards.jsonl"
FLAT = InferenceOptions(modality="2d")


def state(options: InferenceOptions = FLAT) -> InferenceState:
    return InferenceState(BOARD, options)


def answered(text: str) -> InferenceState:
    return GAME.apply(state(), {"player": Reply.of(text)})


def request(of: InferenceState, seed: int = 0, *, blind: bool = False) -> TurnRequest:
    view = GAME.view(of, "player")
    return TurnRequest(
        key="k" * 64,
        run_id="r",
        episode_id="e",
        game=GAME.name,
        variant="2d",
        turn=0,
        seat="player",
        agent="scripted",
        seed=seed,
        view=in_words(view) if blind else view,
    )


def question(of: InferenceState) -> str:
    (message,) = GAME.view(of, "player")
    return message.text


def test_the_picture_shows_the_start() -> None:
    (message,) = GAME.view(state(), "player")
    picture = message.parts[-1]
    assert isinstance(picture, Image)
    assert picture.alt is not None
    assert set(picture.alt.splitlines()[1:]) == {
        "A1 red square",
        "B2 blue circle",
        "C4 green triangle",
        "D3 yellow hexagon",
    }


def test_the_question_names_the_options_and_the_format() -> None:
    text = question(state())
    assert "board of 4 by 4 cells" in text
    assert "- Colours: green, red, blue, yellow\n- Shapes: square, circle, triangle, hexagon\n" in text
    assert 'Solution:\n"B4 red square",\n"D1 blue circle",' in text
    assert "<<" not in text


def test_a_board_in_space_has_shapes_in_space() -> None:
    text = question(state(InferenceOptions(modality="3d")))
    assert "- Shapes: cube, sphere, pyramid, cylinder\n" in text
    assert '"B4 red cube",' in text
    assert "from the front to the back" in text


def test_the_examples_stay_on_small_boards_and_own_colours_are_named() -> None:
    board = board_with("A1 orange cube", "B2 blue prism", size=2)
    text = question(InferenceState(board, FLAT))
    assert 'Solution:\n"B2 red square",\n"B1 blue circle",' in text
    assert "yellow, orange\n- Shapes: square, circle, triangle, hexagon, pentagon\n" in text


def test_listings_do_without_the_solver_of_assignments() -> None:
    told = "import sys, palaver_gamemasters.ivispar.inference; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", told], check=False).returncode == 0


def test_one_answer_ends_the_episode() -> None:
    assert GAME.pending(state()) == ("player",)
    assert GAME.outcome(state()) is None
    assert GAME.pending(answered("")) == ()
    assert GAME.outcome(answered("")) == "failed"
    assert GAME.outcome(answered(listed(*LINES))) == "solved"
    assert GAME.outcome(answered(listed(*LINES, "A2 empty"))) == "failed"
    assert GAME.turn_limit(FLAT) == 1


def test_before_the_answer_everything_is_missed() -> None:
    scores = GAME.score(state())
    assert (scores["missed"], scores["format_errors"], scores["success"]) == (len(LINES), 0, 0)


def test_only_an_answer_that_is_not_read_at_all_is_refused() -> None:
    texts = ("A1 red cube", "Solution: nothing to be seen", listed("A1 empty"), listed(*LINES))
    assert [GAME.refused(answered(text)) for text in texts] == [1, 1, 0, 0]


def test_the_boards_are_the_puzzles() -> None:
    options = GAME.configure({})
    ours, theirs = GAME.instances(options, 5), PUZZLE.instances(PUZZLE.configure({}), 5)
    assert [(each.id, each.data) for each in islice(ours, 12)] == [(each.id, each.data) for each in islice(theirs, 12)]


@pytest.mark.parametrize("name", ["moves", "window", "reasoning"])
def test_what_is_about_moves_cannot_be_set(name: str) -> None:
    with pytest.raises(UsageError, match=f"ivispar_inference has no option '{name}'"):
        GAME.configure({name: "1"})


def test_there_is_no_modality_without_a_picture() -> None:
    with pytest.raises(UsageError, match="option modality cannot be 'text'"):
        GAME.configure({"modality": "text"})


def test_a_variant_is_a_modality() -> None:
    assert GAME.variant(GAME.configure({}, "2d")) == "2d"


@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize("player", ["scripted", "optimal"])
def test_the_best_script_is_always_right(player: str, blind: bool) -> None:
    said = GAME.players()[player](request(state(), blind=blind))
    assert GAME.outcome(answered(said)) == "solved"


@pytest.mark.parametrize("compat", [False, True])
def test_the_best_script_is_right_about_every_shape(compat: bool) -> None:
    shapes = ("cube", "sphere", "pyramid", "cylinder", "cone", "prism", *(["diamond"] if compat else []))
    board = board_with(*(f"{'ABCD'[n % 4]}{1 + n // 4} red {shape}" for n, shape in enumerate(shapes)))
    start = InferenceState(board, InferenceOptions(modality="2d", compat=compat))
    said = GAME.players()["scripted"](request(start))
    assert GAME.outcome(GAME.apply(start, {"player": Reply.of(said)})) == "solved"


@pytest.mark.parametrize("player", ["scripted", "scripted/careless"])
def test_a_script_that_sees_no_words_says_so(player: str) -> None:
    with pytest.raises(UsageError, match="no board in words"):
        GAME.players()[player](request(state(InferenceOptions(modality="2d", words=False))))


def test_chance_has_the_right_form_and_nothing_else() -> None:
    said = [GAME.players()["random"](request(state(), seed)) for seed in range(50)]
    scores = [GAME.score(answered(text)) for text in said]
    assert len(set(said)) == len(said)
    assert {each["format_errors"] for each in scores} == {0.0}
    assert 0 < sum(each["accuracy"] or 0 for each in scores) < 25


def test_the_careless_script_makes_every_kind_of_error() -> None:
    said = [GAME.players()["scripted/careless"](request(state(), seed)) for seed in range(300)]
    scores = [GAME.score(answered(text)) for text in said]
    measures = [*CLASSES, "missed", "hallucinated", "coordinate_errors", "colour_errors", "shape_errors", "success"]
    assert [name for name in measures if not any(each[name] for each in scores)] == []
    assert said[:20] == [GAME.players()["scripted/careless"](request(state(), seed)) for seed in range(20)]


def test_the_game_master_notes_what_it_made_of_an_answer() -> None:
    said = listed("A1 red cube", "B3 blue sphere", "D4 red pyramid", "A2 empty", "A3 empty")
    ((*notes,),) = GAME.minutes(answered(said))
    assert {note.kind: note.content for note in notes} == {
        "correct": "A1 red cube",
        "imperfect": "B2 blue sphere, told as B3 blue sphere (coordinate)\n"
        "C4 green pyramid, told as D4 red pyramid (coordinate and colour)",
        "missed": "D3 yellow cylinder",
        "format error E1, empty cells": "a2 empty\na3 empty",
    }


def test_notes_stay_short() -> None:
    ((*notes,),) = GAME.minutes(answered(listed(*["A2 empty"] * 1000)))
    assert str(notes[-1].content).endswith("\nand 980 more")


@pytest.mark.skipif(not BOARDS.is_file(), reason="the published boards are not at hand")
def test_the_published_boards_can_be_told() -> None:
    options = GAME.configure({"instances": BOARDS, "modality": "2d"})
    boards = [GAME.start(each.data, options) for each in GAME.instances(options, 0)]
    assert len(boards) == 83
    for start in boards[::10]:
        said = GAME.players()["scripted"](request(start))
        assert GAME.outcome(GAME.apply(start, {"player": Reply.of(said)})) == "solved"
