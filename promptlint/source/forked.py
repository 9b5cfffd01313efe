"""Work that another process does meanwhile, with all that this one holds."""

from collections.abc import Callable
from threading import active_count
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Result = TypeVar("Result")


def can_fork() -> bool:
    """Whether a copy of this process is safe to make: another thread's locks would stay shut."""
    from multiprocessing import current_process

    return active_count() == 1 and not current_process().daemon


def meanwhile(there: Callable[[], Result], here: Callable[[], object]) -> Result:
    """What `there` returns in a copy of this process, while `here` runs in this one.

    Nothing that `there` changes is seen here. Raises RuntimeError if it fails: its traceback
    is on standard error.
    """
    from multiprocessing import get_context

    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, sender), daemon=True)
    process.start()
    sender.close()
    try:
        here()
        result: Result = receiver.recv()
    except EOFError:
        raise RuntimeError("the process that read the other half failed") from None
    finally:
        process.terminate()
        process.join()
    return result


def _send(there: Callable[[], Result], sender: "Connection[Result, Result]") -> None:
    sender.send(there())
