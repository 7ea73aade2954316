"""The rules of the telehealth puzzle: what its manual says, and what follows from it."""

from collections import Counter
from itertools import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.privacy import leaks
from palaver_gamemasters.comma.puzzles.telehealth.setup import observed
from palaver_gamemasters.comma.puzzles.telehealth.signs import DIAGNOSES, SIGNS, SIZE, Span, apart, fits
from palaver_gamemasters.comma.puzzles.telehealth.treatment import read_treatment
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.telehealth_cases import (
    CALM,
    LOOKS,
    PUZZLE,
    RULES,
    TEXT,
    changed,
    drawn,
    played,
    setup,
    started,
)

NINE = (
    "diagnose_bcc", "diagnose_scc", "diagnose_mel", "diagnose_ack", "diagnose_sek", "diagnose_nev",
    "treat_with_surgery", "treat_with_cryotherapy", "no_treatment",
)  # fmt: skip


# ---- diagnoses


@pytest.mark.parametrize("code", LOOKS)
def test_a_typical_spot_has_its_diagnosis(code: str) -> None:
    assert started(setup(code, **(CALM if code == "NEV" else {}))).diagnosis == code


@pytest.mark.parametrize(
    ("code", "looks", "findings"),
    [
        ("BCC", {"colour": "dark brown", "shape": "oval"}, {"site": "nose"}),
        ("SCC", {"border": "blurred", "colour": "pink"}, {"diameter": 3}),
        ("MEL", {"elevation": "slightly raised"}, {"bleeds": True, "itches": True}),
        ("ACK", {"shape": "asymmetric", "colour": "red"}, {"site": "hand", "changed": False}),
        ("SEK", {"colour": "black", "elevation": "raised"}, {"site": "face", "diameter": 2}),
        ("NEV", {"marks": "hairs", "colour": "black"}, {"diameter": 5, "changed": False, "grown": False}),
    ],
)
def test_a_spot_that_is_typical_in_another_way_has_its_diagnosis_too(
    code: str, looks: dict[str, Any], findings: dict[str, Any]
) -> None:
    assert started(setup(code, looks=looks, **findings)).diagnosis == code


@pytest.mark.parametrize("code", LOOKS)
def test_one_sign_that_does_not_fit_changes_no_diagnosis(code: str) -> None:
    wrong = {"border": "notched" if code != "MEL" else "smooth"}

    assert started(setup(code, looks=wrong, **(CALM if code == "NEV" else {}))).diagnosis == code


def test_most_signs_decide() -> None:
    seen = {"shape": frozenset({"asymmetric"}), "border": frozenset({"notched"}), "surface": frozenset({"waxy"})}

    assert RULES.scores(seen) == {"BCC": 0, "SCC": 0, "MEL": 2, "ACK": 1, "SEK": 1, "NEV": 0}
    assert RULES.best(seen) == ("MEL",)


@pytest.mark.parametrize(
    ("cell", "value", "expected"),
    [
        (Span(least=6), 6.0, True),
        (Span(least=6), 5.9, False),
        (Span(below=6), 6.0, False),
        (Span(below=6), 5.9, True),
        (frozenset({"flat"}), frozenset({"flat", "raised"}), True),
        (frozenset({"flat"}), frozenset({"raised"}), False),
    ],
)
def test_a_sign_fits_what_the_manual_calls_typical(cell: Any, value: Any, expected: bool) -> None:
    assert fits(cell, value) is expected


def test_spans_that_only_touch_are_apart() -> None:
    assert apart(Span(below=6), Span(least=6))
    assert not apart(Span(below=7), Span(least=6))


# ---- treatments


@pytest.mark.parametrize(
    ("code", "findings", "treatment"),
    [
        ("BCC", {"diameter": 5}, "surgery"),
        ("BCC", {"diameter": 4.9}, "cryotherapy"),
        ("SCC", {"diameter": 12}, "surgery"),
        ("SCC", {"diameter": 2}, "cryotherapy"),
        ("MEL", {"diameter": 6}, "surgery"),
        ("ACK", {"diameter": 20}, "cryotherapy"),
        ("SEK", {}, "no treatment"),
        ("SEK", {"bleeds": True}, "cryotherapy"),
        ("SEK", {"irritated": True}, "cryotherapy"),
        ("SEK", {"itches": True, "hurts": True}, "no treatment"),
        ("NEV", {"diameter": 3, "changed": False, "grown": False}, "no treatment"),
    ],
)
def test_the_manual_names_the_treatment(code: str, findings: dict[str, Any], treatment: str) -> None:
    state = started(setup(code, **findings))

    assert (state.diagnosis, state.treatment) == (code, treatment)


@pytest.mark.parametrize(
    ("rule", "facts", "expected"),
    [
        ("Surgery.", {}, "surgery"),
        ("no treatment", {}, "no treatment"),
        ("Surgery if it has grown or hurts, otherwise no treatment.", {"grown": False, "hurts": True}, "surgery"),
        ("Cryotherapy if the diameter is under 7.5 mm, else surgery.", {"diameter": 7.5}, "surgery"),
        ("No treatment unless it itches, then cryotherapy.", {"itches": True}, "cryotherapy"),
        ("No treatment unless it itches: then cryotherapy.", {}, None),
        ("Surgery if it bleeds or has changed, else cryotherapy.", {"changed": True}, "surgery"),
    ],
)
def test_a_treatment_is_a_sentence(rule: str, facts: dict[str, float | bool], expected: str | None) -> None:
    assert read_treatment(rule).choose(facts) == expected


# ---- actions


def test_the_nine_actions_are_always_the_same() -> None:
    state = started(setup())

    assert PUZZLE.actions(state) == NINE
    assert PUZZLE.actions(played(state, "diagnose_mel")[0]) == NINE


def test_diagnosis_and_treatment_solve_it() -> None:
    state, mistakes = played(started(setup()), "diagnose_mel", "treat_with_surgery")

    assert mistakes == [False, False]
    assert PUZZLE.solved(state)
    assert PUZZLE.progress(state) == 1


def test_before_the_diagnosis_all_else_is_a_mistake_and_changes_nothing() -> None:
    begin = started(setup())

    for action in NINE:
        state, (mistake,) = played(begin, action)
        assert mistake is (action != "diagnose_mel")
        assert (state == begin) is mistake


def test_after_the_diagnosis_all_but_the_right_treatment_is_a_mistake_and_nothing_is_lost() -> None:
    begin, _ = played(started(setup()), "diagnose_mel")

    assert PUZZLE.progress(begin) == 0.5
    for action in NINE:
        state, (mistake,) = played(begin, action)
        assert mistake is (action != "treat_with_surgery")
        assert PUZZLE.progress(state) == (0.5 if mistake else 1)


def test_a_repeated_mistake_is_made_in_an_equal_state() -> None:
    state, _ = played(started(setup()), "diagnose_bcc", "no_treatment")

    assert state == started(setup())
    assert hash(state) == hash(started(setup()))


def test_the_answer_names_both_actions() -> None:
    answer = PUZZLE.answer(started(setup("SEK")))

    assert "diagnose_sek" in answer
    assert "no_treatment" in answer


def test_the_solver_is_told_what_is_private_and_what_the_letters_mean() -> None:
    told = PUZZLE.briefing(started(setup()))

    assert "SSN" in told
    assert "SEK (seborrheic keratosis)" in told


# ---- private data


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("My name is Nerys Quenby.", "name"),
        ("I live at 17 Thistlewick Lane, Orrinford", "address"),
        ("912 34 5678", "SSN"),
        ("I was born on 14 March 1962.", "date of birth"),
        ("Call me: 555-0142", "phone"),
    ],
)
def test_each_private_field_can_leak(words: str, name: str) -> None:
    state = started(setup())

    assert leaks(words, PUZZLE.secrets(state), PUZZLE.actions(state)) == (name,)


def test_what_a_doctor_needs_to_know_leaks_nothing() -> None:
    state = started(setup())
    said = "I am 63, female. It is on my back, 8 mm across, asymmetric and notched; it has grown. diagnose_mel"

    assert leaks(said, PUZZLE.secrets(state), PUZZLE.actions(state)) == ()


def test_numbers_belong_to_nobody() -> None:
    for seed in range(300):
        patient = drawn(seed).patient
        assert patient.ssn[0] == "9"
        assert patient.phone.startswith("555-01")


# ---- generator


def test_every_generated_spot_fits_its_diagnosis_in_all_signs_and_no_other() -> None:
    for seed in range(300):
        state = drawn(seed)
        assert state.lesion is not None
        seen = observed(state.lesion, state.findings)
        scores = RULES.scores(seen)
        assert scores.pop(state.diagnosis) == len(seen) == 11
        assert max(scores.values()) <= 9


def test_diagnoses_and_their_treatments_are_about_equally_likely() -> None:
    found = Counter((state.diagnosis, state.treatment) for state in map(drawn, range(300)))
    codes = Counter(code for code, _ in found.elements())

    assert set(codes) == set(DIAGNOSES)
    assert min(codes.values()) > 30
    for code, treatments in {"BCC": 2, "SCC": 2, "MEL": 1, "ACK": 1, "SEK": 2, "NEV": 1}.items():
        counts = [count for (each, _), count in found.items() if each == code]
        assert len(counts) == treatments
        assert min(counts) > 10


def test_what_grows_has_changed_and_age_and_birth_agree() -> None:
    for seed in range(300):
        state = drawn(seed)
        assert not state.findings.grown or state.findings.changed
        assert state.patient.age == 2025 - state.patient.born.year


def test_the_same_seed_draws_the_same_patient() -> None:
    one, other = (PUZZLE.generate(RULES, Dice("a seed", 3), None) for _ in range(2))

    assert one == other
    assert one != PUZZLE.generate(RULES, Dice("a seed", 4), None)


def test_a_setup_survives_json() -> None:
    made = PUZZLE.generate(RULES, Dice("a seed", 3), None)

    assert PUZZLE.configure(made.model_dump(mode="json")) == made


def test_another_manual_changes_spots_and_treatments() -> None:
    rules = changed("| Surface | shiny |", "| Surface | waxy, scaly |")

    made = [PUZZLE.generate(rules, Dice(seed), None) for seed in range(60)]
    states = [PUZZLE.start(each, rules) for each in made]
    assert {state.lesion.surface for state in states if state.diagnosis == "BCC" and state.lesion} == {"waxy", "scaly"}

    milder = changed("Treatment: Surgery.", "Treatment: No treatment unless it bleeds: then surgery.")
    assert started(setup("MEL"), milder).treatment == "no treatment"


def test_a_random_solver_fares_as_in_the_study() -> None:
    """COMMA, table 2: SR 3 (1.7), PSR 16 (2.6), mistakes 2.96, length 2.27, each from 100 episodes."""
    dice, episodes = Dice("random telehealth"), 4000
    solved = progress = mistakes = length = 0.0
    for episode in range(episodes):
        state, best, wrong, ended = drawn(episode % 300), 0.0, 0, 10
        for turn in range(10):
            step = PUZZLE.act(state, dice.pick(NINE))
            state, wrong, best = step.state, wrong + step.mistake, max(best, PUZZLE.progress(step.state))
            if PUZZLE.solved(state) or wrong == 3:
                ended = turn
                break
        solved, progress = solved + PUZZLE.solved(state), progress + best
        mistakes, length = mistakes + wrong, length + ended

    assert 100 * solved / episodes == pytest.approx(3, abs=3 * (1.7**2 + 2.4**2) ** 0.5)
    assert 100 * progress / episodes == pytest.approx(16, abs=3 * (2.6**2 + 3.0**2) ** 0.5)
    assert mistakes / episodes == pytest.approx(2.96, abs=3 * (0.05**2 + 0.05**2) ** 0.5)
    assert length / episodes == pytest.approx(2.27, abs=3 * (0.05**2 + 0.05**2) ** 0.5)


# ---- what the solver sees, in words


@given(st.integers(0, 200), st.lists(st.sampled_from(NINE), max_size=6))
def test_the_text_holds_all_that_is_to_be_seen(seed: int, actions: list[str]) -> None:
    state, _ = played(drawn(seed), *actions)
    scene = PUZZLE.scene(state)

    assert PUZZLE.read(PUZZLE.write(scene)) == scene


@pytest.mark.parametrize("steps", [(), ("diagnose_mel",), ("diagnose_mel", "treat_with_surgery")])
def test_the_text_says_which_step_it_is(steps: tuple[str, ...]) -> None:
    text = PUZZLE.write(PUZZLE.scene(played(started(setup(diameter=8.25)), *steps)[0]))

    says = ("Step 1 of 2: diagnosis.", "Step 2 of 2: treatment. The diagnosis MEL is right.", "Done: MEL, surgery.")
    assert text.splitlines()[0] == says[len(steps)]
    assert "- Diameter: 8.25 mm" in text


def test_what_is_unknown_is_left_out() -> None:
    scene = PUZZLE.scene(started(setup(bleeds=None, site=None)))

    assert "Bleeds" not in PUZZLE.write(scene)
    assert PUZZLE.read(PUZZLE.write(scene)) == scene


@pytest.mark.parametrize("text", ["", "Step 1 of 2: diagnosis.", "- Skin type: VII", "- Diameter: wide mm"])
def test_other_text_shows_no_patient(text: str) -> None:
    with pytest.raises(ValueError, match=r"no patient|not in tuple|could not convert"):
        PUZZLE.read(text)


# ---- what makes no puzzle


def line_of(start: str) -> int:
    """Return the line of the manual that begins so."""
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("old", "new", "where", "problem"),
    [
        ("Treatment: Surgery.", "Operate.", "## Melanoma", "section 'Melanoma (MEL)' has no line 'Treatment: ...'"),
        ("Treatment: Surgery.", "Treatment: Pray.", "Treatment: Surgery.", "'Pray.' is no treatment, such as 'Surgery"),
        ("is irritated or", "is ugly or", "Treatment: No treatment, un", "'it is ugly' is no condition: say 'the diam"),
        ("| Sign | BCC |", "| Sign | BBC |", "## Signs", "the table needs one column for BCC"),
        ("| Marks |", "| Smell |", "| Marks", "there is no sign 'Smell'; there are: shape, border,"),
        ("| Marks |", "| Shape |", "| Marks", "the sign 'Shape' has a row already"),
        ("| shiny |", "| shiny, blue |", "| Surface", "'blue' is no surface: say 'any', or some of shiny,"),
        ("| under 25 mm", "| 25", "| Size", "'25' is no size: say 'any', 'under 6 mm' or '6 mm or more'"),
        ("| Itch | any ", "| Itch ", "| Itch", "the row has 6 cells, the table's head 7"),
        ("\n| Itch | any | any | any | any | any | no |", "", "## Signs", "the table has no row for the sign 'itch'"),
    ],
)
def test_a_malformed_manual_is_told_where(old: str, new: str, where: str, problem: str) -> None:
    with pytest.raises(InstanceError) as error:
        changed(old, new)

    assert error.value.message.startswith(f"mine.md, line {line_of(where)}: {problem}")
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Melanoma (MEL)", "## Melanoma", "mine.md: there is no section 'Melanoma (MEL)'"),
        ("## Signs", "## Features", "mine.md: there is no section 'Signs'"),
    ],
)
def test_a_section_that_is_missing_is_named(old: str, new: str, problem: str) -> None:
    with pytest.raises(InstanceError) as error:
        changed(old, new)

    assert error.value.message.startswith(problem)


def test_two_diagnoses_that_no_sign_tells_apart_are_told() -> None:
    begin, _, _ = TEXT.partition("| Shape |")
    rows = [f"| {sign} | any | any | any | any | any | any |" for sign in (*SIGNS, SIZE)]

    with pytest.raises(InstanceError, match=rf"mine.md, line {line_of('## Signs')}: no sign tells BCC from SCC"):
        PUZZLE.read_manual(Manual("mine.md", begin + "\n".join(rows)))


def test_a_size_that_cannot_be_drawn_is_told() -> None:
    rules = changed("| 6 mm or more | under 25 mm | any | under 6 mm |", "| 600 mm or more | any | any | under 6 mm |")

    with pytest.raises(InstanceError, match="no diameter from 2 to 18 mm is typical of MEL"):
        list(map(PUZZLE.generate, repeat(rules), map(Dice, range(60)), repeat(None)))


@pytest.mark.parametrize(
    ("part", "field", "value", "problem"),
    [
        ("patient", "ssn", "123-45-6789", "patient.ssn"),
        ("patient", "phone", "555-9999", "patient.phone"),
        ("patient", "born", "yesterday", "patient.born"),
        ("patient", "skin_type", 7, "patient.skin_type"),
        ("patient", "first_name", "two\nlines", "patient.first_name"),
        ("findings", "site", "soul", "findings.site"),
        ("findings", "diameter", 0, "findings.diameter"),
        ("findings", "diameter", "wide", "findings.diameter"),
        ("lesion", "colour", "green", "lesion.colour"),
        ("lesion", "number", -1, "lesion.number"),
    ],
)
def test_a_wrong_field_is_named(part: str, field: str, value: Any, problem: str) -> None:
    data = setup()
    data[part] = data[part] | {field: value}

    with pytest.raises(InstanceError, match="comma telehealth instance") as error:
        PUZZLE.configure(data)

    assert problem in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"lesion": None}, "either a lesion or a photo"),
        ({"photo": {"jpeg": "", "diagnosis": "BCC"}}, "either a lesion or a photo"),
        ({"findings": {}}, "findings.diameter"),
    ],
)
def test_a_setup_shows_one_spot(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(InstanceError, match=problem):
        PUZZLE.configure(setup() | change)


def test_a_spot_between_two_diagnoses_is_none() -> None:
    data = setup("NEV", looks={"shape": "oval", "surface": "waxy"}, diameter=8, changed=None, grown=None)

    with pytest.raises(InstanceError, match="lesion and findings fit SEK and NEV equally well"):
        started(data)


def test_a_finding_that_the_treatment_needs_is_missed() -> None:
    with pytest.raises(InstanceError, match=r"findings\.irritated is missing, and the treatment of SEK depends on it"):
        started(setup("SEK", irritated=None))


def test_the_rules_can_be_told_from_the_manual_text_alone() -> None:
    assert rules_of(PUZZLE, TEXT) == RULES
