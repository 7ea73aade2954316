"""A LangGraph graph takes a seat (``pip install langgraph openai``): it asks a model, and again if that said nothing.

    export OPENAI_API_KEY=...
    palaver serve agent --python examples.langgraph_agent:reply --broker redis://localhost
    palaver run maze --agents bus/langgraph-agent --broker redis://localhost

MODEL names the model, OPENAI_BASE_URL any other server that speaks chat completions. Pictures are shown to it.
"""

import operator
import os
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from openai import AsyncOpenAI

from palaver_agents import Completion
from palaver_agents.callables import Turn
from palaver_protocols.content import Text
from palaver_protocols.messages import Usage

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")
TRIES = 3

client = AsyncOpenAI(max_retries=0)  # palaver asks again where that may help


class Talk(TypedDict):
    """The state of the graph: the dialogue, what is to be said, and what has been used."""

    dialogue: list[Any]
    answer: str
    tries: Annotated[int, operator.add]
    used: Annotated[Usage, operator.add]


async def speak(state: Talk) -> dict[str, Any]:
    """Ask the model once."""
    said = await client.chat.completions.create(model=MODEL, messages=state["dialogue"])
    usage = said.usage
    used = Usage(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens) if usage else Usage()
    return {"answer": said.choices[0].message.content or "", "tries": 1, "used": used}


def heard(state: Talk) -> str:
    """Go back to the model where it has said nothing, but not for ever."""
    return END if state["answer"].strip() or state["tries"] >= TRIES else "speak"


graph = StateGraph(Talk).add_node(speak).add_edge(START, "speak").add_conditional_edges("speak", heard).compile()


async def reply(turn: Turn) -> Completion:
    """Run the graph on the dialogue so far."""
    start = Talk(dialogue=turn.openai_chat, answer="", tries=0, used=Usage())
    end = await graph.ainvoke(start)
    return Completion((Text(text=end["answer"]),), provider="langgraph", model=MODEL, usage=end["used"])
