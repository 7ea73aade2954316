-- Turn an agent out, and remember that.
-- KEYS: agents, those turned out     ARGV: name
local time = redis.call('TIME')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], time[1], ARGV[1])
