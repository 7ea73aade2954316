-- The provider has asked us to slow down. KEYS: gate     ARGV: seconds that it wants; 0: it does not say
-- Replies with the ms that the pause lasts. A refusal that comes in a pause answers what was asked before it: hundreds
-- may be on their way when a limit is reached, and count as one.
local until_ms = paused_until()
local failures = tonumber(redis.call('HGET', gate, 'failures') or 0)
if until_ms <= now then failures = failures + 1 end
local wanted = ARGV[1] * 1000
if wanted == 0 then wanted = math.min(60000, 1000 * 2 ^ (failures - 1)) end
keep('failures', failures, 'paused_until', math.max(until_ms, now + math.min(wanted, LONGEST_PAUSE_MS)))
return pause_left()
