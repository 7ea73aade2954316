"""What every game promises: the same replies give the same state, and somebody must speak until it is over."""

from itertools import islice
from typing import Any

import pytest
from examples.count_up import GAME as COUNT_UP

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame, Reply
from palaver_gamemasters.registry import game_names, load_game
from palaver_gamemasters.rollout import plan
from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnTaken
from palaver_protocols.runs import RunConfig
from tests.support import NOON, a_reply

GAMES = [*(load_game(name) for name in game_names()), COUNT_UP]
SEEDS = range(3)


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> AnyGame:
    found: AnyGame = request.param
    return found


def play(game: AnyGame, player: str, seed: int) -> tuple[Episode, list[Any]]:
    """Let a game's own script fill all seats, without a bus; return the episode and its log."""
    config = RunConfig(run_id="contract", game=game.name, agents=(player,), seed=seed)
    opening = plan(game, config).openings[0]
    speak = game.players()[player]
    episode = Episode(game, opening)
    log: list[Any] = [opening]
    while episode.outcome is None:
        for request in list(episode.requests(timeout_s=1.0)):
            reply = a_reply(request, speak(request))
            taken = TurnTaken(key=request.key, prompts=episode.prompts(request), reply=reply, at=NOON)
            episode.take(taken)
            log.append(taken)
    return episode, log


@pytest.mark.parametrize("seed", SEEDS)
def test_random_play_ends_within_the_limit(game: AnyGame, seed: int) -> None:
    episode, _ = play(game, "random", seed)
    assert 0 < episode.turns <= game.turn_limit(game.configure({}))
    assert episode.outcome in ("solved", "failed", "aborted", "crashed")
    assert list(episode.requests(timeout_s=1.0)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_episode(game: AnyGame, seed: int) -> None:
    (one, first), (two, second) = play(game, "random", seed), play(game, "random", seed)
    assert [entry.key for entry in first] == [entry.key for entry in second]
    assert (one.outcome, one.scores) == (two.outcome, two.scores)


def test_a_log_that_went_over_the_wire_folds_to_the_same_state(game: AnyGame) -> None:
    episode, log = play(game, "random", 0)
    again = Episode.from_log(game, [decode(encode(entry)) for entry in log])
    assert (again.outcome, again.scores, again.turns) == (episode.outcome, episode.scores, episode.turns)


def test_every_turn_of_a_log_is_a_place_to_resume_from(game: AnyGame) -> None:
    _, log = play(game, "random", 1)
    for length in range(1, len(log)):
        episode = Episode.from_log(game, log[:length])
        owed = {request.key for request in episode.requests(timeout_s=1.0)}
        assert log[length].key in owed


def test_a_state_is_not_changed_by_what_follows(game: AnyGame) -> None:
    options = game.configure({})
    start = game.start(next(game.instances(options, 0)).data, options)
    before = [game.view(start, seat) for seat in game.seats(options)]
    game.apply(start, {seat: Reply.of("7") for seat in game.pending(start)})
    assert [game.view(start, seat) for seat in game.seats(options)] == before


def test_instances_are_the_same_for_the_same_seed_only(game: AnyGame) -> None:
    options = game.configure({})
    one, same, other = (list(islice(game.instances(options, seed), 5)) for seed in (3, 3, 4))
    assert one == same
    assert [instance.id for instance in one] != [instance.id for instance in other]
    assert len({instance.id for instance in one}) == 5


def test_scores_are_named_and_the_leading_one_is_among_them(game: AnyGame) -> None:
    episode, _ = play(game, "random", 0)
    assert game.primary_score in episode.scores
    assert "success" in episode.scores


def test_a_misspelt_option_is_refused_by_name(game: AnyGame) -> None:
    with pytest.raises(UsageError, match=f"{game.name} has no option 'sizze'"):
        game.configure({"sizze": 3})


def test_a_game_speaks_of_itself_by_the_name_it_is_loaded_by(game: AnyGame) -> None:
    assert game.summary
    assert "random" in game.players()
    if game is not COUNT_UP:
        assert load_game(game.name) is game
