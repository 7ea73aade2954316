"""The words of a weak speaker: breezy, mostly without the names of cells, so that little of it can be checked."""

from .phrases import Voice

__all__ = ["agreed", "arrived", "declined", "greeting", "proposed", "seconded", "stuck", "too_early"]

GREETINGS = (
    "Hello! I have my map here, and the goal is marked on it. Let's find the way step by step.",
    "Hi! Some cells of my map are hidden, never mind. Let's begin!",
    "Hey partner! I can see where we start and where the goal is. Let's be quick.",
)
AGREED = ("Agreed, we move {where}.", "Sounds good, agreed: we move {where}.", "Yes, I agree, we move {where}.")
PROPOSED = (
    "Next, I suggest we move {where}. Do you agree?",
    "Next, I propose that we move {where}. OK?",
    "Now I suggest that we move {where} next. Agreed?",
)
FIRST = ("I suggest we move {where}. Do you agree?", "I propose that we move {where}. OK?")
DECLINED = ("Sorry, I do not agree to move {where}: my map shows a wall there.", "No, I see a wall there on my map.")


def _where(way: str, cell: str) -> str:
    """Say where to: by the direction, and by the cell too where cells have names."""
    return f"{way} to {cell}" if cell else way


def greeting(voice: Voice) -> str:
    """Greet, without a word on how cells are named or what the map shows."""
    return voice.pick(GREETINGS)


def agreed(way: str, cell: str, voice: Voice) -> str:
    """Agree to a move, which is made by that."""
    return voice.pick(AGREED).format(where=_where(way, cell))


def seconded(way: str, cell: str) -> str:
    """Agree to a move that others have yet to agree to."""
    return f"Fine, I agree that we move {_where(way, cell)}."


def declined(way: str, cell: str, voice: Voice) -> str:
    """Decline a move into a wall that one sees."""
    return voice.pick(DECLINED).format(where=_where(way, cell))


def proposed(way: str, cell: str, first: bool, voice: Voice) -> str:
    """Propose a move; ``first``: no move has been made yet."""
    return voice.pick(FIRST if first else PROPOSED).format(where=_where(way, cell))


def too_early(way: str, cell: str) -> str:
    """Propose the last move and rejoice at once, before anybody has agreed to it."""
    return f"Now I suggest we move {_where(way, cell)}, and that is the goal! ACTI!"


def arrived(voice: Voice) -> str:
    """Rejoice at the goal."""
    return voice.pick(("We have reached the goal. ACTI!", "That is the goal, great work! ACTI!"))


def stuck() -> str:
    """Be at a loss."""
    return "Hmm, I see nothing but walls around us. What do you see?"
