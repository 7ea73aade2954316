-- Drop members that have not been heard of in time, and agents after a week. KEYS: as for a beat. Replies with what
-- the others said.
local AGENT_IS_KNOWN_MS = 7 * 24 * 3600 * 1000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
    redis.call('ZREM', KEYS[1], member)
    redis.call('HDEL', KEYS[2], member)
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - AGENT_IS_KNOWN_MS)
return redis.call('HVALS', KEYS[2])
