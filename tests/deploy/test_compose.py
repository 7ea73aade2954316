"""The compose file and the image: valid, with nothing secret in them, and nothing open to the world."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from palaver_deploy.cli import exit_code

ROOT = Path(__file__).parent.parent.parent
COMPOSE = ROOT / "deploy" / "compose" / "compose.yaml"
TEXT = COMPOSE.read_text(encoding="utf-8")
EXAMPLE = (COMPOSE.parent / ".env.example").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "deploy" / "docker" / "Dockerfile").read_text(encoding="utf-8")
LOADED: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = LOADED["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
each_service = pytest.mark.parametrize("name", SERVICES)


def filled(text: str) -> str:
    """Put in what compose would, where nothing is set but the password."""
    return VARIABLE.sub(lambda found: found[3] if found[2] == "-" else "password", text)


def test_it_is_a_compose_file() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("words", [["docker-compose"], ["docker", "compose"]], ids=" ".join)
def test_compose_itself_reads_it(words: list[str]) -> None:
    if (
        shutil.which(words[0]) is None
        or subprocess.run([*words, "version"], capture_output=True, check=False).returncode
    ):
        pytest.skip(f"needs {' '.join(words)}")
    command = [*words, "-f", str(COMPOSE), "config", "-q"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REDIS_")}
    environment["COMPOSE_DISABLE_ENV_FILE"] = "1"  # a maintainer's own
    if not (COMPOSE.parent / ".env").exists():
        without = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert without.returncode != 0
        assert "set REDIS_PASSWORD in .env" in without.stderr
    done = subprocess.run(
        command, env={**environment, "REDIS_PASSWORD": "x"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", OURS)
def test_a_service_is_started_by_a_command_that_there_is(name: str) -> None:
    # options that there are not are refused before help is given
    assert exit_code([*shlex.split(filled(OURS[name]["command"])), "--help"]) == 0


@each_service
def test_a_service_comes_back_and_its_log_stays_small(name: str) -> None:
    service = SERVICES[name]
    assert service["restart"] == ("no" if name == "palaver" else "unless-stopped")
    assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}


@each_service
def test_a_service_is_open_to_this_machine_only(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert filled(port).startswith("127.0.0.1:"), port


@pytest.mark.parametrize("name", OURS)
def test_ours_wait_for_redis_and_may_do_little(name: str) -> None:
    service = OURS[name]
    assert service["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["environment"].keys() >= {"PALAVER_BROKER"}


def test_every_service_is_watched() -> None:
    unwatched = {name for name, service in SERVICES.items() if name not in OURS and "healthcheck" not in service}
    assert unwatched == set()
    assert [name for name, service in OURS.items() if "healthcheck" in service] == ["palaver"]  # it is no service
    assert "HEALTHCHECK" in DOCKERFILE


def test_without_a_profile_it_plays_and_asks_for_no_key() -> None:
    always = {name for name, service in SERVICES.items() if "profiles" not in service}
    assert always == {"redis", "gamemaster", "recorder", "dashboard", "agent-scripted", "prometheus", "grafana"}
    required = {name for name, kind, _ in VARIABLE.findall(TEXT) if kind == "?"}
    assert required == {"REDIS_PASSWORD"}


def test_redis_forgets_nothing() -> None:
    lines = (ROOT / "deploy" / "redis" / "redis.conf").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["no-appendfsync-on-rewrite"] == "no"
    assert settings["maxmemory-policy"] == "noeviction"
    assert "redis:/data" in SERVICES["redis"]["volumes"]
    assert "dir" not in settings, "it could not be started elsewhere: the file is read before the command line"
    assert "--dir /data" in SERVICES["redis"]["command"]


def test_what_has_been_answered_outlives_its_agent() -> None:
    state = re.search(r"PALAVER_STATE=(\S+)", DOCKERFILE)
    assert state is not None
    agents = [service for name, service in OURS.items() if name.startswith("agent-")]
    assert agents
    assert all(f"journals:{state[1]}" in service["volumes"] for service in agents)


def test_every_volume_is_declared() -> None:
    named = {filled(mount).split(":")[0] for service in SERVICES.values() for mount in service.get("volumes", [])}
    assert {name for name in named if not name.startswith(".")} == LOADED["volumes"].keys()
    assert all((COMPOSE.parent / name).exists() for name in named if name.startswith("."))


def test_the_example_names_every_variable_with_its_default() -> None:
    shown = dict(re.findall(r"^#?([A-Z0-9_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    used = {name: default for name, _, default in VARIABLE.findall(TEXT)}
    rarely = {"PALAVER_IMAGE", "PALAVER_EXTRAS", "VLLM_API_KEY", "OLLAMA_API_KEY"}
    assert used.keys() - rarely <= shown.keys()
    assert shown.keys() - used.keys() == {"COMPOSE_PROJECT_NAME"}
    for name, default in used.items():
        if name in shown and default and name != "REDIS_PASSWORD":
            assert shown[name] == default, name


def test_no_secret_is_in_a_file() -> None:
    for name, value in re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE):
        assert not (name.endswith(("_KEY", "_PASSWORD")) and value), name
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert not name.endswith(("_KEY", "_PASSWORD")) or VARIABLE.fullmatch(value), name
    assert ".env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_the_image_is_made_of_what_it_needs() -> None:
    listed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in listed, "all is left out but what is named"
    allowed = {line.removeprefix("!") for line in listed if line.startswith("!")}
    assert all((ROOT / path).exists() for path in allowed)
    packaged = re.findall(r'^    "(\w+)/palaver_', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert {path.split("/")[0] for path in allowed} >= {*packaged, "pyproject.toml", "README.md", "LICENSE"}


def test_the_image_runs_as_nobody_special() -> None:
    stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d+:[1-9]\d+$", stage, re.MULTILINE)
    assert 'ENTRYPOINT ["palaver"]' in stage
    assert "pip" not in stage, "nothing is installed in the last stage"
    assert "PALAVER_HTTP=0.0.0.0:8800" in stage
