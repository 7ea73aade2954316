-- Read outboxes. What is too large to be read is not even sent to us: only its size is.
-- KEYS: outboxes     ARGV: bytes that an entry may have, bytes after which to stop, entries to read of each outbox
-- Replies with what there is, in order: number of the outbox (from 1), id, text (or size, where it is too large).
local most, stop = tonumber(ARGV[1]), tonumber(ARGV[2])
local found, looked_at = {}, 0
for i, box in ipairs(KEYS) do
    local left, from = tonumber(ARGV[2 + i]), '-'
    if redis.call('TYPE', box).ok ~= 'stream' then left = 0 end
    while left > 0 and looked_at < stop do
        local entry = redis.pcall('XRANGE', box, from, '+', 'COUNT', 1)[1] -- there is nothing after the last id of all
        if not entry then break end
        local size, text = 0, ''
        for j = 1, #entry[2], 2 do
            size = size + #entry[2][j] + #entry[2][j + 1]
            if entry[2][j] == 'm' then text = entry[2][j + 1] end
        end
        looked_at = looked_at + size + 100
        if size > most + 1 then text = size end
        found[#found + 1], found[#found + 2], found[#found + 3] = i, entry[1], text
        from, left = '(' .. entry[1], left - 1
    end
    if looked_at >= stop then break end
end
return found
