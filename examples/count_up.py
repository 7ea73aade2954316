"""A whole game in a hundred lines: two agents count to N together, each saying the next number.

Install a package that announces an instance of it and ``palaver run count-up --agents …`` plays it:

    [project.entry-points."palaver.games"]
    count-up = "my_package.count_up:GAME"
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pydantic import Field, JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Options, Reply, Scores, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import USER, Message

NUMBER = re.compile(r"\d+")
TASK = "Count to {target} together with your partner: in turn, each of you says the next number. {who} with 1."


class CountOptions(Options):
    """What ``--set`` accepts."""

    target: int = Field(default=10, ge=1, le=10_000)


class Target(Frozen):
    """An instance: how far to count."""

    target: int


@dataclass(frozen=True, slots=True)
class Count:
    """The state: what has been said, and how far they have come."""

    target: int
    said: tuple[Message, ...] = ()
    reached: int = 0
    wrong: bool = False


class CountUp(Game[Count, CountOptions]):
    """Two seats, one number a turn; a wrong number ends it."""

    name = "count-up"
    summary = "two agents count to N, each saying the next number"
    options_type = CountOptions
    primary_score = "reached"

    def variant(self, options: CountOptions) -> str:
        return f"to-{options.target}"

    def instances(self, options: CountOptions, seed: int) -> Iterator[Instance]:
        index = 0
        while True:
            yield Instance(f"to-{options.target}-{seed}-{index}", {"target": options.target})
            index += 1

    def seats(self, options: CountOptions) -> tuple[str, ...]:
        return ("first", "second")

    def turn_limit(self, options: CountOptions) -> int:
        return options.target

    def start(self, instance: JsonValue, options: CountOptions) -> Count:
        return Count(read_instance("count-up", Target, instance).target)

    def pending(self, state: Count) -> tuple[str, ...]:
        if self.outcome(state) is not None:
            return ()
        return ("second",) if len(state.said) % 2 else ("first",)

    def view(self, state: Count, seat: str) -> tuple[Message, ...]:
        return (task_for(state.target, seat), *state.said)

    def apply(self, state: Count, replies: Mapping[str, Reply]) -> Count:
        ((seat, reply),) = replies.items()
        number = NUMBER.search(reply.text)
        right = number is not None and int(number[0]) == state.reached + 1
        said = (*state.said, Message(speaker=seat, parts=reply.parts))
        return Count(state.target, said, state.reached + right, not right)

    def outcome(self, state: Count) -> GameOutcome | None:
        if state.wrong:
            return "failed"
        return "solved" if state.reached == state.target else None

    def score(self, state: Count) -> Scores:
        return {"success": float(state.reached == state.target), "reached": float(state.reached)}

    def players(self) -> Mapping[str, Player]:
        return {"scripted": next_number, "random": lambda request: str(request.seed % 3)}


@lru_cache(maxsize=1024)
def task_for(target: int, seat: str) -> Message:
    """Tell a seat what to do; the same message object every time, as its digest is worked out only once."""
    who = "You start" if seat == "first" else "Your partner starts"
    return Message.text_from(USER, TASK.format(target=target, who=who), (seat,))


def next_number(request: TurnRequest) -> str:
    """Say the number after the last one that was said; turns are counted from 0."""
    return f"{request.turn + 1}!"


GAME = CountUp()
