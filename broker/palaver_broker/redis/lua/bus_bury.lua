-- Move an entry to the dead letters.
-- KEYS: stream, dead letters     ARGV: group, entry id, topic, reason, text
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*', 't', ARGV[3], 'r', ARGV[4], 'm', ARGV[5])
done(KEYS[1], ARGV[1], ARGV[2])
