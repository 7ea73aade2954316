"""``palaver import``: results of other programs, played through our rules and kept as runs of ours.

:mod:`.command` is what is typed, :mod:`.files` what lies in a results folder, :mod:`.logs` plays one episode again and
compares, :mod:`.runs` makes run folders of them, :mod:`.words` tells what came of it.
"""
