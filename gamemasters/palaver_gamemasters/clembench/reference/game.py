"""The reference game as it was played for the published runs (v1.6.5), with pictures or with grids in text.

Player 1 is told which of three is the target and describes it; player 2 sees the three in another order, reads the
description, and says which it is. That is all: one turn, two calls at most.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar, Literal

from palaver_gamemasters.clembench.families import FAMILIES
from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.options import ALL, ClemOptions, PicturedOptions
from palaver_gamemasters.clembench.pictures import grid
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Instance, Scores, read_instance
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player

from . import deals, showing, things
from .players import PLAYERS
from .prompts import EXPRESSION, ORDINALS
from .rules import Setup, read_answer, read_expression

__all__ = ["ReferenceGame", "ReferenceState", "TextReferenceGame"]

GUIDE, FOLLOWER = "player_1", "player_2"


@dataclass(frozen=True)
class ReferenceState:
    """What was said: the expression and the choice, each None until it is given as it must be.

    ``failed`` is the player who did not keep to the format, for the scorer; 0 if nobody.
    """

    setup: Setup
    expression: str | None = None
    answer: str | None = None
    failed: Literal[0, 1, 2] = 0


class ReferenceGame(ClemGame[ReferenceState, ClemOptions]):
    """Three pictures: grids, rooms, scenes, objects, pentomino boards."""

    name = "multimodal_referencegame"
    summary = "one player describes one of three pictures, another finds it (clembench)"
    options_type: type[ClemOptions] = PicturedOptions
    shown: ClassVar[Literal["image", "grid"]] = "image"

    def turn_limit(self, options: ClemOptions) -> int:
        """Return the number of answers: an expression and a choice."""
        return 2

    def experiments(self, options: ClemOptions) -> tuple[str, ...]:
        """Name the experiments: what the pictures show."""
        return things.EXPERIMENTS

    def make(self, experiment: str, dice: Dice, options: ClemOptions) -> ClemInstance:
        """Make three things, and put the target at a random place."""
        which, place = dice.below(things.POOL), dice.below(things.RUN)
        return self._made(experiment, (dice, dice), which, deals.deal_of(experiment, place))

    def instances(self, options: ClemOptions, seed: int) -> Iterator[Instance]:
        """Yield one instance of each experiment in turn: our own without end, or those of a file.

        Our own are laid out as the published ones: three that follow each other have the target at all three places.
        The grids are the same in pictures and in text.

        Raises:
            UsageError: there is no such experiment, or the file cannot be read.
            InstanceError: an instance makes no game, or a picture is missing; names it.
        """
        known = self.experiments(options)
        wanted = known if options.experiment == ALL else (options.experiment,)
        if options.instances is not None or not set(wanted) <= set(known):
            yield from super().instances(options, seed)
            return
        for index, name in ((index, name) for index in count() for name in wanted):
            labels = things.labels(name, index)
            dice = [Dice(TextReferenceGame.name, name, seed, *each) for each in (labels.target, labels.distractors)]
            made = self._made(name, (dice[0], dice[1]), labels.which, deals.deal_of(name, index))
            numbered = made.model_copy(update={"instance": {"game_id": index, **made.instance}})
            yield Instance(f"{name}-s{seed}-{index:04d}", numbered.model_dump(mode="json"), name)

    def panels(self, state: Play[ReferenceState]) -> tuple[Panel, ...]:
        """Show what both players see, with the target and the guess."""
        return showing.panels(state, pictured=self.shown == "image")

    def moves(self, state: Play[ReferenceState], seat: str) -> tuple[Move, ...]:
        """Return player 2's three choices; an expression has to be written."""
        return showing.choices(state) if seat == FOLLOWER else ()

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: at random, and with a referring expression that tells the three apart."""
        return PLAYERS

    def begin(self, play: Play[Any]) -> Play[ReferenceState]:
        """Ask player 1 for an expression."""
        setup: Setup = read_instance(self.name, Setup, play.instance.fields)
        try:
            self._check(setup)
        except InstanceError as error:
            raise InstanceError(f"{self.name} instance: {error.message}", mend=error.mend) from error
        # section 4.3: v1.6.5 also sends an empty system message first, which the backends drop
        return play.then(ReferenceState(setup)).tell(GUIDE, setup.player_1_prompt_header, self._pictures(setup, GUIDE))

    def hear(self, play: Play[ReferenceState], seat: str, text: str) -> Play[ReferenceState]:
        """Hand the expression on, or take the choice."""
        return self._hear_expression(play, text) if seat == GUIDE else self._hear_answer(play, text)

    def measure(self, play: Play[ReferenceState]) -> tuple[bool, Scores]:
        """Return the measures of section 4.4: the choice is the target, or it is not."""
        now = play.now
        aborted, played = play.ending == "aborted", play.ending == "played"
        right = played and now.answer is not None and now.answer.lower() in now.setup.target
        parsed = (now.expression is not None) + (now.answer is not None)
        requests = parsed + aborted
        said = now.expression
        return right, {
            "Main Score": 100.0 * right if played else None,
            "Aborted": float(aborted),
            "Aborted at Player 1": float(now.failed == 1),
            "Aborted at Player 2": float(now.failed == 2),
            "Success": float(right),
            # section 4.4: v1.6.5 counts an aborted episode as lost, and only in this game
            "Lose": float((aborted and not play.clean) or (played and not right)),
            "Generated Expression Length": None if said is None else float(len(said)),
            "Generated Expression Number of Tokens": None if said is None else float(len(said.split(" "))),
            "Request Count": float(requests),
            "Parsed Request Count": float(parsed),
            "Violated Request Count": float(aborted),
            "Request Success Ratio": round(parsed / requests, 4) if requests else None,
        }

    def _hear_expression(self, play: Play[ReferenceState], text: str) -> Play[ReferenceState]:
        setup = play.now.setup
        # section 4.3: v1.6.5 strips the answer of player 1 in the picture version only, and hands it on unstripped
        heard = text.strip() if self.shown == "image" or play.clean else text
        expression = read_expression(setup, heard, clean=play.clean)
        if expression is None:
            play = play.then(replace(play.now, failed=1))
            return play.note("invalid format", "Invalid generated expression", original_content=text).end("aborted")
        kept = heard if play.clean else text
        play = play.note("parse", text, expression=expression).keep(GUIDE, kept)
        asked = setup.player_2_prompt_header.replace(EXPRESSION, kept)
        return play.then(replace(play.now, expression=expression)).tell(
            FOLLOWER, asked, self._pictures(setup, FOLLOWER)
        )

    def _hear_answer(self, play: Play[ReferenceState], text: str) -> Play[ReferenceState]:
        setup = play.now.setup
        answer = read_answer(setup, text, clean=play.clean)
        if answer is None or not answer.valid:
            play = play.note("invalid format", "Invalid generated choice", original_content=text)
        else:
            play = play.note("parse", text, answer=answer.content).keep(FOLLOWER, text)
            play = play.note("expected answer", list(setup.target))
        if answer is None:
            return play.then(replace(play.now, failed=2)).end("aborted")
        # section 4.4: the scorer of v1.6.5 takes "Answer: first." and "Answer: 10", which the game master refuses
        return play.then(replace(play.now, answer=answer.content)).end("played")

    def _made(self, experiment: str, dice: tuple[Dice, Dice], which: int, deal: deals.Deal) -> ClemInstance:
        """Make an instance: the first dice are the target's, the second the distractors'."""
        if experiment in FAMILIES:
            drawn = [grid.of(each) for each in things.grids(experiment, dice[0], which)]
            return deals.pictures_dealt(experiment, drawn, deal)
        return deals.pictures_dealt(experiment, things.drawings(experiment, *dice), deal)

    def _check(self, setup: Setup) -> None:
        fields = [f"target_{self.shown}_name"]
        if self.shown == "image":
            fields += [f"{seat}_{place}_image" for seat in (GUIDE, FOLLOWER) for place in ORDINALS]
        _ = setup.patterns  # raises if one is none
        missing = [field for field in fields if not getattr(setup, field)]
        if missing:
            raise InstanceError(f"{missing[0]} is missing")

    def _pictures(self, setup: Setup, seat: str) -> tuple[str, ...]:
        if self.shown == "grid":
            return ()
        return tuple(getattr(setup, f"{seat}_{place}_image") for place in ORDINALS)


class TextReferenceGame(ReferenceGame):
    """Three grids of 5 by 5 cells, written as text."""

    name = "referencegame"
    summary = "one player describes one of three grids, another finds it (clembench)"
    options_type = ClemOptions
    shown = "grid"

    def experiments(self, options: ClemOptions) -> tuple[str, ...]:
        """Name the experiments: the families of grids."""
        return FAMILIES

    def _made(self, experiment: str, dice: tuple[Dice, Dice], which: int, deal: deals.Deal) -> ClemInstance:
        return deals.text_dealt(experiment, things.grids(experiment, dice[0], which), deal)
