-- Find a question that is open to an agent: the id of its entry in the agent's own inbox, its text, its age (ms).
-- Nothing for one that is not; 'answered' where it has its answer.
-- KEYS: calls, inbox     ARGV: key
local asked = redis.call('HGET', KEYS[1], '?' .. ARGV[1])
if not asked then
    return redis.call('HEXISTS', KEYS[1], '=' .. ARGV[1]) == 1 and {'answered'} or {}
end
local id = string.match(asked, '^[^|]+')
local entry = redis.call('XRANGE', KEYS[2], id, id)[1]
if not entry or entry[2][2] ~= ARGV[1] then return {} end
local time = redis.call('TIME')
local age = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(string.match(id, '^%d+'))
return {id, entry[2][4], age}
