"""The rules of the ATM puzzle, as its manual states them: which transaction is to be made at which balance."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal, TypeAlias

from palaver_gamemasters.comma.manual import Entry, Manual

__all__ = ["CENT", "AtmRules", "Condition", "Kind", "Rule", "critical", "read", "rule_for"]

Kind: TypeAlias = Literal["deposit", "withdraw"]
Comparison: TypeAlias = Literal["at least", "more than", "less than", "at most"]
COMPARISONS: tuple[Comparison, ...] = ("at least", "more than", "less than", "at most")
CENT = Decimal("0.01")
MOST = 99_999
"""Dollars: what the terminal's five digits can tell."""
HIGHEST = Decimal(1_000_000)
"""Dollars: the highest limit of a rule; balances are drawn up to five times as high."""
ABSURD = Decimal(10) ** 12
"""Dollars: all that is more is as good as that, and has digits that can be counted with."""

SECTION = "Transaction"
MONEY = r"\$(?P<{}>\d[\d,]*(?:\.\d\d)?)"
RULE = re.compile(
    rf"(?:otherwise,? )?(?:if there is (?P<comparison>{'|'.join(COMPARISONS)}) {MONEY.format('limit')} in the "
    rf"(?:bank )?account, )?(?P<kind>withdraw|deposit) {MONEY.format('amount')}"
    r"(?: using the ATM(?: machine)?| into the (?:bank )?account| from the (?:bank )?account)?\.?",
    re.IGNORECASE,
)
EXAMPLE = "If there is at least $500 in the bank account, withdraw $300 using the ATM."


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of the balance, in dollars, with a limit."""

    comparison: Comparison
    limit: Decimal

    def holds(self, balance: Decimal) -> bool:
        """Whether it is true of a balance."""
        match self.comparison:
            case "at least":
                return balance >= self.limit
            case "more than":
                return balance > self.limit
            case "less than":
                return balance < self.limit
            case "at most":
                return balance <= self.limit


@dataclass(frozen=True, slots=True)
class Rule:
    """Make a transaction of so many dollars where the condition is met, or in any case if there is none."""

    condition: Condition | None
    kind: Kind
    amount: int


AtmRules: TypeAlias = tuple[Rule, ...]
"""Rules in the order in which they are tried."""


def rule_for(rules: AtmRules, balance: Decimal) -> Rule | None:
    """Return the first rule that applies to a balance."""
    return next((rule for rule in rules if rule.condition is None or rule.condition.holds(balance)), None)


def critical(rules: AtmRules) -> tuple[Decimal, ...]:
    """Return balances of every sort that the rules tell apart: at each limit, a cent off it, between, and beyond."""
    limits = sorted({rule.condition.limit for rule in rules if rule.condition is not None})
    near = {limit + cents for limit in limits for cents in (-CENT, Decimal(0), CENT)}
    between = {((one + other) / 2).quantize(CENT) for one, other in pairwise([Decimal(0), *limits])}
    return tuple(sorted(each for each in {*near, *between, Decimal(0), *(2 * limit for limit in limits)} if each >= 0))


def read(manual: Manual) -> AtmRules:
    """Read the rules of the section "Transaction".

    Raises:
        InstanceError: a rule makes no sense or never applies, or some balance has none.
    """
    section = manual.section(SECTION)
    rules = tuple(_rule(manual, item) for item in section.items)
    deciding = {balance: rule_for(rules, balance) for balance in critical(rules)}
    for balance, rule in deciding.items():
        if rule is None:
            raise manual.error(f"no rule says what to do at a balance of ${balance:,}", section.line)
    for item, rule in zip(section.items, rules, strict=True):
        if not any(rule is each for each in deciding.values()):
            raise manual.error(f"the rule never applies: those before it decide everything ({item.text!r})", item.line)
    return rules


def _rule(manual: Manual, item: Entry) -> Rule:
    found = manual.rule(item, RULE, EXAMPLE)
    amount = _dollars(found["amount"])
    if not 0 < amount <= MOST or amount != int(amount):
        raise manual.error(f"${amount:,} cannot be typed: whole dollars, 1 to {MOST:,}", item.line)
    kinds: Mapping[str, Kind] = {"withdraw": "withdraw", "deposit": "deposit"}
    condition = None
    if found["comparison"]:
        comparison = next(each for each in COMPARISONS if each == found["comparison"].lower())
        limit = _dollars(found["limit"])
        if not 0 <= limit <= HIGHEST:
            raise manual.error(f"${limit:,} is no limit: at most ${HIGHEST:,}", item.line)
        condition = Condition(comparison, limit)
    return Rule(condition, kinds[found["kind"].lower()], int(amount))


def _dollars(text: str) -> Decimal:
    return min(Decimal(text.replace(",", "")), ABSURD)
