-- Measure an agent's inbox. KEYS: the stream. Replies: unread, pending, age of the oldest entry (ms). What is answered
-- is deleted, so that a stream holds what is unread and what is pending, nothing else.
local length = redis.call('XLEN', KEYS[1])
local summary = redis.pcall('XPENDING', KEYS[1], 'agents') -- an error where nobody has read yet
local pending = summary[1] or 0
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local age = 0
if oldest then
    local time = redis.call('TIME')
    age = time[1] * 1000 + math.floor(time[2] / 1000) - string.match(oldest[1], '^%d+')
end
return {math.max(0, length - pending), pending, math.max(0, age)}
