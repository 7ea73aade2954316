-- What the scripts of a gate share. Put in front of each of them.
--
-- The gate is one hash. `requests` and `tokens` say how full two leaky buckets are, `requests_at` and `tokens_at` when
-- that was (ms, by the server's clock): a bucket that nobody has used is not there, and empty. `paused_until` (ms) is
-- when the provider may be asked again, `failures` how often in a row it has asked us to slow down.
local gate = KEYS[1]

local KEPT_MS = 3600 * 1000
local LONGEST_PAUSE_MS = 600 * 1000

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

-- How much a bucket holds before it is full: ten seconds' worth, and one request at least.
local function capacity(per_minute)
  return math.max(1, per_minute / 6)
end

-- How full a bucket is that loses so much a minute. After a failover the clock may have gone back: nothing is lost then.
local function level(bucket, per_minute)
  local was, at = unpack(redis.call('HMGET', gate, bucket, bucket .. '_at'))
  local passed = math.max(0, now - (at or now))
  return math.max(0, (was or 0) - passed * per_minute / 60000)
end

local function keep(...)
  redis.call('HSET', gate, ...)
  redis.call('PEXPIRE', gate, KEPT_MS)
end

local function set_level(bucket, amount)
  keep(bucket, amount, bucket .. '_at', now)
end

-- When the provider may be asked again; in the past if now. What no pause can last was written by another clock.
local function paused_until()
  local at = tonumber(redis.call('HGET', gate, 'paused_until') or 0)
  return at <= now + LONGEST_PAUSE_MS and at or 0
end

local function pause_left()
  return math.ceil(math.max(0, paused_until() - now))
end
