"""Photographs out of a folder that is laid out as PAD-UFES-20 is."""

import base64
import csv
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from palaver_gamemasters.comma.privacy import leaks
from palaver_gamemasters.comma.puzzles.telehealth.setup import TelehealthSetup
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.telehealth_cases import FINDINGS, PATIENT, PUZZLE, RULES

COLUMNS = [
    *("patient_id", "lesion_id", "smoke", "drink", "background_father", "background_mother", "age", "pesticide"),
    *("gender", "skin_cancer_history", "cancer_history", "has_piped_water", "has_sewage_system", "fitspatrick"),
    *("region", "diameter_1", "diameter_2", "diagnostic", "itch", "grew", "hurt", "changed", "bleed", "elevation"),
    *("img_id", "biopsed"),
]
KNOWN = {
    "age": "55", "gender": "FEMALE", "fitspatrick": "3.0", "region": "NECK", "diameter_1": "6.0", "diameter_2": "5.0",
    "itch": "True", "grew": "UNK", "hurt": "False", "changed": "False", "bleed": "True", "elevation": "True",
}  # fmt: skip
UNKNOWN: dict[str, Any] = dict.fromkeys(KNOWN, "")
COLOURS = {"BCC": "red", "SCC": "green", "MEL": "blue", "ACK": "yellow", "SEK": "cyan", "NEV": "magenta"}
Rows = list[dict[str, str]]


def row(diagnosis: str, number: int = 1, **fields: Any) -> dict[str, str]:
    return {**KNOWN, "diagnostic": diagnosis, "img_id": f"PAT_{number}_{diagnosis}.png", **fields}


def data_set(folder: Path, rows: Rows, *, columns: list[str] = COLUMNS, pictures: str = "imgs_part_1") -> Path:
    """Lay a small data set out: plain pictures of a colour for each diagnosis."""
    (folder / pictures).mkdir(parents=True)
    with (folder / "metadata.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(rows)
    for each in rows:
        Image.new("RGBA", (640, 480), COLOURS.get(each["diagnostic"], "gray")).save(folder / pictures / each["img_id"])
    return folder


def taken(folder: Path, seed: int = 0) -> TelehealthSetup:
    return PUZZLE.generate(RULES, Dice("photos", seed), folder)


def embedded(setup: TelehealthSetup) -> Image.Image:
    assert setup.photo is not None
    picture = Image.open(BytesIO(base64.b64decode(setup.photo.jpeg)))
    picture.load()
    return picture


@pytest.mark.parametrize("pictures", ["images", "imgs_part_3", "zr7vgbcyr2-1/images/imgs_part_2"])
def test_a_photograph_comes_with_what_is_known_of_it(tmp_path: Path, pictures: str) -> None:
    setup = taken(data_set(tmp_path, [row("BCC")], pictures=pictures))

    assert setup.photo is not None
    assert setup.photo.diagnosis == "BCC"
    assert setup.lesion is None
    assert setup.findings.model_dump() == {
        "site": "neck", "diameter": 6.0, "itches": True, "bleeds": True, "irritated": False, "hurts": False,
        "grown": None, "changed": False, "raised": True,
    }  # fmt: skip
    assert (setup.patient.age, setup.patient.sex, setup.patient.skin_type) == (55, "female", 3)


def test_a_photograph_is_embedded_small(tmp_path: Path) -> None:
    picture = embedded(taken(data_set(tmp_path, [row("BCC")])))

    assert (picture.format, picture.size) == ("JPEG", (384, 288))
    assert picture.convert("RGB").getpixel((100, 100)) == pytest.approx((255, 0, 0), abs=4)


def test_private_fields_are_invented(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("BCC")])

    names = {(setup.patient.first_name, setup.patient.last_name) for setup in (taken(folder, n) for n in range(20))}
    assert len(names) > 10


def test_diagnoses_are_equally_likely_however_many_pictures_there_are(tmp_path: Path) -> None:
    rows = [row("ACK", number) for number in range(1, 20)] + [row("MEL"), row("NEV")]
    folder = data_set(tmp_path, rows)

    found = Counter(setup.photo.diagnosis for seed in range(120) if (setup := taken(folder, seed)).photo)
    assert set(found) == {"ACK", "MEL", "NEV"}
    assert min(found.values()) > 25


def test_the_same_seed_takes_the_same_photograph_in_whatever_order_the_table_is(tmp_path: Path) -> None:
    rows = [row(code, number) for code in COLOURS for number in range(3)]
    one, other = data_set(tmp_path / "one", rows), data_set(tmp_path / "other", rows[::-1])

    for seed in range(10):
        assert taken(one, seed) == taken(other, seed)


def test_rows_that_lack_what_their_treatment_needs_are_left_out(tmp_path: Path) -> None:
    rows = [
        row("BCC", 1, diameter_1="", diameter_2=""),
        row("SEK", 1, bleed="UNK", hurt=""),
        row("MEL", 1, **UNKNOWN),
    ]
    folder = data_set(tmp_path, rows)

    made = [taken(folder, seed) for seed in range(10)]
    assert {setup.photo and setup.photo.diagnosis for setup in made} == {"MEL"}
    assert made[0].findings.model_dump(exclude_none=True) == {}
    assert made[0].patient.model_dump(include={"age", "sex", "skin_type"}) == dict.fromkeys(("age", "sex", "skin_type"))


@pytest.mark.parametrize(
    ("fields", "treatment"),
    [
        ({"hurt": "True", "bleed": "UNK"}, "cryotherapy"),
        ({"hurt": "False", "bleed": "True"}, "cryotherapy"),
        ({"hurt": "False", "bleed": "False"}, "no treatment"),
    ],
)
def test_a_growth_that_hurts_is_irritated(tmp_path: Path, fields: dict[str, str], treatment: str) -> None:
    setup = taken(data_set(tmp_path, [row("SEK", 1, **fields)]))

    assert PUZZLE.start(setup, RULES).treatment == treatment


def test_odd_values_are_unknown(tmp_path: Path) -> None:
    odd = {"age": "n/a", "fitspatrick": "9", "region": "TAIL", "gender": "?", "diameter_2": "nan"}
    setup = taken(data_set(tmp_path, [row("MEL", 1, **odd)]))

    assert (setup.patient.age, setup.patient.sex, setup.patient.skin_type) == (None, None, None)
    assert (setup.findings.site, setup.findings.diameter) == ("elsewhere", 6.0)


# ---- played


def test_a_photograph_is_shown_and_its_diagnosis_is_not(tmp_path: Path) -> None:
    state = PUZZLE.start(taken(data_set(tmp_path, [row("NEV")])), RULES)
    scene = PUZZLE.scene(state)
    shown, text = PUZZLE.draw(scene), PUZZLE.write(scene)

    assert shown.size == (768, 1024)
    assert shown.convert("RGB").getpixel((384, 380)) == pytest.approx((255, 0, 255), abs=4)
    assert "NEV" not in text
    assert text.endswith("The photograph of the spot is to be seen in the picture alone.")
    assert png(PUZZLE.draw(scene)) == png(shown)


def test_the_text_of_a_photograph_holds_all_else(tmp_path: Path) -> None:
    state = PUZZLE.start(taken(data_set(tmp_path, [row("NEV")])), RULES)
    scene = PUZZLE.scene(state)

    assert PUZZLE.read(PUZZLE.write(scene)) == type(scene)(scene.patient, scene.findings, None)


def test_other_photographs_are_other_scenes(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row(code, **UNKNOWN) for code in ("MEL", "ACK", "NEV")])
    scenes = {PUZZLE.scene(PUZZLE.start(taken(folder, seed), RULES)) for seed in range(12)}

    assert len({scene.photo for scene in scenes}) == 3


def test_a_setup_with_a_photograph_survives_json(tmp_path: Path) -> None:
    setup = taken(data_set(tmp_path, [row("BCC")]))

    assert PUZZLE.configure(setup.model_dump(mode="json")) == setup


def test_a_script_tells_what_it_can_and_says_what_it_cannot(tmp_path: Path) -> None:
    state = PUZZLE.start(taken(data_set(tmp_path, [row("SEK")])), RULES)
    scene = PUZZLE.read(PUZZLE.write(PUZZLE.scene(state)))
    said = PUZZLE.talk.solve(Sight(scene, "", PUZZLE.actions(state), Heard(())))

    assert "I cannot put the photograph into words." in said
    assert "It is raised." in said
    assert leaks(said, PUZZLE.secrets(state), PUZZLE.actions(state)) == ()
    assert PUZZLE.talk.advise(RULES, Heard((Line("solver", said),)))


# ---- what is no data set


def problem(make: Callable[[], Any]) -> str:
    with pytest.raises(InstanceError) as error:
        make()
    assert "\n" not in error.value.message
    return error.value.message


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert problem(lambda: taken(tmp_path / "none")) == f"there is no folder {tmp_path / 'none'}"


def test_a_folder_without_a_table_is_named(tmp_path: Path) -> None:
    assert problem(lambda: taken(tmp_path)) == f"{tmp_path} has no metadata.csv"


def test_missing_columns_are_named(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("BCC")], columns=[name for name in COLUMNS if name not in ("bleed", "region")])

    assert problem(lambda: taken(folder)) == f"{folder / 'metadata.csv'} has no column region, bleed"


def test_a_missing_picture_is_named_with_its_line(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("BCC"), row("MEL")])
    (folder / "imgs_part_1" / "PAT_1_MEL.png").unlink()

    expected = f"{folder / 'metadata.csv'}, line 3: the picture 'PAT_1_MEL.png' is missing"
    assert problem(lambda: taken(folder)) == expected


def test_an_unknown_diagnosis_is_named_with_its_line(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("FLU")])

    assert "line 2: diagnostic 'FLU' is none of BCC, SCC, MEL, ACK, SEK, NEV" in problem(lambda: taken(folder))


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("BCC")])
    file = folder / "imgs_part_1" / "PAT_1_BCC.png"
    file.write_bytes(b"no picture")

    assert problem(lambda: taken(folder)) == f"{file} cannot be read as a picture"


def test_a_table_without_a_usable_row_is_named(tmp_path: Path) -> None:
    folder = data_set(tmp_path, [row("BCC", 1, **UNKNOWN)])

    assert problem(lambda: taken(folder)).endswith("no row has all that its treatment depends on")


def test_a_table_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_bytes(b"\xff\xfe\x00")

    assert problem(lambda: taken(tmp_path)).startswith(f"{tmp_path / 'metadata.csv'} cannot be read: ")


@pytest.mark.parametrize("jpeg", ["", "no base64!", base64.b64encode(b"no picture").decode()])
def test_a_setup_whose_photograph_is_none_is_told(jpeg: str) -> None:
    data: dict[str, Any] = {"patient": PATIENT, "findings": FINDINGS, "photo": {"jpeg": jpeg, "diagnosis": "BCC"}}

    assert problem(lambda: PUZZLE.start(PUZZLE.configure(data), RULES)) == (
        "comma telehealth instance: photo.jpeg is no JPEG picture in base64"
    )
