-- Lease episodes to a game master. KEYS: its last grant, then six keys of each run, in the order of `Board._keys`.
-- ARGV: game master, its claimant (a random word), number of this claim, number of the last one that granted something
-- and was heard of, room, lease (ms), how many ended episodes may wait, the runs.
-- Replies with a pair for each run that gave something: its configuration, and the openings.
--
-- A lease that has lapsed, or was handed back (deadline 0), keeps its place among the run's leases until somebody takes
-- it over. Therefore the number of leases never exceeds the run's concurrency, though old leases are always granted.
local last, gamemaster, claimant, number, heard = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local room, lease_ms, enough = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- The last grant: claimant, number of the claim, then a run and an episode in turn.
local memory = redis.call('LRANGE', last, 0, -1)
local remembered = memory[1] == claimant and tonumber(memory[2]) or 0
if number < remembered then
    return {} -- a claim of old, which the server was sent twice: nobody listens
end

local function by_rank(one, other)
    if one.priority ~= other.priority then
        return one.priority > other.priority
    end
    return one.submitted < other.submitted
end

local runs, by_id = {}, {}
for i = 8, #ARGV do
    local first = 2 + (i - 8) * 6
    local key, owed, leased, holders, openings, ended = unpack(KEYS, first, first + 5)
    local state, priority, concurrency, submitted =
        unpack(redis.call('HMGET', key, 'state', 'priority', 'concurrency', 'submitted'))
    if state == 'open' then
        local playing = redis.call('ZCARD', leased)
        local free = 0
        if redis.call('HLEN', ended) < enough then
            free = math.min(concurrency - playing, redis.call('ZCARD', owed))
        end
        local run = {
            id = ARGV[i], key = key, owed = owed, leased = leased, holders = holders, openings = openings,
            priority = tonumber(priority), submitted = tonumber(submitted),
            playing = playing, free = free, new = 0, granted = {},
        }
        runs[#runs + 1] = run
        by_id[run.id] = run
    end
end
table.sort(runs, by_rank)

local function grant(run, episode)
    run.granted[#run.granted + 1] = episode
    room = room - 1
end

-- Nobody has heard of the last grant: grant the same again, and hand back what there is no room for any more.
local function grant_again()
    for i = 3, #memory, 2 do
        local run, episode = by_id[memory[i]], memory[i + 1]
        if run and redis.call('HGET', run.holders, episode) == gamemaster then
            if room > 0 then
                grant(run, episode)
            else
                redis.call('ZADD', run.leased, 0, episode)
                redis.call('HDEL', run.holders, episode)
            end
        end
    end
end

local function grant_lapsed()
    for _, run in ipairs(runs) do
        if room > 0 then
            for _, episode in ipairs(redis.call('ZRANGEBYSCORE', run.leased, '-inf', now, 'LIMIT', 0, room)) do
                grant(run, episode)
            end
        end
    end
end

-- One by one, each to the run of the highest priority that plays least.
local function grant_new()
    for _ = 1, room do
        local best
        for _, run in ipairs(runs) do
            if run.free > 0 and (not best or (run.priority == best.priority and run.playing < best.playing)) then
                best = run
            end
        end
        if not best then
            break
        end
        best.free, best.playing, best.new = best.free - 1, best.playing + 1, best.new + 1
    end
    for _, run in ipairs(runs) do
        if run.new > 0 then
            local popped = redis.call('ZPOPMIN', run.owed, run.new)
            for i = 1, #popped, 2 do
                grant(run, popped[i])
            end
        end
    end
end

if remembered > 0 and remembered ~= heard then
    grant_again()
    redis.call('DEL', last)
else
    grant_lapsed()
    grant_new()
end

local reply, grants = {}, {claimant, number}
for _, run in ipairs(runs) do
    if #run.granted > 0 then
        local deadlines, holders = {}, {}
        for _, episode in ipairs(run.granted) do
            deadlines[#deadlines + 1], deadlines[#deadlines + 2] = now + lease_ms, episode
            holders[#holders + 1], holders[#holders + 2] = episode, gamemaster
            grants[#grants + 1], grants[#grants + 2] = run.id, episode
        end
        redis.call('ZADD', run.leased, unpack(deadlines))
        redis.call('HSET', run.holders, unpack(holders))
        reply[#reply + 1] = {
            redis.call('HGET', run.key, 'config'), redis.call('HMGET', run.openings, unpack(run.granted)),
        }
    end
end
if #reply > 0 then
    redis.call('DEL', last)
    redis.call('RPUSH', last, unpack(grants))
    redis.call('PEXPIRE', last, math.max(lease_ms, 60000))
end
return reply
