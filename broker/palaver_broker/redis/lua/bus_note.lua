-- Tell an agent that is somebody else's program what became of something.
-- KEYS: notes     ARGV: notice, milliseconds that notes live
note(KEYS[1], ARGV[1], ARGV[2])
