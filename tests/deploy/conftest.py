"""The command line as a function: what it prints, and how it ends."""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from palaver_agents.providers import PROVIDERS
from palaver_deploy import session
from palaver_deploy.cli import exit_code


@dataclass(frozen=True)
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out.count("\n") == 1
        return json.loads(self.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))

    @property
    def complaint(self) -> str:
        """The one line on stderr, of a command that said nothing else."""
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("palaver: ")
        return self.err.removeprefix("palaver: ").rstrip("\n")


Palaver = Callable[..., Said]


@pytest.fixture(scope="session", autouse=True)
def the_collector_is_left_alone() -> Iterator[None]:
    """Let no run look through all objects of this process for garbage before it begins: they are those of all tests.

    Runs in processes of their own do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "collector_spared", nullcontext)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, in an environment that knows no key."""
    for provider in PROVIDERS.values():
        for variable in (*provider.key_variables, provider.url_variable):
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def palaver(home: Path, capsys: pytest.CaptureFixture[str]) -> Palaver:
    """Call the command line in the working folder."""

    def call(*words: str | Path) -> Said:
        capsys.readouterr()
        code = exit_code([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return call
