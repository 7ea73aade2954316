-- Let an agent in. Replies with what is known of it then: what we have just said, unless it was known before.
-- KEYS: agents, those turned out     ARGV: name, what is known of it
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 1 then redis.call('ZREM', KEYS[2], ARGV[1]) end
return redis.call('HGET', KEYS[1], ARGV[1])
