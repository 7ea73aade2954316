"""`palaver export --to jsonl|parquet`: four tables that join, the same in both formats."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from palaver_deploy.exporting import parquet
from palaver_observability.folder import RunFolder
from palaver_observability.tables.schema import COLUMNS, GRAINS, Grain
from palaver_protocols.messages import Usage
from tests.deploy.conftest import Palaver
from tests.deploy.exported_runs import a_log, a_run, end, said, usual_run

pl = pytest.importorskip("polars")
TOKENS = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def run(home: Path) -> Path:
    return usual_run(home / "run")


def as_jsonl_has_it(grain: Grain, row: dict[str, Any]) -> dict[str, Any]:
    """Write a row of Parquet as one of JSON Lines."""
    kinds = {column.name: column.kind for column in COLUMNS[grain]}
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name.startswith("score_"):
            found.setdefault("scores", {})[name.removeprefix("score_")] = value
        elif isinstance(value, datetime):
            found[name] = value.isoformat(timespec="microseconds").replace("+00:00", "Z")
        else:
            found[name] = json.loads(value) if kinds[name] == "json" else value
    return found


def test_both_formats_hold_the_same(palaver: Palaver, run: Path) -> None:
    assert palaver("export", "run", "--to", "jsonl").code == 0
    assert palaver("export", "run", "--to", "parquet").code == 0
    for grain in GRAINS:
        rows = pl.read_parquet(f"run/exports/parquet/{grain}.parquet").to_dicts()
        expected = lines(f"run/exports/jsonl/{grain}.jsonl")
        if grain == "episodes":  # an episode that has no such score has none in a table that has a column for it
            expected = [{**row, "scores": {"success": None, "speed": None, **row["scores"]}} for row in expected]
        assert [as_jsonl_has_it(grain, row) for row in rows] == expected


def test_what_was_written_and_what_was_left_out_is_told(palaver: Palaver, run: Path) -> None:
    assert palaver("export", "run", "--to", "jsonl", "--out", "there").out.splitlines() == [
        "1 run, 3 episodes, 6 turns, 11 messages",
        "1 episode left out: not ended",
        "",
        "jsonl: there",
    ]
    document = palaver("export", "run", "--to", "parquet", "--out", "again", "--limit", 2, "--json").document
    assert document["counts"] == {"run": 1, "episode": 2, "turn": 5, "message": 9}
    assert document["notes"] == ["1 episode left out: not ended", "1 episode left out: beyond the limit"]


def expected(run: Path) -> dict[str, tuple[Any, ...]]:
    """What ``episodes.jsonl`` says of tokens, dollars and time."""
    found = {}
    for record in RunFolder.open(run).records():
        usage = sum(record.usage.values(), Usage())
        found[record.episode_id] = (*(getattr(usage, name) for name in TOKENS), record.cost_usd, record.latency_s)
    return found


def test_polars_joins_turns_to_the_numbers_of_the_episodes(palaver: Palaver, run: Path) -> None:
    palaver("export", "run", "--to", "parquet", "--out", "out")
    turns = pl.scan_parquet("out/turns.parquet").filter(pl.col("copied_from").is_null())
    sums = turns.group_by("run_id", "episode_id").agg(pl.col(*TOKENS, "cost_usd", "latency_s").sum())
    episodes = pl.scan_parquet("out/episodes.parquet").select("run_id", "episode_id")
    joined = episodes.join(sums, on=["run_id", "episode_id"]).select(pl.exclude("run_id")).collect()
    assert {row[0]: row[1:] for row in joined.rows()} == expected(run)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_duckdb_joins_turns_to_the_numbers_of_the_episodes(palaver: Palaver, run: Path, kind: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    palaver("export", "run", "--to", kind, "--out", "out")
    sums = ", ".join(f"sum(t.{name})" for name in (*TOKENS, "cost_usd", "latency_s"))
    with duckdb.connect() as database:
        found = database.execute(
            f"select e.episode_id, {sums} from 'out/turns.{kind}' t join 'out/episodes.{kind}' e "
            "using (run_id, episode_id) where t.copied_from is null group by all"
        ).fetchall()
        messages = database.execute(
            f"select count(*) from 'out/messages.{kind}' m join 'out/turns.{kind}' using (run_id, episode_id, n)"
        ).fetchone()
    assert {row[0]: row[1:] for row in found} == expected(run)
    assert messages == (11,)


def test_duckdb_reads_scores_and_what_is_json(palaver: Palaver, run: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    palaver("export", "run", "--to", "parquet", "--out", "out")
    with duckdb.connect() as database:
        found = database.execute(
            "select score_success, score_speed, agents[2], seats ->> '$.guide[0].agent' from 'out/episodes.parquet'"
        ).fetchall()
    assert found == [
        (1.0, 0.5, "human", "openai/o3"),
        (0.0, None, "human", "openai/o3"),
        (None, None, "human", "openai/o3"),
    ]


def test_duckdb_reads_scores_that_differ_only_in_their_case_as_the_documentation_says(
    palaver: Palaver, home: Path
) -> None:
    duckdb = pytest.importorskip("duckdb")
    a_run(home / "run", [a_log("run", "toy-0", said(0, "guide", "Hm."), end(success=1.0, Success=0.5, Lose=None))])
    palaver("export", "run", "--to", "jsonl", "--out", "out")
    palaver("export", "run", "--to", "parquet", "--out", "out-parquet")
    with duckdb.connect() as database:
        lines_ = database.execute(
            "select scores['success'], scores['Success'] "
            "from read_json('out/episodes.jsonl', map_inference_threshold=0)"
        ).fetchall()
        parquet_ = database.execute(
            "select score_success, score_Success_1 from 'out-parquet/episodes.parquet'"
        ).fetchall()
    assert lines_ == parquet_ == [(1.0, 0.5)]


def test_a_table_that_is_written_in_parts_is_whole(
    palaver: Palaver, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 2)
    document = palaver("export", "run", "--to", "parquet", "--out", "out", "--json").document
    assert document["counts"]["message"] == 11
    assert pl.read_parquet("out/messages.parquet")["m"].to_list() == [0, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1]


def test_a_study_is_one_set_of_tables(palaver: Palaver, home: Path) -> None:
    palaver("run", "matchit_ascii", "-a", "random", "-n", 1, "-q", "--out", "one")
    palaver("run", "referencegame", "-a", "random", "-n", 1, "-q", "--out", "two")
    palaver("export", "clembench", "one", "two", "--out", "results")
    palaver("import", "clembench", "results", "--out", "study", "-q")
    palaver("export", "study", "--to", "jsonl", "--out", "out")
    rows = lines("out/runs.jsonl")
    assert {(row["game"], row["study"] is not None) for row in rows} == {
        ("matchit_ascii", True),
        ("referencegame", True),
    }
    assert {row["run_id"] for row in lines("out/episodes.jsonl")} == {row["run_id"] for row in rows}


def test_a_folder_of_runs_and_studies_stands_for_all_of_them(palaver: Palaver, home: Path) -> None:
    for name in ("one", "two"):
        a_run(home / "runs" / name, [a_log(name, "toy-0", said(0, "guide", "Hm."), end(success=1.0))])
    (home / "runs" / "notes").mkdir()
    words = ("run", "collaboration-gap", "--set", "models=random", "--only", "solo-full", "-n", 1, "-q")
    palaver(*words, "--out", "runs/study")
    assert palaver("export", "runs", "--to", "jsonl", "--out", "out").code == 0
    found = [(row["run_id"], row["study"]) for row in lines("out/runs.jsonl")]
    assert found == [("one", None), ("study.solo-full--random", "collaboration-gap"), ("two", None)]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_damaged_log_is_named_and_leaves_nothing_behind(palaver: Palaver, run: Path, kind: str) -> None:
    log = run / "transcripts" / "toy-1.jsonl"
    log.write_bytes(b"{nonsense}\n" + log.read_bytes())
    before = sorted(run.parent.iterdir())
    complaint = palaver("export", "run", "--to", kind, "--out", "out").complaint
    assert complaint.startswith(f"{Path('run/transcripts/toy-1.jsonl')}, line 1 is damaged")
    assert sorted(run.parent.iterdir()) == before


def test_numbers_that_no_column_holds_are_told_in_one_line(palaver: Palaver, home: Path) -> None:
    a_run(home / "run", [a_log("run", "toy-0", said(0, "guide", "Hm."), end())], seed=2**70)
    assert palaver("export", "run", "--to", "parquet").complaint.startswith("the runs do not go into Parquet: ")
    assert palaver("export", "run", "--to", "jsonl").code == 0


def test_an_export_is_only_written_anew_by_force(palaver: Palaver, run: Path) -> None:
    palaver("export", "run", "--to", "jsonl", "--out", "out")
    refused = palaver("export", "run", "--to", "parquet", "--out", "out")
    assert refused.complaint == "out holds an export (--force writes it anew; or give another folder)"
    assert palaver("export", "run", "--to", "parquet", "--out", "out", "--force").code == 0
    assert {file.name for file in Path("out").iterdir()} == {f"{grain}.parquet" for grain in GRAINS} | {"export.yaml"}


def test_force_touches_nothing_but_exports(palaver: Palaver, run: Path) -> None:
    before = sorted(run.rglob("*"))
    complaint = palaver("export", "run", "--to", "jsonl", "--out", "run", "--force").complaint
    assert complaint == "run is not empty (give a new folder)"
    assert sorted(run.rglob("*")) == before


def test_an_export_that_fails_leaves_the_earlier_one(palaver: Palaver, run: Path) -> None:
    palaver("export", "run", "--to", "jsonl", "--out", "out")
    before = {file: file.read_bytes() for file in Path("out").iterdir()}
    (run / "transcripts" / "toy-1.jsonl").write_bytes(b"{nonsense}\n")
    assert palaver("export", "run", "--to", "jsonl", "--out", "out", "--force").code != 0
    assert {file: file.read_bytes() for file in Path("out").iterdir()} == before


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("run",), "export has to be told what to write (--to inspect, jsonl, parquet, site, people or clembench)"),
        (("clembench",), "export has to be told of which run (palaver export DIR --to clembench)"),
        (("run", "run", "--to", "jsonl"), "of several folders, --out has to say where to (for example --out exports)"),
        (("nowhere", "--to", "jsonl"), "nowhere is no run folder: it has no config.yaml (give a run's folder)"),
        (("run", "copy", "--to", "jsonl", "--out", "out"), "two of these runs are called run (export them one by one)"),
        (
            ("clembench", "run", "--force"),
            "--force is not for clembench's results (leave it out, and give a new folder)",
        ),
    ],
)
def test_what_cannot_be_exported_is_said(palaver: Palaver, run: Path, words: tuple[str, ...], complaint: str) -> None:
    a_run(run.parent / "copy", [], run_id="run")
    said_of_it = palaver("export", *words)
    assert (said_of_it.code, said_of_it.complaint) == (2, complaint)


def test_a_run_without_an_end_gives_no_export(palaver: Palaver, home: Path) -> None:
    a_run(home / "run", [a_log("run", "toy-0", said(0, "guide", "Hm."))])
    complaint = palaver("export", "run", "--to", "jsonl").complaint
    assert complaint == "run has no episodes that have ended (play it to its end: palaver resume)"


@pytest.mark.parametrize(("kind", "library"), [("parquet", "polars"), ("inspect", "inspect-ai")])
def test_a_library_that_is_missing_is_asked_for(
    palaver: Palaver, run: Path, monkeypatch: pytest.MonkeyPatch, kind: str, library: str
) -> None:
    for module in ("parquet", "inspect_logs"):
        monkeypatch.setattr(f"palaver_deploy.exporting.{module}.find_spec", lambda _: None)
    complaint = palaver("export", "run", "--to", kind).complaint
    assert f" {library} (pip install 'palaver[{kind}]'" in complaint
