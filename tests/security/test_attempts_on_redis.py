"""An agent on Redis itself reaches for what is not its own, in a running game: it is refused, and nothing changes."""

import pytest
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from tests.security.house import FEW, House

EVE = "eve-redis"
ZERO = "0" * 64

READING = {
    "the inbox of a player": "XREAD STREAMS {in} 0-0",
    "the inbox of a player behind its own": "XREAD STREAMS {mine} {in} 0-0 0-0",
    "the inbox of a player, waiting for the next question": "XREAD BLOCK 50 STREAMS {in} $",
    "the inbox of a player as one of its group": "XREADGROUP GROUP agents eve STREAMS {in} >",
    "the inbox of a player by a range": "XRANGE {in} - +",
    "the inbox of a player backwards": "XREVRANGE {in} + -",
    "how much waits for a player": "XLEN {in}",
    "what a player has on loan": "XPENDING {in} agents",
    "who reads for a player": "XINFO CONSUMERS {in} agents",
    "the outbox of a player": "XREAD STREAMS {out} 0-0",
    "the notices of a player": "XREAD STREAMS {note} 0-0",
    "the log of a running game": "XREAD STREAMS {log} 0-0",
    "the log of a running game by a range": "XRANGE {log} - +",
    "the answers of a running game": "HGETALL {calls}",
    "one answer of a running game": "HGET {calls} x",
    "the answers of a running game by a scan": "HSCAN {calls} 0",
    "the game master's box": "XREAD STREAMS {gm} 0-0",
    "the registry with all digests": "HGETALL {bus}strangers",
    "one digest of the registry": "HGET {bus}strangers rae",
    "who is there": "HGETALL {bus}members:said",
    "what runs there are": "ZRANGE {bus}runs 0 -1",
    "dead letters": "XRANGE {bus}dead - +",
    "a player's question through GET": "GET {in}",
    "the log of a running game through GET": "GET {log}",
    "what lies above the pictures, by a path": "GET {bus}blob/../log",
    "the log by a path that begins as a picture": "XREAD STREAMS {bus}blob:../log:round-0/maze-pair-00000 0-0",
    "all pictures by a scan": "SCAN 0 MATCH {bus}blob:*",
    "all pictures by their names": "KEYS {bus}blob:*",
    "whether there is a picture": "EXISTS {bus}blob:" + ZERO,
    "several pictures": "MGET {bus}blob:" + ZERO,
    "all keys": "KEYS *",
    "all keys, a few at a time": "SCAN 0",
    "any key": "RANDOMKEY",
    "how many keys there are": "DBSIZE",
    "the bytes of a log": "DUMP {log}",
    "how a log is kept": "OBJECT ENCODING {log}",
    "the inbox through SORT": "SORT {mine} BY nosort GET {bus}in:*",
}
WRITING = {
    "an answer into the outbox of a player": "XADD {out} * m {{}}",
    "a question into its own inbox": "XADD {mine} * k x m {{}}",
    "a question into a player's inbox": "XADD {in} * k x m {{}}",
    "a notice into its own notices": "XADD {bus}note:bus/eve-redis * m {{}}",
    "a notice to a player": "XADD {note} * m {{}}",
    "a turn into the log of a running game": "XADD {log} * k x m {{}}",
    "an end into the log of a running game": "XADD {log} 999-0 k end m {{}}",
    "an answer into a running game": "HSET {calls} x {{}}",
    "an answer into the game master's box": "XADD {gm} * k x m {{}}",
    "itself into the registry, by all doors": "HSET {bus}strangers eve-redis {{}}",
    "a player out of the registry": "HDEL {bus}strangers rae",
    "itself onto the board": "HSET {bus}members:said agent {{}}",
    "another porter": "SET {bus}porter eve",
    "a bigger budget": "HSET {bus}purse:round-0 max_tokens 1000000000",
    "a picture": "SET {bus}blob:" + ZERO + " x",
    "the inbox of a player away": "DEL {in}",
    "the inbox of a player away, later": "UNLINK {in}",
    "the log of a running game away": "DEL {log}",
    "the log of a running game elsewhere": "RENAME {log} {bus}out:bus/eve-redis",
    "an end to the log of a running game": "EXPIRE {log} 1",
    "a player's question away": "XDEL {in} 0-1",
    "a player's question acknowledged": "XACK {in} agents 0-1",
    "a player's question claimed": "XAUTOCLAIM {in} agents eve 0 0",
    "a player's group away": "XGROUP DESTROY {in} agents",
    "its own group": "XGROUP CREATE {mine} eve 0",
    "its own inbox shorter": "XTRIM {mine} MAXLEN 0",
    "a log shorter": "XTRIM {log} MAXLEN 0",
    "a log from a dump": "RESTORE {log} 0 x REPLACE",
}
RULING = {
    "a script": "EVAL return(1) 0",
    "a script that reads a log": "EVAL return(redis.call('DUMP',KEYS[1])) 1 {log}",
    "a script that is there already": "EVALSHA " + "0" * 40 + " 0",
    "a script that only reads": "EVAL_RO return(1) 0",
    "a script to keep": "SCRIPT LOAD return(1)",
    "the scripts of the bus away": "SCRIPT FLUSH",
    "a function": "FUNCTION LOAD #!lua",
    "a call of a function": "FCALL f 0",
    "a transaction": "MULTI",
    "a watch on a log": "WATCH {log}",
    "the settings": "CONFIG GET *",
    "another setting": "CONFIG SET dir /tmp",
    "all users": "ACL LIST",
    "the rights of a player": "ACL GETUSER rae",
    "all rights for itself": "ACL SETUSER eve-redis +@all",
    "a player's user away": "ACL DELUSER rae",
    "who is connected": "CLIENT LIST",
    "everybody cut off": "CLIENT KILL TYPE normal",
    "everybody waiting": "CLIENT PAUSE 1000",
    "another name": "CLIENT SETNAME palaver-porter",
    "an eye on all keys": "CLIENT TRACKING ON",
    "an ear for all commands": "MONITOR",
    "a channel": "SUBSCRIBE palaver",
    "all channels": "PSUBSCRIBE *",
    "changes of keys": "PSUBSCRIBE __keyspace@0__:*",
    "a message to a channel": "PUBLISH palaver x",
    "another database": "SELECT 1",
    "a swap of databases": "SWAPDB 0 1",
    "a module": "MODULE LOAD /tmp/x.so",
    "a sleep": "DEBUG SLEEP 1",
    "the server as its replica": "REPLICAOF 203.0.113.1 6379",
    "a copy of everything": "PSYNC ? -1",
    "a key at its own server": "MIGRATE 203.0.113.1 6379 {log} 0 1",
    "an end of the server": "SHUTDOWN NOSAVE",
    "nothing left": "FLUSHALL",
    "about the server": "INFO",
    "the slowest commands": "SLOWLOG GET",
}
LOGGING_IN = {
    "as a player with its own token": ("rae", None),
    "as the services without a password": ("default", ""),
    "as the services with its own token": ("default", None),
    "as itself with half of its token": (EVE, "half"),
    "as itself with the digest that the server keeps": (EVE, "digest"),
    "as nobody": ("nobody", None),
    "with a token that leads out of a folder": ("../../default", None),
}
ATTEMPTS = {
    **{f"read {what}": said for what, said in READING.items()},
    **{f"write {what}": said for what, said in WRITING.items()},
    **{f"have {what}": said for what, said in RULING.items()},
    **{f"log in {how}": "" for how in LOGGING_IN},
}


def meant(house: House, said: str) -> list[str]:
    """Put the names of a running game into a command."""
    victim = house.victims()
    episode = f"{victim.run_id}/{victim.episode_id}"
    bus = "{palaver}:"
    names = {box: f"{bus}{box}:{victim.agent}" for box in ("in", "out", "note")}
    names |= {"bus": bus, "mine": f"{bus}in:bus/{EVE}", "gm": f"{bus}gm:gm"}
    names |= {"log": f"{bus}log:{episode}", "calls": f"{bus}calls:{episode}"}
    return said.format(**names).split(" ")


@pytest.mark.parametrize("attempt", [name for name, said in ATTEMPTS.items() if said])
def test_it_may_not(house: House, attempt: str) -> None:
    house.guest(EVE, "redis")
    words = meant(house, ATTEMPTS[attempt])
    with house.harmless(every=FEW):
        with house.client(EVE) as eve, pytest.raises(RedisError) as refused:
            eve.execute_command(*words)
        if words[0] in ("DEBUG", "MODULE"):  # refused to everybody, before rights are looked at
            assert f"{words[0]} command not allowed" in str(refused.value)
        else:
            assert isinstance(refused.value, NoPermissionError), refused.value


@pytest.mark.parametrize("how", LOGGING_IN)
def test_it_may_not_log_in(house: House, how: str) -> None:
    house.guest(EVE, "redis")
    user, password = LOGGING_IN[how]
    own = house.tokens[EVE]
    shown = {"half": own[:-20], "digest": house.do(digest(house))}.get(password or "", own if password is None else "")
    with house.harmless(every=FEW), house.client(user, shown or "-") as eve, pytest.raises(AuthenticationError):
        eve.ping()


async def digest(house: House) -> str:
    from palaver_broker.redis.strangers import Strangers

    return (await Strangers(house.broker.link).known(EVE)).digest


def test_the_games_end_as_they_would_have(house: House) -> None:
    house.finish()


def test_the_smallest_change_would_be_seen(house: House) -> None:
    """Else all the others would show nothing."""
    with house.client() as operator:
        for change, undo in (
            (("HSET", "{palaver}:strangers", "x", "{}"), ("HDEL", "{palaver}:strangers", "x")),
            (("ACL", "SETUSER", "rae", "+time"), ("ACL", "SETUSER", "rae", "-time")),
            (("CONFIG", "SET", "hz", "11"), ("CONFIG", "SET", "hz", "10")),
        ):
            with pytest.raises(AssertionError):
                with house.harmless():
                    operator.execute_command(*change)
            operator.execute_command(*undo)
