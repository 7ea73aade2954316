"""What seats are told: the study's prompts (appendix F.5) to a solver alone, and our own where several talk."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.texts import filled, prompt_of
from palaver_protocols.content import Part, Text
from palaver_protocols.transcript import SYSTEM, USER, Message

from .options import PuzzleWorldOptions
from .pictures import picture_of
from .puzzle import Puzzle
from .shares import Piece, caption, dealt, whole

__all__ = ["EXPERT", "LAST", "NOT_YOURS", "answering_seats", "pieces_of", "seats_of", "task_of", "team_tasks"]

EXPERT = "expert"
LAST = "This is the last message of all. End it with your answer:\nAnswer: <answer>"
"""What is said before the message after which nobody speaks."""

IN_ORDER = "The attached images are presented in the order\nthey are referenced in the text."
DIVIDED = "The pages have been divided among you: you see the attached ones, and {others} the rest."
STRIPS = " Where a page has been cut into strips, they overlap a little."
READER = "You see none of its pages: {others}. The answer is yours to write."
LOOKER = "You see {pages}; {reader} sees none of them, and is the one who writes the answer."
TALK = "You talk in turn, {order}, and all of you read all that is said."
TELL = " The others know of what you alone see or know only what you tell them: say it in full, and ask for the rest."
HELP = " Here you may ask: an expert, who knows the solution, speaks after {last}, answers and gives hints."
ENDING = "The first message of {whom} with such a line ends the puzzle{all}: write none before you are sure."
LEADS = "The pages have been divided among your team; you see none of them yourself."
NOT_YOURS = "Such a line is for {reader} to write, and ends the puzzle for all of you."


def seats_of(options: PuzzleWorldOptions) -> tuple[str, ...]:
    """Name the seats: ``solver``, or ``solver_1`` and so on for several; then the expert, if there is one."""
    several = tuple(f"solver_{number}" for number in range(1, options.solvers + 1))
    solvers = several if options.solvers > 1 else ("solver",)
    return (*solvers, EXPERT) if options.expert else solvers


def answering_seats(options: PuzzleWorldOptions) -> tuple[str, ...]:
    """Name the seats whose answer counts: all solvers, or the last of them where it is the one who sees no pages."""
    solvers = tuple(seat for seat in seats_of(options) if seat != EXPERT)
    return solvers[-1:] if options.divide == "modalities" else solvers


def task_of(puzzle: Puzzle, options: PuzzleWorldOptions, seat: str) -> tuple[Message, ...]:
    """Return what a seat is told and shown at the beginning.

    Raises:
        InstanceError: a picture cannot be had.
    """
    if seat == EXPERT:
        return (_expert(puzzle, options),)
    if options.alone:
        return (_tips(seat), _user(puzzle, options, seat))
    return (_tips(seat), _solver(puzzle, options, seat))


def team_tasks(puzzle: Puzzle, options: PuzzleWorldOptions, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
    """Divide the pages of a solver alone among a team: what its lead is shown, who sees none, then each member."""
    lead = Text(text=f"{_filled('user', _known(puzzle))}\n\n{LEADS}")
    member = Text(text=_filled("user", _known(puzzle)))
    parts = [(member, *_shown(puzzle, options, pieces)) for pieces in dealt(len(puzzle.pages), members)]
    return tuple((_tips(seat), Message(speaker=USER, parts=each, audience=(seat,))) for each in ((lead,), *parts))


def _tips(seat: str) -> Message:
    return Message.text_from(SYSTEM, _text("system"), (seat,))


def _user(puzzle: Puzzle, options: PuzzleWorldOptions, seat: str) -> Message:
    """Write the study's user message: its text, then the pages, without captions."""
    pages = [picture_of(page, options.images) for page in puzzle.pages]
    return Message(speaker=USER, parts=(Text(text=_filled("user", _known(puzzle))), *pages), audience=(seat,))


def _known(puzzle: Puzzle) -> dict[str, str]:
    return {"title": puzzle.title.rstrip(), "flavor_text": puzzle.flavor_text}


def _solver(puzzle: Puzzle, options: PuzzleWorldOptions, seat: str) -> Message:
    """Write the task of a solver who talks with others."""
    solvers = [each for each in seats_of(options) if each != EXPERT]
    mine, others = solvers.index(seat), [each for each in solvers if each != seat]
    pieces = pieces_of(puzzle, options)[mine]
    told = _filled(
        "solver",
        {
            "company": f" together with {_listed(others)}" if others else "",
            "seen": _seen(options, pieces, others),
            **_known(puzzle),
            "talk": _talk(options, solvers),
            "turns": ("Each of you" if others else "You")
            + f" can write {options.turns} message{'s' * (options.turns > 1)}",
            "ending": _ending(options, seat),
        },
    )
    return Message(speaker=USER, parts=(Text(text=told), *_shown(puzzle, options, pieces)), audience=(seat,))


def pieces_of(puzzle: Puzzle, options: PuzzleWorldOptions) -> tuple[tuple[Piece, ...], ...]:
    """Return what each solver sees of the pages."""
    count = len(puzzle.pages)
    if options.solvers == 1 or options.divide == "nothing":
        return (whole(count),) * options.solvers
    if options.divide == "pages":
        return dealt(count, options.solvers)
    return (*dealt(count, options.solvers - 1), ())


def _seen(options: PuzzleWorldOptions, pieces: Sequence[Piece], others: Sequence[str]) -> str:
    """Say what a solver sees, and what others do."""
    strips = STRIPS if any(piece.parts > 1 for piece in pieces) else ""
    if not others or options.divide == "nothing":
        return IN_ORDER
    if options.divide == "pages":
        return DIVIDED.format(others=f"{_listed(others)} see{'s' * (len(others) == 1)}") + strips
    several = options.solvers > 2
    if not pieces:
        return READER.format(others=f"{_listed(others)} see" + (" some of them each" if several else "s them"))
    pages = "some of its pages" if several else "its pages"
    return LOOKER.format(pages=pages, reader=_name(others[-1])) + strips


def _talk(options: PuzzleWorldOptions, solvers: Sequence[str]) -> str:
    """Say who speaks when, and who hears it."""
    order = ", then ".join([*map(_name, solvers), *(["the expert"] if options.expert else [])])
    alone = len(solvers) == 1
    divided = not alone and options.divide != "nothing"
    last = "you" if alone else _name(solvers[-1])
    helped = HELP.format(last=last) if options.expert else ""
    if alone:
        return helped.strip()
    return TALK.format(order=order) + (TELL if divided else "") + helped


def _ending(options: PuzzleWorldOptions, seat: str) -> str:
    """Say what an answer does, and who can give one."""
    answering = answering_seats(options)
    if seat not in answering:
        return NOT_YOURS.format(reader=_listed(answering))
    several = len(answering) > 1
    return ENDING.format(whom="any of you" if several else "yours", all=" for all of you" * (options.solvers > 1))


def _expert(puzzle: Puzzle, options: PuzzleWorldOptions) -> Message:
    """Write the task of the expert: all there is to know, with the pages and the figures of the steps."""
    solvers = [each for each in seats_of(options) if each != EXPERT]
    steps = [f"{number}. {' '.join(step.explanation.split())}" for number, step in enumerate(puzzle.reasoning, 1)]
    told = _filled(
        "expert",
        {
            **_known(puzzle),
            "solvers": _listed(solvers) if len(solvers) > 1 else "a solver",
            "round": f"You speak after {'each message' if len(solvers) == 1 else 'each round of messages'} of theirs.",
            "turns": f"{options.turns - 1} message{'s' * (options.turns != 2)}",
            "steps": "\n".join(steps) or "(nobody has written them down)",
            "solution": puzzle.solution,
            "figures": ", then the figures of the steps" if puzzle.figures else "",
        },
    )
    parts: list[Part] = [Text(text=told), *_shown(puzzle, options, whole(len(puzzle.pages)))]
    for number, step in enumerate(puzzle.reasoning, 1):
        if step.figure is not None:
            parts += [Text(text=f"Figure of step {number}:"), picture_of(puzzle.figures[step.figure], options.images)]
    return Message(speaker=USER, parts=tuple(parts), audience=(EXPERT,))


def _shown(puzzle: Puzzle, options: PuzzleWorldOptions, pieces: Sequence[Piece]) -> list[Part]:
    """Show pages, each with its caption."""
    parts: list[Part] = []
    for piece in pieces:
        page = puzzle.pages[piece.page - 1]
        parts += [Text(text=caption(piece, len(puzzle.pages))), picture_of(page, options.images, piece)]
    return parts


def _listed(seats: Sequence[str]) -> str:
    """Write seats as a sentence has them: ``solver 1, solver 2 and solver 3``."""
    *most, last = map(_name, seats)
    return f"{', '.join(most)} and {last}" if most else last


def _name(seat: str) -> str:
    """Return a seat's name as people write it."""
    return "the solver" if seat == "solver" else seat.replace("_", " ")


def _filled(name: str, told: Mapping[str, str]) -> str:
    return filled(_text(name), told)


def _text(name: str) -> str:
    return prompt_of(__package__, name).removesuffix("\n")
