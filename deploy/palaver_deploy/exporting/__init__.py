"""``palaver export``: runs of ours as files of other programs.

:mod:`.command` is what is typed, :mod:`.export` sees an export through; :mod:`.sources` are the runs that it is about,
:mod:`.whole` sees to it that it is there whole or not at all. Then there are modules for each kind: :mod:`.runs` and
:mod:`.files` (clembench), :mod:`.grains` and :mod:`.parquet` (tables), :mod:`.people`, :mod:`.inspect_logs` and
:mod:`.inspect_samples` (Inspect's logs), :mod:`.site` and :mod:`.site_episodes` (pages for publishing).
"""
