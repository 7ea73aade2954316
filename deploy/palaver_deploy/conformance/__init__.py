"""Whether an agent on the bus speaks the protocol: what it is asked, what it should do, what it did.

:mod:`.points` says what is looked at, :mod:`.script` what is asked, :mod:`.seen` what came of it, :mod:`.judging` what
to think of that, with :mod:`.causes` for why there is no answer and :mod:`.mends` for what to do about it; none of them
knows the bus. :mod:`.stage` is the bus as a game master has it, :mod:`.playing` goes through the script on it,
:mod:`.report` says what has come of it. ``golden/`` holds conversations as they should be.
"""
