#!/bin/sh
# An agent at the gateway, with nothing but curl and jq: it answers every question with what was said last.
#
#   PALAVER_TOKEN=parrot.… sh poll_agent.sh http://localhost:8400
#
# Whatever breaks, it asks again: ?again=1 brings all that is open to it, and what it could not deliver comes again by
# itself after half a minute. The token goes to curl by a pipe, since others can read the command lines of a machine.
set -u
gateway=$1
again='&again=1'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

ask() {
    printf 'header = "Authorization: Bearer %s"\n' "$PALAVER_TOKEN" | curl --silent --config - "$@"
}

# Here is the place for a model of yours.
answers='.requests[] | {type: "turn.reply", version: "1.0", key, run_id, episode_id, turn, seat, agent, parts:
    [{type: "text", text: ("I heard: " + ([.view[-1].parts[] | select(.type == "text").text] | join(" "))[:200])}]}'

while :; do
    case $(ask --output "$folder/asked" --write-out '%{http_code}' "$gateway/v1/agent/requests?wait=25$again") in
    200) again='' ;;
    401) echo 'our token is not valid' >&2; exit 1 ;;
    *) again='&again=1'; sleep 1; continue ;; # the gateway or the bus is away: nothing is lost
    esac
    jq --compact-output "$answers" "$folder/asked" | while IFS= read -r answer; do
        printf '%s' "$answer" > "$folder/answer"
        ask --output "$folder/notice" --data-binary "@$folder/answer" "$gateway/v1/agent/messages"
    done
done
