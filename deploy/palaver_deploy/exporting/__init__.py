"""``palaver export``: runs of ours as results of other programs.

:mod:`.command` is what is typed, :mod:`.files` the documents of an episode, :mod:`.runs` the folder of a run.
"""
