"""The columns of the four tables: names, kinds, units. What the files hold, and what their documentation says.

A row of a table is found by ``run_id``, and below it by ``episode_id`` and ``n``: equal names join.
"""

from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["COLUMNS", "GRAINS", "SCORE", "Column", "Grain", "Kind", "columns_of"]

Grain = Literal["runs", "episodes", "turns", "messages"]
GRAINS: tuple[Grain, ...] = get_args(Grain)

Kind = Literal["text", "integer", "number", "boolean", "time", "texts", "json", "scores"]
"""``texts`` is a list of texts; ``json`` any JSON value, which formats that are flat hold as text; ``time`` is UTC;
``scores`` are numbers by name, which formats that are flat give a column each."""

SCORE = "score_"
"""What the column of a score begins with, where each has its own."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what kind of value it holds, and what it says, unit included. All but ids may be null."""

    name: str
    kind: Kind
    about: str


RUN_ID = Column("run_id", "text", "the run")
EPISODE_ID = Column("episode_id", "text", "the episode; unique within its run")
TOKENS = (
    Column("input_tokens", "integer", "tokens read, cached ones included"),
    Column("output_tokens", "integer", "tokens written, reasoning included"),
    Column("reasoning_tokens", "integer", "tokens of reasoning, which output_tokens includes"),
    Column("cached_tokens", "integer", "tokens that the provider had cached, which input_tokens includes"),
)
LATENCY = Column("latency_s", "number", "time that models took, seconds")
COST = Column("cost_usd", "number", "US dollars; null where a price is not known")

COLUMNS: dict[Grain, tuple[Column, ...]] = {
    "runs": (
        RUN_ID,
        Column("game", "text", "what was played"),
        Column("study", "text", "the study that it is a part of; null of a run by itself"),
        Column("experiment", "text", "which experiment of the study"),
        Column("labels", "json", "its place in the study: names and values"),
        Column("agents", "texts", "who played, as they were named: one a seat, or one for all"),
        Column("options", "json", "options of the game, all of them"),
        Column("seed", "integer", "where its instances come from"),
        Column("protocol", "text", "how a dialogue became a provider's messages: prefixes, user, transcript"),
        Column("temperature", "number", "sampling; null where it is left to the provider"),
        Column("top_p", "number", "sampling; null where it is left to the provider"),
        Column("max_tokens", "integer", "the longest answer, tokens; null where it is left to the provider"),
        Column("reasoning_effort", "text", "for models that reason"),
        Column("handoff", "text", "what an agent that takes over a seat is shown: all, last:M, summary, nothing"),
        Column("prefix_run_id", "text", "the run whose first turns every episode begins with"),
        Column("prefix_turns", "integer", "how many of them, turns"),
        Column("planned", "integer", "episodes that were asked for"),
        Column("episodes", "integer", "episodes in the tables"),
        Column("started", "time", "when the run began"),
        Column("palaver", "text", "the version that it was made with"),
        Column("git_commit", "text", "the commit of that version, -dirty if changed since"),
        Column("instances_sha256", "text", "the digest of what was planned to be played"),
        Column("instances_revision", "text", "the revision of the data that instances come from"),
    ),
    "episodes": (
        RUN_ID,
        EPISODE_ID,
        Column("game", "text", "what was played"),
        Column("variant", "text", "which kind of it"),
        Column("instance_id", "text", "which set-up of it"),
        Column("labels", "json", "what the instance is grouped by: names, each with a list of values"),
        Column("seed", "integer", "for agents that roll dice"),
        Column("agents", "texts", "who played, in the order of the seats; a relay is written A@4>B"),
        Column("seats", "json", "by seat, who filled it from which turn on: agent, model, from_turn"),
        Column("protocol", "text", "how a dialogue became a provider's messages"),
        Column("outcome", "text", "solved, failed, aborted, crashed; error and budget say nothing about the agents"),
        Column("scores", "scores", "the game's measures by name; null where one is not defined"),
        Column("turns", "integer", "answers in the game"),
        Column("asides", "integer", "what was said behind seats: teams, summaries"),
        Column("frozen", "integer", "turns that were copied from another run"),
        Column("prefix_sha256", "text", "the digest of these"),
        *TOKENS,
        LATENCY,
        COST,
        Column("started", "time", "when it began"),
        Column("ended", "time", "when it ended"),
        Column("duration_s", "number", "from the one to the other, seconds"),
        Column("error", "text", "why it ended with outcome error or budget"),
        Column("usage", "json", "tokens by seat"),
        Column("message_tokens", "json", "tokens of each message, by seat, reasoning left out"),
        Column("finish_reasons", "json", "how many answers ended otherwise than by themselves, by reason"),
        Column("segments", "json", "what was reached by whom, where agents changed on the way"),
        Column("gradings", "json", "what each grader made of it"),
    ),
    "turns": (
        RUN_ID,
        EPISODE_ID,
        Column("n", "integer", "place in the episode's log, from 1"),
        Column("kind", "text", "turn, or aside: said behind the seat, and no turn of the game"),
        Column("aside_kind", "text", "of an aside: question, answer, summary"),
        Column("turn", "integer", "which turn of the episode, from 0"),
        Column("seat", "text", "whose turn it is"),
        Column("voice", "text", "who spoke: the seat, or a member of its team"),
        Column("agent", "text", "who was asked"),
        Column("provider", "text", "whom the answer comes from; human: a person"),
        Column("model", "text", "what the provider calls it; of a person, the pseudonym"),
        Column("text", "text", "what was answered, to the letter"),
        Column("pictures", "texts", "pictures in the answer, SHA-256"),
        Column("finish_reason", "text", "stop, length, refusal, content_filter, other"),
        *TOKENS,
        LATENCY,
        COST,
        Column("cached", "boolean", "whether the answer came from a cache"),
        Column("copied_from", "text", "RUN/EPISODE that a frozen turn was copied from; it was paid for there"),
        Column("unverified", "boolean", "whether tokens and dollars are a stranger's own word"),
        Column("sent", "text", "SHA-256 of the bytes that the provider was sent"),
        Column("key", "text", "names the question, by content"),
        Column("at", "time", "when the answer was in the log"),
    ),
    "messages": (
        RUN_ID,
        EPISODE_ID,
        Column("m", "integer", "place among the messages of the episode, from 0"),
        Column("n", "integer", "the turn that it came with: n of turns"),
        Column("turn", "integer", "which turn of the episode, from 0"),
        Column("kind", "text", "shown: to a seat, for its turn; said: in the game; aside: behind a seat"),
        Column("seat", "text", "the seat whose turn it is"),
        Column("voice", "text", "who was shown it, or said it: the seat, or a member of its team"),
        Column("speaker", "text", "whose words they are: a seat, a member, user, environment, system"),
        Column("audience", "texts", "who may see it; null: all, as far as the game's rules let them"),
        Column("text", "text", "the words, to the letter; parts are joined by line ends"),
        Column("pictures", "texts", "its pictures in order, SHA-256: names of files in blobs/"),
    ),
}


def columns_of(grain: Grain, scores: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """Return the columns of a table in which each score has its own.

    Args:
        grain: which table.
        scores: their names, in order.
    """
    columns: list[Column] = []
    for column in COLUMNS[grain]:
        if column.kind == "scores":
            columns += [Column(f"{SCORE}{name}", "number", "null where it is not defined") for name in scores]
        else:
            columns.append(column)
    return tuple(columns)
