-- Say how a run stands. ARGV: run. Replies with nothing for one that is not known (any more).
if redis.call('EXISTS', run) == 0 then
    redis.call('ZREM', runs, run_id)
    return false
end
local playing = redis.call('ZCOUNT', leased, now(), '+inf')
return {
    redis.call('HGETALL', run),
    redis.call('ZCARD', owed) + redis.call('ZCARD', leased) - playing, playing,
    redis.call('HLEN', ended), redis.call('HLEN', archived),
    redis.call('HMGET', purse, 'tokens', 'micro_usd'),
}
