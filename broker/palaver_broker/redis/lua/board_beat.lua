-- A member of the fleet is alive. KEYS: deadlines, what members said, agents. ARGV: member, what it says, for how long
-- it is believed (ms; 0: it leaves), its name where it is an agent.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if ARGV[4] ~= '' then
    redis.call('ZADD', KEYS[3], now, ARGV[4])
end
