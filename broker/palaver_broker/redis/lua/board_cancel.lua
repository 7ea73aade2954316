-- Stop a run: nothing is claimed any more, and nobody holds a lease. ARGV: run. Replies whether it is cancelled.
local state = redis.call('HGET', run, 'state')
if state == 'open' or state == 'loading' then
    state = 'cancelled'
    redis.call('HSET', run, 'state', state)
    redis.call('HDEL', open, run_id)
    redis.call('DEL', holders)
    redis.call('ZUNIONSTORE', leased, 1, leased, 'WEIGHTS', 0)
end
return state == 'cancelled' and 1 or 0
