"""How the bank terminal is talked about: the rule one way, and nothing that is private the other way."""

import re
from collections.abc import Sequence
from decimal import Decimal

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .manual import AtmRules, Rule
from .orders import branches, chosen
from .plan import keys_for, keys_named, keys_to
from .scene import AtmScene

__all__ = ["AtmTalk"]

PIN = re.compile(r"\bPIN is (\d{4})\b")
PRIVATE = "Please do not tell me your PIN or your balance; both are yours alone."
WHERE = "The terminal shows the balance once you have chosen from its menu and entered the PIN."
SCREENS = {
    "menu": "The terminal shows its main menu: Deposit, Withdraw and Balance.",
    "pin": "The terminal asks for my PIN.",
    "deposit": "The terminal is ready for a deposit, and it shows me my balance.",
    "withdraw": "The terminal is ready for a withdrawal, and it shows me my balance.",
    "balance": "The terminal shows me my balance.",
    "done": "The terminal says that the transaction is complete.",
}
ASK = (
    "I keep my PIN and my balance to myself, so please tell me the rule: from which balance on do I withdraw money, "
    "below which do I deposit some, and how much?"
)


class AtmTalk(Talk[AtmScene, AtmRules]):
    """The expert tells the rule; the customer looks at the balance and decides by itself."""

    def describe(self, sight: Sight[AtmScene]) -> str:
        """Tell which screen there is, and ask for the rule: no digit is ever said."""
        said = [SCREENS[sight.scene.terminal.screen]]
        if branches(sight.advice):
            said.append("What you told me does not say what to do at my balance.")
        return sight.admitting(" ".join([*said, ASK]))

    def obey(self, sight: Sight[AtmScene]) -> Sequence[str]:
        """Make the transaction that was asked for; where that depends on the balance, look at the balance first."""
        scene, pin = sight.scene, _pin(sight.task)
        if pin is None:
            return []
        found = branches(sight.advice)
        if not found:
            return keys_named(sight.advice, scene, pin)
        balance = None if scene.balance is None else Decimal(scene.balance)
        branch = chosen(found, balance)
        if branch is not None:
            return keys_for(scene.terminal, branch.kind, branch.amount, pin)
        if balance is not None:
            return []
        terminal = scene.terminal
        return keys_to(terminal, terminal.chosen if terminal.screen == "pin" else found[0].kind, pin)

    def advise(self, rules: AtmRules, heard: Heard) -> str:
        """Tell the rules: whatever the solver says, there is nothing else that it should be asked for."""
        return " ".join([*(_told(rule, number) for number, rule in enumerate(rules)), WHERE, PRIVATE])


def _pin(task: str) -> str | None:
    found = PIN.search(task)
    return found[1] if found else None


def _told(rule: Rule, number: int) -> str:
    if rule.condition is None:
        return f"{'Otherwise, ' if number else ''}{rule.kind} ${rule.amount}.".capitalize()
    balance = "your balance" if number == 0 else "it"
    start = "Otherwise, if" if number else "If"
    return f"{start} {balance} is {rule.condition.comparison} ${rule.condition.limit}, {rule.kind} ${rule.amount}."
