#!/usr/bin/env bash
# A Docker engine of one's own, for deploy/compose_test.py on a Debian machine that has none. Needs root.
#   engine.sh up FOLDER        install what is missing, and start dockerd; all that it keeps is in FOLDER
#   engine.sh images FOLDER    for machines that reach no image registry: images made of Debian's packages
#   engine.sh down FOLDER      stop it; FOLDER/rootfs stays, of which the next images are made sooner
# The images bear the names that the Dockerfile and compose.yaml ask for, and hold what is needed of the real ones:
# Python with pip; redis-server; prometheus.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
folder=$(realpath -m "$2")
rootfs=$folder/rootfs
export DOCKER_HOST=unix://$folder/docker.sock

install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

up() {
    install_missing docker.io iptables docker-compose
    mkdir -p "$folder"
    iptables -S FORWARD 2>/dev/null | head -n 1 >"$folder/forwarding" || true
    setsid /usr/sbin/dockerd --host "$DOCKER_HOST" --data-root "$folder/data" --exec-root "$folder/exec" \
        --pidfile "$folder/dockerd.pid" >"$folder/dockerd.log" 2>&1 &
    for _ in $(seq 120); do
        docker info >/dev/null 2>&1 && return
        kill -0 $! 2>/dev/null || break
        sleep 0.5
    done
    echo "dockerd does not start: $(tail -n 1 "$folder/dockerd.log")" >&2
    return 1
}

down() {
    local pid
    pid=$(cat "$folder/dockerd.pid" 2>/dev/null) || return 0
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
    # dockerd leaves a network namespace mounted.
    awk -v under="$folder/" 'index($2, under) == 1 { print $2 }' /proc/mounts | xargs -r umount
    # It also has the machine forward nothing, and leaves it so.
    read -ra policy <"$folder/forwarding" && iptables "${policy[@]}"
    rm -rf "$folder/data" "$folder/exec"
}

make_rootfs() {
    install_missing debootstrap
    debootstrap --variant=minbase --include=python3,python3-pip,python3-venv,ca-certificates,redis-server,wget \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$rootfs" \
        "$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)" >"$folder/debootstrap.log"
    # Builds trust whom this machine trusts.
    cp -L /etc/ssl/certs/ca-certificates.crt "$rootfs/etc/ssl/certs/ca-certificates.crt"
    ln -sf python3 "$rootfs/usr/bin/python"
    rm -f "$rootfs"/usr/lib/python3*/EXTERNALLY-MANAGED "$rootfs"/var/cache/apt/archives/*.deb
    install -d -o "$(stat -c %u "$rootfs/var/lib/redis")" "$rootfs/data"
    (cd "$folder" && apt-get download -qq prometheus 2>/dev/null)
    dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb | tar -xC "$rootfs" ./usr/bin/prometheus
    rm "$folder"/prometheus_*.deb
    touch "$rootfs/.made"
}

from_rootfs() { # IMAGE CHANGE [TAR-OPTION ...]
    tar -C "$rootfs" "${@:3}" -c . | docker import --change "$2" - "$1" >/dev/null
}

wanted() { sed -n "s|^ *image: *\($1:.*\)|\1|p" "$here/compose/compose.yaml"; }

images() {
    [ -e "$rootfs/.made" ] || make_rootfs
    from_rootfs "$(sed -n 's/^ARG PYTHON=//p' "$here/docker/Dockerfile")" \
        "ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt" --exclude=./usr/bin/prometheus --exclude='./usr/bin/redis-*'
    from_rootfs "$(wanted redis)" "USER redis" --exclude=./usr/bin/prometheus
    from_rootfs "$(wanted prom/prometheus)" 'ENTRYPOINT ["prometheus"]' --exclude='./usr/bin/redis-*'
}

case $1 in
    up | images | down) "$1" ;;
    *) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
esac
