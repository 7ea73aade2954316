"""Who watches: metrics, logs, run folders, statistics, the results table and the progress display.

Import its modules one by one (``from palaver_observability.folder import RunFolder``): a program that only reads a run
folder loads neither Prometheus nor a terminal library.
"""
