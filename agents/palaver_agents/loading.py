"""Finding a callable by its name, ``MODULE:NAME``, as servers of Python applications do; and naming an agent after it.

The working folder comes first, so that a file in it can be served as it is. Whatever is wrong is found out here, before
anything is begun, and told in one line.
"""

import inspect
import re
import sys
import traceback
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from palaver_protocols.errors import UsageError, one_line
from palaver_protocols.strangers import NAME_MEND, is_stranger, stranger

from .callables import Reply, Turn

__all__ = ["agent_name", "load_callable"]

LIKE = "write MODULE:NAME, such as my_module:reply"
LONGEST_NAME = 32
MOST_NAMED = 8
"""So many names are told where none is close."""


def load_callable(target: str, folder: Path) -> Reply:
    """Import what ``MODULE:NAME`` names; NAME may have dots, and MODULE may lie in ``folder``.

    Raises:
        UsageError: there is no such module or nothing of that name in it, it cannot be imported, or what was found
            cannot be called with a turn.
    """
    module_name, colon, name = target.partition(":")
    if module_name.endswith(".py") or "/" in module_name:
        meant = module_name.strip("./").removesuffix(".py").replace("/", ".")
        raise UsageError(f"{target!r} names a file, and a module is wanted", mend=f"write {meant}:{name or 'reply'}")
    if not colon or not _is_dotted(module_name) or not _is_dotted(name):
        raise UsageError(f"{target!r} names no callable", mend=LIKE)
    found: Any = _module(module_name, folder)
    for step in name.split("."):
        if not hasattr(found, step):
            raise _nothing_there(found, step, target)
        found = getattr(found, step)
    _check(found, target)
    reply: Reply = found
    return reply


def agent_name(target: str, given: str | None = None) -> str:
    """Return the full name of the agent that a callable is: ``bus/NAME``; unless it is given, after its module.

    Raises:
        UsageError: no agent can be called so.
    """
    if given is not None:
        if not is_stranger(stranger(given)):
            raise UsageError(f"{given!r} is no name for an agent on the bus", mend=NAME_MEND)
        return stranger(given)
    last = target.partition(":")[0].rpartition(".")[2]
    name = re.sub(r"[^a-z0-9]+", "-", last.lower())[:LONGEST_NAME].strip("-")
    if not name:
        raise UsageError(f"no agent can be called after the module {last!r}", mend="give it a name with --name")
    return stranger(name)


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _module(name: str, folder: Path) -> ModuleType:
    place = str(folder)
    if place not in sys.path:
        sys.path.insert(0, place)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if missing == name or name.startswith(f"{missing}."):
            said = f"there is no Python module {missing!r}, neither in {folder} nor installed"
            raise UsageError(said, mend=LIKE) from error
        said = f"{name} cannot be imported: it needs the module {missing!r}"
        raise UsageError(said, mend="install it in the environment of palaver") from error
    except (Exception, SystemExit) as error:
        said = one_line(" ".join(f"{type(error).__name__}: {error}".split())).removesuffix(":")
        raise UsageError(f"{name} cannot be imported: it raised {said}{_where(error)}") from error


def _where(error: BaseException) -> str:
    """Say in which line of whose file it was; a syntax error says so itself."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    if isinstance(error, SyntaxError) or len(frames) < 2:  # the first one is ours
        return ""
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _nothing_there(found: Any, step: str, target: str) -> UsageError:
    """Say that something has nothing of this name, and what was perhaps meant."""
    names = [name for name in dir(found) if not name.startswith("_") and callable(getattr(found, name, None))]
    close = get_close_matches(step, names, n=1)
    if close:
        mend = f"did you mean {close[0]!r}?"
    else:
        ours = [name for name in names if getattr(getattr(found, name), "__module__", "") == found.__name__]
        more = ", ..." if len(ours) > MOST_NAMED else ""
        mend = f"it has: {', '.join(ours[:MOST_NAMED])}{more}" if isinstance(found, ModuleType) and ours else LIKE
    return UsageError(f"{target}: there is no {step!r}", mend=mend)


def _check(found: Any, target: str) -> None:
    if inspect.isclass(found):
        raise UsageError(f"{target} is a class", mend="name a function, or an instance that can be called")
    if not callable(found):
        raise UsageError(f"{target} is of type {type(found).__name__}, and cannot be called", mend="name a function")
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # some that are written in C say nothing of what they take
        return
    try:
        signature.bind(Turn)
    except TypeError as error:
        shape = one_line(f"{target}{signature}")
        raise UsageError(
            f"{shape} cannot be called with one argument: {error}", mend="it is given the turn: reply(turn)"
        ) from error
