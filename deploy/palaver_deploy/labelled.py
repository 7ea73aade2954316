"""Episodes that people, or code, have labelled: calibration files, and how well a grader's reading agrees with them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue, ValidationError

from palaver_gamemasters.calibration import NONE, Calibration
from palaver_gamemasters.game import AnyGame, Reply
from palaver_gamemasters.played import PlayedEpisode, SaidReply
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.replay import Replay, play_replay, read_replay
from palaver_observability.statistics import Interval, wilson
from palaver_protocols.content import Frozen, Text
from palaver_protocols.errors import PalaverError, UsageError, first_problem
from palaver_protocols.runs import Grading

__all__ = ["Agreement", "Example", "Share", "Verdict", "agreement", "calibration_of", "read_examples", "verdict"]

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
MEND = 'give a replay a line, with its "label" (and "labels", if several apply)'


class Labelled(Frozen):
    """What a line of a calibration file says besides its replay."""

    label: str
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled episode. ``line`` is where it stands, ``labels`` all that apply, where the file says so."""

    line: int
    label: str
    labels: tuple[str, ...] | None
    variant: str
    played: PlayedEpisode


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a grader has made of an example: ``said`` is None where none of its votes can be used."""

    example: Example
    said: str | None
    labels: tuple[str, ...] = ()
    reason: str = ""

    @property
    def right(self) -> bool:
        """Whether it names the label that counts."""
        return self.said == self.example.label


# ---- the file


def calibration_of(game: AnyGame) -> Calibration:
    """Return what a game knows of labels.

    Raises:
        UsageError: nothing.
    """
    found = game.calibration()
    if found is None:
        raise UsageError(f"{game.name} has no labels to calibrate a grader by", mend="calibrate on another game")
    return found


def read_examples(path: Path) -> tuple[AnyGame, tuple[Example, ...]]:
    """Read a calibration file: JSON Lines, each a replay of an episode that is over, and its label.

    Raises:
        UsageError: it cannot be read, a line makes no such example, or they are of several games; names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"cannot read {path}: {why}", mend="name a calibration file") from error
    game: AnyGame | None = None
    examples: list[Example] = []
    for number, line in enumerate(text.removeprefix(BOM).split("\n"), 1):
        if not line.strip():
            continue
        try:
            replay = _replay(line)
            game = game or load_game(replay.game)
            if replay.game != game.name:
                raise UsageError(f"it is of {replay.game}, those before are of {game.name}", mend="use a file for each")
            examples.append(_example(game, number, line, replay))
        except PalaverError as error:
            raise UsageError(f"{path}, line {number}: {error.message}", mend=error.mend or MEND) from error
    if game is None:
        raise UsageError(f"{path} holds no example", mend=f"{MEND}; `palaver calibrate --make FILE` writes some")
    return game, tuple(examples)


def _replay(line: str) -> Replay:
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError("it is no JSON", mend=MEND) from error
    return read_replay(line)


def _example(game: AnyGame, number: int, line: str, replay: Replay) -> Example:
    given = _labelled(game, line)
    if play_replay(game, replay, "").outcome == "incomplete":
        raise UsageError("the replies end before the game does", mend="give a whole episode")
    options = game.configure(replay.options, replay.variant)
    played = PlayedEpisode(
        game=game.name,
        variant=replay.variant or game.variant(options),
        instance=replay.instance,
        options=options.model_dump(mode="json"),
        replies=tuple(_replies(game, replay)),
    )
    return Example(number, given.label, given.labels, played.variant, played)


def _labelled(game: AnyGame, line: str) -> Labelled:
    try:
        given = Labelled.model_validate_json(line)
    except ValidationError as error:
        raise UsageError(f"this is no example: {first_problem(error)}", mend=MEND) from error
    known = (*calibration_of(game).labels.values(), NONE)
    for label in (given.label, *(given.labels or ())):
        if label not in known:
            raise UsageError(f"there is no label {label!r}", mend=f"{game.name} has: {', '.join(known)}")
    if given.labels is not None and given.label not in (given.labels or (NONE,)):
        raise UsageError(f"its label is {given.label}, and `labels` does not name it", mend="name it in both")
    return given


def _replies(game: AnyGame, replay: Replay) -> Iterator[SaidReply]:
    """Yield what each seat said; texts without seats are handed out as the game asks."""
    if replay.replies is not None:
        for reply in replay.replies:
            yield SaidReply(seat=reply.seat, parts=(Text(text=reply.text),))
        return
    texts = iter(replay.texts or ())
    state = game.start(replay.instance, game.configure(replay.options, replay.variant))
    while pending := game.pending(state):
        said = {seat: next(texts) for seat in pending}
        for seat, text in said.items():
            yield SaidReply(seat=seat, parts=(Text(text=text),))
        state = game.apply(state, {seat: Reply.of(text) for seat, text in said.items()})


# ---- agreement


def verdict(example: Example, labels: Mapping[str, str], grading: Grading) -> Verdict:
    """Say what a grader's votes make of an example: the label that most of them call the main one.

    Args:
        example: the example.
        labels: the game's, by score.
        grading: the votes.
    """
    if not grading.votes:
        return Verdict(example, None, reason=grading.reason or "")
    details = grading.detail if isinstance(grading.detail, list) else []
    mains = [
        _main(labels, vote, detail)
        for vote, detail in zip(grading.votes, details or [None] * len(grading.votes), strict=False)
    ]
    order = (*labels.values(), NONE)
    most = max(order, key=lambda label: (mains.count(label), -order.index(label)))
    reasons = [str(detail.get("reason") or "") for detail in details if isinstance(detail, Mapping)]
    reason = next((text for text, main in zip(reasons, mains, strict=False) if main == most), "")
    found = tuple(label for score, label in labels.items() if grading.scores.get(score))
    return Verdict(example, most, found, reason)


def _main(labels: Mapping[str, str], vote: Mapping[str, float | None], detail: JsonValue) -> str:
    named = detail.get("main") if isinstance(detail, Mapping) else None
    if named in (*labels.values(), NONE):
        return str(named)
    return next((label for score, label in labels.items() if vote.get(score)), NONE)


class Share(Frozen):
    """How a label was recognised: ``precision`` of ``said``, ``recall`` of ``n`` examples; None without any."""

    label: str
    n: int
    said: int
    precision: float | None
    recall: float | None


class Agreement(Frozen):
    """How a grader agrees with the labels, over the examples that it has graded.

    ``kappa`` is Cohen's: agreement beyond what the frequencies of the labels give by chance; None where they leave no
    room for any. ``confusion`` counts, by the example's label and then by the grader's. ``all_labels`` is the share of
    the examples that list all their labels of which the grader has found exactly these.
    """

    n: int
    ungraded: int
    accuracy: Interval
    kappa: float | None
    labels: tuple[Share, ...]
    confusion: dict[str, dict[str, int]]
    all_labels: Interval | None


def agreement(labels: Sequence[str], verdicts: Sequence[Verdict]) -> Agreement:
    """Measure how verdicts agree with labels.

    Args:
        labels: the game's labels, in order.
        verdicts: what the grader made of each example.
    """
    graded = [(each, each.said) for each in verdicts if each.said is not None]
    order = (*labels, NONE)
    pairs = Counter((each.example.label, said) for each, said in graded)
    expected, said = Counter(each.example.label for each, _ in graded), Counter(said for _, said in graded)
    right = sum(pairs[label, label] for label in order)
    n = len(graded)
    listed = [each for each, _ in graded if each.example.labels is not None]
    exact = sum(set(each.labels) == set(each.example.labels or ()) - {NONE} for each in listed)
    return Agreement(
        n=n,
        ungraded=len(verdicts) - n,
        accuracy=wilson(right, n),
        kappa=_kappa(right, n, sum(expected[label] * said[label] for label in order)),
        labels=tuple(
            Share(
                label=label,
                n=expected[label],
                said=said[label],
                precision=pairs[label, label] / said[label] if said[label] else None,
                recall=pairs[label, label] / expected[label] if expected[label] else None,
            )
            for label in order
        ),
        confusion={one: {other: pairs[one, other] for other in order} for one in order},
        all_labels=wilson(exact, len(listed)) if listed else None,
    )


def _kappa(right: int, n: int, by_chance: int) -> float | None:
    """Return Cohen's kappa from counts; ``by_chance`` sums the products of both frequencies of each label."""
    if n == 0 or by_chance == n * n:
        return None
    return (n * right - by_chance) / (n * n - by_chance)
