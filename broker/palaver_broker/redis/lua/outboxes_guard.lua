-- Keep outboxes within bounds. Works on a server that is out of memory, too.
-- KEYS: outboxes     ARGV: entries that an outbox may hold, bytes that it may hold
-- Replies with what was done: number of the outbox (from 1), 'many' (the oldest are gone), 'large' (all are gone) or
-- 'strange' (it was no stream, and is gone).
local done = {}
for i, box in ipairs(KEYS) do
    local kind = redis.call('TYPE', box).ok
    if kind == 'stream' then
        local bytes = redis.call('MEMORY', 'USAGE', box, 'SAMPLES', 0)
        if bytes and bytes > tonumber(ARGV[2]) then
            redis.call('UNLINK', box)
            done[#done + 1] = {i, 'large'}
        elseif redis.call('XLEN', box) > tonumber(ARGV[1]) then
            redis.call('XTRIM', box, 'MAXLEN', ARGV[1])
            done[#done + 1] = {i, 'many'}
        end
    elseif kind ~= 'none' then
        redis.call('UNLINK', box)
        done[#done + 1] = {i, 'strange'}
    end
end
return done
