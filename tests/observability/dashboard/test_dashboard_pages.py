"""What the pages are told of finished runs: episodes, boards, views, what was sent, results."""

import hashlib
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.showing import Panel
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.games import Games
from palaver_observability.dashboard.views import quirks_of
from palaver_observability.folder import RunFolder
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import LogEntry, SeatFiller, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER, Message
from tests.observability.dashboard.stage import Client, browsing, folder_dashboard, told
from tests.observability.report.folders import AStudy
from tests.support import a_reply, a_request, a_start
from tests.toys import Choices, Match

EPISODE = "/api/episode/maze/maze-pair-00000"


@pytest.fixture
async def client(played: Path) -> AsyncIterator[Client]:
    async with browsing(folder_dashboard(played)) as client:
        yield client


async def test_all_runs_of_a_folder_are_there(client: Client, played: Path) -> None:
    runs = (await told(client, "/api/runs"))["runs"]

    assert {(run["run"], run["state"], run["total"], run["ended"], run["folder"]) for run in runs} == {
        ("maze", "done", 2, 2, True),
        ("comma", "done", 1, 1, True),
    }
    assert (await told(client, "/api/hello"))["where"] == str(played)


async def test_a_run_names_all_of_its_episodes_in_order_and_how_it_was_set_up(client: Client) -> None:
    run = await told(client, "/api/runs/maze")

    assert [row["episode"] for row in run["episodes"]] == ["maze-pair-00000", "maze-pair-00001"]
    assert (run["episodes"][0]["outcome"], run["episodes"][0]["score"]) == ("solved", 1.0)
    assert run["config"]["options"]["size"] == 4


async def test_an_episode_is_told_step_by_step(client: Client) -> None:
    episode = await told(client, EPISODE)

    assert [step["n"] for step in episode["steps"]] == list(range(1, len(episode["steps"]) + 1))
    first = episode["steps"][0]
    assert (first["kind"], first["turn"], first["seat"], first["agent"]) == ("turn", 0, "agent_1", "scripted")
    assert first["prompts"][0]["speaker"] == "user"
    assert first["parts"][0]["type"] == "text"
    assert (episode["ended"]["outcome"], episode["primary"], episode["waiting"]) == ("solved", "weighted_outcome", [])
    assert episode["card"]["turn"] == len(episode["steps"])
    assert [seat["seat"] for seat in episode["seats"]] == ["agent_1", "agent_2"]


async def test_what_is_not_there_is_said_in_one_line(client: Client) -> None:
    assert (await told(client, "/api/episode/maze/nope", 404))["error"] == "there is no episode maze/nope"
    assert (await told(client, "/api/runs/nope", 404))["error"] == "there is no run 'nope' here"
    assert (await told(client, "/api/board/maze/maze-pair-00000/x", 400))["error"] == "turn is no number"
    assert (await told(client, f"/api/blob/{'0' * 64}", 404))["error"].startswith("there is no blob")
    assert (await told(client, "/api/blob/secret", 404))["error"] == "this is no SHA-256"


async def test_a_board_is_one_picture_that_may_be_kept(client: Client) -> None:
    async with client.get("/api/board/maze/maze-pair-00000/2") as response:
        assert (response.status, response.content_type) == (200, "image/svg+xml")
        assert response.headers["Cache-Control"] == "private, no-cache"
        tag = response.headers["ETag"]
        root = ET.fromstring(await response.read())
    assert len(root.findall("{http://www.w3.org/2000/svg}image")) == 3
    async with client.get("/api/board/maze/maze-pair-00000/2", headers={"If-None-Match": tag}) as response:
        assert (response.status, await response.read()) == (304, b"")


async def test_a_board_of_a_turn_that_is_not_taken_yet_is_the_latest_and_is_asked_for_again(client: Client) -> None:
    last = len((await told(client, EPISODE))["steps"])
    async with client.get(f"/api/board/maze/maze-pair-00000/{last}") as response:
        latest = await response.read()
    async with client.get("/api/board/maze/maze-pair-00000/999") as response:
        assert (await response.read(), response.headers["Cache-Control"]) == (latest, "private, no-cache")


async def test_boards_go_back_and_forth(client: Client) -> None:
    async def board(turn: int) -> bytes:
        async with client.get(f"/api/board/maze/maze-pair-00000/{turn}") as response:
            return await response.read()

    late, early = await board(6), await board(0)

    assert late != early
    assert [await board(6), await board(0)] == [late, early]


async def test_the_panels_of_a_board_are_told_with_their_words(client: Client) -> None:
    panels = (await told(client, "/api/boards/maze/maze-pair-00000/0"))["panels"]

    assert [panel["seat"] for panel in panels] == ["", "agent_1", "agent_2"]
    assert all(panel["words"] and panel["width"] and panel["height"] for panel in panels)
    async with client.get(panels[1]["url"]) as response:  # its address is of this episode, and of no later one
        assert (response.content_type, "immutable" in response.headers["Cache-Control"]) == ("image/svg+xml", True)
    assert (await told(client, "/api/board/maze/maze-pair-00000/0?panel=9", 404))["error"] == "there is no panel 9"


async def test_a_view_is_what_the_seat_was_shown_for_its_turn_at_or_before(client: Client) -> None:
    steps = (await told(client, EPISODE))["steps"]
    said = steps[0]["parts"][0]["text"]

    first = await told(client, f"{EPISODE}/view?seat=agent_1&turn=0")
    later = await told(client, f"{EPISODE}/view?seat=agent_2&turn=2")

    assert (first["turn"], first["agent"]) == (0, "scripted")
    assert not any(part.get("text") == said for message in first["messages"] for part in message["parts"])
    assert later["turn"] == 1
    assert any(part.get("text") == said for message in later["messages"] for part in message["parts"])


async def test_a_seat_that_was_not_asked_yet_was_shown_nothing(client: Client) -> None:
    view = await told(client, f"{EPISODE}/view?seat=agent_2&turn=0")

    assert (view["turn"], view["messages"]) == (None, [])
    assert "no seat 'nobody'" in (await told(client, f"{EPISODE}/view?seat=nobody&turn=0", 404))["error"]


async def test_what_was_sent_is_written_as_the_providers_messages(client: Client) -> None:
    sent = await told(client, f"{EPISODE}/sent?n=2")

    assert (sent["agent"], sent["protocol"], sent["sha256"], sent["stored"]) == ("scripted", "prefixes", None, None)
    assert [message["role"] for message in sent["messages"][:2]] == ["system", "user"]
    assert "scripted has no provider" in sent["note"]
    assert "nobody has answered" in (await told(client, f"{EPISODE}/sent?n=0", 404))["error"]


def test_quirks_are_known_without_a_key() -> None:
    quirks, notes = quirks_of("openai/gpt-4.1", {})
    assert (quirks.alternate, notes) == (False, [])

    assert quirks_of("nowhere/model", {})[1] == ["nowhere/model is not known here: this is what most providers accept."]


async def test_pictures_are_served_as_what_they_are(client: Client) -> None:
    episode = await told(client, "/api/episode/comma/comma-wire-00000")
    parts = [part for step in episode["steps"] for message in step["prompts"] for part in message["parts"]]
    (picture, *_) = [part for part in parts if part["type"] == "image"]

    async with client.get(picture["url"]) as response:
        assert (response.content_type, "immutable" in response.headers["Cache-Control"]) == ("image/png", True)
        assert hashlib.sha256(await response.read()).hexdigest() == picture["sha256"]


async def test_what_is_no_picture_is_only_to_be_saved(tmp_path: Path) -> None:
    board = a_folder(tmp_path)
    sha256 = await RunFolder.open(tmp_path).blobs.put(b"<script>alert(1)</script>")
    async with browsing(board) as client, client.get(f"/api/blob/{sha256}") as response:
        assert (response.content_type, response.status) == ("application/octet-stream", 200)
        assert response.headers["Content-Disposition"].startswith("attachment")


async def test_results_are_the_tables_of_the_summary(client: Client, played: Path) -> None:
    summary = json.loads((played / "maze" / "summary.json").read_text())

    results = {run["run"]: run for run in (await told(client, "/api/results"))["runs"]}
    maze = await told(client, "/api/results/maze")

    assert (results["maze"]["rows"], results["maze"]["overall"]) == (summary["rows"], summary["overall"])
    assert [row["score"] for row in maze["episodes"]] == [1.0, 1.0]
    assert maze["report"]


async def test_a_report_is_made_where_there_is_none_and_the_folder_is_left_alone(client: Client, played: Path) -> None:
    async with client.get("/report/maze") as response:
        assert (response.status, response.content_type) == (200, "text/html")
        assert "weighted" in await response.text()
    assert not (played / "maze" / "report.html").exists()


async def test_a_study_has_a_report_of_all_its_runs(tmp_path: Path) -> None:
    study = AStudy(tmp_path / "toys")
    for turn in (2, 4):
        study.cell("relay", {"turn": turn}, [f"weak@{turn}>strong", "weak"], [0.5, 1.0])
    async with browsing(folder_dashboard(tmp_path)) as client:
        assert [run["study"] for run in (await told(client, "/api/results"))["runs"]] == ["toys", "toys"]
        async with client.get("/report/study/toys") as response:
            assert (response.status, response.content_type) == (200, "text/html")
            assert "What toys do." in await response.text()
        async with client.get("/report/study/nowhere") as response:
            assert response.status == 404
    assert not (tmp_path / "toys" / "report.html").exists()


async def test_a_run_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path, played: Path) -> None:
    shutil.copytree(played / "maze", tmp_path / "maze")
    (tmp_path / "maze" / "episodes.jsonl").write_text("{broken\n")
    async with browsing(folder_dashboard(tmp_path)) as client:
        (run,) = (await told(client, "/api/runs"))["runs"]
        assert (run["run"], "episodes.jsonl is damaged" in run["errors"][0]["error"]) == ("maze", True)


async def test_the_shell_is_at_the_address_of_every_page(client: Client) -> None:
    async with client.get("/") as response:
        shell = await response.text()
    for path in ("/episode/a%2Fb/c", "/runs", "/runs/x", "/results/x", "/agents", "/seats"):
        async with client.get(path) as response:
            assert (response.status, await response.text()) == (200, shell)


def a_folder(path: Path, game: Match | None = None, *said: str) -> Dashboard:
    """Make a run folder of one episode, in which the seats have said something, and its dashboard."""
    config = RunConfig(run_id="run", game="match", agents=("echo",))
    RunFolder.create(path, config)._unlock()
    seats = dict.fromkeys(("left", "right"), (SeatFiller(agent="echo"),))
    log: list[LogEntry] = [a_start(game="match", episode_id="e0", run_id="run", seats=seats)]
    for turn, (seat, text) in enumerate(zip(("left", "right") * 2, said, strict=False)):
        request = a_request(f"k{turn}", turn=turn, seat=seat, game="match")
        log.append(TurnTaken(key=request.key, reply=a_reply(request, text), at=log[0].at))
    lines = b"".join(entry.model_dump_json().encode() + b"\n" for entry in log)
    (path / "transcripts" / "e0.jsonl").write_bytes(lines)
    board = folder_dashboard(path)
    return Dashboard(board.source, board.doors, games=Games({"match": game or Match()}))


async def test_what_agents_say_stays_json_text(tmp_path: Path) -> None:
    said = "</script><img src=x onerror=alert(1)>\x1b[31m\u202e"
    async with browsing(a_folder(tmp_path, None, said)) as client, client.get("/api/episode/run/e0") as response:
        assert response.content_type == "application/json"
        assert json.loads(await response.read())["steps"][0]["parts"][0]["text"] == said


class Blackboard(Match):
    """Shows what it is told to."""

    def __init__(self, shown: tuple[Panel, ...] | Exception = (), parts: tuple[Text | Image, ...] = ()) -> None:
        self._shown, self._parts = shown, parts

    def panels(self, state: Choices) -> tuple[Panel, ...]:
        if isinstance(self._shown, Exception):
            raise self._shown
        return self._shown

    def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
        return (Message(speaker=USER, parts=self._parts or (Text(text="go"),)),)


async def test_a_game_that_raises_as_it_draws_is_shown_to_do_so(tmp_path: Path) -> None:
    async with browsing(a_folder(tmp_path, Blackboard(ZeroDivisionError("no board")))) as client:
        (panel,) = (await told(client, "/api/boards/run/e0/0"))["panels"]

    assert (panel["title"], panel["words"]) == (
        "cannot be drawn",
        "match raises ZeroDivisionError as it draws:\nno board",
    )


async def test_a_game_that_raises_in_what_was_played_is_named(tmp_path: Path) -> None:
    async with browsing(a_folder(tmp_path, None, "break", "it")) as client:
        error = await told(client, "/api/board/run/e0/2", 422)
        episode = await told(client, "/api/episode/run/e0")

    assert error["error"] == "match raises ZeroDivisionError in what was played"
    assert [step["parts"][0]["text"] for step in episode["steps"]] == ["break", "it"]


async def test_where_a_game_draws_nothing_the_last_board_in_words_is_shown(tmp_path: Path) -> None:
    words = Text(
        text="This is your turn, and a long line of what to do that is no board at all. " * 3
        + "\n\n#.#\n#@#\n###\n\nGo."
    )
    async with browsing(a_folder(tmp_path, Blackboard(parts=(words,)))) as client:
        panels = (await told(client, "/api/boards/run/e0/0"))["panels"]

    assert [(panel["seat"], panel["words"]) for panel in panels] == [
        ("left", "#.#\n#@#\n###"),
        ("right", "#.#\n#@#\n###"),
    ]


async def test_where_a_game_draws_nothing_the_last_picture_is_shown_or_its_words_if_it_is_gone(tmp_path: Path) -> None:
    image = Image(sha256="a" * 64, media_type="image/png", width=8, height=8, size=10, alt="a cat")
    async with browsing(a_folder(tmp_path, Blackboard(parts=(image,)))) as client:
        panels = (await told(client, "/api/boards/run/e0/0"))["panels"]

    assert [panel["words"] for panel in panels] == ["The picture is gone.\na cat"] * 2


async def test_a_game_that_is_not_installed_can_be_read_but_not_drawn(tmp_path: Path) -> None:
    board = a_folder(tmp_path, None, "hello")
    async with browsing(folder_dashboard(tmp_path)) as client:
        episode = await told(client, "/api/episode/run/e0")
        error = await told(client, "/api/board/run/e0/0", 404)

    assert episode["steps"][0]["parts"][0]["text"] == "hello"
    assert error["error"] == "the game 'match' is not installed here"
    assert board.source.kind == "folder"


async def test_whom_a_half_played_episode_waits_for_is_told_by_its_game(tmp_path: Path) -> None:
    async with browsing(a_folder(tmp_path, None, "hello")) as client:
        assert [each["seat"] for each in (await told(client, "/api/episode/run/e0"))["waiting"]] == ["right"]
