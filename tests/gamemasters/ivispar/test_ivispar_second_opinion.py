"""The sliding geom puzzle and its auxiliary task beside a second, plain telling of their rules, on random episodes."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Reply
from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.game import IvisparGame
from palaver_gamemasters.ivispar.inference import GAME as INFERENCE
from palaver_gamemasters.ivispar.scores import regrets
from tests.gamemasters.ivispar.second_opinion import Cells, Episode, Named, Puzzle, inferred, placements

EPISODES = range(35)
COLOURS = ("red", "green", "blue", "yellow")
SHAPES = ("cube", "sphere", "pyramid", "cylinder")
ALL_SHAPES = (*SHAPES, "cone", "prism")
TRICKY = ("ten", "bright", "upper", "cube", "sphere", "tile", "cone", "7", "move", "left")
"""Colours that are words of the action language too; pictures cannot show them."""
FLAT = {
    "cube": "square",
    "sphere": "circle",
    "pyramid": "triangle",
    "cylinder": "hexagon",
    "cone": "diamond",
    "prism": "pentagon",
}
WAYS = ("left", "right", "up", "down")
WORDS = (
    *("often", "done", "money", "bone", "second", "two", "three", "ten", "0", "2", "12", "-1", "007", "1.5", "2,5"),
    *("bright", "supper", "cup", "the", "to", "from", "A1", "start", "undone", "tile", "cube", "cone", "spheres"),
    *("up", "down", "left", "leftmost", "heightened", "fourteen", "²", "٣", "move", "action:", "(right)", "99"),
)
MARKS = (
    *("\n", "\t", "\r\n", " ", "\u00a0", "\u2003", "\u200b", "\u0085", "\u2028", "*", "**", "#", "_", "`", '"', "'"),
    *("<", ">", ":", ",", ".", "!", "|", "/", "\\", "-", "—", "é", "İ", "\u017f", "\u212a", "\uff41"),
)
HEADS = (
    *("action: ",) * 24,
    *("Action: ", "**Action: ", "**Action:** ", "ACTION: ", "transaction: ", "action:", "action:  ", "action : "),
    *("action: `", "action:\n", "action:\u00a0", "action: **", "action\uff1a ", "", "action: done"),
)
BEFORE = (
    "I think so.\n\n",
    "My action: move red cube up, or\n",
    "## Why\nThe square is often there.\n",
    "x" * 3000 + "\n",
)
AFTER = (
    ".",
    "**",
    "\n",
    "\nThis is often best",
    "\naction: done",
    "\naction: move",
    "\naction: move .",
    "`",
    "\r\n```",
)
WHOLE = ("", " ", "\n", "...", "done", "start", "I give up", "move", "action: move", "action: move .", "error")
LOOKALIKES = str.maketrans("oaeic", "оаеıс")  # noqa: RUF001 - letters that only look like those


def now_and_then(dice: Dice, percent: int) -> bool:
    return dice.below(100) < percent


def instance(
    dice: Dice, colours: Sequence[str] = COLOURS, shapes: Sequence[str] = ALL_SHAPES, most: int = 7
) -> dict[str, Any]:
    """Make a board whose start is some random moves away from its goal."""
    size = 3 + dice.below(2)
    names = dice.sample([(colour, shape) for colour in colours for shape in shapes], 1 + dice.below(most))
    goal = some_cells(dice, size, len(names))
    puzzle, start = Puzzle(size, tuple(names), goal, goal), goal
    for _ in range(1 + 2 * dice.below(7)):
        # An odd number of moves, so that the start is never the goal.
        start = dice.pick(list(puzzle.neighbours(start)))
    return published(size, names, start, goal)


def some_cells(dice: Dice, size: int, count: int) -> Cells:
    return tuple(dice.sample([(x, y) for x in range(size) for y in range(size)], count))


def published(size: int, names: Sequence[tuple[str, str]], start: Cells, goal: Cells) -> dict[str, Any]:
    """Return a board in the study's layout."""
    marks = [
        {"body": shape, "color": colour, "start_coordinate": list(here), "goal_coordinate": list(there)}
        for (colour, shape), here, there in zip(names, start, goal, strict=True)
    ]
    return {"id": "random", "grid_size": size, "landmarks": marks}


def answer(dice: Dice, episode: Episode) -> str:
    """Say something of all that agents say: often a good move, now and then anything."""
    if now_and_then(dice, 3):
        return dice.pick(WHOLE)
    (colour, shape), way = good_move(dice, episode) if now_and_then(dice, 50) else any_move(dice, episode.puzzle)
    if now_and_then(dice, 20):
        shape = FLAT[shape] if now_and_then(dice, 70) else dice.pick(("tile", "spheres", "bone", *ALL_SHAPES))
    if now_and_then(dice, 6):
        colour = dice.pick((*TRICKY, "purple", "dark red", ""))
    if now_and_then(dice, 4):
        way = dice.pick(("", "upwards", "rightleft", "north", "up down"))
    said = phrased(dice, colour, shape, way)
    if now_and_then(dice, 15):
        words = said.split(" ")
        words.insert(dice.below(len(words) + 1), dice.pick(WORDS))
        said = " ".join(words)
    if now_and_then(dice, 15):
        at = dice.below(len(said) + 1)
        said = said[:at] + dice.pick(MARKS) + said[at:]
    said = dice.pick(HEADS) + said
    if now_and_then(dice, 20):
        said = dice.pick(BEFORE) + said
    if now_and_then(dice, 15):
        said += dice.pick(AFTER)
    if now_and_then(dice, 10):
        said = dice.pick((said.upper(), said.capitalize(), said.translate(LOOKALIKES)))
    return said


def any_move(dice: Dice, puzzle: Puzzle) -> tuple[tuple[str, str], str]:
    return dice.pick(puzzle.names), dice.pick(WAYS)


def good_move(dice: Dice, episode: Episode) -> tuple[tuple[str, str], str]:
    puzzle, cells = episode.puzzle, episode.path[-1]
    nearer: list[tuple[int, str]] = []
    for who in range(len(cells)):
        for way in WAYS:
            after = puzzle.push(cells, who, way)
            if not isinstance(after, str) and puzzle.distance(after) < puzzle.distance(cells):
                nearer.append((who, way))
    who, way = dice.pick(nearer)
    return puzzle.names[who], way


def phrased(dice: Dice, colour: str, shape: str, way: str) -> str:
    plain = f"move {colour} {shape} {way}"
    others = (
        f"move {shape} {colour} {way}",
        f"move the {colour} {shape} to the {way}",
        f"{plain}, move {dice.pick(COLOURS)} {dice.pick(SHAPES)} {dice.pick(WAYS)}",
        f"{plain} {dice.pick(('2', '3', '0', 'two', 'ten'))}",
    )
    return dice.pick(others) if now_and_then(dice, 15) else plain


def play(game: IvisparGame, number: int, *, compat: bool, modality: str) -> tuple[Episode, dict[str, float | None]]:
    """Play an episode by both tellings of the rules, comparing what the agent is shown in words; return both ends."""
    dice = Dice("second opinion", number, compat, modality)
    board = instance(dice, COLOURS if modality != "text" or number % 3 else (*COLOURS, *TRICKY))
    options = game.configure({"modality": modality, "compat": compat})
    state, episode, said = game.start(board, options), Episode(Puzzle.of(board), compat, flat=modality == "2d"), ""
    while not episode.over:
        assert game.pending(state) == ("player",), said
        if modality == "text":
            assert told(game.view(state, "player")) == expected(episode), said
        said = answer(dice, episode)
        episode.answer(said)
        state = game.apply(state, {"player": Reply.of(said)})
    assert game.outcome(state) == ("solved" if episode.solved else "failed"), said
    return episode, dict(game.score(state))


def told(view: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Return the messages about past steps, and the lines of the last message that are about geoms."""
    _, *past, last = (message.text for message in view)
    lines = last.split("Study both states", maxsplit=1)[0].split("\n")
    return past, [line for line in lines if line[1:2].isdigit()]


def expected(episode: Episode) -> tuple[list[str], list[str]]:
    past, goal, now = episode.shown()
    messages: list[str] = []
    for number, (state, action) in enumerate(past, 1):
        messages += [f"Previous observation {number}: {state}", f"Previous action {number}: {action}"]
    return messages, f"{goal}.\n{now}.".split("\n")


@pytest.mark.parametrize("compat", [False, True])
@pytest.mark.parametrize("modality", ["text", "2d", "3d"])
def test_random_episodes_are_measured_the_same_by_both_tellings(compat: bool, modality: str) -> None:
    for number in EPISODES:
        episode, found = play(GAME, number, compat=compat, modality=modality)
        assert found == pytest.approx(episode.scores()), (number, episode.commands)


def test_without_quirks_each_random_action_is_of_one_class() -> None:
    for number in EPISODES:
        episode, found = play(GAME, number, compat=False, modality="text")
        classes = ("effective", "ineffective", "occupied", "out_of_bounds", "illegal", "malformed")
        assert sum(found[each] or 0 for each in classes) == len(episode.commands), episode.commands


def test_random_answers_are_of_every_kind() -> None:
    seen: Counter[str] = Counter()
    for number in EPISODES:
        episode, _ = play(GAME, number, compat=True, modality="text")
        seen.update(name for name, value in episode.scores().items() if value)
        seen["several moves at once"] += leaps(episode.path)
    kinds = ("effective", "ineffective", "occupied", "out_of_bounds", "illegal", "malformed", "several moves at once")
    assert all(seen[kind] > 9 for kind in kinds), seen
    assert 0 < seen["solved"] < len(EPISODES), seen


def leaps(path: Sequence[Cells]) -> int:
    """Count the steps that brought a geom further than to the next cell."""
    steps = pairwise(path)
    return sum(
        any(abs(ax - bx) + abs(ay - by) > 1 for (ax, ay), (bx, by) in zip(before, after, strict=True))
        for before, after in steps
    )


def test_regrets_of_random_episodes_are_the_same_clamped_and_as_published() -> None:
    for number in EPISODES:
        episode, _ = play(GAME, number, compat=False, modality="3d")
        for clamped in (True, False):
            assert regrets(episode.distances(), clamped=clamped) == episode.regrets(clamped), episode.distances()


def test_boards_set_up_at_random_have_the_same_shortest_solutions() -> None:
    for number in EPISODES:
        dice = Dice("second opinion", "shuffled", number)
        names = dice.sample([(colour, shape) for colour in COLOURS for shape in SHAPES], 2 + dice.below(4))
        start, goal = (some_cells(dice, 4, len(names)) for _ in range(2))
        assert start != goal, "take another seed"
        board = published(4, names, start, goal)
        found = GAME.score(GAME.start(board, GAME.configure({"modality": "text"})))
        assert found["optimal_length"] == Puzzle.of(board).distance(start), board


def an_answer(dice: Dice, truth: Sequence[Named], size: int) -> tuple[str, Counter[str]]:
    """Tell of a board with mistakes; return the answer, and how many of its lines are of each class of errors."""
    cells = [f"{'ABCD'[x]}{y + 1}" for x in range(size) for y in range(size)]
    told = [mistaken(dice, each, cells) for each in truth if now_and_then(dice, 90)]
    told += [(dice.pick(cells), dice.pick(COLOURS), dice.pick(SHAPES)) for _ in range(dice.below(3))]
    shells = ("{}", '"{}",', "- {}", "* `{}`", "  {}.", "({})", "**{}**")
    lines = [dice.pick(shells).format(dice.pick((" ", " ", "  ", "\t")).join(each)) for each in told]
    cell, colour, shape = dice.pick(cells), dice.pick(COLOURS), dice.pick(SHAPES)
    errors = (
        ("e1_empty_cells", f"{cell} empty"),
        ("e2_missing_attribute", f"{cell} {colour}"),
        ("e2_missing_attribute", f"{cell} {shape}"),
        ("e3_illegal_attribute", f"{cell} {colour} box"),
        ("e4_inverted_order", f"{cell} {shape} {colour}"),
        ("e5_several_attributes", f"{cell} red blue {shape}"),
        ("e6_out_of_bounds", f"A{size + 1} {colour} {shape}"),
    )
    wrong = dice.sample(errors, dice.below(3))
    lines += [f'"{line}",' for _, line in wrong]
    dice.shuffle(lines)
    head = dice.pick(("", "I see a board.\n", "A1 red cube\n", "Solution: B1 blue cube\n"))
    return f"{head}Solution:\n" + "\n".join(lines), Counter(name for name, _ in wrong)


def mistaken(dice: Dice, true: Named, cells: Sequence[str]) -> Named:
    cell, colour, shape = true
    return (
        dice.pick(cells) if now_and_then(dice, 40) else cell,
        dice.pick(COLOURS) if now_and_then(dice, 30) else colour,
        dice.pick(SHAPES) if now_and_then(dice, 30) else shape,
    )


@pytest.mark.parametrize("modality", ["2d", "3d"])
def test_random_answers_about_a_board_are_matched_as_well_as_any_assignment_is(modality: str) -> None:
    for number in range(60):
        dice = Dice("second opinion", "inference", number, modality)
        board = instance(dice, COLOURS[: 2 + dice.below(3)], SHAPES, most=5)
        puzzle = Puzzle.of(board)
        truth = [(f"{'ABCD'[x]}{y + 1}", *name) for (x, y), name in zip(puzzle.start, puzzle.names, strict=True)]
        text, errors = an_answer(dice, truth, puzzle.size)
        state = INFERENCE.start(board, INFERENCE.configure({"modality": modality}))
        found = INFERENCE.score(INFERENCE.apply(state, {INFERENCE.pending(state)[0]: Reply.of(text)}))
        inside = [each for each in placements(text) if each[1] in COLOURS and each[2] in SHAPES]
        best = inferred(truth, [each for each in inside if each[0][1:] <= str(puzzle.size)])
        assert {name: found[name] for name in best[0]} in best, text
        wrong = {name: value for name, value in found.items() if name[:1] == "e" and name[1:2].isdigit() and value}
        assert wrong == errors, text
