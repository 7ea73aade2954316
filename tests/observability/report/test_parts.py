"""The parts of a report, against numbers worked out by hand."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.report.document import Figure, Section, Table
from palaver_observability.report.parts.ablations import ablations, groups
from palaver_observability.report.parts.closing import reproduction
from palaver_observability.report.parts.costs import costs
from palaver_observability.report.parts.efficiency import efficiency
from palaver_observability.report.parts.gap import gap
from palaver_observability.report.parts.graders import graders
from palaver_observability.report.parts.order import order
from palaver_observability.report.parts.overview import overview
from palaver_observability.report.parts.pairings import pairings
from palaver_observability.report.parts.published import reference
from palaver_observability.report.parts.relays import relays
from palaver_observability.report.parts.results import results
from palaver_observability.report.parts.segments import segments
from palaver_observability.report.parts.teams import teams
from palaver_observability.report.study import Facts, Study, read_study
from palaver_protocols.messages import Segment, Usage
from palaver_protocols.runs import EpisodeRecord, Grading
from tests.observability.report.folders import AStudy, a_run, an_episode

GOOD, BAD = [1.0, 1.0, 0.5, 1.0], [0.0, 0.5, 0.5, 0.5]
# GOOD - BAD = 1, 0.5, 0, 0.5: mean 0.5, sd 0.40825, SE 0.20412; t(3) = 3.18245: +-0.64960; t = 2.449, p = 0.0917
DIFFERENCE = "+0.50 [−0.15, 1.15]"  # noqa: RUF001 - a minus sign, as it is printed
PUBLISHED = {
    "study": "The Study",
    "source": "Table 9",
    "weighted_outcome": [
        {"first": "o3", "second": "mini", "mean": 0.77, "ci": 0.03, "where": "9a"},
        {"first": "mini", "second": "o3", "mean": 0.62, "ci": [0.5, 0.7], "where": "9b"},
    ],
    "n": {"heterogeneous": 50},
    "solo": [],
}


@pytest.fixture
def study(tmp_path: Path) -> AStudy:
    return AStudy(tmp_path / "study")


def known(study: AStudy, published: dict[str, Any] | None = None) -> Study:
    return replace(read_study([study.path]), facts={"toy": Facts("weighted_outcome", published or {})})


def of_records(path: Path, records: list[EpisodeRecord]) -> Study:
    run = a_run(path / "run", ["a"], records)
    return replace(read_study([run]), facts={"toy": Facts("weighted_outcome")})


def tables(part: Callable[[Study], Section | None], study: Study) -> list[Table]:
    section = part(study)
    assert section is not None
    return [
        block.table if isinstance(block, Figure) else block
        for block in section.blocks
        if isinstance(block, Figure | Table)
    ]


def drawn(part: Callable[[Study], Section | None], study: Study) -> str:
    section = part(study)
    assert section is not None
    return "".join(chart.svg for block in section.blocks if isinstance(block, Figure) for chart in block.charts)


def test_a_heat_map_shows_mean_interval_and_n_of_each_order(study: AStudy) -> None:
    # 1, 0.5, 0, 0.5: mean 0.5, sd 0.40825, SE 0.20412, 1.96 SE 0.40008. 1 of 4 by Wilson: 0.0456 to 0.6994
    study.cell("heterogeneous", {"first": "x/a", "second": "x/b"}, ["x/a", "x/b"], [1.0, 0.5, 0.0, 0.5])
    study.cell("heterogeneous", {"first": "x/b", "second": "x/a"}, ["x/b", "x/a"], [1.0, 1.0])

    outcome, success = tables(pairings, known(study))

    assert outcome.rows[0] == ("x/a", "x/b", "4", "0.50", "[0.10, 0.90]")
    assert outcome.rows[1] == ("x/b", "x/a", "2", "1.00", "[1.00, 1.00]")
    assert success.rows[0] == ("x/a", "x/b", "4", "0.25", "[0.05, 0.70]")
    assert "a starts, b follows: 0.50 [0.10, 0.90], n 4" in drawn(pairings, known(study))


def test_published_figures_stand_beside_ours_by_the_last_part_of_a_name(study: AStudy) -> None:
    labels = {"first": "openai/o3", "second": "openai/mini@http://here:1"}
    study.cell("heterogeneous", labels, list(labels.values()), GOOD)

    outcome, _ = tables(pairings, known(study, PUBLISHED))

    assert outcome.rows[0][3:7] == ("0.88", "[0.63, 1.12]", "0.77", "[0.74, 0.80]")
    assert outcome.rows[1:] == ()
    assert "published" in drawn(pairings, known(study, PUBLISHED))


def test_where_nobody_matches_the_published_figures_are_a_block_of_their_own(study: AStudy) -> None:
    study.cell("homogeneous", {"model": "scripted"}, ["scripted", "scripted"], GOOD)
    (table,) = tables(reference, known(study, PUBLISHED))
    assert table.rows[0] == ("o3", "mini", "0.77", "[0.74, 0.80]", "9a")
    assert table.rows[1] == ("mini", "o3", "0.62", "[0.50, 0.70]", "9b")
    assert reference(known(study)) is None


def test_runs_under_other_conditions_are_not_pooled(tmp_path: Path) -> None:
    runs = [
        a_run(tmp_path / f"{size}{one}", [one, "b"], [an_episode(0, [one, "b"], 1.0)], options={"size": size})
        for size in (6, 8)
        for one in ("a", "c")
    ]
    found = replace(read_study(runs), facts={"toy": Facts("success")})
    assert [table.caption for table in tables(pairings, found)] == [
        "Success (size 6) by pairing",
        "Success (size 8) by pairing",
    ]


def test_the_gap_is_paired_over_the_same_instances(study: AStudy) -> None:
    study.cell("solo-distributed", {"model": "x/a"}, ["x/a"], GOOD)
    study.cell("homogeneous", {"model": "x/a"}, ["x/a", "x/a"], BAD)

    settings, gaps = tables(gap, known(study))

    assert [row[:3] for row in settings.rows] == [
        ("x/a", "solo-full", "0"),
        ("x/a", "solo-distributed", "4"),
        ("x/a", "homogeneous", "4"),
    ]
    (row,) = gaps.rows
    assert row[:4] == ("x/a", "4", DIFFERENCE, "0.092")
    assert "paired" in row[-1]


def test_order_effects_are_paired_and_corrected(study: AStudy) -> None:
    study.cell("heterogeneous", {"first": "a", "second": "b"}, ["a", "b"], GOOD)
    study.cell("heterogeneous", {"first": "b", "second": "a"}, ["b", "a"], BAD)
    study.cell("heterogeneous", {"first": "a", "second": "c"}, ["a", "c"], GOOD)
    study.cell("heterogeneous", {"first": "c", "second": "a"}, ["c", "a"], [*BAD[:3], 0.75])

    (table,) = tables(order, known(study))

    first, _ = table.rows
    assert (first[0], first[1], first[4], first[5], first[6]) == ("a", "b", "4", DIFFERENCE, "0.092")
    assert float(first[7]) >= 0.18  # twice 0.0917, as the smallest or the larger of two


def test_a_relay_is_compared_with_two_weak_agents(study: AStudy) -> None:
    study.cell("homogeneous", {"model": "b"}, ["b", "b"], BAD)
    study.cell("relay-primer", {"strong": "a", "weak": "b", "k": 4}, ["a@4>b", "b"], GOOD)
    study.cell("relay-primer", {"strong": "a", "weak": "b", "k": 2}, ["a@2>b", "b"], BAD)

    (table,) = tables(relays, known(study))

    assert [row[0] for row in table.rows[:2]] == ["Primer, K = 2", "Primer, K = 4"]
    assert table.rows[1][3:6] == ("4", DIFFERENCE, "0.092")
    assert table.rows[0][4] == "0.00"
    assert "weak with weak" in drawn(relays, known(study))


def test_a_relay_without_its_baseline_says_so(study: AStudy) -> None:
    study.cell("relay-recovery", {"strong": "a", "weak": "b", "k": 2}, ["b@2>a", "b"], GOOD)
    (table,) = tables(relays, known(study))
    assert table.rows[0][4:] == ("–", "–", "–", table.rows[0][7])  # noqa: RUF001 - a dash, as it is printed
    assert "there is no baseline" in table.rows[0][7]


def test_curves_go_over_size_density_and_number_of_agents(study: AStudy) -> None:
    for size in (6, 4):
        study.cell("size", {"model": "a", "size": size}, ["a", "a"], GOOD)
    study.cell("density", {"model": "a", "density": 0.15}, ["a", "a"], BAD)
    study.cell("group", {"model": "a", "agents": 3}, ["a"] * 3, BAD)

    sizes, density = tables(ablations, known(study))

    assert [row[1] for row in sizes.rows] == ["4", "6"]
    assert density.rows[0][1] == "0.15"
    assert tables(groups, known(study))[0].rows[0][:3] == ("a", "3", "4")


def test_tokens_are_stratified_by_outcome(tmp_path: Path) -> None:
    tokens = {"agent_1": (10, 30), "agent_2": (20,)}  # median 20, times 10 messages
    records = [an_episode(number, ["a", "b"], 1.0, message_tokens=tokens) for number in range(2)]
    table, by_agent = tables(efficiency, of_records(tmp_path, records))
    assert ("all", "success", "2", "20.0", "10.0", "200") in table.rows
    assert ("all", "fail", "0", "–", "–", "–") in table.rows  # noqa: RUF001 - dashes, as they are printed
    # each agent by its own messages, and the product with the messages of both
    assert by_agent.rows == (
        ("a", "with others", "success", "2", "20.0 [20.0, 20.0]", "10.0 [10.0, 10.0]", "200"),
        ("b", "with others", "success", "2", "20.0 [20.0, 20.0]", "10.0 [10.0, 10.0]", "200"),
    )


def test_results_count_errors_and_ungraded_episodes_apart(tmp_path: Path) -> None:
    ungraded = [Grading(grader="rules", scores={"weighted_outcome": 1.0}), Grading(grader="x/y", ungraded=1)]
    records = [
        an_episode(0, ["a"], 1.0, cost_usd=0.5),
        an_episode(1, ["a"], 0.0, cost_usd=0.25),
        an_episode(2, ["a"], None, outcome="error", error="no network"),
        an_episode(3, ["a"], None, gradings=ungraded),
    ]
    table, _ = tables(results, of_records(tmp_path, records))
    ((agents, n, outcomes, apart, primary, success, *_, cost, _),) = table.rows
    assert (agents, n, outcomes) == ("run\na", "2", "1 solved\n1 failed")
    assert apart == "1 error\n1 ungraded"
    assert primary.startswith("0.50\n")
    assert success.startswith("0.50\n")
    assert cost == "$0.75\n2 of 4 priced"


def test_a_cost_that_is_not_known_is_no_zero(tmp_path: Path) -> None:
    study = of_records(tmp_path, [an_episode(0, ["a"], 1.0)])
    assert tables(results, study)[0].rows[0][8] == "no price known"
    assert tables(costs, study)[1].rows[0] == ("a", "1", "0", "no price known", "–", "–")  # noqa: RUF001 - as printed


def test_who_took_no_tokens_has_no_bill(tmp_path: Path) -> None:
    study = of_records(tmp_path, [an_episode(0, ["a"], 1.0, usage={"agent_1": Usage()})])
    assert tables(results, study)[0].rows[0][8] == "none"
    assert costs(study) is None


def test_messages_are_counted_by_who_said_them_and_frozen_ones_not_at_all(tmp_path: Path) -> None:
    said = {"agent_1": (10, 20, 31), "agent_2": (1, 2, 3)}
    study = of_records(tmp_path, [an_episode(0, ["a@2>b", "b"], 1.0, message_tokens=said, turns=6, frozen=1)])
    messages, *_ = tables(costs, study)
    assert messages.rows == (("b", "5", "57", "11.4", "3.00"),)


def test_a_report_says_whose_scores_count(tmp_path: Path) -> None:
    regraded = graded(0, 1.0, [0.5])
    study = of_records(tmp_path, [regraded.model_copy(update={"scores": regraded.gradings[-1].scores})])
    assert ("Scores from", "x/judge, which has graded the episodes") in tables(overview, study)[0].rows
    rules = of_records(tmp_path / "rules", [graded(0, 1.0, [0.5])])
    assert ("Scores from", "the game's own rules") in tables(overview, rules)[0].rows


def test_a_report_says_what_only_a_grader_has_given_and_how_it_was_asked(tmp_path: Path) -> None:
    judged = graded(0, 1.0, [0.5])
    rules, model = judged.gradings
    both = (
        rules,
        model.model_copy(update={"scores": {"stepwise": 0.5}, "votes": ({"stepwise": 0.5},) * 3, "ungraded": 0}),
    )
    study = of_records(tmp_path, [judged.model_copy(update={"gradings": both})])
    assert ("Scores from", "the game's own rules; x/judge, which has given stepwise") in tables(overview, study)[0].rows
    commands = getattr(reproduction(study).blocks[0], "text", "").splitlines()
    assert commands[-1] == "palaver score FOLDER --grader x/judge --votes 3"


def test_a_score_of_fewer_episodes_says_so(tmp_path: Path) -> None:
    study = of_records(tmp_path, [an_episode(0, ["a"], 1.0), an_episode(1, ["a"], None)])
    assert tables(results, study)[0].rows[0][4].endswith("\nn 1")


def test_agents_stand_in_the_order_of_the_study(study: AStudy) -> None:
    for first, second in (("b", "a"), ("a", "b")):
        study.cell("heterogeneous", {"first": first, "second": second}, [first, second], GOOD)
    study.goes_over(models=["a", "b"], sizes=["4", 6])
    assert known(study).in_order(["x", "b", "a", "y"]) == ["a", "b", "x", "y"]
    first = drawn(pairings, known(study))
    assert first.index(">a</text>") < first.index(">b</text>")


def test_agents_that_report_no_tokens_are_left_out_of_the_lengths_of_messages(tmp_path: Path) -> None:
    said = {"agent_1": (10, 30), "agent_2": (0, 0)}
    _, by_agent = tables(efficiency, of_records(tmp_path, [an_episode(0, ["a", "b"], 1.0, message_tokens=said)]))
    assert [row[4] for row in by_agent.rows] == ["20.0", "–"]  # noqa: RUF001 - a dash, as it is printed


def test_tokens_are_added_up_by_who_filled_the_seat(tmp_path: Path) -> None:
    usage = {"agent_1": Usage(input_tokens=5, output_tokens=7, reasoning_tokens=3, cached_tokens=1), "agent_2": Usage()}
    records = [an_episode(number, ["a@2>b", "b"], 1.0, usage=usage) for number in range(2)]
    tokens, _ = tables(costs, of_records(tmp_path, records))  # no tokens of messages, so no table of them
    assert tokens.rows == (("a@2>b", "2", "10", "2", "14", "6", "12"), ("b", "2", "0", "0", "0", "0", "0"))


def test_stretches_tell_the_gain_since_the_one_before(tmp_path: Path) -> None:
    def stretches(first: float, last: float) -> list[Segment]:
        return [
            Segment(agents={"s": who}, from_turn=start, until_turn=end, scores={"weighted_outcome": score})
            for who, start, end, score in (("a", 0, 2, first), ("b", 2, 10, last))
        ]

    records = [
        an_episode(number, ["a@2>b"], 1.0, segments=stretches(*each))
        for number, each in enumerate([(0.0, 1.0), (0.5, 1.0)])
    ]
    (table,) = tables(segments, of_records(tmp_path, records))
    first, second = table.rows
    assert first[1:5] == ("1", "s: a", "2", "2.0")
    assert second[1:5] == ("2", "s: b", "2", "8.0")
    # gains 1 and 0.5: mean 0.75, sd 0.35355, SE 0.25, 1.96 SE 0.49
    assert second[6] == "+0.75 [0.26, 1.24]"


def test_teams_show_what_was_said_behind_seats(tmp_path: Path) -> None:
    team = "team(lead=a,members=b+c)"
    study = of_records(tmp_path, [an_episode(0, [team], 1.0, asides=25), an_episode(1, ["a"], 1.0)])
    (table,) = tables(teams, study)
    ((_, agents, n, *_, asides, tokens),) = table.rows
    assert (agents, n, asides, tokens) == (team, "1", "2.50", "120")


def test_episodes_without_a_summary_count_with_those_of_the_same_agents(tmp_path: Path) -> None:
    records = [an_episode(at, ["a@stall:3>b"], score, asides=at) for at, score in enumerate((1.0, 0.0))]
    (row,) = tables(teams, of_records(tmp_path, records))[0].rows
    assert row[1:4] == ("a@stall:3>b", "2", "0.50 [−0.48, 1.48]")  # noqa: RUF001 - a minus sign, as it is printed


def test_an_agent_that_never_came_in_has_played_nothing(tmp_path: Path) -> None:
    study = of_records(tmp_path, [an_episode(0, ["a@stall:3>b"], 1.0)])
    assert [row[0] for row in tables(overview, study)[1].rows] == ["a"]


def graded(number: int, rules: float, votes: list[float]) -> EpisodeRecord:
    def scores(value: float) -> dict[str, float]:
        return {"weighted_outcome": value, "success": float(value == 1)}

    return an_episode(
        number,
        ["a", "b"],
        rules,
        gradings=[
            Grading(grader="rules", scores=scores(rules)),
            Grading(
                grader="x/judge",
                scores=scores(votes[0]) if votes else {},
                votes=[scores(vote) for vote in votes],
                ungraded=3 - len(votes),
                reason=None if votes else "no YAML",
            ),
        ],
    )


def test_a_grader_is_compared_with_the_rules_and_what_it_could_not_read_is_apart(tmp_path: Path) -> None:
    records = [graded(number, 1.0, [1.0, 1.0, 1.0]) for number in range(4)]
    records += [graded(number, 0.5, [0.5, 0.5, 0.5]) for number in range(4, 7)]
    records += [graded(7, 0.5, [1.0, 1.0, 0.5]), graded(8, 1.0, [])]

    read, against, disputes, votes, together, each_by_agents, by_agents = tables(graders, of_records(tmp_path, records))

    assert read.rows == (("x/judge", "9", "1", "24", "3", "no YAML"),)
    found = {row[1]: row for row in against.rows}
    assert found["agreement on success"][2:4] == ("8", "0.88 [0.53, 0.98]")  # 7 of 8 by Wilson: 0.5291 to 0.9776
    assert found["McNemar, success"][2] == "8"
    assert found["McNemar, success"][4] == "1.00"  # one discordant pair: exact p = 1
    # of 4 successes none is disputed, of 4 failures one; one episode is ungraded
    assert [row[:5] for row in disputes.rows[:2]] == [
        ("x/judge and the rules", "success", "4", "1", "0.00 [0.00, 0.49]"),
        ("x/judge and the rules", "failure", "4", "1", "0.25 [0.05, 0.70]"),
    ]
    # 0.5 and 1.0 differ by 0.5, sd 0.35355; a quarter of it is the mean over the 4
    assert disputes.rows[1][5:7] == ("0.09", "0.12")
    assert disputes.rows[0][7] == "1.00"
    assert disputes.rows[2][0] == "the 3 votes of x/judge"
    assert [row[2] for row in votes.rows] == ["8"] * 6
    assert [row[1] for row in together.rows] == ["8"] * 3
    assert by_agents.rows[0][:2] == ("a, b", "8")
    assert each_by_agents.rows[0][:4] == ("a, b", "x/judge", "8", "0.88 [0.53, 0.98]")
    assert each_by_agents.rows[0][6].startswith("+0.06")  # 0.5 over 8 episodes


def test_the_commands_play_the_runs_again(tmp_path: Path) -> None:
    run = a_run(
        tmp_path / "run",
        ["a@2>b", "c d"],
        [],
        episodes=7,
        seed=3,
        options={"size": 6, "named": True, "nothing": None, "list": [1, 2]},
        sampling={"temperature": 0.5},
        handoff="last:2",
        prefix={"folder": "/runs/base", "run_id": "base", "turns": 2},
    )
    section = reproduction(read_study([run]))
    command = getattr(section.blocks[0], "text", "").splitlines()[1]
    assert command == (
        "palaver run toy --agents 'a@2>b,c d' -n 7 --seed 3 --set size=6 --set named=true --set 'list=[1, 2]' "
        "--protocol prefixes --temperature 0.5 --handoff last:2 --prefix /runs/base@2"
    )
