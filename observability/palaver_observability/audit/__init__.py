"""The leak audit: whether a run's record shows that no seat was sent what only another may see.

What each seat was asked is rebuilt from the log and proven by its content hash (:mod:`.rebuilding`); four layers then
look at it, each by itself: :mod:`.addressing`, :mod:`.content`, :mod:`.declared` and :mod:`.record`.
:mod:`.episodes` audits one episode, :mod:`.runs` a run folder.
"""
