"""An agent of the OpenAI Agents SDK takes a seat (``pip install openai-agents``).

    export OPENAI_API_KEY=...
    palaver serve agent --python examples.openai_agents_sdk:reply --broker redis://localhost
    palaver run maze --agents bus/openai-agents-sdk --broker redis://localhost

MODEL names the model, OPENAI_BASE_URL any other server that speaks chat completions. Pictures are shown to it.
"""

import os
from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from openai import AsyncOpenAI

from palaver_agents import Completion
from palaver_agents.callables import Turn
from palaver_protocols.content import Text
from palaver_protocols.messages import Usage

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")

# palaver asks again where that may help, and keeps what was said: so no retries here, and no traces sent elsewhere.
client = AsyncOpenAI(max_retries=0)
player = Agent(name="player", model=OpenAIChatCompletionsModel(MODEL, client))  # give it your instructions, tools, ...
settings = RunConfig(tracing_disabled=True)


async def reply(turn: Turn) -> Completion:
    """Run the agent on the dialogue so far; the final output is what the seat says."""
    dialogue: list[Any] = turn.openai_chat
    result = await Runner.run(player, dialogue, run_config=settings)
    used = result.context_wrapper.usage
    return Completion(
        (Text(text=str(result.final_output)),),
        provider="openai-agents",
        model=MODEL,
        usage=Usage(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            reasoning_tokens=used.output_tokens_details.reasoning_tokens,
            cached_tokens=used.input_tokens_details.cached_tokens,
        ),
    )
