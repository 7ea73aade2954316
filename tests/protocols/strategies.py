"""What hypothesis builds messages from."""

from datetime import UTC
from typing import Any, get_args

from hypothesis import strategies as st

from palaver_protocols.content import Image, MediaType, Part, Text
from palaver_protocols.messages import (
    EpisodeEnded,
    EpisodeStarted,
    FinishReason,
    Outcome,
    RoleProtocol,
    Sampling,
    SeatFiller,
    TurnFailure,
    TurnReply,
    TurnRequest,
    TurnTaken,
    Usage,
    Wire,
)
from palaver_protocols.quirks import Quirks
from palaver_protocols.transcript import Message

names = st.text(min_size=1, max_size=8)
counts = st.integers(min_value=0, max_value=10**9)
seconds = st.floats(min_value=0, max_value=1e9)
moments = st.datetimes(timezones=st.just(UTC))
protocols: st.SearchStrategy[RoleProtocol] = st.sampled_from(get_args(RoleProtocol))
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)

quirks = st.builds(
    Quirks,
    system=st.sampled_from(["flexible", "first_only", "none"]),
    alternate=st.booleans(),
    user_first=st.booleans(),
    several_images=st.booleans(),
)


def picture(number: int) -> Image:
    """Make a picture that differs from that of every other number."""
    return Image(sha256=f"{number:064x}", media_type="image/png", width=4, height=3, size=70)


texts = st.builds(Text, text=st.text(max_size=20))
images = st.builds(
    Image,
    sha256=st.binary(min_size=32, max_size=32).map(bytes.hex),
    media_type=st.sampled_from(get_args(MediaType)),
    width=st.integers(1, 5000),
    height=st.integers(1, 5000),
    size=counts,
)
parts: st.SearchStrategy[tuple[Part, ...]] = st.lists(texts | images, max_size=3).map(tuple)
messages = st.builds(Message, speaker=names, parts=parts, audience=st.none() | st.lists(names, max_size=2).map(tuple))
views = st.lists(messages, max_size=3).map(tuple)

usages = st.builds(Usage, input_tokens=counts, output_tokens=counts, reasoning_tokens=counts)
samplings = st.builds(
    Sampling,
    temperature=st.none() | st.floats(0, 2),
    top_p=st.none() | st.floats(0, 1),
    max_tokens=st.none() | st.integers(1, 10**6),
    reasoning_effort=st.none() | names,
)
fillers = st.builds(SeatFiller, agent=names, model=st.none() | names, from_turn=counts)

_turn: dict[str, Any] = {
    "key": names,
    "run_id": names,
    "episode_id": names,
    "turn": counts,
    "seat": names,
    "agent": names,
}
requests = st.builds(
    TurnRequest,
    **_turn,
    game=names,
    variant=names,
    partners=st.lists(names, max_size=2).map(tuple),
    protocol=protocols,
    sampling=samplings,
    seed=counts,
    view=views,
    answer_schema=st.none() | st.dictionaries(names, values, min_size=1, max_size=2),
    timeout_s=seconds,
    attempt=st.integers(1, 9),
)
replies = st.builds(
    TurnReply,
    **_turn,
    parts=parts,
    provider=names,
    model=names,
    finish_reason=st.sampled_from(get_args(FinishReason)),
    usage=usages,
    latency_s=seconds,
    cost_usd=st.none() | seconds,
)
failures = st.builds(
    TurnFailure, **_turn, code=names, message=names, retryable=st.booleans(), retry_after_s=st.none() | seconds
)
starts = st.builds(
    EpisodeStarted,
    key=names,
    run_id=names,
    episode_id=names,
    game=names,
    variant=names,
    instance_id=names,
    instance=values,
    options=st.dictionaries(names, values, max_size=2),
    seed=counts,
    seats=st.dictionaries(names, st.lists(fillers, max_size=2).map(tuple), max_size=2),
    protocol=protocols,
    sampling=samplings,
    at=moments,
)
turns = st.builds(TurnTaken, key=names, prompts=views, reply=replies, at=moments)
ends = st.builds(
    EpisodeEnded,
    key=names,
    outcome=st.sampled_from(get_args(Outcome)),
    scores=st.dictionaries(names, st.none() | st.floats(-1e9, 1e9), max_size=3),
    error=st.none() | names,
    at=moments,
)
wires: st.SearchStrategy[Wire] = st.one_of(requests, replies, failures, starts, turns, ends)
