-- Hand back what this consumer still holds, one entry or all ('*'): nobody's from now on, and long idle, so that the
-- next who looks for lapsed leases takes it.
-- KEYS: stream     ARGV: group, consumer, entry id or '*', consumer that stands for nobody
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local first, last = ARGV[3], ARGV[3]
if ARGV[3] == '*' then first, last = '-', '+' end
local held = redis.call('XPENDING', KEYS[1], ARGV[1], first, last, 1000, ARGV[2])
for _, entry in ipairs(held) do
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[4], 0, entry[1], 'IDLE', 86400000, 'JUSTID')
end
return #held
