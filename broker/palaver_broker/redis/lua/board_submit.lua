-- Make a run known, or take up one that is. ARGV: run, config, game, priority, concurrency, recorder, most tokens, most
-- micro-dollars (each empty where there is no bound), the configuration of the same run that may be there already.
-- Replies with the configuration that the run has.
local config = redis.call('HGET', run, 'config')
if config and config ~= ARGV[2] and config ~= ARGV[9] then
    return config
end
redis.call('HSET', run, 'config', ARGV[2], 'game', ARGV[3], 'priority', ARGV[4], 'concurrency', ARGV[5])
if not config then
    local at = now()
    redis.call('HSET', run, 'state', 'loading', 'submitted', at)
    redis.call('ZADD', runs, at, run_id)
else
    local state = redis.call('HGET', run, 'state')
    if state == 'cancelled' or state == 'paused' then
        redis.call('HSET', run, 'state', 'loading')
    end
end
redis.call('HSET', run, 'recorder', ARGV[6])
for field, most in pairs({max_tokens = ARGV[7], max_micro_usd = ARGV[8]}) do
    if most == '' then
        redis.call('HDEL', purse, field)
    else
        redis.call('HSET', purse, field, most)
    end
end
return ARGV[2]
