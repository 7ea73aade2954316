"""Where a dashboard's news come from: a bus, a run in this process, or run folders that anybody may be writing."""

from .base import RunNow, Source
from .bus import BusSource
from .folders import FolderSource
from .run import PauseGate, RunSource
from .shelf import Shelf

__all__ = ["BusSource", "FolderSource", "PauseGate", "RunNow", "RunSource", "Shelf", "Source"]
