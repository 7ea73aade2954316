"""Who fills a seat, as users type it."""

import pytest

from palaver_protocols.errors import UsageError
from palaver_protocols.messages import SeatFiller
from palaver_protocols.seating import Handoff, Rule, Team, handoff_of, leaves, read_seat, relay_of, rule_of, team_of


def test_one_agent_fills_a_seat() -> None:
    assert read_seat(" openai/gpt-5 ") == (SeatFiller(agent="openai/gpt-5"),)


def test_a_url_in_a_name_makes_no_relay() -> None:
    assert read_seat("vllm/Qwen/Qwen3-8B@http://gpu:8000") == (SeatFiller(agent="vllm/Qwen/Qwen3-8B@http://gpu:8000"),)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a@4>b", Rule("turn", 4)),
        ("a@stall:6>b", Rule("stall", 6)),
        ("a@tokens:5000>b", Rule("tokens", 5000)),
        ("a@usd:0.5>b", Rule("usd", 0.5)),
        ("vllm/m@http://h:1@4>vllm/n@http://h:2", Rule("turn", 4)),
    ],
)
def test_a_relay_changes_its_agent_by_a_rule(text: str, rule: Rule) -> None:
    fillers = read_seat(text)
    assert rule_of(fillers[1]) == rule
    assert relay_of(fillers) == text


@pytest.mark.parametrize("text", ["a@4 > b", "a @4> b", "a @ 4 >b", " a@4>b "])
def test_blanks_round_a_rule_are_accepted_and_not_written_back(text: str) -> None:
    assert relay_of(read_seat(text)) == "a@4>b"


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("stal:3", "stall:3"),
        ("Stall:3", "stall:3"),
        ("stall=3", "stall:3"),
        ("stall 3", "stall:3"),
        ("token:5000", "tokens:5000"),
        ("us:0.5", "usd:0.5"),
        ("turns:4", "4"),
    ],
)
def test_a_near_miss_of_a_rule_is_told_what_was_meant(rule: str, meant: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_seat(f"vllm/m@http://h:1@{rule}>b")
    assert f"after 'vllm/m', '@{rule}>' is no rule of a relay (did you mean {meant}? A relay is " in str(raised.value)


@pytest.mark.parametrize("text", ["a>b", "a@soon>b", "a@4.5>b", "a@stall:>b", "a@4>>b", "a@http://h:1>b", "a>", ">b"])
def test_a_mark_that_ends_no_rule_is_told_the_rules(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_seat(text)
    assert "(write A@4>B, A@stall:6>B, A@tokens:5000>B or A@usd:0.5>B)" in str(raised.value)


def test_a_rule_with_a_line_break_is_answered_in_one_line() -> None:
    with pytest.raises(UsageError) as raised:
        read_seat("a@st\nall>b")
    assert len(str(raised.value).splitlines()) == 1


def test_a_misspelt_rule_is_found_after_and_within_a_team() -> None:
    for text in ("team(lead=a,members=b)@stal:4>c", "team(lead=a,members=b@stal:4>c)"):
        with pytest.raises(UsageError, match=r"did you mean stall:4\?"):
            read_seat(text)


def test_a_relay_has_any_number_of_agents_and_they_may_be_teams() -> None:
    text = "a@2>team(lead=b,members=c+d)@stall:4>e"
    assert [filler.agent for filler in read_seat(text)] == ["a", "team(lead=b,members=c+d)", "e"]
    assert relay_of(read_seat(text)) == text


def test_a_team_is_read_with_what_its_members_see() -> None:
    assert team_of("team(lead=a, members=b + c)") == Team("a", ("b", "c"), "all", 3)
    assert team_of("team(lead=a,members=b,show=split,rounds=1)") == Team("a", ("b",), "split", 1)
    assert team_of("openai/gpt-5") is None


def test_teams_within_teams_have_leaves() -> None:
    assert list(leaves("team(lead=a,members=b+team(lead=c,members=d+e))")) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@4>b", "names nobody"),
        ("a@4>", "names nobody"),
        ("a@4>b@4>c", "do not rise"),
        ("team(lead=a)", "lacks its members"),
        ("team(members=a)", "lacks its lead"),
        ("team(lead=a,members=b+)", "lacks its members"),
        ("team(lead=a,members=b,boss=c)", "cannot have 'boss=c'"),
        ("team(lead=a,lead=b,members=c)", "cannot have 'lead=b'"),
        ("team(lead=a,members=b", "parenthes"),
        ("team(lead=a,members=b)x", "does not end"),
        ("team(lead=a,members=b,show=some)", "show=some"),
        ("team(lead=a,members=b,rounds=0)", "rounds=0"),
        ("team(lead=a@4>b,members=c)", "a relay stands within"),
        ("team(lead=team(lead=a,members=b),members=c)", "is a team"),
        ("team(lead=a,members=team(lead=b,members=c,show=split))", "show=split"),
    ],
)
def test_what_makes_no_sense_is_named(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        [leaf for filler in read_seat(text) for leaf in leaves(filler.agent)]


def test_what_newcomers_see_is_read() -> None:
    assert [handoff_of(text) for text in ("all", "last:3", "summary", "nothing")] == [
        Handoff("all"),
        Handoff("last", 3),
        Handoff("summary"),
        Handoff("nothing"),
    ]


@pytest.mark.parametrize("text", ["last", "last:0", "last:x", "some", "all:2", ""])
def test_what_newcomers_cannot_see_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="use all, last:M, summary or nothing"):
        handoff_of(text)
