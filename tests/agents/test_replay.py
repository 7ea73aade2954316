from pathlib import Path

import pytest

from palaver_agents.replay import ReplayModel
from palaver_protocols.codec import encode
from palaver_protocols.errors import AgentError, UsageError
from tests.support import a_request, a_start, a_turn


async def said(model: ReplayModel, turn: int, seat: str = "a") -> str:
    return (await model.complete(a_request(turn=turn, seat=seat))).text


async def test_a_replay_file_answers_by_turn(tmp_path: Path) -> None:
    file = tmp_path / "replay.json"
    file.write_text('{"replies": [{"seat": "a", "text": "one"}, {"seat": "b", "text": "two"}]}')
    model = ReplayModel(file)
    assert await said(model, 0, "a") == "one"
    assert await said(model, 1, "b") == "two"
    with pytest.raises(AgentError, match="nothing for seat a at turn 1"):
        await said(model, 1, "a")
    with pytest.raises(AgentError, match="nothing for seat a at turn 2"):
        await said(model, 2, "a")


async def test_a_run_folder_answers_by_episode_seat_and_turn(tmp_path: Path) -> None:
    transcripts = tmp_path / "transcripts"
    transcripts.mkdir()
    (transcripts / "e0.jsonl").write_bytes(encode(a_start()) + b"\n" + encode(a_turn("k0", "Hello there.")) + b"\n")
    model = ReplayModel(tmp_path)
    assert await said(model, 0) == "Hello there."
    with pytest.raises(AgentError, match="turn 1 of e0") as caught:
        await said(model, 1)
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("{", "is no replay file"), ("[]", "is no replay file"), ('{"replies": [{}]}', "is no replay file")],
)
def test_a_broken_file_is_refused_at_once(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "replay.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=complaint):
        ReplayModel(file)


def test_what_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        ReplayModel(tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="has no transcripts"):
        ReplayModel(tmp_path)
