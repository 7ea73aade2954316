"""Which scores of an episode are a grader's: what the games name, and what their own graders give."""

import pytest

from palaver_gamemasters.game import Instance
from palaver_gamemasters.grading import GradingGame
from palaver_gamemasters.played import PlayedEpisode
from palaver_gamemasters.registry import load_game
from tests.contract.test_game import play
from tests.toys import Match


@pytest.mark.parametrize("name", ["maze", "comma", "puzzleworld"])
def test_graders_give_the_scores_that_their_game_names(name: str) -> None:
    game = load_game(name)
    _, log = play(game, "random", 0)
    grading = GradingGame(game, [Instance("played", PlayedEpisode.from_log(log).model_dump(mode="json"))])
    graded, _ = play(grading, "scripted", 0)
    assert set(graded.scores) == {*game.graded_scores(), "graded"}


def test_a_judge_of_errors_gives_no_score_of_the_rules() -> None:
    game = load_game("comma")
    episode, _ = play(game, "random", 0)
    assert not set(game.graded_scores()) & set(episode.scores)


def test_a_game_that_names_none_leaves_how_it_ended_to_graders() -> None:
    assert Match().graded_scores() == (Match.primary_score, "success")
