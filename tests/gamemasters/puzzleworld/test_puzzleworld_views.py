"""What seats are shown: the study's prompts to a solver alone, and who sees what where several talk."""

import re
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.state import PuzzleState
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.quirks import Quirks
from palaver_protocols.roles import chat_of
from palaver_protocols.transcript import Message, in_words
from tests.gamemasters.puzzleworld.puzzle_folders import STEPS, after, episode, instances, make_puzzle, paint
from tests.support import a_request

PAGES = ("content_1.png", "content_2.png", "content_3.png")
VARIANTS: list[dict[str, Any]] = [
    {},
    {"expert": True},
    {"solvers": 2},
    {"solvers": 4},
    {"solvers": 2, "divide": "modalities"},
    {"solvers": 3, "divide": "modalities", "expert": True},
    {"solvers": 2, "divide": "nothing", "expert": True},
]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    make_puzzle(tmp_path / "Going_Round", PAGES)
    return tmp_path


def pictures(view: tuple[Message, ...]) -> list[Image]:
    return [part for message in view for part in message.parts if isinstance(part, Image)]


def text(view: tuple[Message, ...]) -> str:
    return "\n".join(message.text for message in view)


def seen(state: PuzzleState, seat: str) -> list[str]:
    """Return the captions of what a seat sees."""
    parts = [part.text for message in GAME.view(state, seat) for part in message.parts if isinstance(part, Text)]
    return [part.removesuffix(":") for part in parts if part.startswith("Page ")]


# ---- alone, as in the study


def test_a_solver_alone_has_the_study_s_messages(dataset: Path) -> None:
    system, user = GAME.view(episode(dataset), "solver")
    assert (system.speaker, user.speaker) == ("system", "user")
    assert system.text.startswith("You will be presented with a puzzle to solve. The puzzle may not have specific")
    assert system.text.endswith("- Looking through it\n- Transcribing it neatly")
    assert user.text == (
        "Your task is to solve the following puzzle. The attached images are presented in the order\n"
        "they are referenced in the text.\n\n"
        "The puzzle's title is: Going Round\n"
        "The puzzle's flavor text is: The baker never stops.\n\n"
        "---\n"
        "Write out a step-by-step solution to the puzzle. At the end of your solution, write your\n"
        "answer in the following format:\n"
        "Answer: <answer>"
    )
    assert [type(part) for part in user.parts] == [Text, Image, Image, Image]


def test_the_pages_are_shown_in_their_order(dataset: Path) -> None:
    state = episode(dataset)
    assert [image.sha256 for image in pictures(GAME.view(state, "solver"))] == [p.sha256 for p in state.puzzle.pages]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": "Going Round \n"}, "title is: Going Round\nThe"),
        ({"title": "{} <<title>> {0}"}, "title is: {} <<title>> {0}\nThe"),
        ({"flavor_text": "<<title>> {x}"}, "text is: <<title>> {x}\n"),
        ({"flavor_text": ""}, "text is: \n\n---"),
    ],
)
def test_titles_and_flavour_texts_stand_there_as_they_are(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    make_puzzle(tmp_path / "Going_Round", **fields)
    assert said in text(GAME.view(episode(tmp_path), "solver"))


def test_the_size_of_pictures_can_be_set(tmp_path: Path) -> None:
    paint(make_puzzle(tmp_path / "Going_Round") / "content.png", (300, 400))
    for longest in (64, 128):
        (image,) = pictures(GAME.view(episode(tmp_path, images=longest), "solver"))
        assert max(image.width, image.height) == longest


def test_what_the_study_asks_of_a_model() -> None:
    usual = GAME.usual
    assert (usual.protocol, usual.sampling.temperature, usual.sampling.max_tokens) == ("user", 0.0, 4096)


def test_a_chat_model_gets_a_system_message_and_one_of_the_user(dataset: Path) -> None:
    view = GAME.view(episode(dataset), "solver")
    chat = chat_of(a_request(seat="solver", view=view, protocol="user"), Quirks())
    assert [message.role for message in chat] == ["system", "user"]
    assert chat[1].parts == view[1].parts


# ---- who sees what


def test_pages_are_divided(dataset: Path) -> None:
    state = episode(dataset, solvers=2)
    assert seen(state, "solver_1") == ["Page 1 of 3", "Page 3 of 3"]
    assert seen(state, "solver_2") == ["Page 2 of 3"]


def test_one_page_is_cut_into_strips(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    state = episode(tmp_path, solvers=2)
    assert seen(state, "solver_1") == ["Page 1 of 1, strip 1 of 2 from the top"]
    assert "cut into strips" in text(GAME.view(state, "solver_2"))


def test_the_last_of_those_divided_by_modalities_sees_nothing(dataset: Path) -> None:
    state = episode(dataset, solvers=3, divide="modalities")
    assert [len(seen(state, seat)) for seat in state.seats] == [2, 1, 0]
    assert pictures(GAME.view(state, "solver_3")) == []


def test_all_see_all_where_nothing_is_divided(dataset: Path) -> None:
    state = episode(dataset, solvers=2, divide="nothing")
    assert seen(state, "solver_1") == seen(state, "solver_2") == [f"Page {number} of 3" for number in (1, 2, 3)]


def test_the_expert_sees_all_pages_all_steps_and_their_figures(dataset: Path) -> None:
    state = episode(dataset, solvers=2, expert=True)
    view = GAME.view(state, "expert")
    assert [image.sha256 for image in pictures(view)] == [
        *(page.sha256 for page in state.puzzle.pages),
        state.puzzle.figures["figure.png"].sha256,
    ]
    for number, step in enumerate(STEPS, 1):
        assert f"{number}. {step['explanation']}" in text(view)
    assert "The answer, which you must not tell: ROLL WITH IT" in text(view)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_nobody_but_the_expert_is_shown_the_solution_or_a_step(dataset: Path, options: dict[str, Any]) -> None:
    state = episode(dataset, **options)
    figure = state.puzzle.figures["figure.png"].sha256
    while (pending := GAME.pending(state)) != ():
        for seat in state.seats:
            view = GAME.view(state, seat)
            shown = text(in_words(view))
            secrets = [word for word in ("ROLL WITH IT", "BREAD", "Sketch the path", "Extract") if word in shown]
            assert bool(secrets) == (seat == "expert")
            assert (figure in [image.sha256 for image in pictures(view)]) == (seat == "expert")
        state = GAME.apply(state, {pending[0]: Reply.of("I think about it.")})


def test_our_own_puzzles_do_not_print_their_solutions() -> None:
    options = GAME.configure({})
    for instance in GAME.instances(options, 0):
        state = GAME.start(instance.data, options)
        shown = text(in_words(GAME.view(state, "solver")))
        assert state.puzzle.solution.upper() not in shown.upper()
        assert not any(step.explanation in shown for step in state.puzzle.reasoning)


# ---- what seats are told


@pytest.mark.parametrize("options", VARIANTS[1:], ids=str)
def test_every_task_is_whole(dataset: Path, options: dict[str, Any]) -> None:
    state = episode(dataset, **options)
    for seat in state.seats:
        told = GAME.view(state, seat)[-1].text
        assert not re.search(r"<<|>>|\{|\}|  |\n\n\n", told)
        assert "Going Round" in told
        assert ("Answer: <answer>" in told) == (seat != "expert")
        assert {message.audience for message in GAME.view(state, seat)} == {(seat,)}


def test_solvers_are_told_whom_they_talk_with(dataset: Path) -> None:
    state = episode(dataset, solvers=3, expert=True, turns=4)
    told = GAME.view(state, "solver_2")[-1].text
    assert "together with solver 1 and solver 3" in told
    assert "solver 1, then solver 2, then solver 3, then the expert" in told
    assert "an expert, who knows the solution, speaks after solver 3" in told
    assert "can write 4 messages at most" in told


def test_only_the_one_who_sees_nothing_is_told_to_write_the_answer(dataset: Path) -> None:
    state = episode(dataset, solvers=2, divide="modalities")
    assert "Such a line is for solver 2 to write" in GAME.view(state, "solver_1")[-1].text
    assert "The answer is yours to write" in GAME.view(state, "solver_2")[-1].text


def test_the_last_message_of_all_is_asked_for_the_answer(dataset: Path) -> None:
    state = episode(dataset, solvers=2, turns=2)
    for _ in range(3):
        assert "last message of all" not in text(GAME.view(state, *GAME.pending(state)))
        state = after(state, "Hm.")
    assert GAME.view(state, "solver_2")[-1].text.startswith("This is the last message of all.")


# ---- a team behind a solver alone


def test_a_team_has_the_pages_divided(dataset: Path) -> None:
    lead, *members = GAME.split(episode(dataset), "solver", 2)
    assert pictures(lead) == []
    assert "you see none of them yourself" in text(lead)
    assert [len(pictures(member)) for member in members] == [2, 1]
    assert all("The puzzle's title is: Going Round" in text(member) for member in members)


@pytest.mark.parametrize("options", VARIANTS[1:], ids=str)
def test_what_is_divided_already_is_not_divided_again(dataset: Path, options: dict[str, Any]) -> None:
    state = episode(dataset, **options)
    with pytest.raises(UsageError, match="only a solver alone can have such a team"):
        GAME.split(state, state.seats[0], 2)


# ---- instances that make no game


def test_an_instance_without_a_field_is_refused(dataset: Path) -> None:
    (instance,) = instances(dataset)
    data: Any = instance.data
    for field in ("id", "title", "solution", "pages"):
        broken = {name: value for name, value in data.items() if name != field}
        with pytest.raises(InstanceError, match=f"puzzleworld instance: {field}: Field required"):
            GAME.start(broken, GAME.configure({}))


def test_an_instance_without_a_figure_of_its_steps_is_refused(dataset: Path) -> None:
    (instance,) = instances(dataset)
    with pytest.raises(InstanceError, match=r"Going_Round: figure figure\.png of step 2 is missing"):
        GAME.start({**instance.data, "figures": {}}, GAME.configure({}))  # type: ignore[dict-item]  # it is an object


def test_a_run_can_be_scored_without_its_pictures(dataset: Path) -> None:
    state = episode(dataset)
    for page in state.puzzle.pages:
        page.file.unlink()
    assert GAME.score(after(state, "Answer: ROLL WITH IT"))["success"] == 1.0
