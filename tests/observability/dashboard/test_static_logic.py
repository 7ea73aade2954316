"""What the pages work out by themselves, in the language that they are written in: run by node, where there is one."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from palaver_observability.dashboard.files import STATIC

NODE = shutil.which("node")
EXPERIMENTS = ("--experimental-detect-module", "--experimental-vm-modules")
"""By itself node takes a file for a module only where a package says so, and reads none without running it."""
NONE = "\N{EN DASH}"
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")


def said(script: str) -> Any:
    """Run a module that prints one value as JSON; modules of the pages are imported by ``JS/name.js``."""
    loaded = script.replace('"JS/', f'"{(STATIC / "js").as_uri()}/')
    words = [str(NODE), "--no-warnings", *EXPERIMENTS, "--input-type=module", "-e", loaded]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_script_is_a_module_that_can_be_read() -> None:
    scripts = sorted(map(str, (STATIC / "js").rglob("*.js")))
    wrong = said(f"""
        import {{ readFileSync }} from "node:fs";
        import {{ SourceTextModule }} from "node:vm";
        const read = (script) => {{
          try {{ new SourceTextModule(readFileSync(script, "utf-8")); return []; }}
          catch (error) {{ return [`${{script}}: ${{error}}`]; }}
        }};
        console.log(JSON.stringify({json.dumps(scripts)}.flatMap(read)));""")
    assert wrong == []


def test_numbers_times_and_names_are_written_for_people() -> None:
    shown = said("""
        import { agentName, brief, episodePath, money, score, span, ticking, visible } from "JS/format.js";
        console.log(JSON.stringify({
          spans: [0.02, 0.84, 12.6, 61, 3700, 90000, null].map(span), ticks: [0.4, 59.9, 61].map(ticking),
          money: [0, 0.0042, 1.5, 2000, null].map(money), score: [1, 0.4692, 66.667, null].map(score),
          brief: [7, 999, 1500, 2.5e6].map(brief), agents: ["openrouter/meta/llama", "a/b@4>c/d"].map(agentName),
          shown: visible("a\\u001b[31m\\u202eb\\r\\nc"), path: episodePath("a/b", "ö?", {turn: 3, tab: null}),
        }));""")
    assert shown["spans"] == ["20 ms", "0.8 s", "13 s", "1 min 01 s", "1 h 01 min", "1 d 1 h", NONE]
    assert shown["ticks"] == ["0 s", "59 s", "1 min 01 s"]
    assert shown["money"] == ["$0", "$0.0042", "$1.50", "$2,000", NONE]
    assert shown["score"] == ["1", "0.469", "66.7", NONE]
    assert shown["brief"] == ["7", "999", "1.5K", "2.5M"]
    assert shown["agents"] == ["llama", "a/b@4>c/d"]
    assert shown["shown"] == "a␛[31m⟨202e⟩b\nc"
    assert shown["path"] == "/episode/a%2Fb/%C3%B6%3F?turn=3"


CARD = """
    const card = (key, more = {}) => ({key, run: "r", episode: key, game: "maze", variant: "pair",
      seats: {a: "x", b: "y"}, turn: 1, waiting: ["a"], asked_at: 90, started: 1, ended: null, tokens: 0, cost: null,
      outcome: null, ...more});
"""


def test_cards_are_filtered_by_words_state_and_wait() -> None:
    keys = said(f"""
        import {{ chosen }} from "JS/now/store.js"; {CARD}
        const comma = card("e2", {{game: "comma", asked_at: 40}});
        const cards = [card("e1"), comma, card("e3", {{ended: 99, outcome: "solved"}})];
        const keys = (wish) => chosen(cards, wish, 100).map((each) => each.key);
        console.log(JSON.stringify([
          {{}}, {{q: "comma PAIR"}}, {{state: "running"}}, {{state: "solved"}}, {{wait: "30"}}, {{sort: "waiting"}},
          {{agent: "y", game: "maze"}}, {{agent: "z"}},
        ].map(keys)));""")
    assert keys == [
        ["e1", "e2", "e3"],
        ["e2"],
        ["e1", "e2"],
        ["e3"],
        ["e2"],
        ["e2", "e1", "e3"],
        ["e1", "e3"],
        [],
    ]


def test_a_card_that_has_ended_makes_room_after_a_moment() -> None:
    keys = said(f"""
        import {{ chosen }} from "JS/now/store.js"; {CARD}
        const cards = [card("e1", {{ended: 99}}), card("e2"), card("e10"), card("e9")];
        console.log(JSON.stringify([100, 120].map((now) => chosen(cards, {{}}, now).map((each) => each.key))));""")
    assert keys == [["e1", "e2", "e9", "e10"], ["e2", "e9", "e10", "e1"]]


def test_changes_of_cards_are_taken_in_and_a_new_beginning_forgets_the_rest() -> None:
    told = said(f"""
        import {{ Cards }} from "JS/now/store.js"; {CARD}
        const cards = new Cards();
        const keys = () => [...cards.byKey.keys()];
        cards.apply({{all: true, cards: [card("e1"), card("e2")], gone: [], totals: {{running: 2}}}});
        cards.apply({{all: false, cards: [card("e3", {{game: "comma"}})], gone: ["e1"], totals: {{running: 2}}}});
        const first = keys();
        const names = cards.names();
        cards.apply({{all: true, cards: [card("e4")], gone: [], totals: {{running: 1}}}});
        console.log(JSON.stringify({{first, names, then: keys(), running: cards.totals.running}}));""")
    assert told["first"] == ["e2", "e3"]
    assert told["names"] == {"games": ["comma", "maze"], "agents": ["x", "y"]}
    assert (told["then"], told["running"]) == (["e4"], 1)


STORY = """
    import { Story } from "JS/episode/story.js";
    const said = (n, kind, seat, agent, more = {}) => ({n, kind, seat, voice: seat, agent, parts: [], prompts: [],
      usage: {input_tokens: 10, output_tokens: 5}, latency: 1, cost: 0.5, copied_from: null, ...more});
    const filled = (seat, agent) => ({seat, fillers: [{agent, from_turn: 0}]});
    const data = (steps, first = "x") => ({steps, seats: [filled("a", first), filled("b", "y")], waiting: [],
      ended: null});
    const shape = (story) => story.entries.map((each) => `${each.kind} ${each.seat} ${each.turn}`);
"""


def test_a_story_counts_turns_and_tells_handoffs_and_private_talk() -> None:
    told = said(f"""{STORY}
        const begun = [said(1, "turn", "a", "x"), said(2, "aside", "b", "y"), said(3, "aside", "b", "z")];
        const story = new Story(data(begun));
        story.add(said(4, "turn", "b", "y"));
        const again = story.add(said(4, "turn", "b", "y")).length;
        story.add(said(5, "turn", "a", "w", {{copied_from: "r/e", cost: null}}));
        story.add(said(6, "changed", "b", "human"));
        story.add(said(7, "turn", "b", "human", {{cost: null}}));
        const now = story.seats.map((seat) => story.agentOf(seat));
        console.log(JSON.stringify({{shape: shape(story), again, sums: story.sums(), now}}));""")
    assert told["shape"] == [
        "turn a 1",
        "private b 2",
        "turn b 2",
        "handoff a 2",
        "turn a 3",
        "changed b 3",
        "turn b 4",
    ]
    assert told["again"] == 0
    assert (told["sums"]["input"], told["sums"]["asides"]) == (50, 2), "a frozen turn was paid for elsewhere"
    assert told["sums"]["priced"] is False
    assert told["now"] == ["w", "human"]


def test_a_seat_of_a_team_is_named_by_the_team() -> None:
    told = said(f"""{STORY}
        const story = new Story(data([said(1, "turn", "a", "lead")], "team(lead=lead,members=m)"));
        console.log(JSON.stringify(story.agentOf("a")));""")
    assert told == "team(lead=lead,members=m)"


def test_drawings_of_signs_are_told_from_prose() -> None:
    told = said("""
        globalThis.document = {};
        const { isGrid, heard } = await import("JS/episode/parts.js");
        const drawn = ["# . .\\n. ? #\\n@ . *", "abcd efgh\\nijkl mnop\\nqrst uvwx", "one line"].map(isGrid);
        console.log(JSON.stringify([...drawn,
          heard(null, ["a", "b"], "a"), heard(["a", "b"], ["a", "b"], "a"), heard([], ["a"], "a")]));""")
    assert told == [True, False, False, "to all", "to b", "to the game"]


def test_a_scale_of_shares_ends_at_one_whatever_intervals_say() -> None:
    told = said("""
        const { scaleOf } = await import("JS/results/plots.js");
        const estimates = [[0.9, 0.6, 1.3], [12, 8, 16], [-2, -3, 1]];
        const scales = estimates.map(([mean, ci_low, ci_high]) => scaleOf([{mean, ci_low, ci_high}]));
        const shape = ({low, high, at}) => [low, high, at(-99) === at(low), at(99) === at(high)];
        console.log(JSON.stringify(scales.map(shape)));""")
    assert told == [[0, 1, True, True], [0, 16, True, True], [-3, 1, True, True]]
