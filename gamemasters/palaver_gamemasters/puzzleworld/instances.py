"""What there is to play: the puzzles of a dataset, or our own, each once, in an order that a seed gives."""

import difflib
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Instance
from palaver_protocols.errors import InstanceError, UsageError

from .dataset import Broken, Entry, complete, entries
from .download import downloaded
from .metadata import label
from .options import HUB, PuzzleWorldOptions
from .pictures import OWN
from .puzzle import DIFFICULTIES, MODALITIES, SKILLS, Puzzle
from .revision import revision_of

__all__ = ["instances"]


def instances(options: PuzzleWorldOptions, seed: int) -> Iterator[Instance]:
    """Yield the puzzles that the options choose. The pictures of a puzzle are looked at as its turn comes.

    Raises:
        UsageError: there is no such dataset, or no such puzzle in it.
        InstanceError: a puzzle is broken; names it.
    """
    root = _root(options.dataset)
    chosen = _chosen(list(entries(root)), options)
    Dice("puzzleworld", seed).shuffle(chosen)
    revision = options.revision or (revision_of(root) if options.dataset else None)
    for at, entry in enumerate(chosen):
        try:
            puzzle = complete(entry, revision)
        except InstanceError as error:
            later = (broken for each in chosen[at + 1 :] if (broken := _broken(each)))
            raise _all_of([Broken(entry.id, error), *later]) from error
        yield Instance(puzzle.id, puzzle.model_dump(mode="json"), labels=_labels(puzzle))


def _broken(entry: Entry) -> Broken | None:
    try:
        complete(entry)
    except InstanceError as error:
        return Broken(entry.id, error)
    return None


def _all_of(broken: Sequence[Broken]) -> InstanceError:
    """Say of broken puzzles what is wrong with the first, and how to do without all of them."""
    first, *more = broken
    also = f"; {len(more)} more {'is' if len(more) == 1 else 'are'} broken" if more else ""
    return InstanceError(f"{first.error.message}{also}", mend=_mend(first.error, *(each.id for each in broken)))


def _root(dataset: str | None) -> Path:
    if dataset is None:
        return OWN
    return downloaded(dataset) if dataset.partition(":")[0] == HUB else Path(dataset)


def _mend(error: InstanceError, *names: str) -> str:
    """Say what helps against broken puzzles: also to do without them."""
    them = "it" if len(names) == 1 else "them"
    return f"{error.mend or f'mend {them}'}, or leave {them} out: --set skip={','.join(names)}"


def _labels(puzzle: Puzzle) -> dict[str, tuple[str, ...]]:
    """Return what reports group a puzzle by; it counts in each of its modalities and skills.

    The revision is there so that records say it; reports pass over what is the same everywhere.
    """
    difficulty = (puzzle.difficulty,) if puzzle.difficulty else ()
    revision = (puzzle.revision,) if puzzle.revision else ()
    found = {"difficulty": difficulty, "modality": puzzle.modality, "skills": puzzle.skills, "revision": revision}
    return {name: values for name, values in found.items() if values}


def _chosen(found: list[Entry | Broken], options: PuzzleWorldOptions) -> list[Entry]:
    """Choose puzzles.

    Raises:
        UsageError: a name is of no puzzle, or none is left.
        InstanceError: one of those that may be wanted is broken, or two cannot be told apart.
    """
    if options.skip is not None:
        left_out = _named(options.skip, "skip", found)
        found = [each for each in found if each not in left_out]
    if options.puzzles is not None:
        found = _named(options.puzzles, "puzzles", found)
    whole = _whole(found)
    wanted = [entry for entry in whole if _fits(entry, options)]
    if not wanted:
        raise UsageError("puzzleworld: no puzzle is chosen", mend=f"the puzzles are {_told_labels(whole) or 'none'}")
    return wanted


def _named(names: str, option: str, found: Sequence[Entry | Broken]) -> list[Entry | Broken]:
    """Return the puzzles that an option names, by folder or title."""
    known: dict[str, list[Entry | Broken]] = {}
    for each in found:
        for name in {each.id, each.about.title.strip()} if isinstance(each, Entry) else {each.id}:
            known.setdefault(_plain(name), []).append(each)
    wanted = [names] if _plain(names) in known else [name for name in names.split(",") if name.strip()]
    chosen: list[Entry | Broken] = []
    for name in wanted:
        if _plain(name) not in known:
            like = difflib.get_close_matches(_plain(name), known, 1)
            mend = f"did you mean {known[like[0]][0].id}?" if like else "name it by its folder or its title"
            raise UsageError(f"puzzleworld: option {option}: there is no puzzle {name.strip()!r}", mend=mend)
        chosen += known[_plain(name)]
    return list(dict.fromkeys(chosen))


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).replace("_", " ").split()).casefold()


def _whole(found: Sequence[Entry | Broken]) -> list[Entry]:
    """Return the puzzles if they all can be played and told apart.

    Raises:
        InstanceError: one cannot; says which, and which others.
    """
    broken = [each for each in found if isinstance(each, Broken)]
    if broken:
        raise _all_of(broken)
    whole = [each for each in found if isinstance(each, Entry)]
    for what in ("folder", "title"):
        seen: dict[str, Entry] = {}
        for each in whole:
            name = each.id if what == "folder" else each.about.title.strip()
            other = seen.setdefault(name.casefold(), each)
            if other is not each:
                raise InstanceError(
                    f"two puzzles have the {what} {name!r}: {other.folder} and {each.folder}",
                    mend="give the folder of one of them as dataset, or another name to one",
                )
    return whole


def _fits(entry: Entry, options: PuzzleWorldOptions) -> bool:
    about = entry.about
    pairs = (
        (options.difficulty, DIFFICULTIES, (about.difficulty,)),
        (options.modality, MODALITIES, about.modality),
        (options.skill, SKILLS, about.skills),
    )
    return all(wanted is None or label(wanted, known) in has for wanted, known, has in pairs)


def _told_labels(whole: Sequence[Entry]) -> str:
    """Say which labels there are."""
    abouts = [entry.about for entry in whole]
    values = [
        *(about.difficulty for about in abouts),
        *(each for about in abouts for each in about.modality + about.skills),
    ]
    return ", ".join(dict.fromkeys(filter(None, values)))
