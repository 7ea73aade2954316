"""An A2A 1.x server around a Python function, with nothing but the official SDK: pip install 'a2a-sdk[http-server]'.

python examples/a2a_agent.py                              a parrot at http://127.0.0.1:9999
python examples/a2a_agent.py --python my_module:reply     reply(text) -> text is yours
python examples/a2a_agent.py --python my_module:reply --whole     reply(question) is given the whole turn.request
"""

import argparse
import asyncio
import importlib
import json
import sys

import uvicorn
from a2a.helpers import get_message_text, new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill
from starlette.applications import Starlette

QUESTION = "application/vnd.palaver.turn-request+json"


class Replying(AgentExecutor):
    """Lets a function answer."""

    def __init__(self, reply):
        self.reply = reply

    async def execute(self, context, event_queue):
        whole = [part.data.string_value for part in context.message.parts if part.media_type == QUESTION]
        said = json.loads(whole[0]) if whole else get_message_text(context.message)
        text = await asyncio.to_thread(self.reply, said)
        await event_queue.enqueue_event(new_text_message(text, context_id=context.context_id))

    async def cancel(self, context, event_queue):
        pass  # an answer that comes at once cannot be called off


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="serve a function by A2A")
    parser.add_argument("--python", metavar="MODULE:FUNCTION", help="what answers; a parrot if not given")
    parser.add_argument("--whole", action="store_true", help="tell palaver to send whole questions")
    parser.add_argument("--port", type=int, default=9999)
    options = parser.parse_args()
    module, _, name = (options.python or "builtins:str").partition(":")
    sys.path.append(".")
    url = f"http://127.0.0.1:{options.port}/"
    extensions = [AgentExtension(uri="urn:palaver:a2a:turn:1")] if options.whole else []
    card = AgentCard(name=name, version="1.0", description="answers with what a function returns")
    card.supported_interfaces.append(AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0"))
    card.capabilities.CopyFrom(AgentCapabilities(streaming=False, extensions=extensions))
    card.default_input_modes.append("text/plain")
    card.default_output_modes.append("text/plain")
    card.skills.append(AgentSkill(id="reply", name="reply", description="replies", tags=["text"]))
    handler = DefaultRequestHandler(Replying(getattr(importlib.import_module(module), name)), InMemoryTaskStore(), card)
    routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")]
    uvicorn.run(Starlette(routes=routes), port=options.port, log_level="warning")
