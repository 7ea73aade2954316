"""The names of the streams, in one place."""

__all__ = ["answer_box", "episode_log", "inbox", "notes", "outbox"]


def inbox(agent: str) -> str:
    """Where an agent is asked."""
    return f"in:{agent}"


def outbox(agent: str) -> str:
    """Where an agent answers that knows nothing of the bus but its two streams."""
    return f"out:{agent}"


def notes(agent: str) -> str:
    """Where such an agent is told what became of what it said."""
    return f"note:{agent}"


def answer_box(gamemaster: str) -> str:
    """Where a game master waits for answers."""
    return f"gm:{gamemaster}"


def episode_log(run_id: str, episode_id: str) -> str:
    """Where the truth about an episode is kept."""
    return f"log:{run_id}/{episode_id}"
