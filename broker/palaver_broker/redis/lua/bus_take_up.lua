-- Lend again what is on loan to this consumer, and start its leases anew. Reading its history would do so, too, but not
-- in the append-only file: after a restart of the server, the leases would have lapsed.
-- KEYS: stream     ARGV: group, consumer, id after which to go on ('-': from the beginning), how many
-- Replies with the last id looked at, nothing if there is none, and the entries that are still there.
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], '+', ARGV[4], ARGV[2])
if #held == 0 then return {} end
local ids = {}
for i, entry in ipairs(held) do
    ids[i] = entry[1]
end
return {ids[#ids], redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(ids))}
