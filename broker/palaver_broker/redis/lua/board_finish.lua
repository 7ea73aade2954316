-- An episode has ended, whoever says so: the first word counts. ARGV: run, episode, outcome.
local episode, outcome = ARGV[2], ARGV[3]
if redis.call('HEXISTS', openings, episode) == 0 or redis.call('HEXISTS', ended, episode) == 1 then
    return
end
redis.call('ZREM', owed, episode)
redis.call('ZREM', leased, episode)
redis.call('HDEL', holders, episode)
redis.call('HSET', ended, episode, redis.call('XADD', done, '*', 'e', episode, 'o', outcome) .. ' ' .. outcome)
redis.call('HINCRBY', run, 'outcome:' .. outcome, 1)
