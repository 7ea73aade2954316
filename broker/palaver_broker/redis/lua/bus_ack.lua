-- Acknowledge what this consumer still holds.
-- KEYS: stream     ARGV: group, consumer, entry id
if holds(KEYS[1], ARGV[1], ARGV[2], ARGV[3]) then done(KEYS[1], ARGV[1], ARGV[3]) end
