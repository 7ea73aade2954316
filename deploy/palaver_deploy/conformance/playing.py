"""The script, played on the stage: step by step, until the end or until there is nobody left to ask."""

from collections.abc import AsyncIterator, Collection, Sequence

from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest

from .script import FIRST, Step, picture, refusal, script, still_there
from .seen import Heard, Played, is_over
from .stage import Stage

__all__ = ["play", "steps_for"]

OF_STEPS = {"fetches": "pictures"}
"""Points that are seen in the step of another."""
MAY_FAIL = frozenset({"pictures", "time-limit"})
"""Steps in which a failure is an answer as good as any."""


def steps_for(steps: Sequence[Step], points: Collection[str]) -> list[Step]:
    """Return the steps in which these points are seen; none given: all. The first is always among them."""
    wanted = {OF_STEPS.get(point, point) for point in points}
    return [step for step in steps if not wanted or step.point in wanted or step.point == FIRST]


async def play(stage: Stage, points: Collection[str]) -> AsyncIterator[Played]:
    """Go through the steps in which these points are seen; all, if none is given.

    Raises:
        BrokerError: the bus failed.
    """
    shown = Image.from_bytes(picture(stage.run_id), alt="a red disc on white")
    steps = steps_for(script(stage.run_id, stage.agent, stage.timeout_s, shown), points)
    if any(step.point == "pictures" for step in steps):
        await stage.pictures.show(picture(stage.run_id))
    for number, step in enumerate(steps):
        heard = await _ask(stage, step)
        afterwards = None
        if step.point != FIRST and any(_is_odd(step, each) for each in heard):
            (afterwards,) = await stage.ask(still_there(stage.run_id, stage.agent, stage.timeout_s, number))
        played = Played(step, tuple(heard), afterwards, stage.timeout_s)
        yield played
        if is_over(played):
            return


def _is_odd(step: Step, heard: Heard) -> bool:
    """Whether it takes a plain question to tell what to think of it."""
    return heard.answer is None if step.point in MAY_FAIL else not heard.is_answered


async def _ask(stage: Stage, step: Step) -> list[Heard]:
    """Ask the questions of a step, in its manner."""
    first, *others = step.questions
    match step.manner:
        case "again":
            once = await stage.ask(first)
            if not once[0].is_answered:
                return once
            await stage.forget(first)
            return [*once, *await stage.ask(first)]
        case "told":
            await stage.tell(refusal(stage.run_id, stage.agent))
            return await _one_by_one(stage, step.questions)
        case "twice":
            await stage.put(first)
            await stage.take_back(first)
            # Who dies of the second copy may do so after it has answered the first.
            return await _one_by_one(stage, step.questions)
        case "withdrawn":
            await stage.put(first)
            await stage.take_back(first)
            # An agent may be busy with the withdrawn one for as long as ever.
            return await stage.ask(*others, more_s=stage.slowest_s)
    return await stage.ask(*step.questions, is_patient=step.point == FIRST)


async def _one_by_one(stage: Stage, questions: Sequence[TurnRequest]) -> list[Heard]:
    """Ask one question after the other, as long as they are answered."""
    heard: list[Heard] = []
    for question in questions:
        heard += await stage.ask(question)
        if not heard[-1].is_answered:
            break
    return heard
