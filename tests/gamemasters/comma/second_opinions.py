"""Oracles of the ten puzzles, written from the study's rules and from what manuals say, not from the product's code.

Each says of an action whether it is a mistake, and how much of the puzzle is done.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Any

from tests.gamemasters.comma.random_manuals import ORDINALS, own, table

Setup = Mapping[str, Any]
CORNERS = tuple(f"press_{place}_button" for place in ("top_left", "top_right", "bottom_left", "bottom_right"))


# ---- oracles: `wanted` are the right actions now, none where it would take a search


class Oracle:
    progress = 0.0
    solved = False

    def wanted(self) -> list[str]:
        return []

    def act(self, action: str) -> bool:
        """Perform an action; say whether it was a mistake."""
        raise NotImplementedError


class Steps(Oracle):
    """Some right actions, one step after the other; a mistake may lead back to the first."""

    def __init__(self, *steps: set[str], resets: bool = False) -> None:
        self.steps, self.resets, self.at = steps, resets, 0

    def wanted(self) -> list[str]:
        return sorted(self.steps[self.at])

    def act(self, action: str) -> bool:
        mistake = action not in self.steps[self.at]
        self.at = self.at + 1 if not mistake else 0 if self.resets else self.at
        self.progress, self.solved = self.at / len(self.steps), self.at == len(self.steps)
        return mistake


def wire(setup: Setup) -> Oracle:
    wires, odd = setup["wires"], setup["serial"][-1] in "13579"
    count, last = wires.count, len(wires)
    last_of = {colour: place for place, colour in enumerate(wires, 1)}
    match last:
        case 3 if not count("red"):
            cut = 2
        case 3 if wires[-1] == "white":
            cut = last
        case 3:
            cut = last_of["blue"] if count("blue") > 1 else last
        case 4 if count("red") > 1 and odd:
            cut = last_of["red"]
        case 4 if (wires[-1] == "yellow" and not count("red")) or count("blue") == 1:
            cut = 1
        case 4:
            cut = last if count("yellow") > 1 else 2
        case 5 if wires[-1] == "black" and odd:
            cut = 4
        case 5 if count("red") == 1 and count("yellow") > 1:
            cut = 1
        case 5:
            cut = 2 if not count("black") else 1
        case _ if not count("yellow") and odd:
            cut = 3
        case _ if count("yellow") == 1 and count("white") > 1:
            cut = 4
        case _:
            cut = last if not count("red") else 4
    return Steps({f"cut_wire_{cut}"})


def who(setup: Setup, manual: str) -> Oracle:
    first, second = manual.split("## Step 2")
    places = dict(re.findall(r'^- "([^"]+)": (\w+ \w+)$', first, re.MULTILINE))
    lists = dict(re.findall(r'^- "([^"]+)": (.+)$', second, re.MULTILINE))
    read = setup["labels"][places[setup["display"]].lower().replace(" ", "_")]
    on = {label: place for place, label in setup["labels"].items()}
    pressed = next(word for word in lists[read].split(", ") if word in on)
    return Steps({f"press_{on[pressed]}_button"})


def led(setup: Setup, times: Mapping[str, int], first: int = 0, modulus: int = 26) -> Oracle:
    steps = []
    for stage in setup["stages"]:
        values = [ord(letter) - ord("A") + first for letter in stage["letters"]]
        right = [
            values[button] * times[stage["led"]] % modulus == values[opposite]
            for button, opposite in ((0, 3), (1, 2), (2, 1), (3, 0))
        ]
        steps.append({action for action, is_right in zip(CORNERS, right, strict=True) if is_right})
    return Steps(*steps)


MEMORY = (
    "p2 p2 p3 p4",
    "l4 P1 p1 P1",
    "L2 L1 p3 l4",
    "P1 p1 P2 P2",
    "L1 L2 L4 L3",
)
"""By stage and display: a position or a label, or (capitals) that of an earlier stage."""


def memory(setup: Setup, stages: Sequence[str]) -> Oracle:
    pressed: list[tuple[int, int]] = []
    for rules, display, labels in zip(stages, setup["displays"], setup["labels"], strict=True):
        kind, number = rules.split()[display - 1]
        value = int(number) if kind.islower() else pressed[int(number) - 1][kind == "L"]
        position = value if kind in "pP" else labels.index(value) + 1
        pressed.append((position, labels[position - 1]))
    return Steps(*({f"press_{position}"} for position, _ in pressed), resets=True)


def keypad(setup: Setup, manual: str) -> Oracle:
    upwards = "bottom to top" in manual
    columns = list(zip(*table(manual)[1:], strict=True))
    (column,) = [column for column in columns if set(setup["symbols"]) <= set(column)]
    order = sorted(range(4), key=lambda button: column.index(setup["symbols"][button]), reverse=upwards)
    return Steps(*({CORNERS[button]} for button in order), resets=True)


class Password(Oracle):
    def __init__(self, setup: Setup, manual: str) -> None:
        self.slots, self.at = setup["slots"], [*map(str.index, setup["slots"], setup["shown"])]
        words = re.findall(r"\b[a-z]{5}\b", manual.partition("## List")[2].partition("\n")[2])
        made = {"".join(letters).lower() for letters in product(*self.slots)}
        (self.word,) = [word.upper() for word in words if word in made]

    def wanted(self) -> list[str]:
        wrong = [n for n in range(5) if self.slots[n][self.at[n]] != self.word[n]]
        return [f"press_down_{n + 1}" for n in wrong] or ["submit"]

    def act(self, action: str) -> bool:
        if action == "submit":
            self.solved = [slot[at] for slot, at in zip(self.slots, self.at, strict=True)] == [*self.word]
            self.progress = float(self.solved)
            return not self.solved
        _, way, slot = action.split("_")
        self.at[int(slot) - 1] = (self.at[int(slot) - 1] + (1 if way == "down" else 2)) % 3
        return False


class Color(Oracle):
    def __init__(self, setup: Setup, manual: str) -> None:
        self.order = re.findall(r"^- (\w+)$", manual.lower(), re.MULTILINE)
        head, *rows = table(manual)
        self.next = {(int(row[0]), group): cell for row in rows for group, cell in zip(head[1:], row[1:], strict=True)}
        self.grids = [
            {(r + 1, c + 1): next(name for name in self.order if name[0] == letter.lower())
             for r, row in enumerate(rows) for c, letter in enumerate(row)}
            for rows in setup["grids"]
        ]  # fmt: skip
        self._begin()

    def _begin(self) -> None:
        self.stage, self.white = 0, set[tuple[int, int]]()
        there = [*self.grids[0].values()]
        self.group = min((name for name in self.order if name in there), key=there.count)
        self.due = self._squares(self.group)

    def _squares(self, group: str) -> set[tuple[int, int]]:
        grid = self.grids[min(self.stage, len(self.grids) - 1)]
        left = [square for square in grid if square not in self.white]
        if group == "row":
            return {square for square in left if square[0] == min(left)[0]}
        if group == "column":
            return {square for square in left if square[1] == min(column for _, column in left)}
        return {square for square in left if grid[square] == group}

    def wanted(self) -> list[str]:
        return [f"press_row_{row}_column_{column}" for row, column in sorted(self.due)]

    def act(self, action: str) -> bool:
        row, column = map(int, re.findall(r"\d", action))
        mistake = (row, column) not in self.due
        if mistake:
            self._begin()
        else:
            self.due.remove((row, column))
            self.white.add((row, column))
            if not self.due and len(self.white) < 16:
                self._go_on()
        self.progress, self.solved = len(self.white) / 16, len(self.white) == 16
        return mistake

    def _go_on(self) -> None:
        self.stage += 1
        self.group = self.next[len(self.white), self.group]
        while not self._squares(self.group):
            self.group = self.order[(self.order.index(self.group) + 1) % 5]
        self.due = self._squares(self.group)


class Maze(Oracle):
    WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def __init__(self, setup: Setup, spheres: Mapping[str, str]) -> None:
        goal = spheres[setup["torus"]]
        self.walls, self.goal = setup["walls"], tuple(setup["spheres"][goal])
        self.at, self.heading = tuple(setup["mouse"]), ("up", "right", "down", "left").index(setup["heading"])
        self.off, border = {self.goal: 0}, [self.goal]
        for cell in border:
            for way in self.WAYS:
                other = (cell[0] + way[0], cell[1] + way[1])
                if self._is_free(other) and other not in self.off:
                    self.off[other] = self.off[cell] + 1
                    border.append(other)
        self.away = self.off[self.at]

    def _is_free(self, cell: tuple[int, int]) -> bool:
        return bool(self.walls[cell[0]][cell[1]] == ".")

    def wanted(self) -> list[str]:
        if self.at == self.goal:
            return ["press_labyrinth_button"]
        nearer = {
            action
            for action, turns in (("move_forward", 0), ("move_backward", 2), ("turn_right", 1), ("turn_left", 3))
            if self.off.get(self._ahead(turns), self.away + 99) < self.off[self.at]
        }
        return sorted(nearer)

    def _ahead(self, turns: int) -> tuple[int, int]:
        down, right = self.WAYS[(self.heading + turns) % 4]
        return self.at[0] + down, self.at[1] + right

    def act(self, action: str) -> bool:
        if action == "press_labyrinth_button":
            self.solved = self.at == self.goal
            return not self.solved
        if action.startswith("turn"):
            self.heading = (self.heading + (1 if action == "turn_right" else 3)) % 4
        else:
            ahead = self._ahead(0 if action == "move_forward" else 2)
            self.at = ahead if self._is_free(ahead) else self.at
        self.progress = max(0.0, 1 - self.off[self.at] / self.away)
        return False


class Atm(Oracle):
    MENU = ("deposit", "withdraw", "balance")

    def __init__(self, setup: Setup, kind: str, amount: str) -> None:
        self.pin, self.right = setup["pin"], (kind, amount)
        self.screen, self.arrow, self.typed, self.chosen = "menu", 0, "", ""

    def wanted(self) -> list[str]:
        kind, amount = self.right
        goal = {"menu": "", "pin": self.pin, kind: amount}.get(self.screen, "")
        if not goal.startswith(self.typed) or (self.screen == kind and self.arrow):
            return ["press_up"]
        if self.screen == "menu" and self.MENU[self.arrow] != kind:
            return ["press_down"]
        if self.screen == ("deposit" if kind == "withdraw" else "withdraw") and not self.arrow:
            return ["press_down"]
        return [f"press_{goal[len(self.typed)]}"] if self.typed != goal else ["press_enter"]

    def act(self, action: str) -> bool:
        key = action.removeprefix("press_")
        amounts = self.screen in ("deposit", "withdraw")
        if key in ("up", "down"):
            choices = 3 if self.screen == "menu" else 2 if amounts else 0
            if choices:
                self.arrow = (self.arrow + (1 if key == "down" else -1)) % choices
            self.typed = ""
        elif key != "enter":
            room = 4 if self.screen == "pin" else 5 if amounts and not self.arrow else 0
            self.typed += key if len(self.typed) < room else ""
        elif self.screen == "menu":
            self.screen, self.chosen, self.typed = "pin", self.MENU[self.arrow], ""
            self.arrow = 0
        elif self.screen == "pin":
            right, self.typed = self.typed == self.pin, ""
            self.screen = self.chosen if right else "menu"
            return not right
        elif amounts and not self.arrow:
            return bool(self.typed) and self._transaction()
        else:
            self.screen, self.arrow = "menu", 0
        return False

    def _transaction(self) -> bool:
        self.solved = (self.screen, str(int(self.typed))) == self.right
        self.progress = float(self.solved)
        self.screen, self.arrow, self.typed = "menu", 0, ""
        return not self.solved


def telehealth(setup: Setup) -> Oracle:
    findings, lesion = setup["findings"], setup["lesion"]
    answer = {True: "yes", False: "no"}
    seen = {**lesion, "site": findings["site"], "size": findings["diameter"]}
    seen["change"] = "changing" if findings["changed"] else "stable"
    seen |= {"itch": answer[findings["itches"]], "bleeding": answer[findings["bleeds"]]}
    head, *rows = table(own("telehealth"))
    fitting = dict.fromkeys(head[1:], 0)
    for sign, *cells in rows:
        for code, cell in zip(head[1:], cells, strict=True):
            fitting[code] += cell == "any" or _fits(seen[sign], cell)
    code = max(fitting, key=lambda code: fitting[code])
    cut_out, frozen = "treat_with_surgery", "treat_with_cryotherapy"
    treatment = {
        "bcc": cut_out if findings["diameter"] >= 5 else frozen,
        "scc": cut_out if findings["diameter"] >= 5 else frozen,
        "ack": frozen,
        "sek": frozen if findings["irritated"] or findings["bleeds"] else "no_treatment",
        "mel": cut_out,
        "nev": "no_treatment",
    }[code]
    return Steps({f"diagnose_{code}"}, {treatment})


def _fits(seen: str | float, cell: str) -> bool:
    if isinstance(seen, str):
        return seen in cell.split(", ")
    limit = float(re.findall(r"[\d.]+", cell)[0])
    return seen < limit if "under" in cell else seen >= limit


# ---- the study's rules, and those of any manual


SPEC: Mapping[str, Callable[[Setup], Oracle]] = {
    "wire": wire,
    "led": lambda setup: led(setup, {"red": 2, "green": 3, "blue": 4, "yellow": 5, "purple": 6, "orange": 7}),
    "memory": lambda setup: memory(setup, MEMORY),
    "maze": lambda setup: Maze(setup, {"green": "blue", "blue": "red", "red": "green", "yellow": "yellow"}),
    "atm": lambda setup: Atm(setup, *(("withdraw", "300") if Decimal(setup["balance"]) >= 500 else ("deposit", "100"))),
    "telehealth": telehealth,
}
"""The study's own rules. Of the others, the tables are data, and read out of the manuals."""


def spec(puzzle: str, setup: Setup) -> Oracle:
    return SPEC[puzzle](setup) if puzzle in SPEC else by_manual(puzzle, setup, own(puzzle))


def by_manual(puzzle: str, setup: Setup, manual: str) -> Oracle:
    """Return the oracle that reads a manual as a person would, however strange its rules are."""
    match puzzle:
        case "wire":
            return wire_by(setup, manual)
        case "led":
            times = {colour: int(number) for colour, number in table(manual)[1:]}
            first, modulus = re.search(r"A = (\d+)", manual), re.search(r"modulo (\d+)", manual)
            assert first is not None
            assert modulus is not None
            return led(setup, times, int(first[1]), int(modulus[1]))
        case "memory":
            return memory(setup, memory_by(manual))
        case "maze":
            return Maze(setup, dict(table(manual)[1:]))
        case "atm":
            return Atm(setup, *atm_by(Decimal(setup["balance"]), manual))
    others: Mapping[str, Callable[[Setup, str], Oracle]]
    others = {"who": who, "keypad": keypad, "password": Password, "color": Color}
    return others[puzzle](setup, manual)


def wire_by(setup: Setup, manual: str) -> Oracle:
    wires = setup["wires"]
    section = manual.partition(f"## {len(wires)} wires")[2].partition("##")[0]
    for rule in re.findall(r"^- (.+) wire\.$", section, re.MULTILINE):
        when, _, what = rule.rpartition("cut the ")
        holds = [wires.count(colour) == 0 for colour in re.findall(r"no (\w+) wires", when)]
        holds += [wires.count(colour) == 1 for colour in re.findall(r"exactly one (\w+) wire", when)]
        holds += [wires.count(colour) > 1 for colour in re.findall(r"more than one (\w+) wire", when)]
        holds += [wires[-1] == colour for colour in re.findall(r"last wire is (\w+)", when)]
        holds += [(setup["serial"][-1] in "13579") == (digit == "odd") for digit in re.findall(r"odd|even", when)]
        if all(holds):
            place, _, colour = what.partition(" ")
            those = [number for number, wire in enumerate(wires, 1) if colour in ("", wire)]
            return Steps({f"cut_wire_{those[-1 if place == 'last' else ORDINALS.index(place)]}"})
    raise AssertionError("no rule applies")


def memory_by(manual: str) -> list[str]:
    forms = [(rf"in the ({'|'.join(ORDINALS)}) position", "p"), (r'labeled "(\d)"', "l")]
    forms += [(r"same position as you pressed in stage (\d)", "P"), (r"same label you pressed in stage (\d)", "L")]
    stages = []
    for section in manual.split("## Stage ")[1:]:
        rules = {}
        for display, what in re.findall(r"display is (\d), press the button (.+)\.", section):
            kind, value = next((kind, found[1]) for form, kind in forms if (found := re.search(form, what)))
            rules[display] = kind + (str(ORDINALS.index(value) + 1) if kind == "p" else value)
        stages.append(" ".join(rules[display] for display in "1234"))
    return stages


def atm_by(balance: Decimal, manual: str) -> tuple[str, str]:
    for rule in re.findall(r"^- (.+)\.$", manual, re.MULTILINE):
        kind, amount = re.findall(r"(withdraw|deposit) \$([\d,]+)", rule)[-1]
        found = re.search(r"(at least|more than|less than|at most) \$([\d,]+(?:\.\d\d)?)", rule.rpartition(kind)[0])
        limit = Decimal(found[2].replace(",", "")) if found else balance
        holds = {"at least": balance >= limit, "more than": balance > limit, "less than": balance < limit}
        if holds.get(found[1] if found else "", balance <= limit):
            return kind, amount.replace(",", "")
    raise AssertionError("no rule applies")
