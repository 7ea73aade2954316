-- What every script about one run begins with: its keys, in the order of `Board._keys`. ARGV[1] is the run's id.
local run, owed, leased, holders = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local openings, ended, archived, agents = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local done, purse, runs, open = KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local run_id = ARGV[1]

local DONE_IS_KEPT_MS = 7 * 24 * 3600 * 1000

-- The server's clock, in milliseconds.
local function now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- End a run of which nothing is left to do, and say whether it was one. Its counts and the names of what is archived
-- stay for a while, for `status` and for whoever submits it again; all its other keys are empty by now. (What is added
-- later opens it again.)
local function close()
    if redis.call('ZCARD', owed) + redis.call('ZCARD', leased) + redis.call('HLEN', ended) > 0 then
        return false
    end
    redis.call('HSET', run, 'state', 'done')
    redis.call('HDEL', open, run_id)
    for _, key in ipairs({run, archived, agents, done, purse}) do
        redis.call('PEXPIRE', key, DONE_IS_KEPT_MS)
    end
    return true
end
