"""Reading a recipe against its model, so that a slip in it becomes one line that names what is wrong."""

from reprlib import repr as shortly
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError

from . import Recipe

__all__ = ["Exact", "read"]

M = TypeVar("M", bound=BaseModel)


class Exact(Frozen):
    """A part of a recipe. It refuses what it does not know, which would be missing from the picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def read(recipe: Recipe, model: type[M]) -> M:
    """Read a recipe.

    Raises:
        InstanceError: one line that names the kind of picture, the field and its value.
    """
    try:
        return model.model_validate(recipe)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"] if step != "[key]")
        found = f"{where} is missing" if first["type"] == "missing" else f"{where} is {shortly(first['input'])}"
        if "[key]" in first["loc"]:
            found = f"there is no {where}"
        mend = first["msg"].removeprefix("Value error, ")
        raise InstanceError(f"picture of kind {recipe.get('kind')}: {found}", mend=mend) from error
