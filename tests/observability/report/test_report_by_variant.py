"""The parts of a report about a game of several variants, against numbers worked out by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.report.document import Figure, Note, Section, Table
from palaver_observability.report.lineups import lineups
from palaver_observability.report.page import sections
from palaver_observability.report.parts.allowed import allowed
from palaver_observability.report.parts.changes import changes
from palaver_observability.report.parts.conciseness import conciseness
from palaver_observability.report.parts.efficiency import efficiency
from palaver_observability.report.parts.errors import errors
from palaver_observability.report.parts.graders import graders
from palaver_observability.report.parts.privacy import privacy
from palaver_observability.report.parts.published import reference
from palaver_observability.report.parts.results import results
from palaver_observability.report.parts.variants import variants
from palaver_observability.report.study import Study
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Usage
from palaver_protocols.runs import EpisodeRecord, Grading
from tests.observability.report.puzzles import PUBLISHED, a_puzzle, a_study

# wire: partial success 1, 1, 0.5, 0.5: mean 0.75, sd 0.288675, SE 0.144338; atm: 0, 0, 0, 1: mean 0.25, SE 0.25.
# All eight: mean 0.5, squares 1.5, sd sqrt(1.5/7) = 0.462910, SE 0.163663.
PLAYED = [
    a_puzzle("wire", 0, 0),
    a_puzzle("wire", 1, 1),
    a_puzzle("wire", 2, 4, success=0, partial_success=0.5, mistakes=1),
    a_puzzle("wire", 3, 4, success=0, partial_success=0.5, mistakes=1),
    a_puzzle("atm", 0, 4, success=0, partial_success=0, mistakes=3, leaked=1, leaks=2, repetitions=2),
    a_puzzle("atm", 1, 2, success=0, partial_success=0, mistakes=3, leaked=1, leaks=1),
    a_puzzle("atm", 2, 4, success=0, partial_success=0, mistakes=0, leaked=0, leaks=0),
    a_puzzle("atm", 3, 3, leaked=0, leaks=0),
]
DASH = "\N{EN DASH}"


def played_by(*agents: str) -> list[EpisodeRecord]:
    """Return the same episodes, played by others."""
    return [
        a_puzzle(one.variant, one.seed, 0, agents).model_copy(update={"scores": one.scores, "outcome": one.outcome})
        for one in PLAYED
    ]


def tables(part: Callable[[Study], Section | None], study: Study) -> list[Table]:
    section = part(study)
    assert section is not None
    found = [block.table if isinstance(block, Figure) else block for block in section.blocks]
    return [block for block in found if isinstance(block, Table)]


def drawn(part: Callable[[Study], Section | None], study: Study) -> str:
    section = part(study)
    assert section is not None
    return "".join(chart.svg for block in section.blocks if isinstance(block, Figure) for chart in block.charts)


def ours_against(study: Study) -> Table:
    return next(each for each in tables(variants, study) if each.caption.startswith("Ours against"))


def said_of(study: Study) -> list[str]:
    section = variants(study)
    assert section is not None
    return [block.text for block in section.blocks if isinstance(block, Note)]


def spaced(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.replace("\n±\N{NO-BREAK SPACE}", " ± ") for cell in row)


def test_ours_and_the_published_row_stand_below_each_other(tmp_path: Path) -> None:
    partial, *_ = tables(variants, a_study(tmp_path, [(PLAYED, {})]))

    assert [column.title for column in partial.head] == ["line-up", "n a puzzle", "wire", "atm", "overall"]
    ours, theirs, *others = map(spaced, partial.rows)
    assert ours == ("o3", "4", "75 ± 14.4", "25 ± 25.0", "50.0 ± 16.4")
    assert theirs == ("o3, published", "100", "70 ± 4.6", "20 ± 4.0", "45.00 ± 3.5")
    assert [row[0] for row in others] == ["human + o3, published", "o3 (memory none), published"]


def test_each_measure_has_its_table_in_its_units(tmp_path: Path) -> None:
    found = {table.caption: table for table in tables(variants, a_study(tmp_path, [(PLAYED, {})]))}
    assert list(found)[:5] == [
        "Partial success, % by puzzle",
        "Success, % by puzzle",
        "Mistakes by puzzle",
        "Length by puzzle",
        "Repetitions by puzzle",
    ]
    # mistakes 0, 0, 1, 1: 0.5, SE 0.288675
    assert spaced(found["Mistakes by puzzle"].rows[0])[2] == "0.50 ± 0.29"
    assert spaced(found["Mistakes by puzzle"].rows[1])[2] == "0.50 ± 0.1"


def test_a_changed_rule_is_a_row_of_its_own_beside_its_own_published_row(tmp_path: Path) -> None:
    study = a_study(tmp_path, [(PLAYED, {}), (PLAYED, {"memory": "none"})])
    partial, *_ = tables(variants, study)
    assert [row[0] for row in partial.rows] == [
        "o3",
        "o3, published",
        "o3 (memory none)",
        "o3 (memory none), published",
        "human + o3, published",
    ]


def test_published_rows_are_found_by_seat_and_by_option(tmp_path: Path) -> None:
    mixed = played_by("human", "openai/o3")
    study = a_study(tmp_path, [(mixed, {}), (PLAYED, {"experts": 3})])
    partial, *_ = tables(variants, study)
    names = [row[0] for row in partial.rows]
    assert names[:3] == ["human, openai/o3", "human + o3, published", "x/o3 (experts 3)"]
    assert names[3] == "o3, published"  # of one expert, so that it stands beside nobody
    assert len(names) == 5


def test_runs_of_one_puzzle_each_make_up_one_line_up(tmp_path: Path) -> None:
    wire, atm = ([record for record in PLAYED if record.variant == name] for name in ("wire", "atm"))
    study = a_study(tmp_path, [(wire, {"puzzle": "wire"}), (atm, {"puzzle": "atm"})])
    partial, *_ = tables(variants, study)
    assert spaced(partial.rows[0])[-1] == "50.0 ± 16.4"
    alone, *_ = tables(variants, a_study(tmp_path / "alone", [(wire, {"puzzle": "wire"})]))
    assert spaced(alone.rows[0])[2:] == ("75 ± 14.4", DASH, "75.0 ± 14.4\nof 1 of 2")


def test_our_figures_are_told_in_standard_errors_from_the_published_ones(tmp_path: Path) -> None:
    often = [one.model_copy(update={"episode_id": f"{one.episode_id}-{at}"}) for at in range(10) for one in PLAYED]
    study = a_study(tmp_path, [(often, {})])
    table = ours_against(study)
    # 0.75 - 0.70 = 0.05; forty of 1 and 0.5: SE 0.253185 / sqrt(40) = 0.040032, hypot(0.040032, 0.046) = 0.06098: 0.82
    assert table.rows[0] == ("o3", "partial success", "wire", "0.75", "0.70", "+0.05", "0.8", "yes")
    assert said_of(study) == ["o3: 9 of 9 figures lie within 3 combined standard errors of those of DUO."]


def test_a_figure_that_is_far_from_the_published_one_is_named(tmp_path: Path) -> None:
    perfect = [a_puzzle(name, number, 0) for name in ("wire", "atm") for number in range(30)]
    (said,) = said_of(a_study(tmp_path, [(perfect, {})]))
    assert "partial success of wire" in said
    assert said.startswith("o3: 0 of 9")


def test_few_episodes_agree_with_no_published_figure_and_contradict_none(tmp_path: Path) -> None:
    few = [a_puzzle(name, number, 0) for name in ("wire", "atm") for number in range(2)]
    study = a_study(tmp_path, [(few, {})])
    assert {row[-1] for row in ours_against(study).rows} == {"too few"}
    assert said_of(study) == ["o3: too few episodes to hold against DUO: n is below 30 for all 9 figures."]


def test_figures_with_enough_episodes_are_judged_beside_those_with_too_few(tmp_path: Path) -> None:
    uneven = [a_puzzle("wire", number, 0, mistakes=number % 2) for number in range(30)] + PLAYED[4:]
    study = a_study(tmp_path, [(uneven, {})])
    assert {row[2] for row in ours_against(study).rows if row[-1] == "too few"} == {"atm"}
    (said,) = said_of(study)
    assert said.endswith("n is below 30 for 3 more, too few to tell.")


def test_a_printed_error_of_nothing_is_half_of_its_last_place(tmp_path: Path) -> None:
    row = {"agents": ["o3"], "mean": [2.97, 0.5], "error": [0.0, 0.1], "overall": [1.73, 0.1]}
    published = {**PUBLISHED, "by_variant": {"mistakes": {"where": "table 4", "rows": [row]}}}
    always = [a_puzzle("wire", number, 4, success=0, partial_success=0, mistakes=3) for number in range(40)]
    (found,) = ours_against(a_study(tmp_path, [(always, {})], published)).rows
    assert found[3:] == ("3.00", "2.97", "+0.03", "0.6", "yes")  # 0.03 / 0.05


def test_an_error_that_is_not_printed_is_taken_to_be_as_large_as_ours(tmp_path: Path) -> None:
    row = {"agents": ["o3"], "mean": [1.4, 0.5], "overall": [0.95]}
    published = {**PUBLISHED, "by_variant": {"mistakes": {"where": "table 4", "rows": [row]}}}
    coin = [a_puzzle("wire", number, 4, mistakes=number % 2) for number in range(40)]
    (found,) = ours_against(a_study(tmp_path, [(coin, {})], published)).rows
    # 0.5 - 1.4 = -0.9; forty of 0 and 1: SE 0.506370 / sqrt(40) = 0.080064, twice that squared 0.113228: 7.9
    assert found[3:] == ("0.50", "1.40", "\N{MINUS SIGN}0.90", "7.9", "no")


def test_a_heat_map_has_a_cell_for_each_puzzle_and_for_all(tmp_path: Path) -> None:
    svg = drawn(variants, a_study(tmp_path, [(PLAYED, {})]))
    assert "o3, wire: 0.75 [0.47, 1.00], n 4" in svg
    assert "o3, overall: 0.50" in svg
    assert "human + o3, atm: 0.90" in svg
    assert "starts" not in svg


def test_a_game_of_one_variant_has_no_such_part(tmp_path: Path) -> None:
    wire = [record for record in PLAYED if record.variant == "wire"]
    assert variants(a_study(tmp_path, [(wire, {})], published={})) is None


def test_a_script_that_plays_the_same_twice_counts_once(tmp_path: Path) -> None:
    chance = [a_puzzle("wire", number, 1, ("random", "random")) for number in range(3)]
    study = a_study(tmp_path, [(chance, {}), (chance[:2], {})])
    (lineup,) = lineups(study, "duo")
    assert (len(lineup.records), [cell.id for cell in lineup.cells]) == (3, ["run0"])


def test_words_of_a_script_that_plays_the_same_twice_count_once(tmp_path: Path) -> None:
    chance = [a_puzzle("wire", number, 1, ("random", "random")) for number in range(3)]
    (first, *_) = tables(efficiency, a_study(tmp_path, [(chance, {}), (chance, {})]))
    assert [row[:3] for row in first.rows if row[2] != "0"] == [
        ("all", "success", "3"),
        ("wire: random, random", "success", "3"),
    ]


def test_a_model_that_is_asked_twice_counts_twice(tmp_path: Path) -> None:
    (lineup,) = lineups(a_study(tmp_path, [(PLAYED, {}), (PLAYED, {})]), "duo")
    assert len(lineup.records) == 2 * len(PLAYED)


def test_a_script_on_other_instances_counts_again(tmp_path: Path) -> None:
    chance = [a_puzzle("wire", number, 1, ("random", "random")) for number in range(5)]
    (lineup,) = lineups(a_study(tmp_path, [(chance[:2], {}), (chance[1:], {})]), "duo")
    assert [record.seed for record in lineup.records] == [0, 1, 2, 3, 4]


def test_puzzles_that_a_paper_does_not_know_have_a_column(tmp_path: Path) -> None:
    partial, *_ = tables(variants, a_study(tmp_path, [([*PLAYED, a_puzzle("knot", 0, 1)], {})]))
    assert [column.title for column in partial.head][2:] == ["wire", "atm", "knot", "overall"]
    assert partial.rows[1][4] == DASH


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "too few means": (
        {"by_variant": {"success": {"rows": [{"agents": ["a"], "mean": [1], "error": [1], "overall": [1, 1]}]}}},
        "success, a: not as many means and errors as there are variants",
    ),
    "no overall": (
        {"by_variant": {"success": {"rows": [{"agents": ["a"], "mean": [1, 2], "error": [1, 2]}]}}},
        "by_variant.success.rows.0.overall",
    ),
}


@pytest.mark.parametrize(("wrong", "why"), BAD.values(), ids=BAD)
def test_malformed_published_figures_are_one_line(tmp_path: Path, wrong: dict[str, Any], why: str) -> None:
    study = a_study(tmp_path, [(PLAYED, {})], published={**PUBLISHED, **wrong})
    with pytest.raises(UsageError, match="the published figures of duo") as raised:
        variants(study)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_fewer_allowed_turns_solve_no_more(tmp_path: Path) -> None:
    table, *_ = tables(allowed, a_study(tmp_path, [(PLAYED, {})]))
    # solved in turns 0, 1 and 3 of eight episodes
    assert [column.title for column in table.head][2:] == ["1 turn", "2 turns", "3 turns", "4 turns"]
    assert table.rows[0] == ("o3", "8", "0.12", "0.25", "0.25", "0.38")


def test_the_published_rate_stands_at_the_end_of_the_curve(tmp_path: Path) -> None:
    svg = drawn(allowed, a_study(tmp_path, [(PLAYED, {})]))
    assert "o3, published at 4: 0.40" in svg
    assert 'class="mark s0 hollow"' in svg


def test_disclosure_stands_beside_success(tmp_path: Path) -> None:
    (table,) = tables(privacy, a_study(tmp_path, [(PLAYED, {})]))
    assert table.caption == "Solved and told, atm, in numbers"
    # by Wilson: 1 of 4 is 0.0456 to 0.6994, 2 of 4 is 0.1500 to 0.8500; leaks 2, 1, 0, 0
    assert table.rows == (("o3", "4", "0.25 [0.05, 0.70]", "0.50 [0.15, 0.85]", "0.75"),)


def test_no_secrets_no_privacy(tmp_path: Path) -> None:
    assert privacy(a_study(tmp_path, [([a_puzzle("wire", 0, 1)], {})])) is None


def test_efficiency_is_the_harmonic_mean_of_score_and_conciseness(tmp_path: Path) -> None:
    study = a_study(tmp_path, [(PLAYED, {})])
    (table,) = tables(conciseness, study)
    # 500 tokens: 1 / 1.5 = 0.6667; with 0.5: 2 * 0.5 * 0.6667 / 1.1667 = 0.5714
    assert table.rows[0] == ("o3", "8", "0.50", "0.164", "500", "0", "2.70", "0.67", "0.57", "0.50")
    assert [row[0] for row in table.rows[1:]] == ["human + o3, published"]
    # 0.5 with 0.45: c = 0.225 / 0.4 = 0.5625, so 778 tokens
    assert "o3 (0.50), published: 0.45 at 778" in drawn(conciseness, study)


def test_an_axis_of_shares_goes_from_nothing_to_all(tmp_path: Path) -> None:
    poor = [a_puzzle("wire", number, 4, success=0, partial_success=float(number == 0)) for number in range(3)]
    svg = drawn(conciseness, a_study(tmp_path, [(poor, {})]))  # 0.33 with an interval from -0.32 to 0.99
    assert "\N{MINUS SIGN}" not in svg


def test_who_says_nothing_has_no_place_among_tokens(tmp_path: Path) -> None:
    silent = [record.model_copy(update={"usage": {"agent_1": Usage()}}) for record in PLAYED]
    section = conciseness(a_study(tmp_path, [(silent, {})]))
    assert section is not None
    assert [block.text for block in section.blocks if isinstance(block, Note)] == [
        "No tokens, and so no place in the figure: o3. Their conciseness is 1."
    ]


def test_errors_are_divided_by_kind_and_counted_by_episode(tmp_path: Path) -> None:
    kinds = [(1, 0), (1, 1), (0, 0), (1, 0)]
    judged = [
        a_puzzle("wire", number, 1, error_roleplay=one, error_other=other) for number, (one, other) in enumerate(kinds)
    ]
    study = a_study(tmp_path, [(judged, {})])
    table, loops = tables(errors, study)
    assert table.rows == (("o3", "4", "0", "1", "0.75 [0.30, 0.95]", "0.25 [0.05, 0.70]"),)
    assert "o3, roleplay: 0.75" in drawn(errors, study)  # 3 of the 4 errors
    assert loops.rows[0][:2] == ("o3", "4")


def judged_episode(number: int, roleplay: float | None, agent: str = "x/o3") -> EpisodeRecord:
    """Return an episode that a judge has seen; None, and could not judge."""
    record = a_puzzle("wire", number, 1, (agent, agent))
    other = None if roleplay is None else 0.0
    return record.model_copy(update={"scores": {**record.scores, "error_roleplay": roleplay, "error_other": other}})


def test_ungraded_episodes_are_not_without_error(tmp_path: Path) -> None:
    judged = [judged_episode(number, value) for number, value in enumerate([1.0, 0.0, None, None, None])]
    study = a_study(tmp_path, [(judged, {})])
    table, _ = tables(errors, study)
    assert table.rows[0][:4] == ("o3", "2", "3", "1")
    assert "1 of 2" in drawn(errors, study)


def test_a_line_up_whose_judge_could_not_be_read_has_no_bar(tmp_path: Path) -> None:
    runs: list[tuple[list[EpisodeRecord], dict[str, Any]]] = [
        ([judged_episode(number, value, agent) for number in range(2)], {})
        for agent, value in (("x/o3", 1.0), ("x/o4", None))
    ]
    study = a_study(tmp_path, runs)
    table, _ = tables(errors, study)
    assert [row[:4] for row in table.rows] == [("o3", "2", "0", "0"), ("o4", "0", "2", "0")]
    section = errors(study)
    assert section is not None
    assert isinstance(kinds := section.blocks[0], Figure)
    assert "o4" not in kinds.charts[0].svg


def test_where_no_judgement_could_be_read_no_kinds_are_drawn(tmp_path: Path) -> None:
    section = errors(a_study(tmp_path, [([judged_episode(number, None) for number in range(3)], {})]))
    assert section is not None
    note, loops = section.blocks
    assert isinstance(note, Note)
    assert note.text == "duo: none of 3 judgements could be read, so that no kinds of error are shown."
    assert isinstance(loops, Figure)


def test_a_judge_of_errors_is_not_compared_with_the_rules(tmp_path: Path) -> None:
    judged = [
        record.model_copy(
            update={
                "gradings": (
                    Grading(grader="rules", scores={"success": record.scores["success"]}),
                    Grading(grader="x/judge", scores={"error_other": 1.0}, votes=({"error_other": 1.0},)),
                )
            }
        )
        for record in PLAYED
    ]
    section = graders(a_study(tmp_path, [(judged, {})]))
    assert section is not None
    table, note = section.blocks
    assert isinstance(table, Table)
    assert table.rows == (("x/judge", "8", "0", "8", "0", DASH),)
    assert isinstance(note, Note)
    assert "palaver calibrate" in note.text
    assert "appendix" not in section.about


def test_a_judge_that_nobody_could_read_is_told_without_empty_tables(tmp_path: Path) -> None:
    rules = Grading(grader="rules", scores={"success": 1.0})
    unread = Grading(grader="x/judge", ungraded=1, reason="it holds no YAML")
    section = graders(
        a_study(tmp_path, [([each.model_copy(update={"gradings": (rules, unread)}) for each in PLAYED], {})])
    )
    assert section is not None
    table, note = section.blocks
    assert isinstance(table, Table)
    assert table.rows == (("x/judge", "8", "8", "0", "8", "it holds no YAML"),)
    assert isinstance(note, Note)
    assert note.text == "Nothing that x/judge said could be read, so that there is nothing to compare."


def test_agents_of_published_tables_are_named_and_numbers_written(tmp_path: Path) -> None:
    section = reference(a_study(tmp_path, [(PLAYED, {})]))
    assert section is not None
    (table,) = [block for block in section.blocks if isinstance(block, Table)]
    assert table.caption == "Efficiency, as published"
    assert table.rows == (("o3", "0.50"), ("human + o3", "0.80"))
    assert table.head[1].numeric


def test_loops_are_found_without_a_judge(tmp_path: Path) -> None:
    (table,) = tables(errors, a_study(tmp_path, [(PLAYED, {})]))
    assert table.rows == (("o3", "8", "0.12 [0.02, 0.47]", "0.25"),)  # 1 of 8; twice in one of eight


def test_a_change_is_paired_over_instances_and_with_what_is_printed(tmp_path: Path) -> None:
    worse = [
        record.model_copy(update={"scores": {**record.scores, "partial_success": 0.25 * at}})
        for at, record in enumerate(PLAYED[:4])
    ]
    study = a_study(tmp_path, [(PLAYED[:4], {}), (worse, {"memory": "none"})])
    (table,) = tables(changes, study)
    # 0 - 1, 0.25 - 1, 0.5 - 0.5, 0.75 - 0.5: mean -0.375; printed 30 - 45
    assert table.rows[0][:5] == ("o3", "memory none", "4", "0.38", "0.75")
    assert table.rows[0][5].startswith("\N{MINUS SIGN}0.38")
    assert table.rows[0][8] == "\N{MINUS SIGN}0.15"


def test_a_team_is_compared_with_the_agent_it_is_made_of(tmp_path: Path) -> None:
    team = played_by("x/o3", "team(lead=x/o3,members=x/o3+x/o3,show=split)")
    study = a_study(tmp_path, [(PLAYED, {}), (team, {})])
    (table,) = tables(changes, study)
    assert table.rows[0][:3] == ("o3", "a team of 2 (split)", "8")
    partial, *_ = tables(variants, study)
    assert "o3, team of 2 (split)" in [row[0] for row in partial.rows]


def test_nothing_changed_nothing_compared(tmp_path: Path) -> None:
    assert changes(a_study(tmp_path, [(PLAYED, {})])) is None
    assert changes(a_study(tmp_path / "b", [(PLAYED, {}), (PLAYED, {"memory": "none"})], published={})) is None


def test_results_have_one_row_for_all_puzzles_of_a_run(tmp_path: Path) -> None:
    whole, each = tables(results, a_study(tmp_path, [(PLAYED, {})]))
    assert len(whole.rows) == 1
    assert whole.rows[0][1] == "8"
    assert whole.rows[0][4].startswith("0.50\n")
    assert {row[2] for row in each.rows} == {"wire", "atm", "overall"}


def test_a_whole_report_has_every_part(tmp_path: Path) -> None:
    study = a_study(tmp_path, [(PLAYED, {}), (PLAYED, {"memory": "none"})])
    anchors = [section.anchor for section in sections(study)]
    assert {"variants", "allowed", "privacy", "conciseness", "errors", "changes"} <= set(anchors)
