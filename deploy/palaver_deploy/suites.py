"""Suites: runs that are written down in a file, ours and yours alike.

A suite holds the words of a run's configuration (``game``, ``agents``, ``episodes``, ``seed``, ``protocol``,
``sampling``, ...), the game's options under ``set``, and what it is ``about``. What it leaves out, the command line
gives. The ``config.yaml`` of a run folder is a suite too: it plays the same run again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Sampling
from palaver_protocols.runs import INSTANCES, RunConfig

from .studies import is_study

__all__ = ["packaged_suites", "read_suite"]

OF_ONE_RUN = {"run_id", "started", "made_with", *INSTANCES}
"""What ``config.yaml`` says of the run that it belongs to, and not of the next one."""
WORDS = {"about", "set", *RunConfig.model_fields} - OF_ONE_RUN


def packaged_suites() -> dict[str, Path]:
    """Return the suites and studies that come along, by name."""
    files = (Path(__file__).parent / "suites").glob("*.yaml")
    return {file.stem: file for file in sorted(files, key=lambda file: file.stem)}


def read_suite(file: Path) -> dict[str, Any]:
    """Read a suite into the words of a run's configuration; ``set`` becomes ``options``. A study is left as it is.

    Raises:
        UsageError: it cannot be read, or holds what no run has; names the word.
    """
    words = _read(file)
    if is_study(words):
        return {str(key): value for key, value in words.items()}
    if unknown := sorted(str(word) for word in words if word not in WORDS | OF_ONE_RUN):
        raise UsageError(f"{file}: a run has no {unknown[0]!r}", mend=f"it has: {', '.join(sorted(WORDS))}")
    if not isinstance(words.get("game"), str):
        raise UsageError(f"{file} names no game", mend="begin with, for example, `game: maze`")
    sampling = _words_of(file, words, "sampling")
    if unknown := sorted(set(sampling) - set(Sampling.model_fields)):
        raise UsageError(
            f"{file}: sampling has no {unknown[0]!r}", mend=f"it has: {', '.join(sorted(Sampling.model_fields))}"
        )
    kept = {key: value for key, value in words.items() if key not in OF_ONE_RUN | {"set"}}
    options = {**_words_of(file, words, "options"), **_words_of(file, words, "set")}
    return {**kept, "sampling": sampling, "options": options}


def _read(file: Path) -> Mapping[Any, Any]:
    try:
        words = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"there is no suite {file}", mend="`palaver list suites` names those that come along"
        ) from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise UsageError(f"{file} is no YAML: {error}", mend="see `palaver list suites` for examples") from error
    if not isinstance(words, Mapping):
        raise UsageError(f"{file} is no suite", mend="begin with, for example, `game: maze`")
    return words


def _words_of(file: Path, words: Mapping[Any, Any], name: str) -> dict[str, Any]:
    """Return the words under a name; none where there is nothing."""
    value = words.get(name) or {}
    if not isinstance(value, Mapping):
        raise UsageError(f"{file}: {name} cannot be {value!r}", mend=f"write key: value below `{name}:`")
    return {str(key): each for key, each in value.items()}
