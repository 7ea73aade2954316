"""The texts of the reference game as they were published (Hakimov et al.; clembench v1.6.5), and how to fill them."""

from collections.abc import Sequence

from palaver_gamemasters.clembench.grids import Grid

__all__ = ["EXPRESSION", "ORDINALS", "image_follower", "image_guide", "text_follower", "text_guide"]

EXPRESSION = "TARGET_EXPRESSION"
"""Stands in player 2's text for what player 1 has said."""

ORDINALS = ("first", "second", "third")

IMAGE_GUIDE = """\
You are given three images, one is called target and the other two are distractors.
Your task is to generate a referring expression that best describes the target image while distinguishing it from the \
two other distractor images.
The first image is {}, the second image is {}, and the third image is {}. Instruction: Describe the target image. \
Generate the referring expression starting with the tag "Expression: " for the given target image. Omit any other text.\
"""

IMAGE_FOLLOWER = """\
You are given three images.
You are also given a referring expression that describes one of the given images.
Your task is to select the image that matches the given referring expression.
Generate only the number (in text) of the image that matches the given expression by selecting first, second, or third.

TARGET_EXPRESSION
Question: Which image does the expression refer to?
Start with the tag "Answer: ", followed by your selection. Omit any other text.
"""

TEXT_GUIDE = """\
You are given three grids, where each of them is 5 by 5 in size.
Grids have empty cells marked with "▢" and filled cells marked with "X".
Your task is to generate a referring expression that best describes the target grid while distinguishing it from the \
two other distractor grids.
The first grid is the target grid, and the following two grids are the distractors.

Target grid:

{}

Distractor grid 1:

{}

Distractor grid 2:

{}

Instruction: Describe the target grid.
Generate the referring expression starting with the tag "Expression: " for the given target grid. Omit any other text.\
"""

TEXT_FOLLOWER = """\
You are given three grids, where each of them is 5 by 5 in size.
Grids have empty cells marked with "▢" and filled cells marked with "X".
You are also given a referring expression that describes one of the given grids.
Your task is to select the grid that matches the given referring expression.
Generate only the number (in text) of the grid that matches the given expression by selecting first, second, or third.

First:

{}

Second:

{}

Third:

{}

TARGET_EXPRESSION
Question: Which grid does the expression refer to?
Start with the tag "Answer: ", followed by your selection. Omit any other text.
"""


def image_guide(target: int) -> str:
    """Write player 1's text of the picture version.

    Args:
        target: which of its three pictures is the target, from 0.
    """
    return IMAGE_GUIDE.format(*("the target" if place == target else "a distractor" for place in range(3)))


def image_follower() -> str:
    """Write player 2's text of the picture version."""
    return IMAGE_FOLLOWER


def text_guide(grids: Sequence[Grid]) -> str:
    """Write player 1's text of the text version; the first grid is the target."""
    return TEXT_GUIDE.format(*(grid.text for grid in grids))


def text_follower(grids: Sequence[Grid]) -> str:
    """Write player 2's text of the text version."""
    return TEXT_FOLLOWER.format(*(grid.text for grid in grids))
