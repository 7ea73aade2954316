"""The points of the protocol that an agent is held to."""

from typing import Literal, NamedTuple

__all__ = ["CONDUCT", "PAGE", "POINTS", "Kind", "Mark", "Point", "Verdict"]

Kind = Literal["required", "recommended", "informative"]
"""``required``: an agent that misses it will lose turns. ``recommended``: it costs somebody something, and loses none.
``informative``: neither is wrong."""

Mark = Literal["met", "missed", "untried"]

PAGE = "docs/protocol.md"


class Point(NamedTuple):
    """Something that can be met or missed. ``section`` is where :data:`PAGE` speaks of it."""

    name: str
    kind: Kind
    expected: str
    mend: str
    section: str


class Verdict(NamedTuple):
    """What was found about a point: ``came`` says in one line what the agent did.

    ``mend`` is what to do about just this; empty: that of the point will do.
    """

    point: str
    mark: Mark
    came: str
    mend: str = ""


POINTS: dict[str, Point] = {
    point.name: point
    for point in (
        Point(
            "known",
            "required",
            "the bus knows it all the time",
            "ask for a token that is valid: palaver admin add-agent, or rotate",
            "Names and tokens",
        ),
        Point(
            "hello",
            "recommended",
            "it says agent.hello, again every 20 s",
            "send an agent.hello when you connect, and every 20 s, so that people see who is there",
            "Hello",
        ),
        Point(
            "answers",
            "required",
            "a question is answered",
            "read the inbox from 0-0 when you start, and send one turn.reply for each turn.request",
            "Questions and answers",
        ),
        Point(
            "key",
            "required",
            "`key` is that of the question",
            "copy `key` from the question that you answer, letter by letter",
            "Questions and answers",
        ),
        Point(
            "names",
            "required",
            "run_id, episode_id, turn, seat, agent are the question's",
            "copy run_id, episode_id, turn, seat and agent from the question, with the types they have",
            "Questions and answers",
        ),
        Point(
            "text",
            "required",
            "an answer is made of text parts",
            'answer with "parts": [{"type": "text", "text": "..."}] and nothing else in it',
            "Questions and answers",
        ),
        Point(
            "form",
            "required",
            "every message is JSON that fits the schema",
            "send one UTF-8 JSON object a message, and hold it to `palaver schema`",
            "Messages",
        ),
        Point(
            "size",
            "required",
            "messages keep to the limits",
            "keep a message under 256 KiB, and send no more than 50 a second",
            "Limits",
        ),
        Point(
            "version",
            "required",
            'messages speak "version": "1.0"',
            'write "version": "1.0", or the minor version that you know',
            "Versions",
        ),
        Point(
            "once",
            "recommended",
            "a question that came once is answered once",
            "send an answer again only where its question comes again, or where its connection broke before the notice",
            "Duplicates",
        ),
        Point(
            "words",
            "recommended",
            "answers have words in them",
            'put what you say into "parts": [{"type": "text", "text": "..."}]; an empty one is a lost turn',
            "Questions and answers",
        ),
        Point(
            "unknown-fields",
            "required",
            "what a newer version adds is ignored",
            "ignore fields that you do not know, and minor versions above your own",
            "Versions",
        ),
        Point(
            "answer-schema",
            "required",
            "a question with an answer_schema is answered",
            "answer with JSON in a text part that fits answer_schema, or with any text if you cannot",
            "Questions and answers",
        ),
        Point(
            "unicode",
            "required",
            "text of any script goes in and out unharmed",
            "read and write UTF-8 everywhere, also where your language has another default",
            "Messages",
        ),
        Point(
            "long-view",
            "required",
            "a view of 200 KB is answered",
            "read whole messages, however long; do not echo them, since answers are limited",
            "Limits",
        ),
        Point(
            "at-once",
            "required",
            "of several open questions, each has its own answer",
            "keep nothing between questions: take each answer's names from its own question",
            "Order, duplicates and time",
        ),
        Point(
            "redelivery",
            "required",
            "a question that is asked again is answered again",
            "answer what comes again with the same answer, or a new one; never skip a key that you have answered",
            "Duplicates",
        ),
        Point(
            "refusals",
            "required",
            "it goes on after a refusal",
            "take a notice `refused` for what it is: write it to your log, and go on with the next question",
            "Notices",
        ),
        Point(
            "duplicates",
            "required",
            "a question that comes twice is answered",
            "expect each question more than once, at any moment",
            "Duplicates",
        ),
        Point(
            "cancellation",
            "required",
            "after a question was withdrawn, the next is answered in time",
            "let go of what was cancelled, never send a refused answer again, and go on with the next question",
            "Withdrawal",
        ),
        Point(
            "pictures",
            "required",
            "a question with a picture is answered",
            "expect image parts; take the picture by its sha256, or read its alt, or send a turn.failure `no_picture`",
            "Pictures",
        ),
        Point("fetches", "informative", "it fetches the picture", "", "Pictures"),
        Point("time-limit", "informative", "it answers within a short timeout_s", "", "Time limits"),
        Point("speed", "informative", "how long its answers take", "", "Time limits"),
    )
}

CONDUCT = ("key", "names", "text", "form", "size", "version")
"""What is wrong or right about each message, whatever it answers."""
