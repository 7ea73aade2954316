"""Transcripts as pages: an episode in columns, player | game master | player, as clembench's are read.

:mod:`.story` makes an episode's log, and its game's minutes where there are some, into lines; :mod:`.page` sets them,
:mod:`.boards` draws how the game stood beside them, :mod:`.index` lists the pages, :mod:`.site` is the front of a
site for publishing. All are pure functions. A page needs nothing besides itself: no script, no font, no
file.
"""
