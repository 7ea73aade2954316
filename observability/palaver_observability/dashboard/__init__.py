"""The dashboard: what is being played, said and measured, as pages for people who look rather than read.

:mod:`.index` folds word of commits into cards; :mod:`.sources` say where they come from (a bus, a run in this process,
folders); :mod:`.feed` sends changes to browsers; :mod:`.boards` draws; :mod:`.episodes` tells of one episode; and
:mod:`.app` serves all of it to those whom :mod:`.doors` lets in. ``static/`` holds the pages.
"""
