"""Episodes to audit: a toy that keeps secrets, how one is played, and what an audit makes of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any

from PIL import Image as Pillow
from pydantic import JsonValue

from palaver_gamemasters.game import AnyGame, Game, GameOutcome, Instance, Options, Reply, Scores
from palaver_gamemasters.rollout import plan
from palaver_observability.audit.findings import RunAudit
from palaver_observability.audit.runs import audit_logs
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import EpisodeStarted, LogEntry, Player
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.folding import Speak, play

PLACES = ("the boathouse by the northern pier", "the cellar of the old observatory", "a hollow oak on Gallows Hill")
WORDS = ("marzipan", "umbrella", "trombone")
RULES = "You both look for a treasure. Tell each other what you know, and find the word."


@cache
def picture(number: int, side: str) -> Image:
    """Return a picture that is another for each instance and each side."""
    file = BytesIO()
    Pillow.new("RGB", (8, 8), (40 * number, 200 if side == "left" else 10, 90)).save(file, "PNG")
    seen = f"a sketch of {PLACES[number]}, in pencil" if side == "left" else f"a dial whose hand points at {number}"
    return Image.from_bytes(file.getvalue(), alt=seen)


@dataclass(frozen=True)
class HuntState:
    """What there is to find, and what was said."""

    number: int
    dialogue: tuple[Message, ...] = ()


class Hunt(Game[HuntState, Options]):
    """Left knows the place, right the hour; each has a picture. After its first word each is told something more."""

    name = "hunt"
    summary = "two halves of a secret"
    options_type = Options
    primary_score = "success"

    def variant(self, options: Options) -> str:
        return "plain"

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        for number in range(3):
            yield Instance(f"i{number}", {"number": (number + seed) % 3})

    def seats(self, options: Options) -> tuple[str, ...]:
        return ("left", "right")

    def turn_limit(self, options: Options) -> int:
        return 6

    def start(self, instance: JsonValue, options: Options) -> HuntState:
        assert isinstance(instance, dict)
        assert isinstance(instance["number"], int)
        return HuntState(instance["number"])

    def pending(self, state: HuntState) -> tuple[str, ...]:
        return () if len(state.dialogue) == 6 else (("left", "right")[len(state.dialogue) % 2],)

    def task(self, state: HuntState, seat: str) -> Message:
        known = {
            "left": f"Only you know where it is: {PLACES[state.number]}.",
            "right": f"Only you know when: {state.number + 3} hours after the {7 - state.number}th bell has rung.",
        }
        return Message(
            speaker=USER,
            parts=(Text(text=f"{RULES}\n\n{known[seat]}"), picture(state.number, seat)),
            audience=(seat,),
        )

    def feedback(self, state: HuntState, seat: str) -> str:
        return f"Good. You remember that the {seat} path is {12 + state.number} paces longer than it looks."

    def view(self, state: HuntState, seat: str) -> tuple[Message, ...]:
        told = (self.task(state, seat), *state.dialogue)
        spoken = any(message.speaker == seat for message in state.dialogue)
        return (*told, Message.text_from(USER, self.feedback(state, seat), (seat,))) if spoken else told

    def secrets(self, instance: JsonValue, options: Options) -> Mapping[str, tuple[str, ...]]:
        number = self.start(instance, options).number
        return {
            "left": (WORDS[number],),
            "right": (WORDS[number], PLACES[number], picture(number, "left").sha256),
        }

    def apply(self, state: HuntState, replies: Mapping[str, Reply]) -> HuntState:
        said = [Message(speaker=seat, parts=reply.parts) for seat, reply in replies.items()]
        return replace(state, dialogue=(*state.dialogue, *said))

    def outcome(self, state: HuntState) -> GameOutcome | None:
        return "failed" if len(state.dialogue) == 6 else None

    def score(self, state: HuntState) -> Scores:
        return {"success": 0.0}

    def players(self) -> Mapping[str, Player]:
        return {"random": lambda request: "hm"}


class Undeclared(Hunt):
    """The same, without a list of its secrets: what is found must be found by what was told to whom."""

    def secrets(self, instance: JsonValue, options: Options) -> Mapping[str, tuple[str, ...]]:
        return {}


def opening(game: AnyGame, episodes: int = 1, **config: Any) -> list[EpisodeStarted]:
    """Plan episodes of a game."""
    fields = {"run_id": "run", "game": game.name, "agents": ("toy",), "episodes": episodes, **config}
    return list(plan(game, RunConfig.model_validate(fields)).openings)


def played(game: AnyGame, starts: Sequence[EpisodeStarted], speak: Speak = lambda _: "hm") -> list[list[LogEntry]]:
    """Play episodes to their end; return their logs."""
    return [play(game, start, speak)[1] for start in starts]


def audited(game: AnyGame, logs: Sequence[list[LogEntry]]) -> RunAudit:
    """Audit logs whose pictures are all in order."""
    audit = RunAudit("run", game.name)
    named = [(log[0].episode_id if isinstance(log[0], EpisodeStarted) else "?", log) for log in logs]
    audit_logs(audit, game, named, lambda _: "")
    return audit


def layers(audit: RunAudit) -> set[str]:
    """Name the layers that have found something."""
    return {finding.layer for finding in audit.findings}
