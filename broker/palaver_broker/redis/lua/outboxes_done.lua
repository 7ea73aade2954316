-- Delete what has been dealt with. An empty outbox goes as a whole: whatever ids its owner has chosen to use up, the
-- next one has them all again.
-- KEYS: outbox     ARGV: ids
redis.call('XDEL', KEYS[1], unpack(ARGV))
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('UNLINK', KEYS[1]) end
