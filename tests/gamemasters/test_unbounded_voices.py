"""What bounds an answer in the game bounds nothing that is said behind a seat."""

from examples.count_up import GAME, next_number

from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import EpisodeStarted, Sampling, TurnRequest
from palaver_protocols.runs import RunConfig
from tests.gamemasters.folding import play, seated

SHORT = Sampling(temperature=0.0, max_tokens=100)


def opening(handoff: str = "all", **seats: str) -> EpisodeStarted:
    config = RunConfig(run_id="run", game="count-up", agents=("toy",), options={"target": 6}, sampling=SHORT)
    return seated(plan(GAME, config).openings[0], handoff, **seats)


def speak(request: TurnRequest) -> str:
    if request.role == "lead" and request.view[-1].speaker not in request.members:
        return "@all: which number?"
    return next_number(request) if request.role in ("player", "lead") else "The next one."


def bounds(start: EpisodeStarted) -> dict[str, set[int | None]]:
    found: dict[str, set[int | None]] = {}
    for request in play(GAME, start, speak, turns=4)[2]:
        assert request.sampling.temperature == 0.0
        found.setdefault(request.role, set()).add(request.sampling.max_tokens)
    return found


def test_members_may_say_as_much_as_they_like_and_their_lead_as_much_as_the_game_allows() -> None:
    assert bounds(opening(first="team(lead=a,members=b+c)")) == {"lead": {100}, "member": {None}, "player": {100}}


def test_a_summary_may_be_as_long_as_it_likes() -> None:
    assert bounds(opening("summary", first="a@2>b")) == {"player": {100}, "leaver": {None}}


def test_questions_keep_their_names_when_they_are_asked_again() -> None:
    start = opening("summary", first="team(lead=a,members=b)@2>c")
    keys = [[request.key for request in play(GAME, start, speak, turns=4)[2]] for _ in range(2)]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == len(keys[0])
