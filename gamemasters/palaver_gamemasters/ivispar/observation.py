"""What an agent is shown (iVISPAR, sections 3.3, 4.4 and 4.5): the task, past steps, the goal, the board now."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.texts import filled, prompt_of
from palaver_protocols.content import Image
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message

from .actions import Step
from .board import SHAPES, Board, Position
from .commands import NO_ACTION, schematic_names
from .options import BoardOptions, IvisparOptions
from .pictures import BACKGROUNDS, Role, shown

__all__ = ["choices", "goal_shown", "history", "instruction", "position_shown", "step_told", "task", "told_apart"]

COLOURS = ("green", "red", "blue", "yellow")
BENCHMARK = ("cube", "sphere", "pyramid", "cylinder")
GOAL_IN_WORDS, NOW_IN_WORDS = "Goal state:", "Current state:"
ANSWER_ONLY = "\nPlease output only the action, no explanations needed."


def task(board: Board, options: IvisparOptions) -> Message:
    """Return the system prompt: the instruction, and whether to think aloud."""
    thinking = "\n" + prompt_of(__package__, "reasoning") if options.reasoning else ANSWER_ONLY
    return Message.text_from(SYSTEM, instruction(board, options) + thinking)


def instruction(board: Board, options: IvisparOptions) -> str:
    """Return the study's instruction, to the letter for a board such as the benchmark's."""
    return _told("instruction", choices(board, options))


def choices(board: Board, options: BoardOptions) -> dict[str, str]:
    """Return what prompts say of a board: its ``size``, ``colours`` and ``shapes``, and what each shape is called.

    Colours and shapes are those of the benchmark, so that the prompt is the published one, and those of the board.
    """
    names = {shape: shape for shape in SHAPES}
    if options.modality == "2d":
        names |= schematic_names(compat=options.compat)
    shapes = [names.get(each, each) for each in _and(BENCHMARK, [geom.shape for geom in board.geoms])]
    return {
        **names,
        "size": str(board.size),
        "colours": ", ".join(_and(COLOURS, [geom.colour for geom in board.geoms])),
        "shapes": ", ".join(dict.fromkeys(shapes)),
    }


def _and(usual: Sequence[str], own: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*usual, *own)))


def history(board: Board, options: IvisparOptions, steps: Sequence[Step], seat: str) -> list[Message]:
    """Return the last steps: how the board stood, and the action alone; what the agent thought is left out."""
    past = steps[-options.window :] if options.window else ()
    told: list[Message] = []
    for number, step in enumerate(past, 1):
        action = step.action or NO_ACTION
        if options.modality == "text":
            lines = "\n".join(board.lines(step.before))
            told.append(Message.text_from(ENVIRONMENT, f"Previous observation {number}: {lines}"))
            told.append(Message.text_from(seat, f"Previous action {number}: {action}"))
        else:
            told.append(position_shown(board, options, step.before, "past"))
            told.append(Message.text_from(seat, f"Action: {action}"))
    return told


def goal_shown(board: Board, options: BoardOptions) -> Message:
    """Show the goal as a picture."""
    return Message(speaker=USER, parts=(_picture(board, options, board.goal, "goal"),))


def position_shown(board: Board, options: BoardOptions, position: Position, role: Role) -> Message:
    """Show a position as a picture."""
    return Message(speaker=ENVIRONMENT, parts=(_picture(board, options, position, role),))


def told_apart(board: Board, options: BoardOptions, position: Position, seat: str) -> tuple[Message, Message]:
    """Show the goal and a position to a single seat, as two messages that need no further explanation."""
    if options.modality == "text":
        goal = Message.text_from(USER, f"{GOAL_IN_WORDS}\n" + "\n".join(board.lines(board.goal)))
        now = Message.text_from(ENVIRONMENT, f"{NOW_IN_WORDS}\n" + "\n".join(board.lines(position)))
    else:
        goal, now = goal_shown(board, options), position_shown(board, options, position, "active")
    return goal.model_copy(update={"audience": (seat,)}), now.model_copy(update={"audience": (seat,)})


def _picture(board: Board, options: BoardOptions, position: Position, role: Role) -> Image:
    return shown(board, position, role, options)


def step_told(board: Board, options: IvisparOptions, position: Position) -> Message:
    """Return what is asked at each step (B.3, B.4)."""
    if options.modality == "text":
        states = _told(
            "states", {"goal": "\n".join(board.lines(board.goal)), "active": "\n".join(board.lines(position))}
        )
        previous = "The previous states."
    else:
        states = _told("images", {role: _mark(role, options) for role in ("active", "goal")})
        previous = f"The previous state image(s) {_mark('past', options)}."
    return Message.text_from(USER, _told("step", {"states": states, "previous": previous}))


def _mark(role: Role, options: BoardOptions) -> str:
    """Say how a picture is told apart from the others."""
    match options.marking:
        case "both":
            return f"marked with the label {role} in the image and a {BACKGROUNDS[role].name} background"
        case "color":
            return f" with a {BACKGROUNDS[role].name} background"
        case "label":
            return f"showing the label in the image {role}"
        case "none":
            return ""


def _told(name: str, told: Mapping[str, str]) -> str:
    """Return a prompt of the study (appendix A.1.1 of the paper, as published with its program)."""
    return filled(prompt_of(__package__, name), told)
