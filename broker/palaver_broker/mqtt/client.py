"""Connections to an MQTT 5 broker, and what is said where there is none to be had."""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from palaver_protocols.errors import BrokerError, one_line

from .address import Address

__all__ = ["AwayError", "RefusedLoginError", "connected", "granted", "properties"]

TIMEOUT_S = 10.0
KEEPALIVE_S = 20
WRONG_VERSION = 0x84
WRONG_LOGIN = (0x86, 0x87)
UNSAID = 0x80
KEY_LETTERS = 200


class AwayError(BrokerError):
    """The broker cannot be reached, or was lost. It may come back."""


class RefusedLoginError(BrokerError):
    """The broker does not let us in."""


@asynccontextmanager
async def connected(
    address: Address, *, most_bytes: int | None = None, queue: type[asyncio.Queue[aiomqtt.Message]] = asyncio.Queue
) -> AsyncIterator[aiomqtt.Client]:
    """Connect, with the user's name as client id; disconnect at the end of the context.

    Args:
        address: where the broker is.
        most_bytes: the largest packet that the broker may send us; it drops larger ones.
        queue: where messages wait for who reads ``client.messages``.

    Raises:
        AwayError: there is no broker, or it was lost meanwhile.
        RefusedLoginError: it does not let us in.
        BrokerError: it does not speak MQTT 5.
    """
    settings = None
    if most_bytes is not None:
        settings = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # as paho has it
        settings.MaximumPacketSize = most_bytes
    quiet = logging.getLogger("palaver.mqtt")
    quiet.setLevel(logging.CRITICAL)  # what goes wrong is raised, too
    client = aiomqtt.Client(
        address.host,
        address.port,
        username=address.user or None,
        password=address.password or None,
        identifier=address.user or None,
        protocol=aiomqtt.ProtocolVersion.V5,
        clean_start=True,
        keepalive=KEEPALIVE_S,
        timeout=TIMEOUT_S,
        tls_context=address.tls,
        properties=settings,
        queue_type=queue,
        logger=quiet,
        # Small packets, of which each waits for another's acknowledgement: without it 40 ms a message.
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )
    try:
        async with client:
            yield client
    except aiomqtt.MqttError as error:
        raise _explained(error, address) from error


def _explained(error: aiomqtt.MqttError, address: Address) -> BrokerError:
    code = error.rc.value if isinstance(error, aiomqtt.MqttCodeError) and isinstance(error.rc, ReasonCode) else 0
    if isinstance(error, aiomqtt.exceptions.MqttConnectError):
        if code == WRONG_VERSION:
            return BrokerError(f"the broker at {address.where} does not speak MQTT 5", mend="mosquitto does, from 1.6")
        if code in WRONG_LOGIN:
            named = address.variable and f" ({address.variable}, or in the URL)"
            return RefusedLoginError(
                f"the broker at {address.where} does not let {one_line(address.user, 60) or 'nobody'!r} in",
                mend=f"look at the password{named}, and whether there is such a user",
            )
    cause = error.__cause__
    if isinstance(cause, aiomqtt.MqttCodeError) and isinstance(cause.rc, ReasonCode):  # it was there, and has left us
        why = f"it has gone, or another {one_line(address.user, 60)!r} has logged in"
        about = why if cause.rc.value == UNSAID else one_line(str(cause.rc))
        return AwayError(f"the MQTT broker at {address.where} was lost: {about}")
    met = error.__context__  # aiomqtt raises its own "from None"
    if isinstance(met, ssl.SSLCertVerificationError):
        return BrokerError(
            f"the MQTT broker at {address.where} has no certificate to trust: {one_line(met.verify_message)}",
            mend="name the file of the authority that signed it: mqtts://USER@HOST?ca=FILE",
        )
    about = str(cause) if isinstance(cause, OSError | aiomqtt.MqttError) else str(error)
    return AwayError(f"no MQTT broker can be used at {address.where}: {one_line(about)}", mend="start mosquitto there")


def granted(codes: tuple[int, ...] | list[ReasonCode]) -> bool:
    """Whether a broker has taken a subscription."""
    return all((code if isinstance(code, int) else code.value) < 0x80 for code in codes)


def properties(
    key: str, *, expiry_s: float, media_type: str = "application/json", response: str | None = None
) -> Properties:
    """Make the properties of a message.

    Args:
        key: what it is about: the correlation data.
        expiry_s: seconds after which a broker that still holds it lets it go.
        media_type: what it is.
        response: the topic where an answer is wanted.
    """
    said = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # as paho has it
    said.ContentType = media_type
    said.CorrelationData = key[:KEY_LETTERS].encode()  # an agent may have made a long one up
    said.MessageExpiryInterval = max(1, round(expiry_s))
    said.PayloadFormatIndicator = int(media_type == "application/json")
    if response is not None:
        said.ResponseTopic = response
    return said
