"""Stopping a run without losing anything: Ctrl-C and SIGTERM."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from threading import current_thread, main_thread

__all__ = ["run_until_stopped", "stop_gracefully", "until_stopped"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(work: Coroutine[object, object, None]) -> signal.Signals | None:
    """Run to the end, or until somebody asks to stop: then ``work`` is cancelled, and finishes what it is writing.

    Who asks a second time is not kept waiting: the process ends there and then.

    Returns:
        The signal that stopped it; None if it came to its end.
    """
    return asyncio.run(until_stopped(work))


async def until_stopped(work: Coroutine[object, object, None]) -> signal.Signals | None:
    """Do what :func:`run_until_stopped` does, in a loop that runs already."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    caught: list[signal.Signals] = []

    def stop(signum: signal.Signals) -> None:
        caught.append(signum)
        task.cancel()
        for each in SIGNALS:
            loop.remove_signal_handler(each)

    if current_thread() is main_thread():
        for signum in SIGNALS:
            loop.add_signal_handler(signum, stop, signum)
    try:
        await task
    except (asyncio.CancelledError, ExceptionGroup):
        if not caught:
            raise
    finally:
        for signum in SIGNALS:
            loop.remove_signal_handler(signum)
    return caught[0] if caught else None


async def stop_gracefully(work: Awaitable[None], drain: Callable[[], None], grace_s: float) -> None:
    """Run a service until it ends, or until somebody asks it to stop.

    Then it is drained: it takes nothing new, and ends when it has finished or handed back what it has. After
    ``grace_s`` seconds, or when it is asked once more, it is cancelled.
    """
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    caught: list[signal.Signals] = []

    def stop(signum: signal.Signals) -> None:
        caught.append(signum)
        if len(caught) == 1:
            drain()
            loop.call_later(grace_s, task.cancel)
        else:
            task.cancel()

    for signum in SIGNALS:
        loop.add_signal_handler(signum, stop, signum)
    try:
        await task
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        for signum in SIGNALS:
            loop.remove_signal_handler(signum)
