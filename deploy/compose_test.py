"""`make compose-test`: palaver in containers, from nothing to the run folder, with kills on the way.

Builds the image, starts the services of compose.yaml, submits a run, kills Redis and the game master while it is
played, goes on with four game masters, and looks at what the recorder has written and Prometheus has seen. Uses the
Docker engine there is; where there is none, and we are root on Debian, one of its own (engine.sh), which it stops and
removes. Where neither can be had it says why, and that is all.
"""

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = ROOT / "deploy" / "compose" / "compose.yaml"
ENGINE = ROOT / "deploy" / "engine.sh"
DOCKERFILE = ROOT / "deploy" / "docker" / "Dockerfile"
BASE = DOCKERFILE.read_text().partition("ARG PYTHON=")[2].split()[0]
EPISODES = 40
GAMEMASTERS = 4
PULL_S = 120
BEGAN = time.monotonic()


class Skipped(Exception):  # noqa: N818 - no error: it says why there is nothing to test
    """This machine cannot run containers."""


def say(text: str) -> None:
    """Print a line with the seconds since the beginning."""
    print(f"[{time.monotonic() - BEGAN:6.1f} s] {text}", flush=True)


def run(*words: str | Path, env: Mapping[str, str] | None = None, timeout: float | None = None) -> str:
    """Run a command; return what it prints on stdout.

    Raises:
        RuntimeError: it failed; names it, with what it complained of.
    """
    try:
        done = subprocess.run(  # noqa: S603 - what is run is written in this file
            words, env=env, capture_output=True, text=True, timeout=timeout, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{' '.join(map(str, words))}: not done after {timeout:.0f} s") from None
    if done.returncode:
        complaint = (done.stderr or done.stdout).strip()
        raise RuntimeError(f"{' '.join(map(str, words))}: {complaint[-2000:]}")
    return done.stdout


def works(*words: str, env: Mapping[str, str], timeout: float = PULL_S) -> bool:
    """Say whether a command succeeds."""
    try:
        run(*words, env=env, timeout=timeout)
    except (RuntimeError, FileNotFoundError):
        return False
    return True


def wait_for(what: str, probe: Callable[[], Any], seconds: float = 90) -> None:
    """Ask once a second until the answer is true.

    Raises:
        RuntimeError: it did not become so in time; names what was waited for, and the last answer.
    """
    until = time.monotonic() + seconds
    while not (answer := probe()):
        if time.monotonic() > until:
            raise RuntimeError(f"waited {seconds:.0f} s for {what}; last: {answer!r}")
        time.sleep(1)
    say(what)


@contextmanager
def engine(folder: Path) -> Iterator[dict[str, str]]:
    """Give the environment of a Docker engine that has the base images, or can pull them.

    Raises:
        Skipped: there is none, and none can be started.
    """
    env = dict(os.environ)
    if shutil.which("docker") and works("docker", "info", env=env):
        say("there is a Docker engine")
        if not has_image(BASE, env):
            raise Skipped(f"{BASE} cannot be pulled")
        yield env
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Skipped("no Docker engine, and only root on Debian or Ubuntu can start one here")
    # Debian's builder and compose know nothing of BuildKit.
    env |= {"DOCKER_HOST": f"unix://{folder}/docker.sock", "DOCKER_BUILDKIT": "0", "COMPOSE_DOCKER_CLI_BUILD": "0"}
    say(f"starting a Docker engine in {folder}")
    try:
        try:
            run(ENGINE, "up", folder)
            if not has_image(BASE, env):
                say("no image registry: making images of Debian's packages")
                run(ENGINE, "images", folder)
        except RuntimeError as error:
            raise Skipped(str(error)) from error
        yield env
    finally:
        say("stopping the engine")
        run(ENGINE, "down", folder)


def has_image(name: str, env: Mapping[str, str]) -> bool:
    """Say whether an image is there, or can be pulled."""
    return works("docker", "image", "inspect", name, env=env) or works("docker", "pull", "-q", name, env=env)


class Project:
    """The services of compose.yaml under a name and with ports of their own.

    Args:
        env: the environment in which Docker's commands find the engine.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.name = f"palaver-test-{secrets.token_hex(3)}"
        self.image = f"{self.name}:test"
        self.env = {
            **env,
            "COMPOSE_PROJECT_NAME": self.name,
            "PALAVER_IMAGE": self.image,
            "REDIS_PASSWORD": secrets.token_hex(16),
            **dict.fromkeys(("REDIS_PORT", "PROMETHEUS_PORT", "GRAFANA_PORT"), "0"),  # any that is free
        }
        modern = works("docker", "compose", "version", env=env)
        self._words = ["docker", "compose"] if modern else ["docker-compose"]

    def compose(self, *words: str, timeout: float = 180) -> str:
        """Run a command of compose."""
        return run(*self._words, "-f", COMPOSE, *words, env=self.env, timeout=timeout)

    def docker(self, *words: str) -> str:
        """Run a command of Docker."""
        return run("docker", *words, env=self.env)

    def palaver(self, *words: str) -> str:
        """Run the command line of palaver, as users would."""
        return self.compose("run", "--rm", "-T", "palaver", *words)

    def build(self) -> None:
        """Build the image; the network is the host's, whose mirror of the package index may be on loopback."""
        mirror = [f"--build-arg={name}" for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST")
                  if name in self.env]  # fmt: skip
        self.docker("build", "-q", "--network=host", "-f", str(DOCKERFILE), *mirror, "-t", self.image, str(ROOT))
        size, base = map(int, self.docker("image", "inspect", "-f", "{{.Size}}", self.image, BASE).split())
        say(f"built the image: {(size - base) / 1e6:.0f} MB upon {BASE} with {base / 1e6:.0f} MB")

    def services(self) -> list[str]:
        """Return the services that start without a profile, but those whose image cannot be had."""
        always = {name: service for name, service in yaml.safe_load(COMPOSE.read_text())["services"].items()
                  if "profiles" not in service}  # fmt: skip
        found = [name for name, it in always.items() if "build" in it or has_image(it["image"], self.env)]
        for name in always.keys() - found:
            say(f"without {name}: {always[name]['image']} cannot be pulled")
        return found

    def containers(self, service: str) -> list[str]:
        """Return the ids of a service's running containers."""
        labels = f"label=com.docker.compose.project={self.name}", f"label=com.docker.compose.service={service}"
        return self.docker("ps", "-q", "--filter", labels[0], "--filter", labels[1]).split()

    def healthy(self, services: Mapping[str, int]) -> bool:
        """Say whether of each service so many containers are healthy."""
        label = f"label=com.docker.compose.project={self.name}"
        shown = '{{.Label "com.docker.compose.service"}}'
        rows = self.docker("ps", "--filter", label, "--filter", "health=healthy", "--format", shown)
        return Counter(rows.split()) == Counter(services)

    def runs(self) -> list[dict[str, Any]]:
        """Return what `palaver status --json` tells of each run."""
        status: dict[str, Any] = json.loads(self.palaver("status", "--json"))
        return list(status["runs"])

    def sees(self, expression: str, value: float) -> bool:
        """Say whether an expression has this value in Prometheus."""
        address = self.compose("port", "prometheus", "9090").strip()
        url = f"http://{address}/api/v1/query?{urllib.parse.urlencode({'query': expression})}"
        with urllib.request.urlopen(url, timeout=10) as page:
            result = json.load(page)["data"]["result"]
        return bool(result) and float(result[0]["value"][1]) == value

    def records(self, folder: Path) -> list[dict[str, Any]]:
        """Return the lines of all episodes.jsonl that the recorder has written."""
        (recorder,) = self.containers("recorder")
        self.docker("cp", f"{recorder}:/runs", str(folder))
        files = sorted(folder.rglob("episodes.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def play(project: Project, scratch: Path) -> None:
    """Do what a user does, and kill what a bad day kills.

    Raises:
        RuntimeError: something is not as promised.
    """
    project.compose("config", "-q")
    services = project.services()
    project.compose("up", "-d", "--no-build", *services)
    wait_for("all services are healthy", lambda: project.healthy(dict.fromkeys(services, 1)))

    # While the agent sleeps, all episodes wait for an answer: the kills cannot miss the run.
    project.compose("pause", "agent-scripted")
    project.palaver("submit", "maze", "--agents", "scripted", "-n", str(EPISODES))
    say(f"submitted {EPISODES} episodes")
    wait_for("they are being played", lambda: project.runs()[0]["playing"] > 0)
    for service in ("gamemaster", "redis"):
        project.docker("kill", *project.containers(service))
        say(f"killed: {service}")
    project.compose("up", "-d", "--no-build", "--no-recreate", "--scale", f"gamemaster={GAMEMASTERS}", *services)
    project.compose("unpause", "agent-scripted")
    wait_for(f"{GAMEMASTERS} game masters are up", lambda: len(project.containers("gamemaster")) == GAMEMASTERS)
    wait_for("the run is done", lambda: project.runs()[0]["state"] == "done", 180)

    episodes = Counter(record["episode_id"] for record in project.records(scratch))
    missing, twice = EPISODES - len(episodes), [name for name, lines in episodes.items() if lines > 1]
    check(
        not missing and not twice, f"{EPISODES} episodes are written down once each ({missing} missing; twice: {twice})"
    )
    outcomes = project.runs()[0]["outcomes"]
    check(sum(outcomes.values()) == EPISODES and "error" not in outcomes, f"none ended in an error: {outcomes}")
    if "prometheus" in services:
        for expression, expected in (
            ('sum(up{job="gamemaster"})', GAMEMASTERS),
            ('sum(up{job="agent"})', 1),
            ('sum(up{job="recorder"})', 1),
            ("max(palaver_gamemasters_alive)", GAMEMASTERS),
        ):
            probe = partial(project.sees, expression, expected)
            wait_for(f"Prometheus: {expression} is {expected}", probe)

    ours = {service: project.containers(service) for service in ("gamemaster", "recorder", "agent-scripted")}
    project.compose("stop", *ours)
    for service, containers in ours.items():
        codes = set(project.docker("inspect", "-f", "{{.State.ExitCode}}", *containers).split())
        check(codes == {"0"}, f"{service} ends well when it is told to: exit {', '.join(codes)}")


def check(fact: bool, text: str) -> None:
    """Say what holds.

    Raises:
        RuntimeError: it does not.
    """
    if not fact:
        raise RuntimeError(f"not so: {text}")
    say(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the test; return the exit code."""
    parser = argparse.ArgumentParser(description="Test palaver's containers.")
    parser.add_argument("--engine", type=Path, metavar="FOLDER", help="keep what an engine of our own is made of here")
    folder = parser.parse_args(arguments).engine
    with tempfile.TemporaryDirectory(prefix="palaver-") as scratch:
        try:
            with engine((folder or Path(scratch) / "engine").absolute()) as env:
                project = Project(env)
                try:
                    project.build()
                    play(project, Path(scratch) / "runs")
                except RuntimeError:
                    print(project.compose("logs", "--no-color", "--tail=20"), file=sys.stderr)
                    raise
                finally:
                    project.compose("down", "-v", "--remove-orphans")
                    works("docker", "image", "rm", "-f", project.image, env=env)
        except Skipped as reason:
            say(f"skipped: {reason}")
            return 0
        except RuntimeError as error:
            say(f"FAILED: {error}")
            return 1
    say("done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
