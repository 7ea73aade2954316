-- What the scripts of the bus share. Put in front of each of them.

-- Compare two ids of stream entries: is a < b?
local function before(a, b)
    local a_ms, a_seq = string.match(a, '(%d+)-(%d+)')
    local b_ms, b_seq = string.match(b, '(%d+)-(%d+)')
    if a_ms ~= b_ms then return tonumber(a_ms) < tonumber(b_ms) end
    return tonumber(a_seq) < tonumber(b_seq)
end

-- Acknowledge an entry, and delete it once no group needs it any more: a stream holds what is owed, and nothing else.
local function done(stream, group, id)
    redis.call('XACK', stream, group, id)
    local groups = redis.call('EXISTS', stream) == 1 and redis.call('XINFO', 'GROUPS', stream) or {}
    for _, info in ipairs(groups) do
        local name, last
        for i = 1, #info, 2 do
            if info[i] == 'name' then name = info[i + 1] end
            if info[i] == 'last-delivered-id' then last = info[i + 1] end
        end
        if name ~= group and (before(last, id) or #redis.call('XPENDING', stream, name, id, id, 1) > 0) then
            return
        end
    end
    redis.call('XDEL', stream, id)
end

-- Is an entry still lent to this consumer?
local function holds(stream, group, consumer, id)
    return #redis.call('XPENDING', stream, group, id, id, 1, consumer) > 0
end

-- Put an answer into the box of whoever waits for it. A box that nobody looks after goes by itself.
local function deliver(box, key, answer, box_ms)
    redis.call('XADD', box, '*', 'k', key, 'm', answer)
    redis.call('PEXPIRE', box, box_ms)
end

-- Tell an agent that is somebody else's program what became of something. Notes are few, and go by themselves.
local function note(stream, notice, live_ms)
    redis.call('XADD', stream, 'MAXLEN', 256, '*', 'm', notice)
    redis.call('PEXPIRE', stream, live_ms)
end

-- Ask a question, unless it has been asked or answered. In `calls`, `?KEY` is the inbox entry of a question and who
-- waits for its answer (`ID|TOPIC`), `=KEY` its answer, empty once a turn has taken it.
local function ask(calls, purse, inbox, prefix, key, to, request, box_ms)
    local answer = redis.call('HGET', calls, '=' .. key)
    if answer == '' then return 'gone' end
    if answer then
        deliver(prefix .. to, key, answer, box_ms)
        return 'answered'
    end
    local asked = redis.call('HGET', calls, '?' .. key)
    if asked then
        local id = string.match(asked, '^[^|]+')
        if #redis.call('XRANGE', inbox, id, id) > 0 then
            redis.call('HSET', calls, '?' .. key, id .. '|' .. to)
            return 'waiting'
        end
    else
        local spent = redis.call('HMGET', purse, 'tokens', 'max_tokens', 'micro_usd', 'max_micro_usd')
        for i = 1, 3, 2 do
            if spent[i + 1] and tonumber(spent[i] or 0) >= tonumber(spent[i + 1]) then return 'budget' end
        end
    end
    local id = redis.call('XADD', inbox, '*', 'k', key, 'm', request)
    redis.call('HSET', calls, '?' .. key, id .. '|' .. to)
    return 'asked'
end
