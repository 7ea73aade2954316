-- Append to a log where its end is what the writer knows, and do what follows.
-- KEYS: log, calls, purse, archived episodes of the run, the stream of commits, the stream of each acknowledgement, the
--       inbox of each question
-- ARGV: prefix, milliseconds a box lives, position, key of the entry before ('' at the first), key, entry, '1' for an
--       answer, tokens, micro-dollars, episode, name of the log, gist of the entry, how many commits are remembered,
--       number of acknowledgements, (group, id) of each, (key, topic, request) of each question
local log, calls, purse, archived = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local at, after, key = tonumber(ARGV[3]), ARGV[4], ARGV[5]
local acks = tonumber(ARGV[14])

local function acknowledge()
    for i = 1, acks do
        done(KEYS[5 + i], ARGV[13 + 2 * i], ARGV[14 + 2 * i])
    end
end

-- Whoever slept while an episode was played and archived by others must not begin it anew.
if at == 0 and redis.call('HEXISTS', archived, ARGV[10]) == 1 then return 'gap' end

local length, last = 0, ''
local tail = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if tail then
    length, last = tonumber(string.match(tail[1], '^%d+')), tail[2][2]
end
if at ~= length or after ~= last then
    for _, entry in ipairs(redis.call('XRANGE', log, '-', '+')) do
        if entry[2][2] == key then
            acknowledge()
            return 'dup'
        end
    end
    return 'gap'
end

redis.call('XADD', log, (length + 1) .. '-0', 'k', key, 'm', ARGV[6])
redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[13], '*', 'l', ARGV[11], 'a', at, 'g', ARGV[12])
if ARGV[7] == '1' then
    redis.call('HSET', calls, '=' .. key, '')
    redis.call('HDEL', calls, '?' .. key)
    if ARGV[8] ~= '0' then redis.call('HINCRBY', purse, 'tokens', ARGV[8]) end
    if ARGV[9] ~= '0' then redis.call('HINCRBY', purse, 'micro_usd', ARGV[9]) end
end
acknowledge()
local result = 'ok'
local question = 15 + 2 * acks
for i = 6 + acks, #KEYS do
    local said = ask(calls, purse, KEYS[i], ARGV[1], ARGV[question], ARGV[question + 1], ARGV[question + 2], ARGV[2])
    if said == 'budget' then result = said end
    question = question + 3
end
return result
