-- Let a run go on that was stopped when all its episodes were in. ARGV: run. Replies whether it is played.
local state = redis.call('HGET', run, 'state')
local whole = redis.call('HEXISTS', run, 'partial') == 0
if (state == 'paused' or state == 'cancelled') and whole and not close() then
    state = 'open'
    redis.call('HSET', run, 'state', state)
    redis.call('HSET', open, run_id, redis.call('HGET', run, 'game'))
end
return state == 'open' and 1 or 0
