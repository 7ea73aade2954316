-- Count what an answer has used. KEYS: gate     ARGV: tokens a minute (0: no limit), tokens
-- Replies with the ms that a pause still lasts. An answer that comes in a pause was asked for before it: it is no sign
-- that the provider has recovered.
local tpm = tonumber(ARGV[1])
if tpm > 0 then set_level('tokens', level('tokens', tpm) + ARGV[2]) end
local paused = pause_left()
if paused == 0 then redis.call('HDEL', gate, 'failures') end
return paused
