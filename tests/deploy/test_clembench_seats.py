"""Any agents at any seats of clembench's games: two different ones, relays, teams."""

from pathlib import Path

import pytest

from tests.deploy.conftest import Palaver

PAIRS = ["matchit", "matchit_ascii", "multimodal_referencegame", "referencegame"]
ALONE = [
    "mm_mapworld",
    "mm_mapworld_graphs",
    "mm_mapworld_specificroom",
    "textmapworld",
    "textmapworld_graphreasoning",
    "textmapworld_specificroom",
]
TEAM = "team(lead=scripted,members=random+scripted)"
RELAY = "scripted@1>random"


def outcomes(palaver: Palaver, game: str, agents: str, out: Path) -> dict[str, int]:
    """Play a few episodes; return how many ended in which way."""
    said = palaver("run", game, "--agents", agents, "-n", "3", "--out", str(out), "--json", "-q")
    assert said.code == 0, said.err
    found: dict[str, int] = {}
    for row in said.document["rows"]:
        for outcome, count in row["outcomes"].items():
            found[outcome] = found.get(outcome, 0) + count
    assert sum(found.values()) == 3
    return found


@pytest.mark.parametrize("game", PAIRS)
def test_teams_at_both_seats_play_as_well_as_their_leads(palaver: Palaver, tmp_path: Path, game: str) -> None:
    assert outcomes(palaver, game, f"{TEAM},{TEAM}", tmp_path / "run") == {"solved": 3}


@pytest.mark.parametrize("game", ALONE)
def test_a_team_walks_as_well_as_its_lead(palaver: Palaver, tmp_path: Path, game: str) -> None:
    assert outcomes(palaver, game, TEAM, tmp_path / "run") == {"solved": 3}


@pytest.mark.parametrize("game", PAIRS)
def test_different_agents_and_a_relay_keep_to_the_format(palaver: Palaver, tmp_path: Path, game: str) -> None:
    assert set(outcomes(palaver, game, f"{RELAY},scripted", tmp_path / "run")) <= {"solved", "failed"}


@pytest.mark.parametrize("game", ALONE)
def test_a_relay_of_walkers_keeps_to_the_format(palaver: Palaver, tmp_path: Path, game: str) -> None:
    assert set(outcomes(palaver, game, RELAY, tmp_path / "run")) <= {"solved", "failed"}
