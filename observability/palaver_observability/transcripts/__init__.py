"""Transcripts as pages: an episode in columns, player | game master | player, as clembench's are read.

:mod:`.story` makes an episode's log, and its game's minutes where there are some, into lines; :mod:`.page` sets them,
:mod:`.index` lists the pages. All three are pure functions. A page needs nothing besides itself: no script, no font, no
file.
"""
