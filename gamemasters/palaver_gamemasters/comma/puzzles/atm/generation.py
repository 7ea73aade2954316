"""New accounts (ours): every rule of the manual is as likely to be the one that applies, now and then by a cent."""

from decimal import Decimal

from palaver_gamemasters.dice import Dice

from .manual import CENT, AtmRules, critical, rule_for

__all__ = ["account"]

NEAR = 6
"""One balance in so many is at a limit, or a cent off it."""
ROUND = 3
"""One balance in so many is in whole dollars."""
TRIES = 60


def account(rules: AtmRules, dice: Dice) -> tuple[str, Decimal]:
    """Draw a PIN and a balance in dollars."""
    pin = "".join(str(dice.below(10)) for _ in range(4))
    rule = dice.pick(rules)
    limits = [each.condition.limit for each in rules if each.condition is not None] or [Decimal(500)]
    close = [balance for balance in critical(rules) if any(abs(balance - limit) <= CENT for limit in limits)]
    fitting = [balance for balance in close if rule_for(rules, balance) is rule]
    if fitting and dice.below(NEAR) == 0:
        return pin, dice.pick(fitting)
    for _ in range(TRIES):
        scale = dice.pick(limits) * dice.pick((1, 5))
        balance = (dice.below(max(1, int(scale * 100))) * CENT).quantize(CENT)
        if dice.below(ROUND) == 0:
            balance = balance.quantize(Decimal(1)).quantize(CENT)
        if rule_for(rules, balance) is rule:
            return pin, balance
    return pin, dice.pick([balance for balance in critical(rules) if rule_for(rules, balance) is rule])
