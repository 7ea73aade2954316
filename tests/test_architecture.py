"""The shape of the house, as tests: which way imports point, and what each package promises."""

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parent.parent
COMPONENTS = ("protocols", "broker", "agents", "gamemasters", "observability", "deploy")


def modules() -> list[str]:
    return [
        found.name
        for component in COMPONENTS
        for found in pkgutil.walk_packages([str(ROOT / component / f"palaver_{component}")], f"palaver_{component}.")
        if not found.name.endswith("__main__")
    ]


def test_imports_point_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS


@pytest.mark.parametrize("name", modules())
def test_a_module_says_what_it_offers_and_why_it_is_there(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert module.__doc__, "no docstring"
    if module.__spec__ is not None and module.__spec__.submodule_search_locations and not hasattr(module, "__all__"):
        return  # a package that offers its modules
    offered = module.__all__
    assert [each for each in offered if not hasattr(module, each)] == []
    assert len(set(offered)) == len(offered)


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_is_a_readme_and_a_package(component: str) -> None:
    assert (ROOT / component / "README.md").is_file()
    assert (ROOT / component / f"palaver_{component}" / "py.typed").is_file()
