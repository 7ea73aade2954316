"""MapWorld in words (section 8): rooms are names, and the walker is told which one it is in."""
