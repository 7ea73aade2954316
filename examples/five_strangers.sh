#!/bin/sh
# Five programs that are none of palaver's, each by a way of its own, solve a maze together:
# Python and JavaScript on Redis, one at a WebSocket, one by MQTT, and an A2A server.
#
#   sh examples/five_strangers.sh          needs redis-server 7, mosquitto and node, besides what `make test` sets up
#   KEEP=1 sh examples/five_strangers.sh   keeps the run folder and the logs
#
# Everything is in a temporary folder, on free ports of the loopback; in the end all of it is stopped.
set -u
cd "$(dirname "$0")/.." || exit 1
here=$PWD python=$PWD/.venv/bin/python folder=$(mktemp -d) pids=''
export PATH="/usr/sbin:/usr/bin:$PATH" PYTHONPATH="$PWD/examples"

finish() {
    for pid in $pids; do kill "$pid" 2>/dev/null; done
    for pid in $pids; do wait "$pid" 2>/dev/null; done
    if [ -n "${KEEP:-}" ]; then echo "kept: $folder"; else rm -rf "$folder"; fi
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() { echo "$1" >&2; exit 1; }

# start NAME COMMAND...: in the background, with its log in NAME.log
start() {
    name=$1
    shift
    "$@" >"$folder/$name.log" 2>&1 &
    pids="$! $pids"
}

# until_logged NAME WORDS: wait until its log says so, for at most 20 seconds
until_logged() {
    tries=0
    until grep -q -- "$2" "$folder/$1.log" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || { cat "$folder/$1.log" >&2; fail "$1 does not start"; }
        sleep 0.1
    done
}

# until_open PORT: wait until somebody listens there, for at most 20 seconds
until_open() {
    "$python" -c '
import socket, sys, time
for _ in range(200):
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", int(sys.argv[1]))) == 0:
            sys.exit()
    time.sleep(0.1)
sys.exit(1)' "$1"
}

palaver() { "$python" -m palaver_deploy "$@"; }

token_of() { "$python" -c 'import json, sys; print(json.load(sys.stdin)["token"])'; }

for program in redis-server mosquitto mosquitto_ctrl node; do
    command -v "$program" >/dev/null || fail "$program is missing: apt-get install redis-server mosquitto nodejs"
done
plugin=$(find /usr/lib /usr/local/lib /opt/homebrew/lib -name mosquitto_dynamic_security.so 2>/dev/null | head -n 1)
[ -n "$plugin" ] || fail "mosquitto's dynamic-security plugin is missing"
for packages in "$here/.venv/node/node_modules" "$here/examples/node_modules"; do
    [ -d "$packages/redis" ] && node_modules=$packages
done
[ -n "${node_modules:-}" ] || fail "the npm package redis is missing: npm install --prefix .venv/node redis@5"

set -- $("$python" -c '
import socket
free = [socket.create_server(("127.0.0.1", 0)) for _ in range(5)]
print(*(each.getsockname()[1] for each in free))')
redis=$1 mqtt=$2 browsers=$3 gateway=$4 a2a=$5

echo "== Redis and mosquitto =="
secret() { "$python" -c 'import secrets; print(secrets.token_hex(16))'; }
house=$(secret) admin=$(secret) bridge=$(secret)
cat >"$folder/redis.conf" <<END
port $redis
bind 127.0.0.1
dir $folder
appendonly yes
appendfsync always
save ""
requirepass $house
END
start redis redis-server "$folder/redis.conf"
until_logged redis 'Ready to accept connections'
export PALAVER_BROKER="redis://:$house@127.0.0.1:$redis" PALAVER_STATE="$folder/state"
export PALAVER_MQTT="mqtt://bridge@127.0.0.1:$mqtt"
export PALAVER_MQTT_PASSWORD="$bridge" PALAVER_MQTT_ADMIN_PASSWORD="$admin"
{
    [ "$(id -u)" = 0 ] && echo 'user root' # else it becomes another user, who may not write here
    sed -e "s/^listener 1883 /listener $mqtt /" -e "s/^listener 9001 /listener $browsers /" \
        -e "s|^plugin .*|plugin $plugin|" -e "s|^plugin_opt_config_file .*|plugin_opt_config_file $folder/users.json|" \
        deploy/mosquitto/mosquitto.conf
} >"$folder/mosquitto.conf"
mosquitto_ctrl dynsec init "$folder/users.json" admin "$admin" >/dev/null || fail 'mosquitto_ctrl failed'
start mosquitto mosquitto -c "$folder/mosquitto.conf"
until_open "$mqtt" || { cat "$folder/mosquitto.log" >&2; fail 'mosquitto does not start'; }
palaver serve mqtt --set-up "mqtt://admin@127.0.0.1:$mqtt" || exit 1

echo "== four are let in; an A2A server needs nothing but its address =="
admit() { palaver admin add-agent "$@" --json; }
py=$(admit py --door redis | token_of) && js=$(admit js --door redis | token_of) &&
    ws=$(admit ws --door gateway | token_of) &&
    edge=$(admit edge --door mqtt --mqtt "mqtt://admin@127.0.0.1:$mqtt" | token_of) || exit 1

echo "== the house =="
start gamemaster "$python" -m palaver_deploy serve gamemaster
start gateway "$python" -m palaver_deploy serve gateway --listen "127.0.0.1:$gateway"
start bridge "$python" -m palaver_deploy serve mqtt
start served "$python" -m palaver_deploy serve agent --agent "a2a/http://127.0.0.1:$a2a"

for service in gamemaster gateway bridge served; do until_logged "$service" '"event": *"serving"'; done
until_logged bridge '"event": *"connected"'

echo "== the guests =="
cp examples/agent.mjs examples/maze_brain.mjs "$folder" && ln -s "$node_modules" "$folder/node_modules"
PALAVER_URL="redis://py:$py@127.0.0.1:$redis/0" start py "$python" examples/agent.py examples/maze_brain.py
PALAVER_URL="redis://js:$js@127.0.0.1:$redis/0" start js node "$folder/agent.mjs" "$folder/maze_brain.mjs"
PALAVER_TOKEN="$ws" start ws "$python" examples/websocket_agent.py "ws://127.0.0.1:$gateway/v1/agent" \
    examples/maze_brain.py
PALAVER_MQTT="mqtt://edge:$edge@127.0.0.1:$mqtt" start edge "$python" examples/mqtt_agent.py examples/maze_brain.py
start a2a "$python" examples/a2a_agent.py --python maze_brain:reply --whole --port "$a2a"
until_open "$a2a" || fail 'the A2A server does not start'

echo "== do they speak the protocol? =="
for agent in py js ws edge "a2a/http://127.0.0.1:$a2a"; do
    palaver check-agent "$agent" >"$folder/check.txt" || { cat "$folder/check.txt"; exit 1; }
    tail -n 1 "$folder/check.txt"
done

echo "== the game =="
palaver run maze --agents "bus/py,bus/js,bus/ws,bus/edge,a2a/http://127.0.0.1:$a2a" --set agents=5 --out "$folder/run" ||
    exit 1
echo
echo "== what was said =="
palaver view "$folder/run" --brief
echo
echo "== was anybody told what only another may see? =="
palaver audit "$folder/run"
