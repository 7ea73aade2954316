"""What seats are told at the beginning: the study's prompts (COMMA, appendix D), the actions, the manual."""

from palaver_gamemasters.texts import prompt_of
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.transcript import USER, Message

from .manual import divided
from .options import CommaOptions
from .puzzle import AnyPuzzle
from .state import SOLVER

__all__ = ["ACTIONS", "MANUAL", "expert_task", "expert_team", "experts_of", "notes_on", "solver_task", "valid_actions"]

ACTIONS = "Valid actions, one a line:"
MANUAL = "Manual:"
SHARED = """\
There are {count} experts, and you are {seat}. Each of you holds a part of the manual that the others cannot see. All \
of you hear what the solver and the experts say."""
ALONE = "There is no expert in this game: you solve the puzzle by yourself, and nobody answers you."
SEVERAL = "There are {count} experts. Each of them holds a part of the manual, and all hear what you say."
IN_WORDS = "You are given the puzzle as text instead of an image."
LEADS = "The manual has been divided among your team; you hold no part of it yourself."


def experts_of(count: int) -> tuple[str, ...]:
    """Name the seats of experts: ``expert``, or ``expert_1`` and so on for several."""
    return ("expert",) if count == 1 else tuple(f"expert_{number + 1}" for number in range(count))


def solver_task(actions: tuple[str, ...], *notes: str) -> Message:
    """Tell the solver what to do, what else there is to know, and which actions there are."""
    told = [_prompt("solver"), *filter(None, notes), "\n".join([ACTIONS, *actions])]
    return Message.text_from(USER, "\n\n".join(told), (SOLVER,))


def notes_on(options: CommaOptions) -> tuple[str, ...]:
    """Return what the study's prompt for the solver does not say, since it is not played so there."""
    experts = {0: ALONE, 1: ""}.get(options.experts, SEVERAL.format(count=options.experts))
    return (experts, IN_WORDS if options.modality == "text" else "")


def valid_actions(task: str) -> tuple[str, ...]:
    """Read the actions back out of a solver's task; none if it is none."""
    _, found, listed = task.partition(f"{ACTIONS}\n")
    return tuple(listed.split("\n\n")[0].splitlines()) if found else ()


def expert_task(seat: str, manual: str, others: int = 0) -> Message:
    """Tell an expert what to do, with its manual or its part of it."""
    shared = [SHARED.format(count=others + 1, seat=seat.replace("_", " "))] if others else []
    return Message.text_from(USER, "\n\n".join([_prompt("expert"), *shared, MANUAL, manual]), (seat,))


def expert_team(seat: str, puzzle: AnyPuzzle, manual: str, members: int) -> tuple[Message, ...]:
    """Divide an expert's manual among a team: the lead's task, then that of each member.

    Raises:
        UsageError: the manual is too short.
    """
    try:
        parts = divided(manual, members)
    except InstanceError as error:
        raise UsageError(f"comma {puzzle.name}: {error.message}", mend="use fewer members") from error
    lead = Message.text_from(USER, f"{_prompt('expert')}\n\n{LEADS}", (seat,))
    return (lead, *(expert_task(seat, part) for part in parts))


def _prompt(name: str) -> str:
    return prompt_of(__package__, name).strip()
