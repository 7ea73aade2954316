"""``palaver transcribe``: episodes as pages. :mod:`.command` is what is typed, :mod:`.runs` writes them."""
