-- Know something else of an agent. Nobody comes back by this who has been turned out meanwhile.
-- KEYS: agents     ARGV: name, what is known of it
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
