"""The parts of a report about games that tell what was played from how well, against numbers worked out by hand."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.report.charts.heat import Heat, heat_map
from palaver_observability.report.charts.scatter import Spot, scatter
from palaver_observability.report.clembench import players
from palaver_observability.report.document import Figure, Note, Section, Table
from palaver_observability.report.page import sections
from palaver_observability.report.parts.aborted import aborted
from palaver_observability.report.parts.clemscore import leaderboard
from palaver_observability.report.parts.experiments import experiments
from palaver_observability.report.parts.modalities import modalities
from palaver_observability.report.parts.overview import overview
from palaver_observability.report.parts.published import reference
from palaver_observability.report.parts.results import results
from palaver_observability.report.parts.variants import variants
from palaver_observability.report.study import Facts, Study
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.dialogues import PUBLISHED, a_crash, a_dialogue, a_study_of

DASH = "\N{EN DASH}"
TIMES = "\N{MULTIPLICATION SIGN}"

# show: same 100, 100, 0, aborted; other 100, aborted: 4 of 6 played (66.67 %), quality 75; clemscore 50.00.
SHOW = [
    a_dialogue("show", "same", 0, 100.0),
    a_dialogue("show", "same", 1, 100.0),
    a_dialogue("show", "same", 2, 0.0),
    a_dialogue("show", "same", 3, None, finish_reasons={"length": 1}),
    a_dialogue("show", "other", 4, 100.0),
    a_dialogue("show", "other", 5, None, turns=4),
]
# walk: all played, quality 50. Together 83.34 % (66.67 and 100: 83.335, rounded to even) and 62.5: 52.09.
WALK = [a_dialogue("walk", "small", number, main) for number, main in enumerate((0.0, 100.0, 50.0, 50.0))]
# tell: 3 of 4 played, quality 100; clemscore 75.
TELL = [a_dialogue("tell", "same", number, main) for number, main in enumerate((100.0, 100.0, 100.0, None))]


def by(agent: str, episodes: list[EpisodeRecord]) -> list[EpisodeRecord]:
    """Return the same episodes, played by another."""
    return [a_dialogue(one.game, one.variant, one.seed, one.scores["Main Score"], (agent,)) for one in episodes]


def tables(part: Callable[[Study], Section | None], study: Study) -> dict[str, Table]:
    section = part(study)
    assert section is not None
    found = [block.table if isinstance(block, Figure) else block for block in section.blocks]
    return {block.caption: block for block in found if isinstance(block, Table)}


def drawn(part: Callable[[Study], Section | None], study: Study) -> str:
    section = part(study)
    assert section is not None
    return "".join(chart.svg for block in section.blocks if isinstance(block, Figure) for chart in block.charts)


def notes(part: Callable[[Study], Section | None], study: Study) -> list[str]:
    section = part(study)
    assert section is not None
    return [block.text for block in section.blocks if isinstance(block, Note)]


@pytest.fixture
def whole(tmp_path: Path) -> Study:
    return a_study_of(tmp_path, [(SHOW, {}), (WALK, {}), (TELL, {})])


def test_the_leaderboard_is_one_for_each_board_and_names_the_published_row(whole: Study) -> None:
    found = tables(leaderboard, whole)
    assert [column.title for column in found["clemscore, pictures"].head][-1] == "published clemscore"
    [row] = found["clemscore, pictures"].rows
    assert row[:2] == ("tall-2024-01-01", "52.09")
    assert row[3:] == ("83.34", "62.50", "2 of 2", "10", "72.00\nTall-1")
    [row] = found["clemscore, text"].rows
    assert (row[1], *row[3:]) == ("75.00", "75.00", "100.00", "1 of 1", "4")


def test_each_game_stands_with_what_was_played_and_how_well(whole: Study) -> None:
    found = tables(leaderboard, whole)
    [row] = found["Pictures: % played of each game, and the quality below it"].rows
    assert row == ("tall-2024-01-01", "66.67\n75.00", "100.00\n50.00")
    show, walk = found["Each game, pictures"].rows
    assert (show[1], show[2]) == ("show", "6")
    assert show[3] == "66.67\n[30.0, 90.3]"  # Wilson's interval of 4 of 6
    assert show[4] == "75.00\n[26.0, 100]"  # 100, 100, 100, 0: SE 25, 1.96 of it 49, and no score is above 100
    assert show[5] == "50.00"
    assert show[6].startswith("50.00\n")
    assert walk[3].startswith("100.00\n")


def test_the_chart_shows_the_published_models_hollow_and_ours_filled(whole: Study) -> None:
    svg = drawn(leaderboard, whole)
    assert "tall-2024-01-01 (52.1)" in svg
    assert "Tall-1 (72.0), published: 80.0 at 90" in svg
    assert "Short (2.00), published: 40.0 at 5" in svg
    assert "average % played" in svg


def test_the_best_of_those_who_played_all_games_of_a_board_is_a_headline(tmp_path: Path) -> None:
    half = by("x/half", [a_dialogue("show", "same", 0, 100.0), a_dialogue("show", "same", 1, 100.0)])
    section = leaderboard(a_study_of(tmp_path, [(SHOW, {}), (WALK, {}), (half, {})]))
    assert section is not None
    [headline] = section.headlines
    assert (headline.value, headline.label) == ("52.09", "best clemscore, pictures: tall-2024-01-01")
    assert "2 of 2 games" in headline.detail


def test_a_model_of_two_seats_and_of_one_is_the_same_and_a_pair_is_another(tmp_path: Path) -> None:
    both = ("x/tall-2024-01-01", "x/tall-2024-01-01")
    pair = ("x/tall-2024-01-01", "y/small")
    runs: list[tuple[list[EpisodeRecord], dict[str, Any]]] = [
        ([a_dialogue("show", "same", number, 100.0, both) for number in range(3)], {}),
        (WALK, {}),
        ([a_dialogue("show", "same", number, 0.0, pair) for number in range(3)], {}),
    ]
    found = players(a_study_of(tmp_path, runs))
    assert [(each.name, list(each.games)) for each in found] == [
        ("tall-2024-01-01", ["show", "walk"]),
        ("tall-2024-01-01, small", ["show"]),
    ]


def test_conditions_that_are_not_as_usual_make_another_line_up(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [(SHOW, {}), (WALK, {}), (by("x/tall-2024-01-01", SHOW), {"profile": "clean"})])
    assert [(each.name, list(each.games)) for each in players(study)] == [
        ("tall-2024-01-01", ["show", "walk"]),
        ("tall-2024-01-01 (profile clean)", ["show"]),
    ]


def test_sampling_as_usual_goes_without_saying_beside_runs_that_do_not_tell_theirs(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [(SHOW, {}), (by("clembench/tall-2024-01-01", SHOW), {})])
    first = study.cells[0]
    sampling = first.config.sampling.model_copy(update={"temperature": 0.0})
    told = replace(first, config=first.config.model_copy(update={"sampling": sampling}))
    study = replace(study, cells=(told, *study.cells[1:]))
    assert [each.name for each in players(study)] == ["x/tall-2024-01-01", "clembench/tall-2024-01-01"]


@pytest.mark.parametrize(
    ("agent", "model"),
    [
        pytest.param("x/tall-2024-01-01", "72.00\nTall-1", id="its name at the provider"),
        pytest.param("x/TALL-1", "72.00\nTall-1", id="the paper's name"),
        pytest.param("clembench/tall-2024-01-01-t0.0", "72.00\nTall-1", id="with clembench's temperature"),
        pytest.param("x/tall", DASH, id="another model"),
    ],
)
def test_models_are_known_by_any_of_their_names(tmp_path: Path, agent: str, model: str) -> None:
    [row] = tables(leaderboard, a_study_of(tmp_path, [(by(agent, SHOW), {})]))["clemscore, pictures"].rows
    assert row[-1] == model


def test_experiments_have_our_numbers_and_the_papers_rows_below(whole: Study) -> None:
    found = tables(experiments, whole)
    assert [row[1:4] + row[5:6] + row[7:] for row in found["show by experiment, in numbers"].rows] == [
        ("same", "4", "75.00", "66.67", "50.00"),
        ("other", "2", "50.00", "100.00", "50.00"),
        ("all", "6", "66.67", "75.00", "50.00"),
    ]
    beside = found[f"show: % played {TIMES} quality / 100, ours and published (table 2)"]
    assert [column.title for column in beside.head] == ["agents", "same", "other"]
    assert beside.rows == (
        ("tall-2024-01-01", "50.0", "50.0"),
        ("Tall-1, published", "60.0", "80.0"),
        ("Short, published", "4.00", DASH),
    )
    scores = found["show: all scores by experiment, means of the episodes that have them"]
    assert [column.title for column in scores.head][2:5] == ["Aborted", "Main Score", "Aborted at Player 1"]
    assert scores.rows[0][2:4] == ("0.25", "66.7")


def test_what_is_printed_of_a_whole_game_stands_beside_ours(whole: Study) -> None:
    found = tables(experiments, whole)
    beside = found[f"walk: % played {TIMES} quality / 100 of all experiments, ours and published (table 3)"]
    assert beside.rows == (("tall-2024-01-01", "50.0", "45.0"), ("Short", DASH, "1.50"))


def test_experiments_are_drawn_in_the_papers_order(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [([*reversed(SHOW)], {})])
    svg = drawn(experiments, study)
    assert svg.index(">same<") < svg.index(">other<") < svg.index(">all<")


def test_twins_are_compared_where_the_same_agents_have_played_both(whole: Study) -> None:
    [row] = tables(modalities, whole)["In text and with pictures"].rows
    assert row[:4] == ("tall-2024-01-01", "Pair *", "75.00", "66.67")
    assert row[4].startswith("+8.33 [")
    assert row[5:7] == ("100.00", "75.00")
    assert row[7].startswith("+25.0 [")
    assert row[8:10] == ("75.00", "50.00")
    assert row[10].startswith("+25.0 [")
    assert "Pair" in drawn(modalities, whole)


def test_without_a_twin_there_is_nothing_to_compare(tmp_path: Path) -> None:
    assert modalities(a_study_of(tmp_path, [(SHOW, {}), (by("y/other", TELL), {})])) is None


def test_several_twins_have_a_line_for_all_of_them(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [(SHOW, {}), (WALK, {}), (TELL, {})])
    facts = study.facts["show"]
    twins = [*facts.published["clemscore"]["twins"], {"name": "Again", "multimodal": "walk", "textual": "tell"}]
    published = {**facts.published, "clemscore": {**facts.published["clemscore"], "twins": twins}}
    study = replace(study, facts={**study.facts, "show": replace(facts, published=published)})
    rows = tables(modalities, study)["In text and with pictures"].rows
    assert [row[1] for row in rows] == ["Pair *", "Again", "all of these *"]
    assert rows[-1][2:4] == ("75.00", "83.34")
    assert rows[-1][8:10] == ("75.00", "52.09")


def test_aborted_episodes_tell_at_whom_and_after_how_much(whole: Study) -> None:
    show, tell = tables(aborted, whole)["Aborted episodes"].rows
    assert show == ("tall-2024-01-01", "show", "2 of 6", "2 Player 2", "7.0", "1.0", "1", "0")
    assert tell[2:4] == ("1 of 4", "1 Player 2")


def test_where_nothing_was_aborted_there_is_no_such_part(tmp_path: Path) -> None:
    assert aborted(a_study_of(tmp_path, [(WALK, {})])) is None


def test_crashed_episodes_are_counted_apart_and_missing_from_all_averages(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [([*SHOW, a_crash("show", "same", 6)], {})])
    found = tables(leaderboard, study)
    [row] = found["clemscore, pictures"].rows
    assert row[6:8] == ("6", "1")
    assert [column.title for column in found["clemscore, pictures"].head][6:8] == ["episodes", "crashed"]
    assert found["Each game, pictures"].rows[0][2] == "6\n1 crashed"
    section = leaderboard(study)
    assert section is not None
    assert section.headlines[0].detail.endswith("1 of 2 games, 1 more episodes crashed")
    [run] = tables(results, study)["Results of each run"].rows
    assert (run[1], run[3]) == ("6", "1 crashed")
    assert study.missing == ()
    assert overview(study).headlines[0].value == "6"


def test_the_mean_over_experiments_is_that_over_episodes(whole: Study) -> None:
    overall = [row for row in tables(results, whole)["Results of each run"].rows if row[1] == "6"]
    assert overall[0][4].startswith("75.0\n")  # each experiment the same would be (66.7 + 100) / 2 = 83.3


def test_these_games_have_no_second_part_by_variant(whole: Study) -> None:
    assert variants(whole) is None
    anchors = [section.anchor for section in sections(whole)]
    assert anchors[2:6] == ["clemscore", "modalities", "experiments", "aborted"]


def test_games_that_do_not_say_what_was_aborted_have_none_of_these_parts(tmp_path: Path) -> None:
    plain = [a_dialogue("show", "same", 0, 100.0, scores={"Main Score": 100.0})]
    study = a_study_of(tmp_path, [(plain, {})])
    assert [part(study) for part in (leaderboard, modalities, experiments, aborted)] == [None] * 4


def test_a_source_that_games_share_is_named_once_and_tables_name_their_game(whole: Study) -> None:
    section = reference(whole)
    assert section is not None
    assert len(section.blocks) == 2
    assert list(tables(reference, whole)) == ["tell: steps, as published"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"leaderboard": {"groups": ["Show"], "rows": {"A": [1.0]}}}, "three and two", id="leaderboard"),
        pytest.param({"experiments": ["one"]}, "not as many figures", id="experiments"),
    ],
)
def test_malformed_figures_are_named(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    study = a_study_of(tmp_path, [(SHOW, {})])
    given = study.facts["show"].published
    facts = Facts("Main Score", {**given, "clemscore": {**given["clemscore"], **changes}}, by_episode=True)
    with pytest.raises(UsageError, match=said):
        leaderboard(replace(study, facts={"show": facts}))


def test_a_scatter_can_be_linear_and_hold_its_whole_scale() -> None:
    svg = scatter("worth", "x", "y", [Spot("it", 0.0, 50.0)], include=(0.0, 100.0), linear=(0.0, 100.0))
    assert ">100<" in svg
    assert "it: 50.0 at 0" in svg


OTHERS = PUBLISHED["show"]["clemscore"]["instances"]


def test_published_figures_say_that_they_are_of_other_instances(whole: Study) -> None:
    assert notes(leaderboard, whole) == [OTHERS]
    assert notes(experiments, whole) == [OTHERS]
    section = leaderboard(whole)
    assert section is not None
    captions = [block.caption for block in section.blocks if isinstance(block, Figure)]
    assert captions[0].endswith("Hollow marks: the study's, table 1, on other instances.")
    assert "Hollow" not in captions[1]


@pytest.mark.parametrize(
    ("agent", "options"),
    [
        pytest.param("x/tall-2024-01-01", {"instances": "/home/ada/clembench"}, id="played on them"),
        pytest.param("clembench/tall-2024-01-01", {}, id="imported"),
    ],
)
def test_on_the_study_s_own_instances_there_is_nothing_to_say(
    tmp_path: Path, agent: str, options: dict[str, Any]
) -> None:
    study = a_study_of(tmp_path, [(by(agent, SHOW), options)])
    assert notes(leaderboard, study) == []
    assert notes(experiments, study) == []


def test_beside_runs_on_the_study_s_instances_those_on_others_are_named(tmp_path: Path) -> None:
    study = a_study_of(tmp_path, [(SHOW, {"instances": "/home/ada/clembench"}), (by("y/other", SHOW), {})])
    assert notes(leaderboard, study) == [f"{OTHERS} This holds for other."]


def test_twins_that_are_scored_differently_say_so_as_published_only(tmp_path: Path) -> None:
    study = a_study_of(tmp_path / "published", [(SHOW, {}), (TELL, {})])
    [said] = notes(modalities, study)
    assert said.startswith("* Scored differently under profile=published")
    assert "Pair: the last step counts twice in text" in said
    assert tables(modalities, study)["In text and with pictures"].rows[0][1] == "Pair *"
    assert "Pair *" in drawn(modalities, study)
    clean = a_study_of(tmp_path / "clean", [(SHOW, {"profile": "clean"}), (TELL, {"profile": "clean"})])
    assert notes(modalities, clean) == []
    assert tables(modalities, clean)["In text and with pictures"].rows[0][1] == "Pair"


def test_where_nothing_was_played_there_is_no_interval(tmp_path: Path) -> None:
    none = [a_dialogue("show", "same", number, None) for number in range(3)]
    [row] = tables(leaderboard, a_study_of(tmp_path, [(none, {})]))["clemscore, pictures"].rows
    assert row[1:3] == (DASH, DASH)


def test_an_episode_of_one_seat_that_reached_the_limit_says_so(tmp_path: Path) -> None:
    ends = [
        a_dialogue("walk", "small", number, None, turns=turns, scores={"Aborted": 1.0, "Main Score": None})
        for number, turns in enumerate((8, 8, 2))
    ]
    [seat] = ends[0].seats
    [row] = tables(aborted, a_study_of(tmp_path, [(ends, {})]))["Aborted episodes"].rows
    assert row[3] == f"1 {seat}\n2 turn limit"


def test_a_game_of_many_experiments_is_named_with_their_number(whole: Study) -> None:
    facts = {row[0]: row[1] for row in tables(overview, whole)["The runs"].rows}
    assert facts["Games"] == "show (2 experiments); walk, small; tell, same"


def test_one_run_is_one_run(tmp_path: Path) -> None:
    assert overview(a_study_of(tmp_path, [(WALK, {})])).headlines[0].detail.startswith("in 1 run; ")


def test_a_study_s_own_word_for_success_is_in_no_table_beside_ours(tmp_path: Path) -> None:
    twice = [one.model_copy(update={"scores": {**one.scores, "Success": one.scores["success"]}}) for one in SHOW]
    study = a_study_of(tmp_path, [(twice, {})])
    heads = [column.title for table in tables(experiments, study).values() for column in table.head]
    assert "success" in heads
    assert "Success" not in heads
    assert {row[-5] for row in tables(results, study)["All scores"].rows} >= {"success", "Main Score"}
    assert "Success" not in {row[-5] for row in tables(results, study)["All scores"].rows}


def test_long_names_of_columns_are_folded_and_not_cut() -> None:
    names = ["similar_image_pentomino", "different_image_pentomino", "same"]
    svg = heat_map("it", ["a"], names, {("a", names[0]): Heat(1.0)}, places=None)
    assert "…" not in svg
    for part in (">similar_", ">image_", ">different_", "pentomino<", ">same<"):
        assert part in svg.replace("image_pentomino", "image_><pentomino").replace("similar_image_", "similar_>image_")
