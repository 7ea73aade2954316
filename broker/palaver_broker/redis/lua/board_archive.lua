-- An episode is on disk, or will never be: forget it but for its outcome. KEYS from 13 on: its log, its calls, the dead
-- letters. ARGV: run, episode, the log's name, and why it cannot be written down, unless it has been.
local BURIED_IS_KEPT_MS = 7 * 24 * 3600 * 1000

local episode, reason = ARGV[2], ARGV[4]
local id, outcome = string.match(redis.call('HGET', ended, episode) or '', '^(%S+) (%S+)$')
if not id then
    return
end
redis.call('XDEL', done, id)
redis.call('HDEL', ended, episode)
redis.call('HDEL', openings, episode)
redis.call('HSET', archived, episode, outcome)
if not reason then
    redis.call('UNLINK', KEYS[13], KEYS[14])
else
    redis.call('XADD', KEYS[15], 'MAXLEN', '~', 1000, '*', 't', ARGV[3], 'r', reason, 'm', '')
    redis.call('PEXPIRE', KEYS[13], BURIED_IS_KEPT_MS)
    redis.call('PEXPIRE', KEYS[14], BURIED_IS_KEPT_MS)
end
close()
