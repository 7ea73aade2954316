"""Python literals in strings, as instances of textual MapWorld and the players of its graph game write them.

What players write is evaluated as v1.6.5 does it, but with an end to what it may cost: an answer that is too long or
too deeply nested is none.
"""

import ast
import warnings
from typing import Any

__all__ = ["LONGEST", "literal"]

LONGEST = 100_000
"""Characters of the longest text that is looked at; the lists of the largest map have some thousands."""


def literal(text: str) -> Any:
    """Evaluate a Python literal.

    Raises:
        ValueError: it is none, or too long, or too deeply nested.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} characters; {LONGEST} are read")
    try:
        with warnings.catch_warnings():
            # an invalid escape in a player's text is no matter of ours, and must not become an error either
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (SyntaxError, TypeError, MemoryError, RecursionError, ValueError) as error:
        # a TypeError: unhashable keys; a MemoryError: Python's word for brackets that are nested too deeply
        raise ValueError(f"it is no Python literal ({type(error).__name__})") from error
