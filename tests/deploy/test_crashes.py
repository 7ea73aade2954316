"""Episodes that crash the study's own programs: how many there were, and why."""

from pathlib import Path

import pytest

from palaver_deploy.crashes import why_crashed
from palaver_deploy.leaderboard import board_table, boards
from palaver_deploy.results import played_in_words
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_observability.standings import standings
from palaver_protocols.messages import EpisodeEnded, LogEntry
from tests.deploy.conftest import Palaver
from tests.observability.report.dialogues import PUBLISHED, a_crash, a_dialogue

RECORDS = [a_dialogue("show", "same", 0, 100.0), a_dialogue("show", "same", 1, 0.0), a_crash("show", "same", 2)]


def test_below_a_runs_table_stands_how_many_crashed() -> None:
    measures, said = played_in_words(standings(RECORDS), "show")
    assert measures.startswith("% played 100.00")
    assert said.startswith("1 of 3 episodes crashed")


def test_where_all_crashed_there_is_nothing_but_their_number() -> None:
    measures, said = played_in_words(standings(RECORDS[2:]), "show")
    assert measures == "% played undefined, quality undefined, clemscore (of this game alone) undefined"
    assert said.startswith("1 of 1 episodes crashed")


def test_without_crashes_nothing_is_said_of_any() -> None:
    [measures] = played_in_words(standings(RECORDS[:2]), "show")
    assert "crash" not in measures
    assert "crashed" not in [column.header for column in board_table(boards(RECORDS[:2], PUBLISHED["show"])).columns]


def test_a_board_counts_them_and_names_those_of_whom_all_crashed() -> None:
    found = boards([*RECORDS, a_crash("show", "same", 0, ("x/worse",))], PUBLISHED["show"])
    assert [(one.standing.name, one.games, one.crashed) for one in found] == [
        ("x/tall-2024-01-01", ("show",), 1),
        ("x/worse", (), 1),
    ]
    assert found[0].plain["crashed"] == 1
    [column] = [each for each in board_table(found).columns if each.header == "crashed"]
    assert list(column.cells) == ["1", "1"]


CAPITALS = '{"Description": "a room", "Action": "DONE"}'
UNKNOWN = '{"action": "DONE", "description": "a room", "graph": {"nodes": [], "edges": 5}}'


@pytest.fixture
def log(palaver: Palaver) -> list[LogEntry]:
    """An episode of a game in which answers can crash the original programs."""
    assert palaver("run", "mm_mapworld", "-a", "random", "-n", 1, "--out", "run", "--quiet").code == 0
    run = RunFolder.open(Path("run"))
    [name] = run.episode_ids_with_logs()
    return run.read_log(name)


def crashed(game: AnyGame, log: list[LogEntry], text: str) -> list[LogEntry]:
    """Return the same episode with another first answer, which the original programs do not survive."""
    start, turn, *_ = log
    reply = turn.reply.model_copy(update={"parts": (turn.reply.parts[0].model_copy(update={"text": text}),)})  # type: ignore[union-attr]  # a turn
    entries = [start, turn.model_copy(update={"reply": reply})]
    episode = Episode.from_log(game, entries)
    assert episode.outcome == "crashed"
    end = log[-1]
    assert isinstance(end, EpisodeEnded)
    return [*entries, end.model_copy(update={"outcome": "crashed", "scores": {}})]


def test_why_the_game_master_raises_is_told(log: list[LogEntry]) -> None:
    game = load_game("mm_mapworld")
    assert why_crashed(game, crashed(game, log, CAPITALS)) == (
        "the original game master raises: an answer without the key action"
    )


def test_an_episode_that_did_not_crash_has_no_reason(log: list[LogEntry]) -> None:
    assert why_crashed(load_game("mm_mapworld"), log) == ""
    assert why_crashed(None, log) == ""
    assert why_crashed(load_game("mm_mapworld"), []) == ""
