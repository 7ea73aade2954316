"""What an expert's words ask of a customer: a transaction at a certain balance, or in any case."""

import re
from dataclasses import dataclass
from decimal import Decimal

from palaver_gamemasters.comma.speech import asks

from .manual import Condition, Kind
from .words import REFUSED, TOKEN, VERB, is_withdrawal, plain

__all__ = ["Branch", "branches", "chosen"]

ENDS = re.compile(r"[.!?;](?=\s)|\n")
ASKED = re.compile(r"(?:^|(?<=[.!?;\n]))[^.!?;\n]*\?")


@dataclass(frozen=True, slots=True)
class Branch:
    """A transaction of so many dollars, and the condition for it; None is whatever is left."""

    condition: Condition | None
    kind: Kind
    amount: int


def branches(text: str) -> tuple[Branch, ...]:
    """Find transactions and their conditions, whichever comes first ("withdraw $300 if ..." or "if ..., withdraw").

    A condition waits for the next transaction; a transaction waits, within its sentence only, for a condition.
    """
    said = ASKED.sub(_question, REFUSED.sub(" ", plain(text)))
    found: list[Branch] = []
    condition: Condition | None = None
    stated = False
    waiting: tuple[Kind, int] | None = None
    since = 0
    for token in TOKEN.finditer(said):
        if waiting is not None and (token["transaction"] or ENDS.search(said, since, token.start())):
            found.append(Branch(None, *waiting))
            waiting = None
        if not token["transaction"]:
            condition, stated = _condition(token, condition), waiting is None
            if waiting is not None:
                found.append(Branch(condition, *waiting))
                waiting = None
        elif stated:
            found.append(Branch(condition, *_transaction(token)))
            stated = False
        else:
            waiting = _transaction(token)
        since = token.end()
    return (*found, Branch(None, *waiting)) if waiting is not None else tuple(found)


def chosen(found: tuple[Branch, ...], balance: Decimal | None) -> Branch | None:
    """Return the branch to take; None if none is, or if it depends on a balance that is not known."""
    if balance is None and any(branch.condition for branch in found):
        return None
    for branch in found:
        if branch.condition and balance is not None and branch.condition.holds(balance):
            return branch
    rest = {branch for branch in found if branch.condition is None}
    return rest.pop() if len(rest) == 1 else None


def _question(found: re.Match[str]) -> str:
    """Leave the condition of a question, not what it asks about: "Is it at least 500? If so, withdraw 300."."""
    return found[0] if not asks(found[0]) else re.sub(rf"\b{VERB}\b", " ", found[0])


def _transaction(token: re.Match[str]) -> tuple[Kind, int]:
    kind: Kind = "withdraw" if is_withdrawal(token["verb"] or token["noun"]) else "deposit"
    return kind, int(token["amount"] or token["sum"])


def _condition(token: re.Match[str], latest: Condition | None) -> Condition | None:
    """Read a condition; one without a limit ("if it is less") has that of the one before."""
    number = re.search(r"\d+(?:\.\d+)?", token[0])
    if number:
        limit = Decimal(number[0])
    elif latest:
        limit = latest.limit
    else:
        return None
    match token.lastgroup:
        case "at_least":
            return Condition("at least", limit)
        case "at_most":
            return Condition("at most", limit)
        case "more" | "bare_more":
            return Condition("more than", limit)
        case "less" | "bare_less":
            return Condition("less than", limit)
        case _:
            return None
