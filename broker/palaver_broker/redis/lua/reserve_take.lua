-- Take a place that one process at a time may have, or keep it: looking and taking are one step.
-- KEYS: place     ARGV: process, lease (ms)
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
