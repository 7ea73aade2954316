"""What those without the token may see, where visitors are let in: how things stand, nothing said or hidden."""

from collections.abc import Mapping
from typing import Any

__all__ = ["without_secrets"]


def without_secrets(topic: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return runs, agents or results without what is for operators.

    Errors may repeat what was said; what processes tell of themselves names machines and addresses.
    """
    match topic:
        case "runs":
            runs = [{**run, "errors": [], "can": [], "waits_for": ""} for run in found["runs"]]
            return {**found, "runs": runs}
        case "agents":
            members = [{**member, "host": "", "pid": 0, "consumer": "", "about": {}} for member in found["members"]]
            return {"members": members, "queues": found["queues"], "limits": []}
    return dict(found)
