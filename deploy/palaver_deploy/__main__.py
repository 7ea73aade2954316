"""``python -m palaver_deploy`` is ``palaver``."""

from .cli import main

main()
