"""How a spot on the skin is talked about, by scripts and by people."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma.privacy import leaks
from palaver_gamemasters.comma.puzzles.telehealth.hearing import Told, hear
from palaver_gamemasters.comma.puzzles.telehealth.puzzle import TelehealthState
from palaver_gamemasters.comma.puzzles.telehealth.talk import DESCRIBE
from palaver_gamemasters.comma.talk import Heard, Line
from palaver_gamemasters.dice import Dice
from tests.gamemasters.comma.conversing import Talked, advice, converse, sight
from tests.gamemasters.comma.telehealth_cases import PUZZLE, RULES, drawn, played, setup, started

TALK = PUZZLE.talk


def obeyed(state: TelehealthState, words: str, *before: Line) -> list[str]:
    """Return the actions that a solver takes from an expert's words."""
    return list(TALK.obey(sight(PUZZLE, state, *before, Line("solver", "What is it?"), Line("expert", words))))


def talked(state: TelehealthState, *, memory: bool = True) -> Talked:
    """Let the scripts talk, and look for leaks."""
    found = converse(PUZZLE, state, memory=memory)
    assert not any(leaks(said, PUZZLE.secrets(state), PUZZLE.actions(state)) for said in found.said)
    return found


# ---- the two scripts


def test_scripts_solve_every_spot_in_three_turns_without_a_mistake_or_a_leak() -> None:
    for seed in range(200):
        state = PUZZLE.start(PUZZLE.generate(RULES, Dice("talk", seed), None), RULES)
        found = talked(state)
        assert (found.solved, found.mistakes, found.turns) == (True, 0, 3)


def test_scripts_without_memory_solve_it_too() -> None:
    for seed in range(60):
        found = talked(drawn(seed), memory=False)
        assert (found.solved, found.mistakes) == (True, 0)
        assert found.turns <= 4


def test_no_line_of_a_description_is_an_action() -> None:
    for seed in range(100):
        for state in (drawn(seed), played(drawn(seed), f"diagnose_{drawn(seed).diagnosis.lower()}")[0]):
            said = TALK.describe(sight(PUZZLE, state))
            assert not set(said.splitlines()) & set(PUZZLE.actions(state))


def test_a_description_tells_every_sign_just_as_it_is() -> None:
    for seed in range(200):
        state = drawn(seed)
        told = hear([TALK.describe(sight(PUZZLE, state))])
        assert state.lesion is not None
        for sign, value in state.lesion.model_dump(exclude={"number"}).items():
            assert told.signs[sign] == frozenset({value})
        assert told.facts == state.findings.facts
        assert told.signs["site"] == frozenset({state.findings.site})


def test_after_a_mistake_the_solver_says_so_and_describes_again() -> None:
    lines = (
        Line("solver", "diagnose_bcc"),
        Line("environment", "That action seems to have been a mistake"),
        Line("expert", "Hm. Tell me more."),
    )

    said = TALK.solve(sight(PUZZLE, started(setup()), *lines))
    assert said.startswith("That was a mistake. I have a spot on my skin, on the back.")


def test_a_solver_that_takes_over_says_that_the_diagnosis_was_right() -> None:
    state, _ = played(started(setup("SCC", diameter=3)), "diagnose_scc")

    said = TALK.describe(sight(PUZZLE, state))
    assert said.startswith("The diagnosis SCC is right.")
    assert advice(PUZZLE, said) == "Treat it with cryotherapy."


# ---- a person describes


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("asymmetric, ragged border, several colours, 8 mm", "MEL"),
        (
            "A flat patch on my back, about 9 mm. It's not symmetrical. The edge is irregular. Brown, black and blue.",
            "MEL",
        ),
        ("It has an uneven outline, many different colors, and it is lopsided. 1.2 cm, changing.", "MEL"),
        ("MY MOLE IS ASYMMETRICAL WITH SCALLOPED EDGES AND MULTIPLE SHADES. SIZE 7 x 5 MM", "MEL"),
        ("A small shiny bump, pink, you can see tiny blood vessels on it. Round. 4 mm.", "BCC"),
        (
            "It\N{RIGHT SINGLE QUOTATION MARK}s raised, glossy, dark brown, oval, with sharp borders, and red lines.",
            "BCC",
        ),
        ("Shape: round. Border: smooth. Colour: pink. Surface: shiny. Marks: vessels. Itch: no. Bleeding: yes.", "BCC"),
        ("A red firm bump with a yellowish crust on top, it keeps changing, round, no vessels, 10 mm", "SCC"),
        ("crusted nodule, reddish, oval, six millimetres, no hairs or specks", "SCC"),
        ("rough dry scaly patch on my forehead, pinkish brown, flat, fuzzy edges", "ACK"),
        ("It's a flat, flaky red area on the back of my hand. It fades into the skin. About 2 cm.", "ACK"),
        ("a waxy brown growth that looks stuck on, round, with dark specks, on my back, 15 mm", "SEK"),
        ("Oval, light brown, slightly raised, smooth border, it looks like wax, with lots of little black dots", "SEK"),
        ("small round mole, dark brown, smooth surface, smooth border, flat, 3 mm, hasn't changed in years", "NEV"),
        ("Tan, oval, slightly raised, a couple of hairs grow from it. Four mm. It doesn't itch or bleed.", "NEV"),
    ],
)
def test_a_person_is_understood(said: str, code: str) -> None:
    assert advice(PUZZLE, said).startswith(f"Diagnose it as {code} (")


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("It does not itch or bleed, and it is irritated.", {"itches": False, "bleeds": False, "irritated": True}),
        ("no itching, but it bleeds now and then", {"itches": False, "bleeds": True}),
        ("It neither hurts nor itches. It bled yesterday.", {"hurts": False, "itches": False, "bleeds": True}),
        ("Itches: yes; bleeds: no; irritated: no", {"itches": True, "bleeds": False, "irritated": False}),
        ("It isn't irritated. No pain, no bleeding", {"irritated": False, "hurts": False, "bleeds": False}),
        ("My skin is irritated", {"irritated": True}),
        ("It's got bigger", {"grown": True, "changed": True}),
        ("unchanged for ten years", {"changed": False}),
        ("It was 4 mm, now it is 7.5 mm", {"diameter": 7.5}),
        ("1,5 cm by 2 cm", {"diameter": 20.0}),
        ("The diameter is about 6", {"diameter": 6.0}),
        ("It is 900000 mm wide", {}),
    ],
)
def test_facts_are_heard_with_what_is_denied(said: str, facts: dict[str, float | bool]) -> None:
    assert hear([said]).facts == facts


@pytest.mark.parametrize(
    ("said", "sign", "values"),
    [
        ("my skin is dark brown and the spot is black", "colour", {"black"}),
        ("my skin is irritated round the black spot", "colour", {"black"}),
        ("on light brown skin there's a pink dot", "colour", {"pink"}),
        ("it's red and pink", "colour", {"red", "pink"}),
        ("brown, red, black", "colour", {"several colours"}),
        ("it's brown", "colour", {"pink-brown", "light brown", "dark brown"}),
        ("symmetrical", "shape", {"round", "oval"}),
        ("not scaly but waxy", "surface", {"waxy"}),
        ("a smooth border", "border", {"smooth"}),
        ("it is not raised", "elevation", {"flat"}),
        ("no vessels, specks or hairs", "marks", {"none"}),
        ("no special marks", "marks", {"none"}),
        ("on the back of my neck", "site", {"neck"}),
        ("on my left cheek", "site", {"face"}),
    ],
)
def test_a_sign_is_heard_in_other_words(said: str, sign: str, values: set[str]) -> None:
    assert hear([said]).signs[sign] == frozenset(values)


def test_a_smooth_border_says_nothing_of_the_surface() -> None:
    assert "surface" not in hear(["The border is smooth."]).signs


def test_what_is_said_later_counts() -> None:
    told = hear(["It is pink, flat and 4 mm across.", "Sorry, it is red, and 6 mm across."])

    assert told.signs["colour"] == frozenset({"red"})
    assert told.signs["elevation"] == frozenset({"flat"})
    assert told.facts["diameter"] == 6


def test_an_expert_that_knows_too_little_asks_with_an_example_and_not_for_private_data() -> None:
    assert advice(PUZZLE, "Hello, I am worried.") == DESCRIBE
    assert hear([DESCRIBE]).signs.keys() >= {"shape", "border", "colour", "surface", "size"}
    assert "no name, address or number" in DESCRIBE


def test_an_expert_asks_for_the_sign_that_decides() -> None:
    said = "It is round, smooth, 8 mm wide, its border is smooth, and it is raised."

    assert advice(PUZZLE, said).startswith("Which colour is it, or does it have several colours? It could still be ")
    assert advice(PUZZLE, said, "It is pink, with vessels.").startswith("Diagnose it as BCC")


def test_an_expert_asks_for_what_the_treatment_depends_on() -> None:
    assert advice(PUZZLE, "waxy, brown, stuck on, with specks", "diagnose_sek") == (
        "Is it irritated? Does it bleed? For example: 'it is not irritated and it does not bleed'."
    )
    assert advice(PUZZLE, "crusted red nodule", "diagnose_scc").startswith("How many mm is it across? For example:")


def test_a_plain_no_answers_the_question() -> None:
    lines = (
        Line("solver", "diagnose_sek"),
        Line("expert", advice(PUZZLE, "diagnose_sek")),
        Line("solver", "No, neither."),
    )

    assert TALK.advise(RULES, Heard(lines)) == "It needs no treatment."


def test_after_a_wrong_diagnosis_the_expert_names_the_next_best() -> None:
    said = "It is pink, raised, shiny, with a crust, round, 8 mm."
    first = advice(PUZZLE, said)
    second = advice(PUZZLE, said, "diagnose_bcc", "That was a mistake. What is the diagnosis?")

    assert "BCC" in first
    assert "SCC" in second


def test_after_a_wrong_treatment_the_expert_asks_again() -> None:
    said = ("It is 5 mm across.", "diagnose_bcc", "treat_with_surgery", "That was a mistake.")

    assert advice(PUZZLE, *said).startswith("How many mm is it across?")


def test_a_guess_of_the_solver_is_no_confirmed_diagnosis() -> None:
    assert hear(["Could it be a melanoma? Am I right?"]) == Told()
    assert hear(["The diagnosis of melanoma was correct."]).diagnosis == "MEL"


# ---- a person advises


@pytest.mark.parametrize(
    ("words", "actions"),
    [
        ("It sounds like a melanoma.", ["diagnose_mel"]),
        ("PLEASE DIAGNOSE BCC", ["diagnose_bcc"]),
        ("diagnose_sek", ["diagnose_sek"]),
        ("This is not BCC but SCC, I'm sure", ["diagnose_scc"]),
        ("That would be actinic keratosis. Use cryotherapy afterwards.", ["diagnose_ack", "treat_with_cryotherapy"]),
        ("I'd say it's a seborrhoeic keratosis, leave it alone", ["diagnose_sek", "no_treatment"]),
        ("It\N{RIGHT SINGLE QUOTATION MARK}s just a mole, a naevus.", ["diagnose_nev"]),
        ("Is it a nevus? Tell me more.", []),
        ("If it is shiny, it's BCC, otherwise SCC.", []),
        ("Could be BCC or SEK.", []),
        ("Treat it with surgery.", []),
        ("What is your name?", []),
    ],
)
def test_a_persons_diagnosis_is_obeyed_where_it_is_one(words: str, actions: list[str]) -> None:
    assert obeyed(started(setup()), words) == actions


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("Surgery it is.", "treat_with_surgery"),
        ("You need an operation", "treat_with_surgery"),
        ("Please have it frozen off", "treat_with_cryotherapy"),
        ("No surgery needed, use cryotherapy", "treat_with_cryotherapy"),
        ("treat_with_cryotherapy", "treat_with_cryotherapy"),
        ("You don't need treatment.", "no_treatment"),
        ("Nothing to be done", "no_treatment"),
        ("If it is 5 mm or more surgery, otherwise cryotherapy", None),
        ("Does it bleed?", None),
        ("It is BCC", None),
    ],
)
def test_a_persons_treatment_is_obeyed_where_it_is_one(words: str, action: str | None) -> None:
    state, _ = played(started(setup()), "diagnose_mel")

    assert obeyed(state, words) == ([action] if action else [])


def test_nothing_is_tried_twice_in_vain() -> None:
    state = started(setup())
    assert obeyed(state, "BCC!", Line("solver", "diagnose_bcc")) == []

    state, _ = played(state, "diagnose_mel")
    before = (Line("solver", "treat_with_surgery\ndiagnose_mel"), Line("solver", "no_treatment"))
    assert obeyed(state, "No treatment.", *before) == []
    assert obeyed(state, "Surgery.", *before) == ["treat_with_surgery"]


# ---- whatever a partner says

FRAGMENTS = st.sampled_from(
    [
        "It is 4 mm", "across", "not", "no", "smooth border", "surface", "diagnose_bcc", "\n", "no_treatment", "MEL",
        "That was a mistake.", "The diagnosis SEK is right.", "surgery", "if", "?", ".", ",", "or", "bleeds", "1e9 mm",
        "\N{LATIN SMALL LETTER LONG S}ix mm", "several colours", "brown", "DIAGNOSE_XXX", "for example", "unless",
        "\N{ARABIC-INDIC DIGIT THREE} mm", "cryotherapy", "vessels", "Treat it with", "Is it irritated?", "9" * 400,
    ]
)  # fmt: skip
WORDS = st.one_of(st.text(max_size=200), st.lists(FRAGMENTS, max_size=25).map(" ".join))


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(["solver", "expert", "environment"]), WORDS), max_size=6), st.booleans())
def test_nothing_that_is_said_breaks_a_script(said: list[tuple[str, str]], diagnosed: bool) -> None:
    lines = tuple(Line(*each) for each in said)
    state, _ = played(started(setup()), *["diagnose_mel"] * diagnosed)

    assert TALK.advise(RULES, Heard(lines))
    assert TALK.solve(sight(PUZZLE, state, *lines))
