-- Hand back leases of a game master: they lapse at once. ARGV: run, game master, the episodes.
for i, holder in ipairs(redis.call('HMGET', holders, unpack(ARGV, 3))) do
    if holder == ARGV[2] then
        redis.call('ZADD', leased, 0, ARGV[2 + i])
        redis.call('HDEL', holders, ARGV[2 + i])
    end
end
