-- All episodes of a run are in: let it be played, unless it was cancelled meanwhile. ARGV: run.
if redis.call('HGET', run, 'state') == 'loading' and not close() then
    redis.call('HDEL', run, 'partial')
    redis.call('HSET', run, 'state', 'open')
    redis.call('HSET', open, run_id, redis.call('HGET', run, 'game'))
end
