"""Links in a dataset: nothing outside of it is read, but for the cache of the hub."""

from pathlib import Path

import pytest

from palaver_gamemasters.puzzleworld.linked import is_within
from palaver_protocols.errors import InstanceError
from tests.gamemasters.puzzleworld.puzzle_folders import instances, make_puzzle, paint

COMMIT = "0123456789" * 4


@pytest.mark.parametrize("name", ["content.png", "content.txt", "figure.png", "metadata.json"])
def test_a_file_that_leads_out_of_the_dataset_is_refused(tmp_path: Path, name: str) -> None:
    folder = make_puzzle(tmp_path / "set" / "Going_Round")
    elsewhere = make_puzzle(tmp_path / "elsewhere")
    (elsewhere / "content.txt").write_text("root:x:0:0")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(elsewhere / name)
    with pytest.raises(InstanceError) as raised:
        instances(tmp_path / "set")
    said = f"{folder / name} is a link that leads out of {tmp_path / 'set'} (put a copy there, or leave it out: "
    assert said in str(raised.value)


def test_a_file_that_stays_in_the_dataset_is_read(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round", ())
    page = paint(tmp_path / "pages" / "rolls.png")
    (folder / "content.png").symlink_to(page)
    assert len(instances(tmp_path)) == 1


def test_a_puzzle_s_folder_that_leads_out_is_named_and_can_be_left_out(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "set" / "Going_Round")
    make_puzzle(tmp_path / "elsewhere" / "Other", title="Other")
    (tmp_path / "set" / "Other").symlink_to(tmp_path / "elsewhere" / "Other")
    with pytest.raises(InstanceError, match=r"Other is a link that leads out of .*--set skip=Other\)"):
        instances(tmp_path / "set")
    assert [each.id for each in instances(tmp_path / "set", skip="Other")] == ["Going_Round"]


def test_a_folder_that_is_there_under_two_names_is_one_puzzle(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "Going_Round")
    (tmp_path / "Again").symlink_to(tmp_path / "Going_Round")
    assert [each.id for each in instances(tmp_path)] == ["Going_Round"]


def test_the_dataset_itself_may_be_a_link(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "set" / "Going_Round")
    (tmp_path / "link").symlink_to(tmp_path / "set")
    assert len(instances(tmp_path / "link")) == 1


def test_the_hub_s_cache_may_have_its_files_beside_it(tmp_path: Path) -> None:
    snapshot = tmp_path / "datasets--me--mine" / "snapshots" / COMMIT
    blobs = snapshot.parent.parent / "blobs"
    folder = make_puzzle(snapshot / "puzzles" / "Going_Round")
    blobs.mkdir()
    for number, file in enumerate(sorted(folder.iterdir())):
        file.rename(blobs / str(number))
        file.symlink_to(Path("../../../../blobs") / str(number))
    for place in (snapshot, folder):
        (instance,) = instances(place)
        assert instance.labels["revision"] == (COMMIT,)
    assert not is_within(blobs.parent / "refs" / "main", snapshot)


def test_a_revision_is_not_read_from_elsewhere(tmp_path: Path) -> None:
    make_puzzle(tmp_path / "set" / "Going_Round")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "set" / "REVISION").symlink_to(tmp_path / "secret")
    (instance,) = instances(tmp_path / "set")
    assert "revision" not in instance.labels


def test_links_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    folder = make_puzzle(tmp_path / "Going_Round")
    (folder / "content.png").unlink()
    (folder / "content.png").symlink_to(folder / "content.png")
    with pytest.raises(InstanceError, match=r"Going_Round: .*content\.png"):
        instances(tmp_path)
