"""Plain functions as agents, without a model behind them.

    palaver serve agent --python examples.python_agent:agree --name yes-man --broker redis://localhost
    palaver run maze --agents bus/yes-man,scripted --broker redis://localhost

The second one is ``examples.python_agent:count_words``.
"""

from palaver_agents import Completion
from palaver_agents.callables import Turn
from palaver_protocols.content import Text
from palaver_protocols.messages import Usage


def agree(turn: Turn) -> str:
    """Agree with whatever was said last."""
    last = turn.request.view[-1].text.splitlines()[-1]
    return f"You say: {last} I agree."


async def count_words(turn: Turn) -> Completion:
    """Say how long the dialogue is, and report what reading it has taken."""
    words = len(turn.text.split())
    said = f"So far, {words} words and {len(turn.pictures)} pictures."
    used = Usage(input_tokens=words, output_tokens=len(said.split()))
    return Completion((Text(text=said),), provider="example", model="word-counter", usage=used, cost_usd=0.0)
