"""MODULE:NAME finds a callable, or one line says why not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver_agents.callables import Turn
from palaver_agents.loading import agent_name, load_callable
from palaver_protocols.errors import UsageError
from tests.support import a_request

SOURCE = """
import functools

number = 3

def reply(turn):
    return "said"

def of_two(first, second):
    return "said"

def with_default(turn, mark="!"):
    return "said" + mark

class Agent:
    def __call__(self, turn):
        return "called"

    def answer(self, turn):
        return "answered"

agent = Agent()
bound = functools.partial(with_default, mark="?")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with modules, which are forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    (tmp_path / "here.py").write_text(SOURCE)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "deep.py").write_text("from here import reply\n")
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("here:reply", "said"),
        ("here:with_default", "said!"),
        ("here:agent", "called"),
        ("here:agent.answer", "answered"),
        ("here:bound", "said?"),
        ("pack.deep:reply", "said"),
    ],
)
def test_what_is_in_the_folder_is_found(folder: Path, target: str, said: str) -> None:
    assert load_callable(target, folder)(Turn(a_request())) == said


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("here", "'here' names no callable (write MODULE:NAME, such as my_module:reply)"),
        (":reply", "':reply' names no callable"),
        ("here:", "'here:' names no callable"),
        ("..here:reply", "'..here:reply' names no callable"),
        ("here.py:reply", "'here.py:reply' names a file, and a module is wanted (write here:reply)"),
        ("./pack/deep.py", "(write pack.deep:reply)"),
        ("away:reply", "there is no Python module 'away', neither in "),
        ("here.away:reply", "there is no Python module 'here.away'"),
        ("here:repli", "here:repli: there is no 'repli' (did you mean 'reply'?)"),
        ("here:zzz", "here:zzz: there is no 'zzz' (it has: Agent, agent, of_two, reply, with_default)"),
        ("here:number", "here:number is of type int, and cannot be called"),
        ("here:Agent", "here:Agent is a class (name a function, or an instance that can be called)"),
        ("here:of_two", "here:of_two(first, second) cannot be called with one argument: missing a required argument"),
        ("here:Agent.answer", "here:Agent.answer(self, turn) cannot be called with one argument"),
    ],
)
def test_what_cannot_be_called_is_told_in_one_line(folder: Path, target: str, complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_callable(target, folder)
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("import nowhere_at_all", "it needs the module 'nowhere_at_all' (install it"),
        ("x = 1\nraise RuntimeError('one\\ntwo \\x1b[2J')", "it raised RuntimeError: one two  [2J (broken.py, line 2)"),
        ("def f(:", "it raised SyntaxError: "),
        ("import sys\nsys.exit(3)", "it raised SystemExit: 3 (broken.py, line 2)"),
        ("raise KeyError", "it raised KeyError (broken.py, line 1)"),
    ],
)
def test_what_cannot_be_imported_names_the_exception(folder: Path, source: str, complaint: str) -> None:
    (folder / "broken.py").write_text(source)
    with pytest.raises(UsageError) as raised:
        load_callable("broken:reply", folder)
    assert f"broken cannot be imported: {complaint}" in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("my_module:reply", "bus/my-module"),
        ("pack.age.My_Agent2:reply", "bus/my-agent2"),
        ("__main__:reply", "bus/main"),
        (f"{'long_' * 9}:reply", f"bus/{'long-' * 6}lo"),
    ],
)
def test_an_agent_is_called_after_its_module(target: str, name: str) -> None:
    assert agent_name(target) == name


def test_a_name_may_be_given() -> None:
    assert agent_name("my_module:reply", "anna-2") == "bus/anna-2"


@pytest.mark.parametrize("given", ["", "Anna", "anna_2", "-anna", "a" * 33, "bus/anna"])
def test_a_name_that_does_not_fit_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="take 1 to 32 of a-z"):
        agent_name("my_module:reply", given)


def test_a_module_that_gives_no_name_wants_one() -> None:
    with pytest.raises(UsageError, match="give it a name with --name"):
        agent_name("___:reply")
