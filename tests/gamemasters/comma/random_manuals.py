"""Manuals that nobody has written by hand: other rules for each of the ten puzzles, drawn with dice."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase

from palaver_gamemasters.comma.instances import own_manual
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.dice import Dice


@lru_cache(maxsize=16)
def own(puzzle: str) -> str:
    return own_manual(load_puzzle(puzzle)).text


def table(text: str) -> list[list[str]]:
    """Read the one table of a manual: the rows in small letters, the head first."""
    rows = [[cell.strip().lower() for cell in line.strip("|").split("|")] for line in text.split("\n") if "|" in line]
    return [row for row in rows if set("".join(row)) - set("-: ")]


WIRES = ("red", "blue", "yellow", "white", "black", "green")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def wire_manual(dice: Dice) -> str:
    lines = ["# Wire puzzle", "", "Rules are tried in order."]
    for count in (3, 4, 5, 6):
        lines += ["", f"## {count} wires", ""]
        for _ in range(dice.below(5)):
            colours = dice.sample(WIRES, 1 + dice.below(3))
            forms = ["there are no {} wires", "there is exactly one {} wire", "there is more than one {} wire"]
            forms += ["the last wire is {}", f"the last digit of the serial number is {dice.pick(('odd', 'even'))}"]
            chosen = [(dice.below(5), colour) for colour in colours]
            conditions = " and ".join(dict.fromkeys(forms[form].format(colour) for form, colour in chosen))
            places = ["last", *ORDINALS[:count]]
            places += [f"{place} {colour}" for form, colour in chosen if 1 <= form <= 3 for place in ("first", "last")]
            places += [f"second {colour}" for form, colour in chosen if form == 2]
            lines.append(f"- If {conditions}, cut the {dice.pick(places)} wire.")
        lines.append(f"- Otherwise, cut the {dice.pick(['last', *ORDINALS[:count]])} wire.")
    return "\n".join(lines)


def who_manual(dice: Dice) -> str:
    places = ("Top Left", "Top Right", "Middle Left", "Middle Right", "Bottom Left", "Bottom Right")
    first, second = own("who").split("## Step 2")
    first = re.sub(r'^(- "[^"]+": ).+$', lambda rule: rule[1] + dice.pick(places), first, flags=re.MULTILINE)

    def shuffled(rule: re.Match[str]) -> str:
        words = rule[2].split(", ")
        return rule[1] + ", ".join(dice.sample(words, len(words)))

    return first + "## Step 2" + re.sub(r'^(- "[^"]+": )(.+)$', shuffled, second, flags=re.MULTILINE)


def led_manual(dice: Dice) -> str:
    first, modulus = dice.pick((0, 0, 1, 5)), dice.pick((26, 26, 27, 31))
    text = own("led").replace("A = 0, B = 1, C = 2", f"A = {first}, B = {first + 1}, C = {first + 2}")
    head, _, _ = text.replace("modulo 26", f"modulo {modulus}").partition("| red |")
    colours = dice.sample(("red", "green", "blue", "yellow", "purple", "orange"), 1 + dice.below(6))
    return head + "\n".join(f"| {colour} | {2 + dice.below(23)} |" for colour in colours)


def memory_manual(dice: Dice) -> str:
    lines = ["# Memory puzzle", "", "Button positions are ordered from left to right."]
    for stage in range(1, 6):
        lines += ["", f"## Stage {stage}", ""]
        for display in range(1, 5):
            earlier = 1 + dice.below(max(1, stage - 1))
            rules = (f"in the {ORDINALS[dice.below(4)]} position", f'labeled "{1 + dice.below(4)}"',
                     f"in the same position as you pressed in stage {earlier}",
                     f"with the same label you pressed in stage {earlier}")  # fmt: skip
            rule = dice.pick(rules[: 2 if stage == 1 else 4])
            lines.append(f"- If the display is {display}, press the button {rule}.")
    return "\n".join(lines)


def keypad_manual(dice: Dice) -> str:
    symbols = sorted({cell for row in table(own("keypad"))[1:] for cell in row})
    columns = [dice.sample(symbols, 4 + dice.below(6)) for _ in range(1 + dice.below(6))]
    lines = [f"# Keypad puzzle\n\nPress them from {dice.pick(('top to bottom', 'bottom to top'))}.\n\n## Columns\n"]
    lines += ["| " + " | ".join(f"column {number}" for number, _ in enumerate(columns, 1)) + " |"]
    lines += ["|" + " --- |" * len(columns)]
    for row in range(max(map(len, columns))):
        lines.append("| " + " | ".join(column[row] if row < len(column) else "" for column in columns) + " |")
    return "\n".join(lines)


def password_manual(dice: Dice) -> str:
    letters = dice.pick((ascii_lowercase, "aeimquxyz", "abcyz", "abc"))
    words = {"".join(dice.pick(letters) for _ in range(5)) for _ in range(dice.pick((1, 2, 5, 40)))}
    return "# Password puzzle\n\n## List of possible words\n\n" + "\n".join(f"- {word}" for word in sorted(words))


def color_manual(dice: Dice) -> str:
    groups = ("Red", "Blue", "Green", "Yellow", "Magenta", "Row", "Column")
    head, _, rest = own("color").partition("- Red\n")
    between = "\n## Next group" + rest.partition("\n## Next group")[2].partition("| White squares")[0]
    cells = (*groups, *("Row", "Column") * dice.below(4))
    lines = [head + "\n".join(f"- {colour}" for colour in dice.sample(groups[:5], 5)), between.rstrip("\n"), ""]
    lines += ["| White squares | " + " | ".join(dice.sample(groups, 7)) + " |", "|" + " --- |" * 8]
    lines += [f"| {white} | " + " | ".join(dice.pick(cells) for _ in groups) + " |" for white in range(1, 16)]
    return "\n".join(lines)


def maze_manual(dice: Dice) -> str:
    colours = ("Red", "Blue", "Green", "Yellow")
    rows = [f"| {torus} | {dice.pick(colours)} |" for torus in dice.sample(colours, 4)]
    return own("maze").partition("| Green |")[0] + "\n".join(rows)


def atm_manual(dice: Dice) -> str:
    def deed() -> str:
        return f"{dice.pick(('withdraw', 'deposit'))} ${1 + dice.below(dice.pick((9, 999, 99_999))):,}"

    lines = [own("atm").partition("- If")[0]]
    for _ in range(dice.below(3)):
        limit = f"${dice.below(dice.pick((50, 1000, 100_000))):,}{dice.pick(('', '.50', '.01'))}"
        comparison = dice.pick(("at least", "more than", "less than", "at most"))
        lines.append(f"- If there is {comparison} {limit} in the bank account, {deed()}.")
    return "\n".join([*lines, f"- Otherwise, {deed()}."])


def telehealth_manual(dice: Dice) -> str:
    facts = ["the diameter is 5 mm or more", "the diameter is under 8 mm", "it is irritated", "it bleeds"]
    facts += ["it itches", "it hurts", "it has grown", "it has changed"]
    order = dice.sample(range(1, 7), 6)

    def treatment(_: re.Match[str]) -> str:
        one, other = dice.sample(("surgery", "cryotherapy", "no treatment"), 2)
        when = " or ".join(dice.sample(facts, 1 + dice.below(3)))
        forms = (f"{one}.", f"{one} if {when}, else {other}.", f"{one}, unless {when}: then {other}.")
        return "Treatment: " + dice.pick(forms).capitalize()

    def moved(row: re.Match[str]) -> str:
        cells = row[0].strip("|").split("|")
        return "|" + "|".join([cells[0], *(cells[place] for place in order)]) + "|"

    text = re.sub(r"^Treatment: .+$", treatment, own("telehealth"), flags=re.MULTILINE)
    return re.sub(r"^\| (?!Sign |---).+$", moved, text, flags=re.MULTILINE)


MANUALS: Mapping[str, Callable[[Dice], str]] = {
    "wire": wire_manual,
    "telehealth": telehealth_manual,
    "who": who_manual,
    "led": led_manual,
    "memory": memory_manual,
    "keypad": keypad_manual,
    "password": password_manual,
    "color": color_manual,
    "maze": maze_manual,
    "atm": atm_manual,
}


def random_manuals(puzzle: str, number: int, folder: Path) -> Iterator[Path]:
    for each in range(number):
        file = folder / f"{puzzle}-{each}.md"
        file.write_text(MANUALS[puzzle](Dice("a manual", puzzle, each)), encoding="utf-8")
        yield file
