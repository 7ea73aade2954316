"""What a solution's answer is, and by which rule it is right: the study's, and a stricter one of ours."""

import re
import unicodedata
from itertools import accumulate

__all__ = ["answer_line", "answer_of", "is_compatibly", "is_strictly", "normal", "tells"]

LINE = re.compile(r"^\s*\**answer\**\s*[:：]\s*(\S.*)$", re.IGNORECASE)  # noqa: RUF001 - as Chinese and Japanese write it
TEMPLATE = re.compile(r"[<\[({](?:(?:the|your|my|final) )*answer[>\])}]", re.IGNORECASE)
"""What stands in the prompt where the answer belongs; somebody who quotes it has not answered yet."""


def answer_line(output: str) -> str | None:
    """Return what the last ``Answer:`` line of an output says, as it stands there; None if there is no such line."""
    found = [match[1].strip() for line in output.splitlines() if (match := LINE.match(line))]
    return found[-1] if found else None


def answer_of(output: str) -> str | None:
    """Return the answer that an output hands in, bold or quotation marks around it left out; None if it has none.

    None is what a last line without a letter or digit hands in (``Answer: ?``), or one that quotes the prompt
    (``Answer: <answer>``).
    """
    said = (answer_line(output) or "").strip(" *_`\"'“”‘’")  # noqa: RUF001 - quotation marks that models write
    return said if any(map(str.isalnum, said)) and not TEMPLATE.fullmatch(said.rstrip(" .")) else None


def normal(text: str) -> str:
    """Return the letters and digits of a text, in upper case (Unicode's NFKC).

    Quotes and dashes, typographic or not, go with all other marks. A text that consists of marks is kept as it is.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper())
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split()).strip("*_")


def is_compatibly(solution: str, output: str) -> bool:
    """Judge as the study's program does: whether the solution occurs anywhere in the output, to the letter."""
    return solution in output


def is_strictly(solution: str, output: str) -> bool:
    """Judge by what the last ``Answer:`` line says, its letters and digits alone."""
    said = answer_line(output)
    return said is not None and normal(said) == normal(solution)


def tells(solution: str, text: str) -> bool:
    """Whether a text says the solution: whole words that have its letters and digits, however they are divided.

    So ``ROLL WITH IT`` is told by "roll-with-it", "ROLLWITHIT" and "R O L L W I T H I T", and ``ART`` not by "party".
    """
    wanted = normal(solution)
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper()))
    ends = list(accumulate(map(len, words), initial=0))
    borders, joined = set(ends), "".join(words)
    return bool(wanted) and any(
        joined.startswith(wanted, start) and start + len(wanted) in borders for start in ends[:-1]
    )
