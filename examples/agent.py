"""An agent with nothing but redis-py: PALAVER_URL=redis://NAME:TOKEN@HOST:6379/0 python agent.py [my_brain.py]"""

import json, os, runpy, sys, time  # noqa: E401 - one line is all that they are worth here
from urllib.parse import parse_qs, urlsplit

import redis

url = urlsplit(os.environ["PALAVER_URL"])
keys = "{%s}:%%s:bus/%s" % (parse_qs(url.query).get("bus", ["palaver"])[0], url.username)
inbox, outbox, notes = (keys % box for box in ("in", "out", "note"))
reply = runpy.run_path(sys.argv[1])["reply"] if sys.argv[1:] else lambda question: "I have nothing to add."
bus = redis.Redis.from_url(url._replace(query="").geturl(), decode_responses=True, protocol=2, socket_timeout=30)


def say(**message):
    bus.xadd(outbox, {"m": json.dumps({"version": "1.0", "agent": f"bus/{url.username}", **message})})


def answer(question):
    names = {name: question[name] for name in ("key", "run_id", "episode_id", "turn", "seat")}
    return {"type": "turn.reply", **names, "parts": [{"type": "text", "text": reply(question)}]}


answers, told, look_again = {}, "$", 0.0
while True:
    try:
        if time.monotonic() > look_again:  # tell that we are there, and see all that is open, what we know already too
            say(type="agent.hello", key="hello", software="agent.py")
            seen, look_again = "0-0", time.monotonic() + 20
        for stream, entries in bus.xread({inbox: seen, notes: told}, count=1, block=2000):
            [(entry, fields)], seen, told = entries, *((entries[0][0], told) if stream == inbox else (seen, entries[0][0]))
            message = json.loads(fields["m"])
    except redis.ConnectionError as error:
        pass
