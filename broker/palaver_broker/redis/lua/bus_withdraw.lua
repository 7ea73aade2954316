-- Take back a question that has no answer, and tell its agent, if it is one that reads notes.
-- KEYS: calls, inbox, notes     ARGV: key, milliseconds that notes live, notice (empty: none)
local asked = redis.call('HGET', KEYS[1], '?' .. ARGV[1])
if not asked then return 0 end
redis.call('HDEL', KEYS[1], '?' .. ARGV[1])
local id = string.match(asked, '^[^|]+')
erase(KEYS[2], id)
if ARGV[3] ~= '' then note(KEYS[3], ARGV[3], ARGV[2]) end
return 1
