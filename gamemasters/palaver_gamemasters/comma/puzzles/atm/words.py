"""How sums, comparisons and transactions are put in plain English: the words that a customer listens for."""

import re
from collections.abc import Mapping

from palaver_gamemasters.comma import speech
from palaver_gamemasters.comma.speech import CARDINALS, cardinals

__all__ = ["DOUBT", "REFUSED", "TOKEN", "VERB", "is_withdrawal", "plain"]

UNITS = cardinals(9)
SUM = re.compile(rf"\b(a|{'|'.join(CARDINALS[:9])})[ -](hundred|thousand)\b")

WITHDRAW = r"withdraw(?:al|ing|s)?|take|draw|cash out"
VERB = rf"(?:{WITHDRAW}|deposit(?:ing|s)?|put|pay|add)"
MORE, LESS = "(?:more|greater|higher|larger)", "(?:less|lower|smaller|fewer)"
N = r"\d{1,9}(?:\.\d\d?)?\b"
BARRED = r"\b(?:if|when|unless|least|than|over|above|below|under|balance|not|otherwise|or)\b"
BETWEEN = rf"(?:(?!{BARRED})[^.;?!\d]){{1,28}}?"
"""What may stand between a verb and its sum: nothing that makes the sum a limit."""
IF = r"(?:if|when|but|and|or|with) (?:it is |it's |you have )?"

TOKENS: Mapping[str, str] = {
    "at_least": rf"(?:at least|(?:no|not) (?:less than|below|under)|>=|≥|{MORE} than or equal to) ?{N}"
    rf"|{N} (?:dollars )?or (?:{MORE}|above|over)",
    "at_most": rf"(?:at most|(?:no|not) (?:more than|above|over|exceed)|<=|≤|{LESS} than or equal to) ?{N}"
    rf"|{N} (?:dollars )?or (?:{LESS}|below|under)",
    "more": rf"(?:{MORE} than|over|above|exceeds|exceeding|>) ?{N}",
    "less": rf"(?:(?:not|n't) at least|{LESS} than|under|below|<) ?{N}",
    "otherwise": rf"\b(?:otherwise|else|if not|if it is not|if it's not|if it isn't|if you do not|if you don't)\b"
    rf"(?! (?:{MORE}|{LESS}|have|at|above|over|below|under|exceed))",
    "bare_more": rf"{IF}(?:{MORE}|above|over)\b(?! than (?:\d|or)| ?\d)",
    "bare_less": rf"{IF}(?:{LESS}|below|under)\b(?! than (?:\d|or)| ?\d)",
    "transaction": rf"\b(?P<verb>{VERB})\b{BETWEEN}(?P<amount>\d{{1,7}})(?:\.00?)?\b"
    rf"|\b(?P<sum>\d{{1,7}})(?:\.00?)? (?:dollar )?(?P<noun>withdrawal|deposit)\b",
}
TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in TOKENS.items()))
"""A condition or a transaction; the name of the last group says which."""

REFUSED = re.compile(rf"(?:{speech.REFUSAL}|\bwithout\b)[^.;,\d]{{0,15}}?\b{VERB}\b[^.;,\d]{{0,20}}\d+")
"""A transaction that is not to be made."""
DOUBT = re.compile(rf"{speech.WAITS}|{speech.REFUSAL}|\b(?:would|should|which|what)\b|\?[ \"')]*$")
"""What makes a sentence none to be followed at once."""


def plain(text: str) -> str:
    """Return a text in small letters, with sums as bare digits ("$1,000", "five hundred dollars")."""
    said = SUM.sub(
        lambda found: str(UNITS.get(found[1], 1) * (100 if found[2] == "hundred" else 1000)), speech.plain(text)
    )
    said = re.sub(r"(?<=\d),(?=\d{3}\b)", "", said)
    return re.sub(r"[ \t]+", " ", said.replace("$", " "))


def is_withdrawal(verb: str) -> bool:
    """Whether a verb takes money out."""
    return re.match(WITHDRAW, verb) is not None
