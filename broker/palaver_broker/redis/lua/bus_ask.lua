-- KEYS: log, calls, purse, inbox     ARGV: prefix, milliseconds a box lives, key, topic that waits, request
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
return ask(KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[3], ARGV[4], ARGV[5], ARGV[2])
