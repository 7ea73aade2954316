-- Erase a slice of a run's unfinished episodes; with none named, all that is left of the run. ARGV: run, the episodes.
-- KEYS from 13 on: their logs and calls.
if #ARGV == 1 then
    redis.call('UNLINK', run, owed, leased, holders, openings, ended, archived, agents, done, purse)
    redis.call('ZREM', runs, run_id)
    redis.call('HDEL', open, run_id)
    return
end
for i = 2, #ARGV do
    redis.call('ZREM', owed, ARGV[i])
    redis.call('ZREM', leased, ARGV[i])
    redis.call('HDEL', holders, ARGV[i])
    redis.call('HDEL', ended, ARGV[i])
    redis.call('HDEL', openings, ARGV[i])
end
redis.call('UNLINK', unpack(KEYS, 13))
