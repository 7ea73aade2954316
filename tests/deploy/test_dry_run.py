"""What a dry run estimates: figures that can be worked out by hand, and what is said of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import JsonValue

from palaver_deploy.configure import plan_of
from palaver_deploy.dry_run import estimate_facts, estimate_notes, estimate_rows, show
from palaver_deploy.estimates import Estimate, estimate_run
from palaver_deploy.longest import Longest
from palaver_gamemasters.game import Game, GameOutcome, Instance, Options, Reply, Scores
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, Sampling, TurnRequest
from palaver_protocols.runs import Prefix, RunConfig
from palaver_protocols.transcript import USER, Message
from tests.deploy.conftest import Palaver

FORTY = "x" * 40
"""Ten tokens."""


class GrowOptions(Options):
    turns: int = 4
    limit: int = 8
    picture: int = 0
    """Pixels a side of the picture that is shown, if any."""


class State(NamedTuple):
    options: GrowOptions
    turns: int = 0


class Grow(Game[State, GrowOptions]):
    """One seat, whose view grows by 40 characters a turn: 13 tokens at first, then 23, 33, ..."""

    name = "grow"
    summary = "say something, a few times"
    options_type = GrowOptions
    primary_score = "success"
    scripts: Mapping[str, Player] = {"scripted": lambda _: FORTY, "random": lambda _: ""}

    def variant(self, options: GrowOptions) -> str:
        return "plain"

    def instances(self, options: GrowOptions, seed: int) -> Iterator[Instance]:
        for number in range(1000):
            yield Instance(f"i{number}", options.model_dump())

    def seats(self, options: GrowOptions) -> tuple[str, ...]:
        return ("a",)

    def turn_limit(self, options: GrowOptions) -> int:
        return options.limit

    def start(self, instance: JsonValue, options: GrowOptions) -> State:
        return State(options)

    def pending(self, state: State) -> tuple[str, ...]:
        seats = self.seats(state.options)
        return () if self.outcome(state) else (seats[state.turns % len(seats)],)

    def view(self, state: State, seat: str) -> tuple[Message, ...]:
        side = state.options.picture
        picture = Image(sha256="0" * 64, media_type="image/png", width=side or 1, height=side or 1, size=1)
        parts = (Text(text=FORTY * (state.turns + 1)), *((picture,) if side else ()))
        return (Message(speaker=USER, parts=parts),)

    def apply(self, state: State, replies: Mapping[str, Reply]) -> State:
        return State(state.options, state.turns + 1)

    def outcome(self, state: State) -> GameOutcome | None:
        return "solved" if state.turns >= state.options.turns else None

    def score(self, state: State) -> Scores:
        return {}

    def players(self) -> Mapping[str, Player]:
        return self.scripts


class Pair(Grow):
    """The same for two seats in turn, who do not see each other."""

    name = "pair"

    def seats(self, options: GrowOptions) -> tuple[str, ...]:
        return ("a", "b")

    def partners(self, options: GrowOptions, seat: str) -> tuple[str, ...]:
        return ()


def playing(scripts: Mapping[str, Player]) -> Grow:
    game = Grow()
    game.scripts = scripts
    return game


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A thousand dollars for a million tokens that are read, ten thousand for those that are written."""
    prices = tmp_path / "prices.yaml"
    prices.write_text("openai: {models: {m: {price: {input: 1000, output: 10000}}, n: {price: {input: 1, output: 1}}}}")
    return {"PALAVER_PROVIDERS": str(prices)}


def estimated(
    environ: Mapping[str, str],
    *agents: str,
    game: Grow | None = None,
    episodes: int = 1,
    patience_s: float = 60.0,
    prefix: Prefix | None = None,
    handoff: str = "all",
    max_tokens: int | None = None,
    **options: JsonValue,
) -> Estimate:
    game = game or Grow()
    config = RunConfig(
        run_id="r",
        game=game.name,
        agents=agents or ("openai/m",),
        episodes=episodes,
        options=options,
        prefix=prefix,
        handoff=handoff,
        sampling=Sampling(max_tokens=max_tokens),
    )
    return estimate_run(game, config, plan_of(game, config), environ, patience_s=patience_s)


def figures(estimate: Estimate, agent: str = "openai/m") -> tuple[list[float], list[float]]:
    """Calls, tokens read and tokens written: about, and when all turns are taken."""
    share = estimate.shares[agent]
    about, most = ([round(each, 6) for each in astuple(load)] for load in (share.about, share.most))
    return about, most


# What is counted.


def test_calls_and_tokens_are_those_of_the_script_and_all_turns_go_on_in_a_line(environ: dict[str, str]) -> None:
    estimate = estimated(environ)
    assert figures(estimate) == ([4, 13 + 23 + 33 + 43, 40], [8, sum(range(13, 84, 10)), 80])
    assert estimate.calls_at_most == 8
    assert (estimate.played, estimate.players, estimate.characters) == (1, ("scripted",), 40)


def test_a_few_episodes_stand_for_all(environ: dict[str, str]) -> None:
    estimate = estimated(environ, episodes=500)
    assert figures(estimate) == ([2000, 112 * 500, 20000], [4000, 384 * 500, 40000])
    assert (estimate.played, estimate.calls_at_most) == (3, 4000)


def test_one_episode_of_each_variant_stands_for_all(environ: dict[str, str]) -> None:
    class Mixed(Grow):
        def instances(self, options: GrowOptions, seed: int) -> Iterator[Instance]:
            for number in range(1000):
                turns = number % 5 + 1
                yield Instance(f"i{number}", {**options.model_dump(), "turns": turns}, variant=f"{turns} turns")

        def start(self, instance: JsonValue, options: GrowOptions) -> State:
            return State(GrowOptions.model_validate(instance))

    estimate = estimated(environ, game=Mixed(), episodes=10)
    assert estimate.played == 5
    assert estimate.about.calls == pytest.approx(2 * (1 + 2 + 3 + 4 + 5))


def test_an_episode_of_one_turn_would_grow_by_what_is_said_in_it(environ: dict[str, str]) -> None:
    assert figures(estimated(environ, turns=1, limit=3)) == ([1, 13, 10], [3, 13 + 23 + 33, 30])


def test_an_episode_that_takes_too_long_is_extrapolated(environ: dict[str, str]) -> None:
    estimate = estimated(environ, episodes=2, patience_s=0.0)
    assert figures(estimate) == ([16, 2 * 384, 160], [16, 2 * 384, 160])
    assert estimate.played == 1


@pytest.mark.parametrize(("side", "tokens"), [(75, 8), (100, 14), (4000, 1600)])
def test_a_picture_is_counted_by_its_pixels(environ: dict[str, str], side: int, tokens: int) -> None:
    about, _ = figures(estimated(environ, turns=1, limit=1, picture=side))
    assert about == [1, 13 + tokens, 10]


def test_every_seat_has_its_own_agent(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "openai/m", "openai/n", game=Pair())
    assert figures(estimate, "openai/m") == ([2, 13 + 33, 20], [4, 13 + 33 + 53 + 73, 40])
    assert figures(estimate, "openai/n") == ([2, 23 + 43, 20], [4, 23 + 43 + 63 + 83, 40])


def test_a_relay_shares_the_turns(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "openai/m@1>openai/n")
    assert figures(estimate, "openai/m") == ([1, 13, 10], [1, 13, 10])
    assert figures(estimate, "openai/n") == ([3, 99, 30], [7, 384 - 13, 70])


def test_a_newcomer_that_no_script_has_come_to_has_the_later_turns(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "openai/m@6>openai/n")
    assert figures(estimate, "openai/n") == ([0, 0, 0], [2, 73 + 83, 20])
    assert figures(estimate, "openai/m")[1] == [6, 384 - 73 - 83, 60]


@pytest.mark.parametrize("rule", ["tokens:30", "usd:0.2"])
def test_a_relay_that_waits_for_what_is_used_changes_when_it_is(environ: dict[str, str], rule: str) -> None:
    estimate = estimated(environ, f"openai/m@{rule}>openai/n")
    assert [estimate.shares[name].about.calls for name in ("openai/m", "openai/n")] == [2, 2]


def test_a_team_is_asked_as_its_lead_consults_it(environ: dict[str, str]) -> None:
    def consulting(request: TurnRequest) -> str:
        asks = request.role == "lead" and not request.view[-1].speaker.startswith("member")
        return "@all: What do you see?" if asks else FORTY

    estimate = estimated(
        environ, "team(lead=openai/m,members=openai/n+openai/n,rounds=2)", game=playing({"scripted": consulting})
    )
    assert estimate.shares["openai/m"].about.calls == 8
    assert estimate.shares["openai/n"].about.calls == 8
    assert estimate.shares["openai/n"].most.calls == 16
    assert estimate.calls_at_most == 8 * (2 * (1 + 2) + 1)


def test_frozen_turns_are_not_paid_again(environ: dict[str, str]) -> None:
    estimate = estimated(environ, prefix=Prefix(folder="base", run_id="base", turns=3))
    assert figures(estimate) == ([1, 43, 10], [5, 384 - 13 - 23 - 33, 50])
    assert estimate.calls_at_most == 5


def test_a_summary_is_a_call_of_its_own(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "openai/m@2>openai/n", handoff="summary")
    assert [each[0] for each in figures(estimate, "openai/m")] == [3, 3]
    assert [each[0] for each in figures(estimate, "openai/n")] == [2, 6]
    assert estimate.calls_at_most == 9


def test_an_episode_that_is_over_at_once_asks_nobody(environ: dict[str, str]) -> None:
    assert figures(estimated(environ, turns=0)) == ([0, 0, 0], [0, 0, 0])


# Who speaks.


def test_scripts_speak_for_themselves_and_cost_nothing(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "random")
    assert figures(estimate, "random") == ([4, 0, 0], [8, 0, 0])
    assert (estimate.players, estimate.cost_usd, estimate.unpriced) == (("random",), 0.0, ())


def test_what_scripts_say_is_no_call(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "random")
    both = estimate + estimated(environ, "openai/m")

    assert (estimate.calls, estimate.calls_at_most) == (0, 0)
    assert list(estimate_rows(estimate)) == [("calls", "none"), ("cost", "nothing: no model is asked")]
    assert estimate_facts(estimate)["calls_about"] == 0
    assert (both.calls, both.calls_at_most, estimate_facts(both)["calls_about"]) == (4, 8, 4)


def test_a_team_s_scripts_and_a_script_that_leaves_take_no_calls(environ: dict[str, str]) -> None:
    team = estimated(environ, "team(lead=openai/m,members=random+openai/n)")
    relay = estimated(environ, "random@2>openai/n", handoff="summary")

    assert team.calls_at_most == 8 * (3 * (1 + 1) + 1)
    assert relay.calls_at_most == 8


def test_where_one_script_knows_nothing_to_say_the_next_is_asked(environ: dict[str, str]) -> None:
    def silent(_: TurnRequest) -> str:
        raise UsageError("this is not for me")

    estimate = estimated(environ, game=playing({"scripted": silent, "random": lambda _: FORTY}))
    assert (estimate.players, estimate.about.calls) == (("random",), 4)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("this is not for me", mend="ask another"), "this is not for me (ask another)"),
        (ZeroDivisionError("oh"), "grow: ZeroDivisionError('oh')"),
    ],
)
def test_what_no_script_can_play_is_bounded_and_not_estimated(
    environ: dict[str, str], error: Exception, said: str
) -> None:
    def broken(_: TurnRequest) -> str:
        raise error

    estimate = estimated(environ, game=playing({"scripted": broken}), episodes=5)
    assert (estimate.played, estimate.problems, estimate.calls_at_most) == (0, (said,), 40)
    assert list(estimate_rows(estimate)) == [("calls", "at most 40, tries not counted")]
    assert list(estimate_notes(estimate)) == [f"Not estimated: {said}."]
    assert estimate_facts(estimate)["cost_usd_about"] is None


def test_an_estimate_is_not_rounded_up_beyond_what_can_be(environ: dict[str, str]) -> None:
    estimate = estimated(environ, episodes=112, limit=4)
    assert next(estimate_rows(estimate)) == ("calls", "about 448, at most 448, tries not counted")


# What it costs.


def test_the_cost_is_that_of_the_tokens_by_each_models_price(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "openai/m@1>openai/n", episodes=10)
    assert estimate.cost_usd == pytest.approx(10 * (13 * 1e-3 + 10 * 1e-2 + (99 + 30) * 1e-6))
    assert estimate.most_usd == pytest.approx(10 * (13 * 1e-3 + 10 * 1e-2 + (371 + 70) * 1e-6))


def test_a_model_without_a_price_is_named_and_left_out(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "xai/foo@1>openai/m", episodes=100)
    assert estimate.unpriced == ("xai/foo",)
    assert estimate.cost_usd == pytest.approx(100 * (99 * 1e-3 + 30 * 1e-2))
    assert dict(estimate_rows(estimate))["cost"] == (
        "about $40; about $110 if every episode took all its turns (without xai/foo)"
    )
    assert next(estimate_notes(estimate)) == (
        "No price known for xai/foo: its cost is left out; add it to palaver.providers.yaml."
    )


def test_without_any_price_the_cost_is_not_known(environ: dict[str, str]) -> None:
    estimate = estimated(environ, "xai/foo")
    assert dict(estimate_rows(estimate))["cost"] == "not known"
    assert estimate_facts(estimate)["cost_usd_about"] is None


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("openai/n", "less than a cent"),
        ("openai/m", "about $0.51; about $1.18 if every episode took all its turns"),
        ("random", "nothing: no model is asked"),
    ],
)
def test_costs_are_said_as_people_say_them(environ: dict[str, str], agent: str, said: str) -> None:
    assert dict(estimate_rows(estimated(environ, agent)))["cost"] == said


def test_a_file_of_prices_that_makes_no_sense_is_the_users_error(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("openai: {modells: {}}")
    with pytest.raises(UsageError, match="did you mean models"):
        estimated({"PALAVER_PROVIDERS": str(tmp_path / "prices.yaml")})


def test_what_models_may_write_is_bounded_by_max_tokens(environ: dict[str, str]) -> None:
    estimate = estimated(environ, episodes=10, max_tokens=500)
    facts = estimate_facts(estimate)
    assert (facts["output_tokens_at_most"], facts["output_usd_at_most"]) == (10 * 8 * 500, pytest.approx(400.0))
    assert dict(estimate_rows(estimate))["answers"] == ("at most 40,000 tokens by max_tokens, which costs at most $400")
    assert not any("No max_tokens" in note for note in estimate_notes(estimate))


def test_of_several_models_the_dearest_bounds_what_is_written(environ: dict[str, str]) -> None:
    assert estimated(environ, "openai/m@1>openai/n", max_tokens=100).longest == Longest(800, 8.0)
    assert estimated(environ, "openai/n", max_tokens=100).longest == Longest(800, 0.0008)
    assert estimated(environ, "xai/foo@1>openai/m", max_tokens=100).longest == Longest(800, None)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("openai/m", {}),
        ("team(lead=openai/m,members=openai/n)", {"max_tokens": 100}),
        ("openai/m@1>openai/n", {"max_tokens": 100, "handoff": "summary"}),
    ],
)
def test_what_max_tokens_does_not_bound_is_said_to_be_assumed(
    environ: dict[str, str], agent: str, words: dict[str, Any]
) -> None:
    estimate = estimated(environ, agent, **words)
    assert estimate.longest == Longest(None, None)
    assert estimate_facts(estimate)["output_tokens_at_most"] is None
    assert any(note.startswith("No max_tokens bounds all that is written") for note in estimate_notes(estimate))


def test_scripts_write_nothing_that_costs(environ: dict[str, str]) -> None:
    assert estimated(environ, "random").longest == Longest(0, 0.0)


def test_bounds_add_up_and_one_that_is_missing_is_missing_in_the_sum(environ: dict[str, str]) -> None:
    bounded, free = estimated(environ, max_tokens=10), estimated(environ)
    assert (bounded + bounded).longest == Longest(160, 1.6)
    assert (bounded + free).longest == Longest(None, None)


def test_what_cannot_be_rehearsed_is_bounded_all_the_same(environ: dict[str, str]) -> None:
    rows = dict(estimate_rows(estimated(environ, game=playing({}), max_tokens=10)))
    assert rows == {
        "calls": "at most 8, tries not counted",
        "answers": "at most 80 tokens by max_tokens, which costs at most $0.80",
    }


def test_estimates_add_up(environ: dict[str, str]) -> None:
    one = estimated(environ, "openai/m", episodes=10)
    other = estimated(environ, "openai/m@1>openai/n")
    both = one + other
    assert both.calls_at_most == 88
    assert figures(both) == ([41, 1133, 410], [81, 3853, 810])
    assert figures(both, "openai/n") == figures(other, "openai/n")
    assert both.cost_usd == pytest.approx(one.cost_usd + other.cost_usd)
    assert (both.played, both.characters, both.players) == (4, 40, ("scripted",))


def test_a_run_that_cannot_be_estimated_keeps_its_bound_in_a_sum(environ: dict[str, str]) -> None:
    both = estimated(environ) + estimated(environ, game=playing({}))
    assert (both.calls_at_most, both.about.calls) == (16, 4)
    assert both.problems == ("grow has no script that could stand in for openai/m",)


# What is said.


def shown(capsys: pytest.CaptureFixture[str], environ: dict[str, str], *, as_json: bool = False) -> str:
    game = Grow()
    config = RunConfig(run_id="r", game="grow", agents=("openai/m@1>xai/foo",), episodes=100)
    assert show(config, plan_of(game, config), as_json=as_json, game=game, environ=environ) == 0
    return capsys.readouterr().out


def test_a_dry_run_reads_like_this(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    assert shown(capsys, environ) == (
        "game       grow, variant plain\n"
        "episodes   100\n"
        "instances  i0 to i99\n"
        "seats      a=openai/m@1>xai/foo\n"
        "options    turns=4, limit=8, picture=0\n"
        "protocol   prefixes\n"
        "sampling   left to the provider\n"
        "calls      about 400, at most 800, tries not counted\n"
        "tokens     openai/m: about 1,300 in, 1,000 out\n"
        "           xai/foo: about 9,900 in, 3,000 out\n"
        "cost       about $11 (without xai/foo)\n"
        "\n"
        "No price known for xai/foo: its cost is left out; add it to palaver.providers.yaml.\n"
        "Estimated from 3 episodes played by `scripted`: 40 characters a message on average, "
        "and 4 characters a token.\n"
        "No max_tokens bounds all that is written: it is taken to be as long as that, and may be many times longer.\n"
        "Models talk more or less than scripts, and the views grow with what they say. Tokens of reasoning are not "
        "counted, and nothing is taken off for input that a provider has seen before.\n"
        "This was a dry run: nobody was asked, nothing was written.\n"
    )


def test_programs_are_told_the_same_numbers(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    document: dict[str, Any] = json.loads(shown(capsys, environ, as_json=True))
    assert document["agents"] == {
        "openai/m": {
            "calls": 100,
            "input_tokens": 1300,
            "output_tokens": 1000,
            "cost_usd": pytest.approx(11.3),
            "all_turns": {"calls": 100, "input_tokens": 1300, "output_tokens": 1000, "cost_usd": pytest.approx(11.3)},
        },
        "xai/foo": {
            "calls": 300,
            "input_tokens": 9900,
            "output_tokens": 3000,
            "cost_usd": None,
            "all_turns": {"calls": 700, "input_tokens": 37100, "output_tokens": 7000, "cost_usd": None},
        },
    }
    totals = ("calls_about", "calls_at_most", "input_tokens_about", "output_tokens_about", "unpriced", "problems")
    assert [document[name] for name in totals] == [400, 800, 11200, 4000, ["xai/foo"], []]
    assert (document["cost_usd_about"], document["cost_usd_all_turns"]) == pytest.approx((11.3, 11.3))
    assert document["estimated_from"] == {"episodes": 3, "players": ["scripted"], "characters_a_message": 40}


@pytest.mark.parametrize("protocol", ["prefixes", "user", "transcript"])
@pytest.mark.parametrize("setting", ["pair", "solo-full", "solo-distributed"])
def test_a_dry_run_of_the_maze_estimates_without_asking_or_writing(
    palaver: Palaver, home: Path, setting: str, protocol: str
) -> None:
    words = ("-a", "openai/gpt-4.1", "-n", 50, "--set", f"setting={setting}", "--protocol", protocol)
    document = palaver("run", "maze", *words, "--dry-run", "--json").document
    assert document["problems"] == []
    assert 50 <= document["calls_about"] <= document["calls_at_most"]
    assert 0 < document["cost_usd_about"] <= document["cost_usd_all_turns"]
    assert list(home.iterdir()) == []
