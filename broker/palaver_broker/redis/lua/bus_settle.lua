-- Remember an answer, send it to whoever waits for it, acknowledge the question.
-- The box is read from `calls`, so it is no declared key; it shares the hash tag of all others.
-- KEYS: log, calls, inbox     ARGV: prefix, milliseconds a box lives, key, '1' for a reply, answer, group, entry id
local calls, key, answer = KEYS[2], ARGV[3], ARGV[5]
if redis.call('EXISTS', KEYS[1]) == 1 then
    if ARGV[4] == '1' and redis.call('HSETNX', calls, '=' .. key, answer) == 0 then
        answer = redis.call('HGET', calls, '=' .. key)
    end
    local asked = redis.call('HGET', calls, '?' .. key)
    if asked then
        redis.call('HDEL', calls, '?' .. key)
        if answer ~= '' then deliver(ARGV[1] .. string.match(asked, '|(.*)$'), key, answer, ARGV[2]) end
    end
end
done(KEYS[3], ARGV[6], ARGV[7])
