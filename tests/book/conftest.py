"""The browser of the tests of pages serves here too."""

from tests.present.conftest import browser

__all__ = ["browser"]
