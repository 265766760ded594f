"""One browser for the tests of all rooms: a second one in the same process would not start.

A shell starts what runs in its background with SIGINT ignored, and child processes inherit that; the tests that press
Ctrl-C need the usual disposition, which is set here for the whole session.
"""

import signal
from contextlib import suppress

from tests.browser import browser

with suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["browser"]
