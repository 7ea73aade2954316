"""The maps that walkers draw, set beside the true ones: how many edits lie between two graphs."""
