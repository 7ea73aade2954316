-- Prolong leases of a game master, lapsed ones too where nobody has taken them over. ARGV: run, game master, lease
-- (ms), the episodes. Replies with those that it holds.
local held, deadline = {}, now() + ARGV[3]
for i, holder in ipairs(redis.call('HMGET', holders, unpack(ARGV, 4))) do
    if holder == ARGV[2] then
        held[#held + 1] = ARGV[3 + i]
        redis.call('ZADD', leased, deadline, ARGV[3 + i])
    end
end
return held
