"""``python -m nonholo`` and the command ``nonholo``: nothing is loaded before Ctrl-C is quiet."""

import _signal  # type: ignore[import-not-found]  # the module signal, without the enumerations that take time to make
import gc
import os


def _leave(number: int, frame: object) -> None:
    """Nothing was begun yet, so there is nothing to tidy up."""
    os._exit(130)


def run() -> None:
    """The command."""
    quiet = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if quiet:
        _signal.signal(_signal.SIGINT, _leave)
    gc.set_threshold(100_000, 20, 20)  # a command throws little away: looking for it often takes a tenth of the time
    from nonholo.cli import main

    if quiet:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    main.run()


if __name__ == "__main__":
    run()
