"""Photographs out of a local copy of PAD-UFES-20 (Pacheco et al., 2020), the data that COMMA's own pictures are from.

The data set is a folder with ``metadata.csv`` and pictures in subfolders. A picture is embedded in the initialisation,
smaller, so that the log of an episode holds all that was played. Names and numbers are invented here: the data set
holds none.
"""

import base64
import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .generation import patient
from .manual import TelehealthRules
from .setup import Findings, Photo, TelehealthSetup
from .signs import DIAGNOSES, SITES

__all__ = ["COLUMNS", "LONGEST", "photographed"]

COLUMNS = (
    "img_id", "diagnostic", "age", "gender", "fitspatrick", "region", "diameter_1", "diameter_2",
    "itch", "grew", "hurt", "changed", "bleed", "elevation",
)  # fmt: skip
"""The columns that are read; those of a patient's background are not."""
LONGEST = 384
"""Pixels of an embedded picture's longer side."""
ENDINGS = (".png", ".jpg", ".jpeg")
KNOWN = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
OLDEST, LIGHTEST, DARKEST = 120, 1, 6


@dataclass(frozen=True, slots=True)
class Row:
    """A photographed lesion. ``file`` is where its picture lies; what the data set does not know is None."""

    file: Path
    diagnosis: str
    findings: Findings
    age: int | None
    sex: str | None
    skin_type: int | None


def photographed(rules: TelehealthRules, dice: Dice, folder: Path) -> TelehealthSetup:
    """Take a photograph: each diagnosis as likely as the others, and each of its pictures.

    Rows that lack what their treatment depends on, such as the diameter, are left out.

    Raises:
        InstanceError: the folder is not this data set, or a picture is missing or cannot be read; names it.
    """
    sorts: dict[str, list[Row]] = {}
    for row in _rows(folder):
        if rules.treatments[row.diagnosis].choose(row.findings.facts) is not None:
            sorts.setdefault(row.diagnosis, []).append(row)
    if not sorts:
        raise InstanceError(f"{folder / 'metadata.csv'}: no row has all that its treatment depends on")
    row = dice.pick(sorts[dice.pick([code for code in DIAGNOSES if code in sorts])])
    whose = patient(dice, age=row.age, sex=row.sex, skin_type=row.skin_type, known=False)
    photo = Photo.model_validate({"jpeg": _embedded(row.file), "diagnosis": row.diagnosis})
    return TelehealthSetup(patient=whose, findings=row.findings, photo=photo)


@lru_cache(maxsize=4)
def _rows(folder: Path) -> tuple[Row, ...]:
    """Read the data set, sorted by picture."""
    if not folder.is_dir():
        raise InstanceError(
            f"there is no folder {folder}", mend="name a local PAD-UFES-20 folder with --set images=DIR"
        )
    table = folder / "metadata.csv"
    try:
        with table.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns, records = tuple(reader.fieldnames or ()), list(reader)
    except FileNotFoundError as error:
        raise InstanceError(
            f"{folder} has no metadata.csv", mend="name the folder that holds metadata.csv and the pictures' folders"
        ) from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InstanceError(f"{table} cannot be read: {error}") from error
    if missing := [column for column in COLUMNS if column not in columns]:
        raise InstanceError(f"{table} has no column {', '.join(missing)}")
    pictures = {path.name: path for path in sorted(folder.rglob("*")) if path.suffix.lower() in ENDINGS}
    rows = [
        _row(table, line, {name: value or "" for name, value in record.items() if isinstance(name, str)}, pictures)
        for line, record in enumerate(records, 2)
    ]
    return tuple(sorted(rows, key=lambda row: row.file.name))


def _row(table: Path, line: int, record: Mapping[str, str], pictures: Mapping[str, Path]) -> Row:
    diagnosis = record["diagnostic"].strip().upper()
    if diagnosis not in DIAGNOSES:
        raise InstanceError(f"{table}, line {line}: diagnostic {diagnosis!r} is none of {', '.join(DIAGNOSES)}")
    file = pictures.get(record["img_id"].strip())
    if file is None:
        raise InstanceError(
            f"{table}, line {line}: the picture {record['img_id']!r} is missing",
            mend=f"put it into {table.parent} or any folder in it, such as images/",
        )
    sizes = [size for name in ("diameter_1", "diameter_2") if (size := _number(record[name])) and 0 < size <= 300]
    region = record["region"].strip().lower()
    hurts = _known(record["hurt"])
    findings = Findings.model_validate(
        {
            "site": (region if region in SITES else "elsewhere") if region else None,
            "diameter": max(sizes, default=None),
            "itches": _known(record["itch"]),
            "bleeds": _known(record["bleed"]),
            "irritated": hurts,  # ours: the data set does not say, and a growth that hurts is irritated
            "hurts": hurts,
            "grown": _known(record["grew"]),
            "changed": _known(record["changed"]),
            "raised": _known(record["elevation"]),
        }
    )
    sex = record["gender"].strip().lower()
    return Row(
        file,
        diagnosis,
        findings,
        age=_whole(record["age"], 0, OLDEST),
        sex=sex if sex in ("female", "male") else None,
        skin_type=_whole(record["fitspatrick"], LIGHTEST, DARKEST),
    )


def _known(told: str) -> bool | None:
    """Read true or false; the data set says UNK, or nothing, where it does not know."""
    return KNOWN.get(told.strip().lower())


def _number(told: str) -> float | None:
    try:
        number = float(told)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _whole(told: str, least: int, most: int) -> int | None:
    number = _number(told)
    return int(number) if number is not None and least <= number <= most else None


@lru_cache(maxsize=64)
def _embedded(file: Path) -> str:
    """Return a picture as a small JPEG in base64."""
    try:
        with Image.open(file) as opened:
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InstanceError(f"{file} cannot be read as a picture") from error
    picture.thumbnail((LONGEST, LONGEST))
    data = BytesIO()
    picture.save(data, "JPEG", quality=85)
    return base64.b64encode(data.getvalue()).decode("ascii")
