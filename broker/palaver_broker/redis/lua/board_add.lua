-- Add a slice of episodes to a run, each unless it is known. ARGV: run, number of agents, the agents, then for each
-- episode its id, '1' where it is owed even if archived, and its opening. Replies 0 where there is no such run.
local state = redis.call('HGET', run, 'state')
if not state then
    return 0
end
local first = 3 + ARGV[2]
if first > 3 then
    redis.call('SADD', agents, unpack(ARGV, 3, first - 1))
end
local added = false
for i = first, #ARGV, 3 do
    local episode, again, opening = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local outcome = redis.call('HGET', archived, episode)
    if redis.call('HEXISTS', openings, episode) == 0 and (not outcome or again == '1') then
        if outcome then
            redis.call('HDEL', archived, episode)
            redis.call('HINCRBY', run, 'outcome:' .. outcome, -1)
        end
        redis.call('HSET', openings, episode, opening)
        redis.call('ZADD', owed, redis.call('HINCRBY', run, 'episodes', 1), episode)
        added = true
    end
end
if added and state == 'done' then
    redis.call('HSET', run, 'state', 'loading')
    for _, key in ipairs({run, archived, agents, done, purse}) do
        redis.call('PERSIST', key)
    end
end
return 1
