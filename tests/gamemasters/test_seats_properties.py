"""Any game, any seats, any answers: what must hold of relays and teams whatever is said."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from examples.count_up import GAME as COUNT_UP
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow
from pydantic import JsonValue

from palaver_broker import Commit
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame, Game, GameOutcome, Instance, Options, Reply, Scores
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.teams import Voice, team_at
from palaver_observability.records import record_of
from palaver_protocols.codec import decode, encode
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import (
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    Player,
    SeatChanged,
    TurnReply,
    TurnRequest,
    TurnTaken,
    Usage,
)
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.folding import play as fold
from tests.gamemasters.folding import seated
from tests.support import NOON, a_reply
from tests.toys import Match, ToyModel, serving

quick = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# ---- games


@cache
def picture(shade: int) -> bytes:
    file = BytesIO()
    Pillow.new("L", (2, 2), shade).save(file, "PNG")
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class Talked:
    said: tuple[Message, ...] = ()


class Talk(Game[Talked, Options]):
    """Two seats talk for a few turns, in turn or at once.

    Args:
        shown: how many of the latest messages a view has; None for all of them.
        drawn: whether the game draws a picture each turn.
        at_once: whether both seats speak at the same time.
    """

    name = "talk"
    summary = "talk for a while"
    options_type = Options
    primary_score = "said"
    turns = 6

    def __init__(self, shown: int | None = None, *, drawn: bool = False, at_once: bool = False) -> None:
        self._shown = shown
        self._drawn = drawn
        self._at_once = at_once

    def __repr__(self) -> str:
        return f"Talk({self._shown}, drawn={self._drawn}, at_once={self._at_once})"

    def variant(self, options: Options) -> str:
        return "plain"

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        yield Instance("only", {})

    def seats(self, options: Options) -> tuple[str, ...]:
        return ("first", "second")

    def turn_limit(self, options: Options) -> int:
        return self.turns

    def start(self, instance: JsonValue, options: Options) -> Talked:
        return Talked()

    def pending(self, state: Talked) -> tuple[str, ...]:
        if len(state.said) >= self.turns:
            return ()
        return ("first", "second") if self._at_once else (("first", "second")[len(state.said) % 2],)

    def view(self, state: Talked, seat: str) -> tuple[Message, ...]:
        said = state.said if self._shown is None else state.said[len(state.said) - min(self._shown, len(state.said)) :]
        board = [Message(speaker=USER, parts=(Text(text="Look:"), Image.from_bytes(picture(len(state.said)))))]
        return (Message.text_from(USER, f"Talk, {seat}."), *said, *(board if self._drawn else ()))

    def split(self, state: Talked, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        _, *said = self.view(state, seat)
        cards = ["no card", *(f"card {number}" for number in range(1, members + 1))]
        return tuple((Message.text_from(USER, card), *said) for card in cards)

    def apply(self, state: Talked, replies: Mapping[str, Reply]) -> Talked:
        new = [Message(speaker=seat, parts=reply.parts) for seat, reply in replies.items()]
        return Talked((*state.said, *new))

    def outcome(self, state: Talked) -> GameOutcome | None:
        return "solved" if len(state.said) >= self.turns else None

    def score(self, state: Talked) -> Scores:
        return {"said": float(len(state.said))}

    def progress(self, state: Talked) -> float:
        return float(sum(message.text.startswith("@") for message in state.said))

    def players(self) -> Mapping[str, Player]:
        return {}


IN_TURN: list[AnyGame] = [Talk(), Talk(2), Talk(0), Talk(drawn=True), Talk(1, drawn=True), COUNT_UP]
AT_ONCE: list[AnyGame] = [Talk(at_once=True), Talk(2, at_once=True), Talk(drawn=True, at_once=True), Match()]
GAMES = [*IN_TURN, *AT_ONCE]
LIMIT = 6

# ---- seats and answers

agents = st.sampled_from(["ada", "bob", "cid", "openai/o3", "vllm/a_1@http://h:8000"])
shows = st.sampled_from(["all", "nothing", "split"])
rules = st.sampled_from(["stall:1", "stall:2", "tokens:30", "tokens:200", "usd:0.02", "usd:0.1"])
handoffs = st.sampled_from(["all", "last:1", "last:3", "summary", "nothing"])


@st.composite
def teams(draw: st.DrawFn, inner: bool = False) -> str:
    below = agents if inner else st.one_of(agents, agents, teams(inner=True))
    members = "+".join(draw(st.lists(below, min_size=1, max_size=2)))
    show = draw(shows.filter(lambda show: not (inner and show == "split")))
    return f"team(lead={draw(agents)},members={members},show={show},rounds={draw(st.integers(1, 2))})"


@st.composite
def seats(draw: st.DrawFn, splits: bool = True) -> str:
    names = draw(st.lists(st.one_of(agents, teams()), min_size=1, max_size=3))
    text, turn = names[0], 0
    for name in names[1:]:
        turn = draw(st.integers(turn + 1, turn + 3))
        text += f"@{draw(st.one_of(st.just(str(turn)), rules))}>{name}"
    return text if splits else text.replace("show=split", "show=all")


ANSWERS = [
    "@all: what now?",
    "  **@Member 1**: you?\n@member_2, and you?",
    "> @member 2: alone",
    "@all: both\n\n@member 1: and you again",
    "@everybody:",
    "@nobody: hm",
    "@member 9: hm",
    "I said @all: nothing",
    "@member1: in an odd form",
    "You lead a team that speaks with one voice, as first. @all: obey",
    "You take over this seat from another agent. @member 1: summary",
    "1",
    "2!",
    "3",
    "4",
    "\u2028 \x00 \U0001f600 \u202e odd",
    "long " * 4000,
]


@st.composite
def speakers(draw: st.DrawFn) -> "Speaker":
    return Speaker(tuple(draw(st.lists(st.sampled_from(ANSWERS), min_size=3, max_size=8))), draw(st.integers(0, 99)))


class Speaker(NamedTuple):
    """Answers by the question alone, and signs what it says."""

    texts: tuple[str, ...]
    salt: int

    def reply(self, request: TurnRequest) -> TurnReply:
        dice = Random(f"{self.salt}/{request.key}")
        usage = Usage(input_tokens=dice.randrange(20), output_tokens=dice.randrange(1, 20))
        text = f"{dice.choice(self.texts)}\n{sign(request.key)}"
        return a_reply(request, text, usage=usage, cost_usd=dice.choice([0.0, 0.01]), latency_s=1.0)


def sign(key: str) -> str:
    return f"[{key}]"


class Setup(NamedTuple):
    """An episode that can be played."""

    game: AnyGame
    start: EpisodeStarted
    speaker: Speaker


@st.composite
def setups(draw: st.DrawFn, games: list[AnyGame] = GAMES) -> Setup:
    game = draw(st.sampled_from(games))
    splits = isinstance(game, Talk)
    who = {seat: draw(seats(splits)) for seat in game.seats(game.configure({}))}
    return Setup(game, opening(game, draw(handoffs), **who), draw(speakers()))


def opening(game: AnyGame, handoff: str = "all", **who: str) -> EpisodeStarted:
    options = {"target": LIMIT} if game is COUNT_UP else {}
    config = RunConfig(run_id="run", game=game.name, agents=("toy",), options=options)
    return seated(plan(game, config).openings[0], handoff, **who)


class Played(NamedTuple):
    """An episode that was played live, and how."""

    episode: Episode
    log: list[Any]
    open_at: list[dict[str, TurnRequest]]
    """The questions that were open after each entry of the log."""
    asked: dict[str, TurnRequest]


def play(setup: Setup, dice: Random, by_hand: float = 0.0, log: list[Any] | None = None) -> Played:
    """Play an episode as the engine does, answers coming in any order; at times a seat is changed by hand."""
    game, start, speaker = setup
    log = [start] if log is None else log
    episode = Episode.from_log(game, log)
    asked: dict[str, TurnRequest] = {}
    out: dict[str, TurnRequest] = {}
    open_at: list[dict[str, TurnRequest]] = []

    def ask() -> None:
        owed = [] if episode.outcome is not None else list(episode.requests(timeout_s=1.0))
        assert len({request.key for request in owed}) == len(owed), "two questions have one key"
        assert owed or episode.outcome is not None, "it has not ended, and asks nobody"
        out.update({request.key: request for request in owed})
        assert set(out) == {request.key for request in owed}, "a question that is out is not asked any more"
        asked.update(out)
        open_at.append(dict(out))

    ask()
    while episode.outcome is None:
        assert len(log) < 400, "it does not end"
        if dice.random() < by_hand:
            seat, agent = dice.choice([*start.seats]), dice.choice(["eve", "team(lead=eve,members=fay)"])
            change = SeatChanged(key=f"changed:{len(log)}", seat=seat, agent=agent, at=NOON)
            episode.change(change)
            log.append(change)
            out.clear()
        else:
            request = out.pop(dice.choice(sorted(out)))
            step = episode.step(request, speaker.reply(request), NOON)
            episode.take(step)
            log.append(step)
        ask()
    return Played(episode, log, open_at, asked)


# ---- properties

by_hands = st.sampled_from([0.0, 0.0, 0.15])
seeds = st.integers(0, 999)


@quick
@given(setups(), seeds, by_hands)
def test_a_log_of_any_length_is_taken_up_with_the_questions_that_were_out(
    setup: Setup, seed: int, by_hand: float
) -> None:
    played = play(setup, Random(seed), by_hand)
    for length, out in enumerate(played.open_at, 1):
        resumed = Episode.from_log(setup.game, played.log[:length])
        again = [] if resumed.outcome is not None else list(resumed.requests(timeout_s=1.0))
        assert {request.key: request for request in again} == out
        for request in again[:1] if length < len(played.log) else ():
            assert resumed.step(request, setup.speaker.reply(request), NOON).prompts == resumed.prompts(request)
    whole = Episode.from_log(setup.game, played.log)
    assert (whole.state, whole.segments, whole.scores) == (
        played.episode.state,
        played.episode.segments,
        played.episode.scores,
    )


@quick
@given(setups(), seeds)
def test_the_order_in_which_answers_come_makes_no_difference(setup: Setup, seed: int) -> None:
    one, other = play(setup, Random(seed)), play(setup, Random(seed + 1))
    assert one.episode.state == other.episode.state
    assert one.episode.segments == other.episode.segments
    assert {entry.key: entry for entry in one.log} == {entry.key: entry for entry in other.log}


@quick
@given(setups(), seeds, by_hands)
def test_nobody_hears_what_is_said_behind_another_seat(setup: Setup, seed: int, by_hand: float) -> None:
    played = play(setup, Random(seed), by_hand)
    asides = [entry for entry in played.log if isinstance(entry, Aside)]
    state = repr(played.episode.state)
    for aside in asides:
        assert sign(aside.key) not in state
        heard_by = {request.seat for request in played.asked.values() if sign(aside.key) in shown_to(request)}
        strangers = {seat for seat in played.episode.started.seats if seat != aside.seat}
        assert not heard_by & strangers
    for request in played.asked.values():
        behind = owner_of(request, played.log)
        for aside in asides:
            if sign(aside.key) in shown_to(request):
                assert behind in (aside.seat, None)
                assert may_hear(request.seat, aside)


def shown_to(request: TurnRequest) -> str:
    return "\n".join(message.text for message in request.view)


def owner_of(request: TurnRequest, log: list[Any]) -> str | None:
    """Return the seat behind which a question was asked, if its answer is in the log."""
    for entry in log:
        if entry.key == request.key:
            return entry.seat if isinstance(entry, Aside) else str(entry.reply.seat)
    return None


def may_hear(voice: str, aside: Aside) -> bool:
    """Whether a voice is one of those that a word is for, or stands below one that is shown what its lead is shown."""
    if aside.kind == "summary":
        return True  # those that a newcomer may consult are shown what it is shown
    heard = {aside.reply.seat, *aside.audience}
    return voice in heard or any(voice.startswith(f"{name}_") for name in heard if name.startswith("member_"))


@quick
@given(setups([Talk(), Talk(at_once=True), COUNT_UP]), seeds)
def test_a_newcomer_is_shown_no_more_of_the_dialogue_than_the_run_says(setup: Setup, seed: int) -> None:
    played = play(setup, Random(seed))
    turns = {entry.key: entry for entry in played.log if isinstance(entry, TurnTaken)}
    handoff = setup.start.handoff
    for request in played.asked.values():
        seat = owner_of(request, played.log)
        since = arrival(played.episode, seat, request) if seat else 0
        if request.role == "leaver" or not since:
            continue
        before = sum(
            sign(key) in shown_to(request) for key, taken in turns.items() if taken.reply.turn < round_of(setup, since)
        )
        if handoff.startswith("last:"):
            assert before <= int(handoff[5:])
        elif handoff == "nothing" or (handoff == "summary" and summed_up(played.log, seat, since)):
            assert before == 0


def arrival(episode: Episode, seat: str, request: TurnRequest) -> int:
    """Return the turn at which whoever is asked behind a seat came."""
    came = 0
    for before, segment in pairwise(episode.segments):
        if segment.agents[seat] != before.agents[seat] and segment.from_turn <= request.turn:
            came = segment.from_turn
    return came


def round_of(setup: Setup, turn: int) -> int:
    """Return the first turn of the round that a turn is in."""
    first = setup.game.start(setup.start.instance, setup.game.configure(setup.start.options))
    return turn - turn % len(setup.game.pending(first))


def summed_up(log: list[Any], seat: str | None, turn: int) -> bool:
    return any(
        isinstance(entry, Aside) and entry.kind == "summary" and (entry.seat, entry.reply.turn) == (seat, turn)
        for entry in log
    )


@quick
@given(setups(), seeds)
def test_an_episode_ends_within_the_bounds_of_its_turns_and_teams(setup: Setup, seed: int) -> None:
    played = play(setup, Random(seed))
    voices = [team_at(seat, filler.agent) for seat, fillers in setup.start.seats.items() for filler in fillers]
    changes = sum(len(fillers) - 1 for fillers in setup.start.seats.values())
    assert len(played.log) - 1 <= LIMIT * max(map(most_questions, voices)) + changes


def most_questions(voice: Voice) -> int:
    """Return how many questions one word of a voice can take."""
    return voice.rounds * (1 + sum(map(most_questions, voice.members))) + 1


@quick
@given(setups(), seeds, st.booleans())
def test_a_record_agrees_with_its_log(setup: Setup, seed: int, frozen: bool) -> None:
    played = play(setup, Random(seed))
    log = played.log
    if frozen:
        copied = [entry.model_copy(update={"copied_from": "base/e0"}) for entry in log[1 : len(log) // 2]]
        played = play(setup, Random(seed), log=[setup.start, *copied])
        log = played.log
    ended = EpisodeEnded(key="end", outcome="solved", segments=played.episode.segments, at=NOON)
    record = record_of([*log, ended])
    paid = [entry for entry in log[1:] if entry.copied_from is None]
    assert sum(record.usage.values(), Usage()) == sum((entry.reply.usage for entry in paid), Usage())
    assert record.cost_usd == (pytest.approx(sum(entry.reply.cost_usd for entry in paid)) if paid else None)
    assert record.frozen == sum(isinstance(entry, TurnTaken) and entry.copied_from is not None for entry in log)
    assert (record.turns, record.asides) == (played.episode.turns, len(log) - 1 - played.episode.turns)
    check_segments(played.episode)


def check_segments(episode: Episode) -> None:
    """Hold that segments cover the turns without a gap and without an overlap."""
    if episode.segments:
        edges = [(segment.from_turn, segment.until_turn) for segment in episode.segments]
        assert edges[0][0] == 0
        assert edges[-1][1] == episode.turns
        assert all(end == start for (_, end), (start, _) in pairwise(edges))


@quick
@given(setups(IN_TURN), seeds)
def test_segments_cover_the_turns_whoever_is_put_behind_a_seat_by_hand(setup: Setup, seed: int) -> None:
    check_segments(play(setup, Random(seed), by_hand=0.2).episode)


@quick
@given(setups(), seeds, by_hands)
def test_a_log_survives_the_wire(setup: Setup, seed: int, by_hand: float) -> None:
    log = play(setup, Random(seed), by_hand).log
    wired = [decode(encode(entry)) for entry in log]
    assert wired == log
    assert Episode.from_log(setup.game, wired).scores == Episode.from_log(setup.game, log).scores


# ---- single cases


def told(request: TurnRequest) -> str:
    """Let leads ask once a turn, and all others say the number of the turn."""
    if request.role == "leaver":
        return "All is well."
    if request.role == "lead" and request.view[-1].speaker not in request.members:
        return "@all: what now?"
    return "private" if request.role == "member" else str(request.turn + 1)


def frozen(log: list[Any]) -> list[Any]:
    return [entry.model_copy(update={"copied_from": "base/e0"}) for entry in log]


def test_a_lead_that_stays_is_told_who_is_in_its_new_team() -> None:
    start = opening(Talk(), first="team(lead=ada,members=bob)@2>team(lead=ada,members=bob+cid)")
    _, _, asked = fold(Talk(), start, told, turns=3)
    assert [request.members for request in asked if request.role == "lead"][-1] == ("member_1", "member_2")


def test_a_lead_is_shown_the_answers_of_its_members_in_the_order_of_its_team() -> None:
    keys = set()
    for places in ((0, 0), (1, 0)):
        episode = Episode(Talk(), opening(Talk(), first="team(lead=ada,members=bob+cid)"))
        for place in (0, *places):
            request = list(episode.requests(timeout_s=1.0))[place]
            episode.take(episode.step(request, a_reply(request, told(request)), NOON))
        keys |= {request.key for request in episode.requests(timeout_s=1.0)}
    assert len(keys) == 1


def test_where_two_follow_at_once_the_one_that_spoke_sums_up_for_the_last() -> None:
    _, _, asked = fold(Talk(), opening(Talk(), "summary", second="ada@2>bob@3>cid"), told, turns=4)
    assert [(request.agent, request.role) for request in asked[3:]] == [("ada", "leaver"), ("cid", "player")]


@pytest.mark.parametrize("handoff", ["nothing", "summary", "last:1"])
def test_a_newcomer_is_shown_what_is_said_after_it_came_even_if_it_was_said_before(handoff: str) -> None:
    _, _, asked = fold(Talk(2), opening(Talk(2), handoff, first="ada@2>bob"), lambda _: "I agree.")
    second = next(request for request in asked if (request.agent, request.turn) == ("bob", 4))
    assert [message.speaker for message in second.view if message.speaker != USER] == ["first", "second"]


def test_what_members_said_is_no_prompt_of_the_game_when_their_lead_sums_up() -> None:
    _, log, _ = fold(Talk(), opening(Talk(), "summary", first="team(lead=ada,members=bob)@2>cid"), told, turns=4)
    (summary,) = [entry for entry in log if isinstance(entry, Aside) and entry.kind == "summary"]
    assert {message.speaker for message in summary.prompts} == {USER}


def test_segments_cover_the_turns_where_seats_that_speak_at_once_are_changed_by_hand() -> None:
    game = Talk(at_once=True)
    episode = Episode(game, opening(game))
    for seat in ("second", "first"):
        episode.change(SeatChanged(key=f"changed:{seat}", seat=seat, agent="eve", at=NOON))
    while episode.outcome is None:
        for request in list(episode.requests(timeout_s=1.0)):
            episode.take(episode.step(request, a_reply(request), NOON))
    check_segments(episode)


@pytest.mark.parametrize("who", ["cid", "cid@4>dan"])
def test_turns_among_which_an_agent_has_left_a_summary_can_be_continued_by_others(who: str) -> None:
    _, log, _ = fold(Talk(), opening(Talk(), "summary", first="ada@2>bob"), told, turns=4)
    episode = Episode.from_log(Talk(), [opening(Talk(), "summary", first=who), *frozen(log[1:])])
    assert episode.turns == 4


def test_the_turns_of_a_team_can_be_continued_by_a_smaller_one() -> None:
    def ask_two(request: TurnRequest) -> str:
        return "@member 3: you?\n@member 1: you?" if told(request).startswith("@") else told(request)

    _, log, _ = fold(Talk(), opening(Talk(), first="team(lead=ada,members=bob+bob+bob)"), ask_two, turns=2)
    start = opening(Talk(), first="team(lead=ada,members=bob+bob)")
    episode = Episode.from_log(Talk(), [start, *frozen(log[1:])])
    (request,) = episode.requests(timeout_s=1.0)
    episode.take(episode.step(request, a_reply(request, "@all: what now?"), NOON))
    assert [asked.seat for asked in episode.requests(timeout_s=1.0)] == ["member_1", "member_2"]


def test_a_record_knows_when_somebody_came_by_hand_before_the_first_turn() -> None:
    start = opening(Talk())
    change = SeatChanged(key="changed:1", seat="first", agent="eve", at=NOON)
    played = play(Setup(Talk(), start, Speaker(("1",), 0)), Random(0), log=[start, change])
    ended = EpisodeEnded(key="end", outcome="solved", segments=played.episode.segments, at=NOON)
    assert record_of([*played.log, ended]).seats["first"][-1].from_turn == 0


async def test_a_team_by_hand_that_the_game_cannot_play_ends_its_episode_as_an_error() -> None:
    broker, start = MemoryBroker(), opening(COUNT_UP)
    log = episode_log(start.run_id, start.episode_id)
    team = "team(lead=toy,members=toy,show=split)"
    await broker.commit(Commit(log, 0, None, start))
    await broker.commit(Commit(log, 1, start.key, SeatChanged(key="c", seat="first", agent=team, at=NOON)))
    async with serving(broker, "toy", ToyModel()), open_engine(broker) as engine:
        assert (await engine.play(COUNT_UP, start)).outcome == "error"
