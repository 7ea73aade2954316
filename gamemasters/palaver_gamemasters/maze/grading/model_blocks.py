"""Where the YAML of a grading model's answer is, and what a parser makes of it.

Models fence it or not, and talk before, after and within the fence. What is left out as talk must not hold an entry of
the route: a route that lost a step is another route. For the same reason a key that stands twice in a mapping, which
YAML parsers take in silence, is an error here.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from textwrap import dedent
from typing import Any

import yaml

from palaver_gamemasters.game import UnreadableGradeError

__all__ = ["MAX_YAML", "blocks_of", "document"]

MAX_YAML = 50_000
"""Characters of its YAML: 300 turns take about 30,000."""
DEEPEST = 30
"""Brackets and dashes within each other; the study's format needs four, and the parser takes very long over many."""
CANDIDATES = 12
"""How many blocks of an answer are tried, from its end."""

_FENCED = re.compile(r"(?:`{3,}|~{3,})[^\S\n]*[\w.+-]*[^\S\n]*\n(.*?)(?:`{3,}|~{3,}|\Z)", re.DOTALL)
_OPENS = re.compile(r"""\s*["']?route_schema["']?\s*:""")
_OPENS_ROUTE = re.compile(r"""\s*["']?route["']?\s*:""")
_BELONGS = re.compile(r"""\s*(?:-(?:\s|$)|#|[\]}]|["']?(?:route|route_schema)["']?\s*:)""")
# Possessive: a line of many blanks is looked at once, not once for each way to share them out.
_ENTRY = re.compile(r"""\s*+(?:-\s++)?\{?\s*+["']?turn["']?\s*:""")
_MARKER = re.compile(r"(?m)^(?:---|\.\.\.)[^\S\n]*$")
_STACKED = re.compile(rf"(?:[-?:][ \t]+){{{DEEPEST}}}")


class _Loader(yaml.SafeLoader):
    """Numbers stay as they were written (``010`` is no eight), and no key may stand twice in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a mapping.

        Raises:
            UnreadableGradeError: one of its keys stands there twice.
        """
        keys = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
        if twice := next((key for key, count in keys.items() if count > 1), None):
            line = node.start_mark.line + 1
            raise UnreadableGradeError(f"its YAML says `{twice[:60]}` twice in one mapping (from line {line} on)")
        return super().construct_mapping(node, deep)


def _as_written(_: _Loader, node: yaml.ScalarNode) -> str:
    return str(node.value)


_Loader.add_constructor("tag:yaml.org,2002:int", _as_written)


def blocks_of(text: str) -> list[str]:
    """Return the blocks that may be meant, the likeliest first: fences from the last on, then what stands unfenced.

    After each fence as a whole comes what is left of it without talk.
    """
    fenced = [match[1] for match in _FENCED.finditer(text)]
    around = _FENCED.sub("\n", text)
    braced = around[around.find("{") : around.rfind("}") + 1]
    found = [braced, *_unfenced(around), *(block for fence in fenced for block in (*_unfenced(fence), fence))]
    return [block for block in dict.fromkeys(reversed(found)) if "route" in block][:CANDIDATES]


def _unfenced(text: str) -> Iterator[str]:
    """Yield what begins with one of the two keys, each up to the first line that is none of it.

    A line that is none of it, but has entries after it, stays: then there is something to mend.
    """
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if _OPENS.match(line)]
    routes = [at for at, line in enumerate(lines) if _OPENS_ROUTE.match(line)]
    if not starts or any(_ENTRY.match(line) for line in lines[: starts[0]]):
        starts = routes[:1] if starts else routes  # entries before the schema belong to it as well
    for start, end in pairwise([*starts, len(lines)]):
        margin = _margin(lines[start])
        block = [lines[start]]
        last = max((at for at in range(start, end) if _ENTRY.match(lines[at])), default=start)
        for at, line in enumerate(lines[start + 1 : end], start=start + 1):
            if at > last and line.strip() and _margin(line) <= margin and not _BELONGS.match(line):
                break
            block.append(line)
        yield "\n".join(block)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def document(block: str) -> Any:
    """Parse a block, safely.

    Raises:
        UnreadableGradeError: it is no YAML, or too much of it; a clause that says where.
    """
    if len(block) > MAX_YAML:
        raise UnreadableGradeError(f"its YAML is longer than {MAX_YAML} characters")
    block = _MARKER.sub("", dedent(block.expandtabs(2)).replace("\N{NO-BREAK SPACE}", " "))
    if _depth(block) > DEEPEST or _STACKED.search(block):
        raise UnreadableGradeError("its YAML is nested too deeply")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=yaml.SafeLoader)):
            raise UnreadableGradeError("its YAML holds an alias (*)")
        return yaml.load(block, Loader=_Loader)  # noqa: S506 - it is a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise UnreadableGradeError(f"its YAML cannot be parsed ({line}{_one_line(error.problem)})") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date that does not exist
        raise UnreadableGradeError(f"its YAML cannot be parsed ({_one_line(error)})") from error


def _depth(block: str) -> int:
    """Return how deeply brackets are nested, wherever they stand."""
    return max(accumulate((1 if bracket in "[{" else -1 for bracket in re.findall(r"[\[\]{}]", block)), initial=0))


def _one_line(said: object) -> str:
    return " ".join(str(said).split())[:120]
