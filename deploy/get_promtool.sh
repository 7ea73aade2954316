#!/usr/bin/env bash
# Put promtool into .venv/bin, so that the tests can check alerts and dashboards: deploy/get_promtool.sh [FOLDER]
# Takes the one file out of Debian's package (19 MB, about 2 s) and installs nothing; without apt, it says so and that is all.
set -euo pipefail
folder=$(realpath "${1:-$(dirname "$0")/../.venv/bin}")
command -v promtool >/dev/null || [ -x "$folder/promtool" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { echo "palaver: no apt, so no promtool: its tests are skipped" >&2; exit 0; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
# The lists may be empty (a fresh container); only root can fill them.
if ! apt-get download -qq prometheus 2>/dev/null; then
    [ "$(id -u)" = 0 ] && apt-get update -qq >/dev/null 2>&1 || true
    apt-get download -qq prometheus 2>/dev/null || { echo "palaver: promtool cannot be fetched: its tests are skipped" >&2; exit 0; }
fi
dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool
mv usr/bin/promtool "$folder/promtool"
