-- Take back what a run has asked that is played no more, of some of its episodes, and that has no answer. Nothing where
-- the run goes on. ARGV: run, how many episodes. KEYS from 13 on: the calls of each episode, then inboxes.
-- Replies with what was taken back, one after the other: which inbox (from 1), key.
local state = redis.call('HGET', run, 'state')
if state and state ~= 'cancelled' and state ~= 'paused' then return {} end
local inboxes = 12 + ARGV[2]

local taken = {}
for i = 13, inboxes do
    local calls = redis.call('HGETALL', KEYS[i])
    for field = 1, #calls, 2 do
        if string.sub(calls[field], 1, 1) == '?' then
            local key, id = string.sub(calls[field], 2), string.match(calls[field + 1], '^[^|]+')
            for inbox = inboxes + 1, #KEYS do
                local entry = redis.call('XRANGE', KEYS[inbox], id, id)[1]
                if entry and entry[2][2] == key then
                    erase(KEYS[inbox], id)
                    taken[#taken + 1] = inbox - inboxes
                    taken[#taken + 1] = key
                end
            end
            redis.call('HDEL', KEYS[i], calls[field])
        end
    end
end
return taken
