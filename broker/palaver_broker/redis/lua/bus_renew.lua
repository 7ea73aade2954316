-- Start a lease anew, if it is still this consumer's: looking and taking are one step, or two would hold one call.
-- KEYS: stream     ARGV: group, consumer, entry id
if not holds(KEYS[1], ARGV[1], ARGV[2], ARGV[3]) then return 0 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
