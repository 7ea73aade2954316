"""The report: one HTML file about a study or a few runs, for researchers, that opens offline and prints.

:mod:`.study` reads folders, :mod:`.write` writes the page. Between them everything is a pure function: a part
(:mod:`.parts`) makes a section of figures and tables, a chart (:mod:`.charts`) makes a drawing. It needs the extra
``palaver[report]``; :func:`check_extra` asks for it in one line.
"""

from importlib.util import find_spec

from palaver_protocols.errors import UsageError

__all__ = ["check_extra"]

NEEDED = ("jinja2", "scipy", "statsmodels")


def check_extra() -> None:
    """Ask for the libraries of the report where they are missing.

    Raises:
        UsageError: one of them is not installed.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise UsageError(f"the report needs {', '.join(missing)}", mend="pip install 'palaver[report]'")
