"""An agent with nothing but redis-py: PALAVER_URL=redis://NAME:TOKEN@HOST:6379/0 python agent.py [BRAIN.py]"""

import json
import os
import runpy
import sys
import time
from functools import lru_cache

import redis

link = redis.Redis.from_url(os.environ["PALAVER_URL"], decode_responses=True, protocol=2, socket_timeout=30)
settings = link.get_connection_kwargs()  # what the URL says
bus, me = settings.pop("bus", "palaver"), f"bus/{settings['username']}"
inbox, outbox = f"{{{bus}}}:in:{me}", f"{{{bus}}}:out:{me}"
reply = runpy.run_path(sys.argv[1])["reply"] if sys.argv[1:] else lambda question: "I have nothing to add."
think = lru_cache(1000)(lambda text: reply(json.loads(text)))  # asked the same again, it says the same
hello = json.dumps({"type": "agent.hello", "version": "1.0", "key": "hello", "agent": me, "software": "agent.py"})
read_to, greet_at = "0-0", 0.0
while True:
    try:
        if time.monotonic() > greet_at:  # every 20 seconds; then read again all that is open: an answer may be lost
            link.xadd(outbox, {"m": hello})
            read_to, greet_at = "0-0", time.monotonic() + 20
        for _, [(entry, fields)] in link.xread({inbox: read_to}, count=1, block=2000):
            question = json.loads(fields["m"])
            if question["type"] == "turn.request":
                try:
                    said = {"type": "turn.reply", "parts": [{"type": "text", "text": think(fields["m"])}]}
                except Exception as error:
                    said = {"type": "turn.failure", "code": "crashed", "message": repr(error), "retryable": True}
                said |= {name: question[name] for name in ("version", "key", "run_id", "episode_id", "turn", "seat")}
                link.xadd(outbox, {"m": json.dumps({**said, "agent": me})})
            read_to = entry
    except KeyboardInterrupt:
        sys.exit()
    except redis.RedisError as error:  # a Redis that has just started may not know us yet: that passes, too
        print(f"{error}; trying again", file=sys.stderr)
        time.sleep(1)
