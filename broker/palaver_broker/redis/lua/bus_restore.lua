-- Put a log back, some entries a call: they gather under a key of their own, and become the log when all are there.
-- Whoever is killed in between leaves no half of a log, only that key, which goes by itself.
-- KEYS: log, where it gathers, archived episodes of the run
-- ARGV: episode, '1' where it is put back though archived, milliseconds that key lives, number of all entries, position
--       of the first of these, (key, entry) of each
-- Replies with the position at which to go on: the number of all entries where nothing is left to do.
local log, part, archived = KEYS[1], KEYS[2], KEYS[3]
local total, at = tonumber(ARGV[4]), tonumber(ARGV[5])

if redis.call('EXISTS', log) == 1 or (ARGV[2] ~= '1' and redis.call('HEXISTS', archived, ARGV[1]) == 1) then
    redis.call('UNLINK', part)
    return total
end
local length = redis.call('XLEN', part)
for i = 6, #ARGV, 2 do
    if at == length then -- else it is there already, or what comes before it was lost with the server
        length = length + 1
        redis.call('XADD', part, length .. '-0', 'k', ARGV[i], 'm', ARGV[i + 1])
    end
    at = at + 1
end
if length == total then
    redis.call('RENAMENX', part, log)
    redis.call('PERSIST', log)
elseif length > 0 then
    redis.call('PEXPIRE', part, ARGV[3])
end
return length
