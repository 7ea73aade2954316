-- Turn an agent out, and remember that for a week.
-- KEYS: agents, those turned out     ARGV: name
local time = redis.call('TIME')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], time[1], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', time[1] - 7 * 24 * 3600)
