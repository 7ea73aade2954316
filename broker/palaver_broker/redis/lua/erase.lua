-- Take an entry out of a stream, from whoever has it on loan.
local function erase(stream, id)
    local groups = redis.call('EXISTS', stream) == 1 and redis.call('XINFO', 'GROUPS', stream) or {}
    for _, info in ipairs(groups) do
        for i = 1, #info, 2 do
            if info[i] == 'name' then redis.call('XACK', stream, info[i + 1], id) end
        end
    end
    redis.call('XDEL', stream, id)
end

