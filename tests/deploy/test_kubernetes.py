"""The manifests: valid in old and new clusters, consistent among themselves, and as hard as the cluster allows."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import pytest
import yaml
from jsonschema import Draft202012Validator

from palaver_broker.topics import inbox
from palaver_deploy.cli import exit_code

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
FOLDERS = sorted(file.parent for file in (DEPLOY / "kubernetes").glob("*/kustomization.yaml"))
Manifest = dict[str, Any]

KEDA = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {"apiVersion": {"const": "keda.sh/v1alpha1"}, "kind": {"enum": ["ScaledObject"]}, "metadata": {},
                   "spec": {"$ref": "#/$defs/scaled"}},
    "additionalProperties": False,
    "$defs": {
        "scaled": {
            "type": "object",
            "required": ["scaleTargetRef", "triggers", "maxReplicaCount"],
            "properties": {
                "scaleTargetRef": {"required": ["kind", "name"], "additionalProperties": False, "properties": {
                    "apiVersion": {"const": "apps/v1"}, "kind": {"enum": ["Deployment", "StatefulSet"]},
                    "name": {"type": "string"}}},
                "minReplicaCount": {"type": "integer", "minimum": 0},
                "maxReplicaCount": {"type": "integer", "minimum": 1},
                "pollingInterval": {"type": "integer", "minimum": 1},
                "cooldownPeriod": {"type": "integer", "minimum": 1},
                "advanced": {"type": "object"},
                "triggers": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/trigger"}},
            },
            "additionalProperties": False,
        },
        "trigger": {
            "type": "object",
            "required": ["type", "metadata", "authenticationRef"],
            "properties": {
                "type": {"const": "redis-streams"},
                "authenticationRef": {"required": ["name"]},
                "metadata": {
                    "type": "object",
                    "required": ["address", "stream", "streamLength"],
                    "properties": {  # KEDA reads strings, numbers included
                        "address": {"type": "string", "pattern": r"^[a-z0-9.-]+:\d+$"},
                        "stream": {"type": "string", "pattern": r"^\{\w+\}:in:."},
                        "streamLength": {"type": "string", "pattern": r"^[1-9]\d*$"},
                    },
                    # with a group the length would be ignored
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
    },
}  # fmt: skip


def documents(file: Path) -> list[Manifest]:
    return list(yaml.safe_load_all(file.read_text(encoding="utf-8")))


MANIFESTS: list[tuple[str, Manifest]] = [
    (f"{folder.name}/{file.stem}:{manifest['kind']}/{manifest['metadata']['name']}", manifest)
    for folder in FOLDERS
    for file in sorted(folder.glob("*.yaml"))
    if file.name != "kustomization.yaml"
    for manifest in documents(file)
]
OURS = [pytest.param(manifest, id=name) for name, manifest in MANIFESTS if "keda" not in manifest["apiVersion"]]
WORKLOADS = [
    pytest.param(manifest, id=name) for name, manifest in MANIFESTS if manifest["kind"] in {"Deployment", "StatefulSet"}
]


def of_kind(*kinds: str) -> Iterator[Manifest]:
    return (manifest for _, manifest in MANIFESTS if manifest["kind"] in kinds)


def pod_of(workload: Manifest) -> Manifest:
    pod: Manifest = workload["spec"]["template"]["spec"]
    return pod


def test_kustomize_takes_every_manifest() -> None:
    assert len(FOLDERS) == 3
    for folder in FOLDERS:
        (kustomization,) = documents(folder / "kustomization.yaml")
        files = {file.name for file in folder.glob("*.yaml")} - {"kustomization.yaml"}
        assert set(kustomization["resources"]) == files


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_kustomize_renders(folder: Path) -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("needs kubectl")
    done = subprocess.run(["kubectl", "kustomize", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rendered = list(yaml.safe_load_all(done.stdout))
    assert {manifest["metadata"].get("namespace", "palaver") for manifest in rendered} == {"palaver"}
    assert "image: palaver\n" not in done.stdout, "the image has no registry"


@pytest.mark.parametrize("version", ["1.27", "1.34"])
@pytest.mark.parametrize("manifest", OURS)
def test_it_is_valid(manifest: Manifest, version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_the_scaler_is_valid() -> None:
    (scaled,) = of_kind("ScaledObject")
    Draft202012Validator(KEDA).validate(scaled)
    (auth,) = of_kind("TriggerAuthentication")
    (trigger,) = scaled["spec"]["triggers"]
    assert trigger["authenticationRef"]["name"] == auth["metadata"]["name"]


def test_the_scaler_watches_the_inbox_of_what_it_scales() -> None:
    (scaled,) = of_kind("ScaledObject")
    target = scaled["spec"]["scaleTargetRef"]
    (workload,) = [each for each in of_kind(target["kind"]) if each["metadata"]["name"] == target["name"]]
    args = pod_of(workload)["containers"][0]["args"]
    metadata = scaled["spec"]["triggers"][0]["metadata"]
    assert metadata["stream"] == "{palaver}:" + inbox(args[args.index("--agent") + 1])
    assert metadata["streamLength"] == args[args.index("--concurrency") + 1]


@pytest.mark.parametrize("workload", WORKLOADS)
def test_it_is_started_by_a_command_that_there_is(workload: Manifest) -> None:
    for container in pod_of(workload)["containers"]:
        if container["image"] == "palaver":
            # options that there are not are refused before help is given
            assert exit_code([*container["args"], "--help"]) == 0


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_pod_may_do_as_little_as_possible(workload: Manifest) -> None:
    pod = pod_of(workload)
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}
        }  # fmt: skip
        assert container["resources"]["requests"]
        assert "memory" in container["resources"]["limits"]
        assert "readinessProbe" in container
        assert "livenessProbe" in container


@pytest.mark.parametrize("workload", WORKLOADS)
def test_what_a_workload_refers_to_exists(workload: Manifest) -> None:
    pod = pod_of(workload)
    labels = workload["spec"]["template"]["metadata"]["labels"]
    assert workload["spec"]["selector"]["matchLabels"].items() <= labels.items()
    claimed = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
    volumes = {volume["name"] for volume in pod.get("volumes", [])} | claimed
    assert {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]} == volumes
    named = {(each["kind"], each["metadata"]["name"]) for _, each in MANIFESTS}
    for volume in pod.get("volumes", []):
        if "configMap" in volume:
            assert ("ConfigMap", volume["configMap"]["name"]) in named
        if "persistentVolumeClaim" in volume:
            assert ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) in named
    (service,) = [each for each in of_kind("Service") if each["spec"]["selector"].items() <= labels.items()]
    ports = {port["name"] for container in pod["containers"] for port in container["ports"]}
    assert {port["targetPort"] for port in service["spec"]["ports"]} == ports
    if workload["kind"] == "StatefulSet":
        assert workload["spec"]["serviceName"] == service["metadata"]["name"]


def test_every_policy_and_budget_chooses_somebody() -> None:
    pods = [workload["spec"]["template"]["metadata"]["labels"] for workload in of_kind("Deployment", "StatefulSet")]
    part = {"app.kubernetes.io/part-of": "palaver"}  # kustomize adds it
    for manifest in of_kind("PodDisruptionBudget", "NetworkPolicy"):
        selector = manifest["spec"].get("selector", manifest["spec"].get("podSelector"))
        wanted = selector.get("matchLabels", {}).items()
        chosen = [labels for labels in pods if wanted <= {**labels, **part}.items()]
        assert chosen, manifest["metadata"]["name"]
        for rule in selector.get("matchExpressions", []):
            assert set(rule["values"]) <= {labels[rule["key"]] for labels in chosen}


def test_no_secret_is_in_a_file() -> None:
    assert list(of_kind("Secret")) == []


def test_there_is_one_recorder_and_it_never_overlaps_with_another() -> None:
    (recorder,) = [each for each in of_kind("Deployment") if each["metadata"]["name"] == "recorder"]
    assert recorder["spec"]["replicas"] == 1
    assert recorder["spec"]["strategy"] == {"type": "Recreate"}


def test_redis_is_configured_as_everywhere() -> None:
    (config,) = of_kind("ConfigMap")
    assert config["data"]["redis.conf"] == (DEPLOY / "redis" / "redis.conf").read_text(encoding="utf-8")
    (redis,) = [each for each in of_kind("StatefulSet") if each["metadata"]["name"] == "redis"]
    (server,) = redis["spec"]["template"]["spec"]["containers"]
    assert "--dir /data" in " ".join(server["args"])
    assert {"name": "data", "mountPath": "/data"} in server["volumeMounts"]
