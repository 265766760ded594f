"""One browser for the tests of all rooms: a second one in the same process would not start."""

from tests.browser import browser

__all__ = ["browser"]
