"""Who speaks: the agent service, provider models, baselines and replays."""

from .model import Completion, Model
from .service import AgentService

__all__ = ["AgentService", "Completion", "Model"]
