"""The libraries behind the statistics: loaded when they are needed, and asked for in plain words."""

from importlib import import_module
from typing import Any

from palaver_protocols.errors import UsageError

__all__ = ["library"]


def library(name: str) -> Any:
    """Import a module of scipy or statsmodels. Neither ships types, and only the extra ``report`` installs them.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise UsageError(f"the statistics need {package}: {error}", mend="pip install 'palaver[report]'") from error
