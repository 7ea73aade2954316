"""How an episode stands, for those who watch: the solver's picture, and a tally of turns, mistakes and progress."""

from collections.abc import Iterator

from palaver_gamemasters.showing import Panel
from palaver_gamemasters.svg import Element, centred, document, element, group, rectangle, words
from palaver_protocols.content import Image

from .show import scene_drawn
from .state import SOLVER, CommaState, Deed

__all__ = ["panels"]

WIDTH, HEIGHT, MARGIN = 320, 768, 28
PAPER, RIM, INK, FAINT, BAR = "#fbf9f4", "#d9d3c5", "#26231e", "#6f6a60", "#e7e2d6"
GOOD, BAD, DOING = "#1f7a4d", "#b3261e", "#2b5fb3"
MARKS = 6
"""Mistakes that are shown as so many marks; a longer row would say less than a number."""
LATEST = 7
"""Actions of the latest message that are listed."""
LONGEST = 28
"""Letters of an action's name that there is room for, in small letters where there are many."""


def panels(state: CommaState) -> tuple[Panel, ...]:
    """Return what the solver sees, and the tally."""
    scene = state.puzzle.scene(state.now)
    picture = Image.from_bytes(scene_drawn(state.puzzle, scene))
    seen = Panel(
        title=state.puzzle.title,
        words=state.puzzle.write(scene),
        png=picture.data or b"",
        width=picture.width,
        height=picture.height,
        seat=SOLVER,
    )
    told = "\n".join(_told(state))
    tally = document(WIDTH, HEIGHT, *_tally(state), title=told)
    return (seen, Panel("Tally", told, svg=tally, width=WIDTH, height=HEIGHT))


def _told(state: CommaState) -> Iterator[str]:
    """Say what the tally shows."""
    yield f"Turn {_turn(state)} of {state.options.turns}: {_standing(state)[0]}"
    yield f"Mistakes: {state.mistakes} of {state.options.mistakes}"
    yield f"Progress: {_percent(state)} %"
    if deeds := _latest(state):
        yield "The latest actions:"
        yield from (f"{'mistake' if deed.mistake else 'done'}: {deed.action}" for deed in deeds)


def _tally(state: CommaState) -> Iterator[Element]:
    standing, colour = _standing(state)
    right = WIDTH - MARGIN
    yield rectangle(1, 1, WIDTH - 2, HEIGHT - 2, PAPER, radius=20, stroke=RIM, stroke_width=2)
    yield rectangle(MARGIN, 28, right - MARGIN, 62, colour, radius=31)
    yield centred(WIDTH / 2, 59, standing, min(28.0, 380 / len(standing)), "#ffffff", font_weight="600")
    yield _label(134, "turn")
    yield words(MARGIN, 202, str(_turn(state)), 72, INK, font_weight="600")
    yield words(right, 202, f"of {state.options.turns}", 36, FAINT, text_anchor="end")
    yield _label(262, "mistakes")
    yield from _mistakes(state, 308)
    yield _label(384, "progress")
    yield words(right, 384, f"{_percent(state)} %", 32, INK, text_anchor="end", font_weight="600")
    yield rectangle(MARGIN, 400, right - MARGIN, 26, BAR, radius=13)
    if state.best or state.solved:
        share = 1.0 if state.solved else state.best
        yield rectangle(MARGIN, 400, max(26.0, (right - MARGIN) * share), 26, GOOD, radius=13)
    if deeds := _latest(state):
        yield _label(486, "latest actions")
        for place, deed in enumerate(deeds):
            yield _deed(deed, 526 + 32 * place)


def _label(y: float, said: str) -> Element:
    return words(MARGIN, y, said.upper(), 22, FAINT, letter_spacing=1.5)


def _mistakes(state: CommaState, y: float) -> Iterator[Element]:
    allowed = state.options.mistakes
    if allowed > MARKS:
        yield words(MARGIN, y + 16, f"{state.mistakes} of {allowed}", 40, BAD if state.mistakes else INK)
        return
    step = min(76.0, (WIDTH - 2 * MARGIN) / allowed)
    for place in range(allowed):
        x, made = MARGIN + step / 2 + place * step, place < state.mistakes
        fill, rim = (BAD, BAD) if made else (PAPER, RIM)
        yield element("circle", cx=x, cy=y, r=26, fill=fill, stroke=rim, stroke_width=4)
        if made:
            cross = f"M{x - 10} {y - 10}l20 20M{x + 10} {y - 10}l-20 20"
            yield element("path", d=cross, stroke="#ffffff", stroke_width=6, stroke_linecap="round")


def _deed(deed: Deed, y: float) -> Element:
    mark = f"M{MARGIN + 2} {y - 12}l10 10m0 -10l-10 10" if deed.mistake else f"M{MARGIN} {y - 7}l5 6l9 -13"
    colour = BAD if deed.mistake else GOOD
    name = deed.action if len(deed.action) <= LONGEST else f"{deed.action[: LONGEST - 1]}…"
    size = min(18.0, (WIDTH - 2 * MARGIN - 26) / (0.61 * max(1, len(name))))
    return group(
        element("path", d=mark, fill="none", stroke=colour, stroke_width=3.5, stroke_linecap="round"),
        words(MARGIN + 26, y, name, size, INK, mono=True),
    )


def _latest(state: CommaState) -> tuple[Deed, ...]:
    """Return the actions of the latest message that held any: the last of them, if they are many."""
    turn = state.deeds[-1].turn if state.deeds else None
    return tuple(deed for deed in state.deeds if deed.turn == turn)[-LATEST:]


def _turn(state: CommaState) -> int:
    """Return the turn that is being played, from 1; the last one when it is over."""
    spoken = state.speaker == 0 and not state.over
    return state.turn + 1 if spoken else max(1, state.turn)


def _percent(state: CommaState) -> int:
    return round(100 * (1.0 if state.solved else state.best))


def _standing(state: CommaState) -> tuple[str, str]:
    """Say in a few words how it stands, with the colour for it."""
    if state.solved:
        return "solved", GOOD
    if state.mistakes >= state.options.mistakes:
        return "too many mistakes", BAD
    if state.over:
        return "out of turns", BAD
    return f"{state.seats[state.speaker].replace('_', ' ')} speaks", DOING
