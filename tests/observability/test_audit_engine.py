"""The leak audit: teams, relays and records that go wrong, as an engine or a forger would have it, are caught."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from palaver_gamemasters import teams
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.relief import TAKE_OVER, Cut
from palaver_gamemasters.teams import Voice
from palaver_observability.audit.addressing import check_addressing, names_of
from palaver_observability.audit.content import Words
from palaver_observability.audit.findings import Finding
from palaver_observability.audit.rebuilding import Rebuilt, Sent, rebuild
from palaver_observability.audit.record import check_record
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, SeatChanged, TurnRequest, TurnTaken
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.folding import play, seated
from tests.observability.audit_support import Hunt, audited, layers, opening, played
from tests.support import NOON, a_reply
from tests.toys import Match

GAME = Hunt()
TEAM = "team(lead=boss,members=ann+ben{})"


def start(handoff: str = "all", **seats: str) -> EpisodeStarted:
    return seated(opening(GAME)[0], handoff, **seats)


def speak(request: TurnRequest) -> str:
    """Let leads ask once in a turn, each member something else; all say things long enough to be known again."""
    if request.role == "leaver":
        return f"My partner at {request.seat} trusts me, and I have hidden the spade."
    if request.role == "member":
        return f"As {request.seat} I would rather walk along the river at turn {request.turn}."
    if request.role == "lead" and request.view[-1].speaker not in request.members:
        return (
            f"@member_1: is the bridge of turn {request.turn} safe to cross?\n"
            f"@member_2: how deep is the water at turn {request.turn}?"
        )
    return f"{request.seat} says something at turn {request.turn}"


def log_of(begun: EpisodeStarted) -> list[LogEntry]:
    log: list[LogEntry] = play(GAME, begun, speak)[1]
    return log


def rebuilt(log: Sequence[LogEntry]) -> Rebuilt:
    found = Rebuilt(log)
    rebuild(GAME, log, found)
    return found


def with_message(log: Sequence[LogEntry], message: Message, to: Callable[[Sent], bool]) -> list[Finding]:
    """Return what is found where somebody else was sent a message more."""
    found = rebuilt(log)
    at = max(at for at, sent in enumerate(found.sent) if to(sent))
    request = found.sent[at].request
    changed = request.model_copy(update={"view": (*request.view, message)})
    found.sent[at] = replace(found.sent[at], request=changed)
    return [*check_addressing(found, Counter()), *check_record(found, Words(found), lambda _: "", Counter())]


@pytest.mark.parametrize(
    ("handoff", "seats"),
    [
        ("all", {"left": TEAM.format("")}),
        ("all", {"left": TEAM.format(",show=nothing"), "right": TEAM.format("")}),
        ("all", {"right": "team(lead=boss,members=ann+team(lead=sub,members=ned+nell))"}),
        ("all", {"right": "team(lead=boss,members=ann+team(lead=sub,members=ned,show=nothing),show=nothing)"}),
        ("nothing", {"left": "one@2>two@4>three"}),
        ("last:2", {"left": "one@2>two", "right": "four@3>five"}),
        ("summary", {"left": "one@2>two@4>three", "right": "four@3>five"}),
        ("summary", {"left": f"{TEAM.format('')}@2>{TEAM.format(',show=nothing')}"}),
    ],
)
def test_teams_and_relays_that_keep_their_rules_are_clean(handoff: str, seats: dict[str, str]) -> None:
    audit = audited(GAME, [log_of(start(handoff, **seats))])
    assert (audit.findings, audit.unread) == ([], [])
    assert audit.checked["addressing"]["proven"] == audit.checked["addressing"]["questions"] > 0


@pytest.mark.parametrize("handoff", ["all", "nothing", "last:2", "summary"])
@pytest.mark.parametrize("turns", range(1, 5))
@pytest.mark.parametrize("seat", ["left", "right"])
def test_seats_that_change_hands_by_hand_are_clean(handoff: str, turns: int, seat: str) -> None:
    begun = start(handoff, left="one@3>two")
    log: list[LogEntry] = play(GAME, begun, speak, turns)[1]
    log.append(SeatChanged(key="change", seat=seat, agent="newcomer", at=NOON))
    episode = Episode.from_log(GAME, log)
    while episode.outcome is None:
        request = next(episode.requests(timeout_s=1.0))
        step = episode.step(request, a_reply(request, speak(request)), NOON)
        episode.take(step)
        log.append(step)
    audit = audited(GAME, [log])
    assert (audit.findings, audit.unread) == ([], [])


def test_seats_that_speak_at_once_are_told_apart() -> None:
    game = Match()
    begun = seated(opening(game)[0], "nothing", left=f"one@2>{TEAM.format('')}", right=TEAM.format(""))
    audit = audited(game, [play(game, begun, speak)[1]])
    assert (audit.findings, audit.unread) == ([], [])
    assert audit.checked["addressing"]["proven"] == audit.checked["addressing"]["questions"] > 10


def an_aside(log: Sequence[LogEntry], kind: str) -> Aside:
    return next(entry for entry in log if isinstance(entry, Aside) and entry.kind == kind)


def test_an_aside_that_another_seat_is_sent_is_found() -> None:
    log = log_of(start(left=TEAM.format("")))
    shown = Message.text_from(USER, an_aside(log, "answer").reply.text.upper(), ("right",))
    (finding,) = with_message(log, shown, lambda sent: sent.seat == "right")
    assert (finding.layer, finding.seat, finding.what.startswith("what was said behind left")) == (
        "record",
        "right",
        True,
    )


@pytest.mark.parametrize("kind", ["question", "answer"])
def test_an_aside_that_another_member_is_sent_is_found(kind: str) -> None:
    log = log_of(start(left=TEAM.format("")))
    aside = an_aside(log, kind)
    text = aside.reply.text.splitlines()[0].removeprefix("@member_1: ")  # to, or of, the first member
    shown = Message.text_from(USER, f"Psst: {text}", ("member_2",))
    assert [each.layer for each in with_message(log, shown, lambda sent: sent.voice == "member_2")] == ["record"]


def test_a_summary_that_comes_to_another_seats_successor_is_found() -> None:
    log = log_of(start("summary", left="one@2>two", right="four@3>five"))
    text = TAKE_OVER.format(summary=an_aside(log, "summary").reply.text)
    shown = Message.text_from(USER, text, ("right",))
    (finding,) = with_message(log, shown, lambda sent: sent.seat == "right" and sent.tenure == 1)
    assert finding.what.startswith("the summary for a successor behind left")


def test_talk_within_a_team_does_not_reach_the_team_that_comes_after_it() -> None:
    log = log_of(start(left=f"{TEAM.format('')}@2>{TEAM.format('')}"))
    shown = Message.text_from("member_1", an_aside(log, "answer").reply.text, ("left",))
    assert [each.layer for each in with_message(log, shown, lambda sent: sent.tenure == 1)] == ["record"]


def test_what_a_lead_says_aloud_is_private_no_more() -> None:
    def repeats(request: TurnRequest) -> str:
        if request.role == "lead" and request.view[-1].speaker in request.members:
            return f"My friend says: {request.view[-1].text}"
        return speak(request)

    log: list[LogEntry] = play(GAME, start(left=TEAM.format("")), repeats)[1]
    assert audited(GAME, [log]).findings == []


def test_a_member_that_is_to_know_nothing_and_is_shown_the_game_is_found() -> None:
    log = log_of(start(left=TEAM.format(",show=nothing")))
    for audience in (("left",), None):
        shown = Message.text_from(USER, "The rules of the game are these.", audience)
        found = with_message(log, shown, lambda sent: sent.voice == "member_1")
        assert [each.layer for each in found] == ["addressing"]


def test_members_who_hear_each_other_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = teams._member_view

    def leaking(voice: Voice, member: Voice, shown: tuple[Message, ...], talk: teams.Talk) -> tuple[Message, ...]:
        heard = [Message.text_from("lead", aside.reply.text, (member.name,)) for aside in talk if aside is not None]
        return (*honest(voice, member, shown, talk), *heard)

    monkeypatch.setattr(teams, "_member_view", leaking)
    assert layers(audited(GAME, [log_of(start(left=TEAM.format("")))])) == {"record"}


@pytest.mark.parametrize("handoff", ["nothing", "last:1", "summary"])
def test_a_newcomer_that_is_shown_what_it_may_not_know_is_found(monkeypatch: pytest.MonkeyPatch, handoff: str) -> None:
    monkeypatch.setattr(Cut, "of", lambda self, view, spoken: view)
    audit = audited(GAME, [log_of(start(handoff, left="one@2>two"))])
    assert layers(audit) == {"addressing"}
    assert "from before it took over" in audit.findings[0].what


def test_a_member_that_is_shown_another_members_part_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (begun,) = opening(MAZE)
    begun = seated(begun, agent_1="team(lead=boss,members=ann+ben,show=split)")
    honest = type(MAZE).split

    def leaking(self: Any, state: Any, seat: str, members: int) -> Any:
        lead, first, second = honest(self, state, seat, members)
        hint = Message.text_from(USER, f"Another part: {' '.join(first[0].text.split())}", (seat,))
        return lead, first, (*second, hint)

    def consulting(request: TurnRequest) -> str:
        return speak(request) if request.turn < 4 else "ACTI!"

    assert audited(MAZE, [play(MAZE, begun, consulting)[1]]).findings == []
    monkeypatch.setattr(type(MAZE), "split", leaking)
    assert layers(audited(MAZE, [play(MAZE, begun, consulting)[1]])) == {"content"}


def test_an_answer_of_somebody_who_was_not_asked_is_found() -> None:
    (log,) = played(GAME, opening(GAME))
    entry = log[3]
    assert isinstance(entry, TurnTaken)
    log[3] = entry.model_copy(update={"reply": entry.reply.model_copy(update={"agent": "bus/intruder"})})
    (finding,) = audited(GAME, [log]).findings
    assert (finding.layer, finding.what) == ("addressing", "bus/intruder has answered, and toy was asked")


@pytest.mark.parametrize("what", ["reply", "prompts", "key"])
def test_a_record_that_was_changed_proves_nothing(what: str) -> None:
    (log,) = played(GAME, opening(GAME))
    entry = log[1]
    assert isinstance(entry, TurnTaken)
    changes: dict[str, Any] = {
        "reply": {"reply": entry.reply.model_copy(update={"parts": ({"type": "text", "text": "ho"},)})},
        "prompts": {"prompts": entry.prompts[1:]},
        "key": {"key": "0" * 32},
    }
    log[1] = TurnTaken.model_validate(entry.model_copy(update=changes[what]).model_dump())
    audit = audited(GAME, [log])
    assert "are not those that the record gives" in audit.unread[0].why


def test_what_leaked_under_earlier_rules_is_found_under_those_of_today() -> None:
    class Leaky(Hunt):
        def feedback(self, state: Any, seat: str) -> str:
            return f"Left was told this: {self.task(state, 'left').text}"

    game = Leaky()
    audit = audited(GAME, played(game, opening(game)))
    assert {"content", "secrets"} <= layers(audit)
    assert len(audit.unread) == 1


def test_logs_that_are_none_or_go_on_otherwise_are_named_and_the_rest_is_audited() -> None:
    good, cut, other = played(GAME, opening(GAME, 3))
    headless = good[1:]
    stray = [*cut[:3], cut[5]]
    audit = audited(GAME, [good, headless, stray, other[:4]])
    assert [each.episode for each in audit.unread] == ["?", "hunt-plain-00001"]
    assert (audit.episodes, audit.findings) == (4, [])
    assert audit.checked["addressing"]["open"] == 1


def test_a_game_that_raises_is_no_end_of_the_audit() -> None:
    class Broken(Hunt):
        def apply(self, state: Any, replies: Any) -> Any:
            raise ZeroDivisionError("a bug")

    audit = audited(Broken(), played(GAME, opening(GAME, 2)))
    assert ["ZeroDivisionError: a bug" in each.why for each in audit.unread] == [True, True]


def test_whose_messages_a_voice_may_read() -> None:
    team = teams.team_at("left", "team(lead=a,members=b+team(lead=c,members=d,show=nothing)+team(lead=e,members=f))")
    assert names_of(team, "left", "left") == {"left"}
    assert names_of(team, "member_1", "left") == {"left", "member_1"}
    assert names_of(team, "member_2_1", "left") == {"member_2_1"}
    assert names_of(team, "member_3_1", "left") == {"left", "member_3", "member_3_1"}
