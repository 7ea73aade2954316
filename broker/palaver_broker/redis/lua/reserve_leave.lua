-- Leave a place, if it is ours.
-- KEYS: place     ARGV: process
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
