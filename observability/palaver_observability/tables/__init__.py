"""Runs as flat tables at four grains, for other people's programs: runs, episodes, turns, messages.

:mod:`.schema` says which columns there are, :mod:`.rows` makes the rows. All of it is pure: how rows become files is
the business of those who write them.
"""
