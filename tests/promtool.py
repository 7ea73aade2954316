"""Where promtool is, if it is anywhere."""

import os
import shutil
import sys
from pathlib import Path

import pytest

__all__ = ["promtool"]


def promtool() -> str:
    beside = Path(sys.executable).with_name("promtool")
    found = shutil.which("promtool") or (str(beside) if os.access(beside, os.X_OK) else None)
    if found is None:
        pytest.skip("needs promtool (deploy/get_promtool.sh)")
    return found
