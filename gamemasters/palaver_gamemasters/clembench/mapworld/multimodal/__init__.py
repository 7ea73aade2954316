"""MapWorld with pictures (sections 5 to 7): the walker sees the room that it is in, and describes it."""
