"""Where an MQTT broker is, and what is said of a URL that does not tell."""

from pathlib import Path

import pytest

from palaver_broker.mqtt.address import Address
from palaver_protocols.errors import UsageError


def test_a_url_says_where_and_who() -> None:
    address = Address.of("mqtt://me:a%2Fb@[::1]:1884")
    assert (address.host, address.port, address.user, address.password) == ("::1", 1884, "me", "a/b")
    assert address.where == "[::1]:1884"
    assert "a/b" not in repr(address)


def test_ports_and_the_password_have_defaults() -> None:
    address = Address.of("mqtts://me@host", "from elsewhere")
    assert (address.port, address.password, address.where) == (8883, "from elsewhere", "host:8883 with TLS")
    assert Address.of("mqtt://me:own@host", "from elsewhere").password == "own"


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("redis://me:secret@host", "not at redis://"),
        ("host", "not at ://"),
        ("mqtt://me:secret@", "names no host"),
        ("mqtt://host", "names no user"),
        ("mqtt://:secret@host", "names no user"),
        ("mqtt://me:secret@host:port", "cannot be read"),
        ("mqtt://me:sec/ret@host", "cannot be read|after its host"),
        ("mqtt://me:1/ret@host", "after its host|names no user"),
        ("mqtt://me:secret@host#x", "after its host"),
        ("mqtt://me:secret@host?ca=/nowhere", "no setting"),
        ("mqtts://me:secret@host?other=1", "no setting"),
        ("mqtts://me:secret@host?ca=/nowhere", "there is no '/nowhere'"),
    ],
)
def test_a_url_that_makes_no_sense_is_one_line_without_its_password(url: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem) as error:
        Address.of(url)
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)
    assert "ret@" not in str(error.value)


def test_a_file_without_certificates_is_named(tmp_path: Path) -> None:
    (tmp_path / "ca").write_text("nothing")
    with pytest.raises(UsageError, match="holds no certificates"):
        Address.of(f"mqtts://me@host?ca={tmp_path / 'ca'}")
