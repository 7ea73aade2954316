"""Who may use which topics: users and roles in mosquitto's dynamic-security plugin, made as its administrator.

A user is an agent, with a role of its own, ``palaver:BUS:NAME``, which holds it to its own four topics. A user that has
no such role is none of ours, and is left alone.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from palaver_protocols.errors import BrokerError, UsageError, one_line
from palaver_protocols.strangers import NAME_MEND, is_stranger, stranger

from .address import Address
from .client import connected, granted
from .topics import Topics

__all__ = ["DynSec"]

CONTROL = "$CONTROL/dynamic-security/v1"
ANSWER_S = 5.0
DENIED = ("publishClientSend", "publishClientReceive", "subscribe", "unsubscribe")
BRIDGE = "+bridge"
"""What stands for an agent's name in the name of the bridge's role: no agent is called so."""

Command = Mapping[str, Any]
Ask = Callable[[list[Command]], Awaitable[list[dict[str, Any]]]]


class DynSec:
    """The users of one bus in one mosquitto.

    Args:
        url: ``mqtt[s]://ADMIN[:PASSWORD]@HOST[:PORT]``, as the plugin's administrator.
        bus: the bus's name.
        password: the administrator's, where the URL has none.
        variable: where in the environment that was looked for; for people.

    Raises:
        UsageError: the URL is wrong.
    """

    def __init__(self, url: str, bus: str = "palaver", *, password: str = "", variable: str = "") -> None:
        self._address = Address.of(url, password, variable=variable)
        self._bus = bus

    async def set_up(self, bridge: str, password: str) -> None:
        """Make a mosquitto ready: nothing is allowed to whom no role allows it, and there is a user for the bridge.

        Raises:
            UsageError: there is such a user already, who is none of ours.
            BrokerError: the broker cannot be used, or has no such plugin.
        """
        mine = Topics(self._bus, "+")
        acls = [
            _allow("publishClientSend", mine.questions),
            _allow("publishClientSend", mine.notices),
            _allow("publishClientSend", mine.picture("+")),
            _allow("publishClientReceive", mine.answers),
            _allow("subscribePattern", mine.answers),
            _allow("unsubscribePattern", mine.answers),
        ]
        denied = [{"acltype": kind, "allow": False} for kind in DENIED]
        async with self._asking() as ask:
            await _done(ask, [{"command": "setDefaultACLAccess", "acls": denied}])
            await self._put(ask, bridge, password, BRIDGE, acls)

    async def add(self, name: str, token: str) -> None:
        """Let an agent in, or give it another token. Idempotent.

        Raises:
            UsageError: this is no name, or there is such a user already, who is none of ours.
            BrokerError: the broker cannot be used, or has no such plugin.
        """
        if not is_stranger(stranger(name)):
            raise UsageError(f"{name!r} is no name for an agent on the bus", mend=NAME_MEND)
        mine = Topics(self._bus, name)
        acls = [
            _allow("publishClientSend", mine.answers),
            *(
                _allow(kind, topic)
                for kind in ("subscribeLiteral", "unsubscribeLiteral", "publishClientReceive")
                for topic in (mine.questions, mine.notices)
            ),
            _allow("subscribeLiteral", mine.picture("#")),
            _allow("subscribeLiteral", mine.picture("+")),
            _allow("unsubscribeLiteral", mine.picture("#")),
            _allow("unsubscribeLiteral", mine.picture("+")),
            _allow("publishClientReceive", mine.picture("+")),
        ]
        async with self._asking() as ask:
            await self._put(ask, name, token, name, acls)

    async def rotate(self, name: str, token: str) -> None:
        """Give an agent another token; a connection that was made with the old one is cut. As :meth:`add`."""
        await self.add(name, token)

    async def remove(self, name: str) -> bool:
        """Turn an agent out, and cut its connection; False where there was none. A user who is none of ours stays.

        Raises:
            BrokerError: the broker cannot be used, or has no such plugin.
        """
        async with self._asking() as ask:
            ours = bool(await self._is_ours(ask, name, name))
            if ours:
                await _done(ask, [{"command": "deleteClient", "username": name}])
            await _done(ask, [{"command": "deleteRole", "rolename": self._role(name)}], fine=("Role not found",))
            return ours

    def _role(self, name: str) -> str:
        return f"palaver:{self._bus}:{name}"

    async def _put(self, ask: Ask, user: str, password: str, name: str, acls: list[Command]) -> None:
        """Make a user and its role, or mend them, and have it log in again."""
        role = self._role(name)
        ours = await self._is_ours(ask, user, name)
        if ours is False:
            raise UsageError(
                f"mosquitto has a user {one_line(user, 60)!r} already, who is none of ours",
                mend="take another name",
            )
        await _done(ask, [{"command": "createRole", "rolename": role}], fine=("Role already exists",))
        await _done(ask, [{"command": "modifyRole", "rolename": role, "acls": acls}])
        if ours:
            # Out and in again: so a connection that was made with the old password does not live on.
            await _done(ask, [{"command": "disableClient", "username": user}])
            await _done(ask, [{"command": "setClientPassword", "username": user, "password": password}])
            await _done(ask, [{"command": "enableClient", "username": user}])
            return
        client = {"command": "createClient", "username": user, "password": password, "roles": [{"rolename": role}]}
        await _done(ask, [client])

    async def _is_ours(self, ask: Ask, user: str, name: str) -> bool | None:
        """Whether a user has the role that is meant for it; None: there is no such user."""
        [said] = await ask([{"command": "getClient", "username": user}])
        if said.get("error") == "Client not found":
            return None
        if "error" in said:
            raise BrokerError(f"mosquitto refuses getClient: {one_line(str(said['error']))}")
        roles = said["data"]["client"].get("roles", [])
        return [role["rolename"] for role in roles] == [self._role(name)]

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[Ask]:
        """Log in as the administrator."""
        where = self._address.where
        missing = BrokerError(
            f"the broker at {where} does not do what {one_line(self._address.user, 60)!r} asks of its "
            "dynamic-security plugin",
            mend="load the plugin in mosquitto.conf, and log in as its administrator",
        )
        async with connected(self._address) as client:
            if not granted(await client.subscribe(f"{CONTROL}/response", qos=1)):
                raise missing

            async def ask(commands: list[Command]) -> list[dict[str, Any]]:
                await client.publish(CONTROL, json.dumps({"commands": commands}), qos=1)
                try:
                    async with asyncio.timeout(ANSWER_S):
                        said = json.loads((await anext(client.messages)).payload)
                except TimeoutError:
                    raise missing from None
                found: list[dict[str, Any]] = said["responses"]
                return found

            yield ask


def _allow(kind: str, topic: str) -> Command:
    return {"acltype": kind, "topic": topic, "allow": True}


async def _done(ask: Ask, commands: list[Command], fine: tuple[str, ...] = ()) -> None:
    """Have commands carried out.

    Raises:
        BrokerError: one was refused, and not because of something that is fine.
    """
    for said in await ask(commands):
        if "error" in said and said["error"] not in fine:
            problem = one_line(f"{said.get('command')}: {said['error']}")
            raise BrokerError(f"mosquitto refuses {problem}")
