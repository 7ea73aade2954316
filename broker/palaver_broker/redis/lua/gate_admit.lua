-- May a question be asked now?
-- KEYS: gate, calls of the episode, run     ARGV: requests a minute, tokens a minute (each 0: no limit), key
-- Replies with two numbers: 0 if it may, -1 if nobody waits for its answer, else the ms after which to try again; and
-- the ms that a pause still lasts.
local rpm, tpm, key = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local paused = pause_left()

local state = redis.call('HGET', KEYS[3], 'state')
if redis.call('HEXISTS', KEYS[2], '?' .. key) == 0 or state == 'cancelled' or state == 'paused' then
  return {-1, paused}
end

local wait, requests = paused, nil
if rpm > 0 then
  requests = level('requests', rpm)
  wait = math.max(wait, (requests + 1 - capacity(rpm)) * 60000 / rpm)
end
if tpm > 0 then
  local tokens = level('tokens', tpm)
  wait = math.max(wait, (tokens - capacity(tpm)) * 60000 / tpm)
  set_level('tokens', tokens)
end
if rpm > 0 then
  -- Who has to wait writes, too: the hash stays while it is used, and a clock that has gone back starts from here.
  set_level('requests', wait <= 0 and requests + 1 or requests)
end
return {math.ceil(wait), paused}
