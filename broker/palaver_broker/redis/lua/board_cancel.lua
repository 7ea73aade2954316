-- Stop a run: nothing is claimed any more, and nobody holds a lease. ARGV: run, `paused` or `cancelled`. Replies whether
-- this is how it stands.
local state, wanted = redis.call('HGET', run, 'state'), ARGV[2]
if state == 'open' or (wanted == 'cancelled' and (state == 'loading' or state == 'paused')) then
    -- What was still being submitted cannot go on by itself: episodes of it are missing.
    if state == 'loading' then redis.call('HSET', run, 'partial', 1) end
    state = wanted
    redis.call('HSET', run, 'state', state)
    redis.call('HDEL', open, run_id)
    redis.call('DEL', holders)
    redis.call('ZUNIONSTORE', leased, 1, leased, 'WEIGHTS', 0)
end
return state == wanted and 1 or 0
